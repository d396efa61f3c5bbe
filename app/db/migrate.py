"""Schema levels: which migration a database is at, and bringing it to another."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.ext.asyncio import create_async_engine

from app.settings import Settings

T = TypeVar("T")

_SCRIPTS: Final = Path(__file__).parents[2] / "migrations"


class WrongLevelError(Exception):
    """The database is not at the migration this code was written for."""


def head() -> str:
    """The migration this code was written for."""
    found = ScriptDirectory.from_config(_config()).get_current_head()
    if found is None:
        raise WrongLevelError("there are no migrations")
    return found


def level(settings: Settings) -> str | None:
    """The migration the database is at, None before the first."""
    return _run(settings, lambda connection: MigrationContext.configure(connection).get_current_revision())


def upgrade(settings: Settings, revision: str = "head") -> None:
    """Brings the database up to `revision`."""
    _run(settings, lambda connection: command.upgrade(_config(connection), revision))


def downgrade(settings: Settings, revision: str) -> None:
    """Brings the database down to `revision`."""
    _run(settings, lambda connection: command.downgrade(_config(connection), revision))


def require_head(settings: Settings) -> None:
    """Raises WrongLevelError where the database is at any other migration."""
    found, wanted = level(settings), head()
    if found != wanted:
        raise WrongLevelError(f"the database is at migration {found or 'none'}, this server needs {wanted}")


def _config(connection: sa.Connection | None = None) -> Config:
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(_SCRIPTS))
    return config


def _run(settings: Settings, work: Callable[[sa.Connection], T]) -> T:
    if settings.is_sqlite:
        engine = sa.create_engine(settings.url.set(drivername="sqlite+pysqlite"))
        try:
            with engine.connect() as connection:
                return work(connection)
        finally:
            engine.dispose()
    return asyncio.run(_run_async(settings, work))


async def _run_async(settings: Settings, work: Callable[[sa.Connection], T]) -> T:
    engine = create_async_engine(settings.url.set(drivername="postgresql+asyncpg"))
    try:
        async with engine.connect() as connection:
            return await connection.run_sync(work)
    finally:
        await engine.dispose()
