"""The server of these tests: one for the tests of a module, as no game knows of another.

The tests of a module run in one event loop and say so: `pytestmark = pytest.mark.asyncio(loop_scope="module")`.
"""

import uuid
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from tests.client import START, Api, serving
from tests.databases import KINDS, Postgres, sqlite_copy, sqlite_template


@pytest.fixture(scope="module", params=KINDS)
def shared_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A migrated database; a test that asks for it runs on both kinds."""
    if request.param == "sqlite":
        template = sqlite_template(request.getfixturevalue("shared_folder"))
        yield sqlite_copy(template, tmp_path_factory.mktemp("shared"))
        return
    server: Postgres = request.getfixturevalue("postgres")
    name = f"penta_{uuid.uuid4().hex}"
    yield server.create(name)
    server.drop(name)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(shared_url: str) -> AsyncIterator[Api]:
    async with serving(shared_url) as running:
        yield running


@pytest.fixture
def api(shared: Api) -> Api:
    """The module's server, at the beginning of its time."""
    shared.clock.time = START
    return shared


@pytest_asyncio.fixture(loop_scope="module")
async def own(database_url: str) -> AsyncIterator[Api]:
    """A server of the test's own, on a database of its own: to be broken, or searched."""
    async with serving(database_url) as running:
        yield running
