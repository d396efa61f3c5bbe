"""What every test may ask for: a fresh database of each kind, and the server on it."""

import shutil
import tempfile
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.client import Api, FakeClock, serving
from tests.databases import KINDS, Postgres, sqlite_copy, sqlite_template


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A folder that all test processes of this run share."""
    base = tmp_path_factory.getbasetemp()
    return base if worker_id == "master" else base.parent


@pytest.fixture(scope="session")
def postgres(testrun_uid: str) -> Iterator[Postgres]:
    """The server of this run, in a folder of its own: pytest shuts other users out of its folders."""
    folder = Path(tempfile.gettempdir()) / f"penta-tests-{testrun_uid}"
    folder.mkdir(mode=0o755, exist_ok=True)
    server = Postgres(folder / "postgres")
    yield server
    server.close()
    if not server.is_running:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def sqlite_url(shared_folder: Path, tmp_path: Path) -> str:
    return sqlite_copy(sqlite_template(shared_folder), tmp_path)


@pytest.fixture
def postgres_url(postgres: Postgres) -> Iterator[str]:
    name = f"penta_{uuid.uuid4().hex}"
    yield postgres.create(name)
    postgres.drop(name)


@pytest.fixture(params=KINDS)
def database_url(request: pytest.FixtureRequest) -> str:
    """A fresh, migrated database; a test that asks for it runs on both kinds."""
    url: str = request.getfixturevalue(f"{'sqlite' if request.param == 'sqlite' else 'postgres'}_url")
    return url


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def api(database_url: str, clock: FakeClock) -> AsyncIterator[Api]:
    async with serving(database_url, clock) as running:
        yield running
