"""A database's schema and rows, and its steps from migration to migration, over a connection of the test's own."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy.ext.asyncio import create_async_engine

from tests.db.storage import kind

T = TypeVar("T")
Rows = dict[str, list[dict[str, Any]]]

SCRIPTS = Path(__file__).parents[2] / "migrations"
BASE = "base"


def revisions(scripts: Path = SCRIPTS) -> list[str]:
    """Every migration, the first one first."""
    directory = ScriptDirectory(str(scripts))
    return [script.revision for script in directory.walk_revisions()][::-1]


def connected(url: str, work: Callable[[sa.Connection], T]) -> T:
    """Runs `work` on a connection; SQLite minds foreign keys on it, as the server's does."""
    if kind(url) == "sqlite":
        engine = sa.create_engine(url)
        try:
            with engine.connect() as connection:
                connection.exec_driver_sql("PRAGMA foreign_keys=ON")
                connection.commit()  # else what follows counts as part of a transaction of the caller's
                return work(connection)
        finally:
            engine.dispose()
    return asyncio.run(_connected(url, work))


async def _connected(url: str, work: Callable[[sa.Connection], T]) -> T:
    engine = create_async_engine(sa.make_url(url).set(drivername="postgresql+asyncpg"))
    try:
        async with engine.connect() as connection:
            return await connection.run_sync(work)
    finally:
        await engine.dispose()


def go_up(url: str, revision: str, scripts: Path = SCRIPTS) -> None:
    connected(url, lambda connection: command.upgrade(_config(connection, scripts), revision))


def go_down(url: str, revision: str, scripts: Path = SCRIPTS) -> None:
    connected(url, lambda connection: command.downgrade(_config(connection, scripts), revision))


def rows(url: str) -> Rows:
    """Every row of every table that there is, apart from the migration's mark."""

    def read(connection: sa.Connection) -> Rows:
        found = sa.MetaData()
        found.reflect(connection)
        return {
            table.name: sorted((dict(row) for row in connection.execute(sa.select(table)).mappings()), key=str)
            for table in found.sorted_tables
            if table.name != "alembic_version"
        }

    return connected(url, read)


def shape(connection: sa.Connection) -> dict[str, Any]:
    """Everything about the tables that the database can tell, in a form that compares."""
    inspector = sa.inspect(connection)
    tables = sorted(set(inspector.get_table_names()) - {"alembic_version"})
    return {
        table: {
            "columns": [{**column, "type": str(column["type"])} for column in inspector.get_columns(table)],
            "primary_key": inspector.get_pk_constraint(table),
            "foreign_keys": inspector.get_foreign_keys(table),
            "unique": inspector.get_unique_constraints(table),
            "checks": inspector.get_check_constraints(table),
            "indexes": [_plain(index) for index in inspector.get_indexes(table)],
            "options": _options(connection, table),
        }
        for table in tables
    }


def _plain(index: Any) -> dict[str, Any]:
    """An index, with its condition as text."""
    options = {name: str(value) for name, value in index.get("dialect_options", {}).items()}
    return {**index, "dialect_options": options}


def _options(connection: sa.Connection, table: str) -> Any:
    """What SQLAlchemy does not reflect: whether a table of SQLite has row numbers."""
    if connection.dialect.name != "sqlite":
        return None
    return connection.exec_driver_sql(f"SELECT wr, strict FROM pragma_table_list('{table}')").one()


def _config(connection: sa.Connection, scripts: Path) -> Config:
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(scripts))
    return config
