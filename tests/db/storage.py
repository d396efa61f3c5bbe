"""A database read and written past the server, as an operator would: no read here settles a clock."""

import sqlite3
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from typing import Any, Protocol

import asyncpg
import orjson
from sqlalchemy import make_url

from app.db.tables import metadata
from engine.codec import event_from_plain, game_from_plain
from engine.events import Event
from engine.evolve import replay
from engine.game import Game

Row = Mapping[str, Any]

SESSIONS = "pg_stat_activity WHERE application_name = 'penta' AND datname = current_database()"
"""The server's sessions with this database, on PostgreSQL."""
LOCK_WAITS = f"SELECT count(*) FROM {SESSIONS} AND wait_event_type = 'Lock'"

_SCORED = """SELECT count(*) AS n FROM events WHERE body LIKE '%"scored"%'"""


class _Driver(Protocol):
    async def all(self, sql: str) -> list[Row]: ...


class _Sqlite:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    async def all(self, sql: str) -> list[Row]:
        cursor = self._connection.execute(sql)
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


class _Postgres:
    def __init__(self, connection: Any) -> None:
        self._connection = connection

    async def all(self, sql: str) -> list[Row]:
        return [dict(row) for row in await self._connection.fetch(sql)]


class Storage:
    """What is committed, and statements of the test's own. Values are written into the SQL: they are the test's."""

    def __init__(self, driver: _Driver, kind: str) -> None:
        self._driver = driver
        self.kind = kind

    async def all(self, sql: str) -> list[Row]:
        return await self._driver.all(sql)

    async def one(self, sql: str) -> Any:
        """The only value of the only row."""
        (row,) = await self.all(sql)
        (value,) = row.values()
        return value

    async def tables(self) -> dict[str, list[Row]]:
        """Every row of every table, in an order that repeats."""
        return {name: sorted(await self.all(f"SELECT * FROM {name}"), key=str) for name in metadata.tables}

    async def scored(self) -> int:
        """How many turns have been scored in all games together."""
        return int(await self.one(_SCORED))

    async def now(self) -> int:
        """The authoritative clock, in milliseconds."""
        if self.kind == "sqlite":
            return int(await self.one("SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"))
        return int(await self.one("SELECT CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT)"))

    async def games(self) -> dict[str, Game]:
        rows = await self.all("SELECT id, state FROM games")
        return {row["id"]: game_from_plain(orjson.loads(row["state"])) for row in rows}

    async def events(self) -> dict[str, list[Event]]:
        """The events of every game, by its id."""
        found: dict[str, list[Event]] = {}
        for row in await self.all("SELECT game_id, seq, at, body FROM events ORDER BY game_id, seq"):
            plain = {"seq": row["seq"], "at": row["at"], **orjson.loads(row["body"])}
            found.setdefault(row["game_id"], []).append(event_from_plain(plain))
        return found

    async def sound_events(self) -> dict[str, list[Event]]:
        """The events of every game, after making sure that each game's state is what its events lead to."""
        games, events = await self.games(), await self.events()
        assert games.keys() == events.keys()
        for game_id, game in games.items():
            assert replay(events[game_id]) == game, game_id
        return events


def sqlite_path(url: str) -> str:
    return str(make_url(url).database)


def kind(url: str) -> str:
    return "sqlite" if url.startswith("sqlite") else "postgresql"


@asynccontextmanager
async def storage(url: str) -> AsyncIterator[Storage]:
    """The database at `url`, on a connection of its own."""
    if kind(url) == "sqlite":
        with closing(sqlite3.connect(sqlite_path(url), isolation_level=None)) as opened:
            yield Storage(_Sqlite(opened), "sqlite")
    else:
        connection = await asyncpg.connect(url)
        try:
            yield Storage(_Postgres(connection), "postgresql")
        finally:
            await connection.close()


@asynccontextmanager
async def locked(url: str, game_id: str) -> AsyncIterator[Storage]:
    """Keeps others from changing a game (on SQLite: any game) until the block ends."""
    async with storage(url) as other:
        if kind(url) == "sqlite":
            await other.all("BEGIN IMMEDIATE")
        else:
            await other.all("BEGIN")
            await other.all(f"SELECT 1 FROM games WHERE id = '{game_id}' FOR UPDATE")
        try:
            yield other
        finally:
            await other.all("ROLLBACK")
