"""SQLite: one connection, used on the event loop itself, without a thread hop.

No call below waits for anything but the disk, so a transaction runs in one piece; the lock says so to the reader and
holds should that ever change. The connection never waits for another process's lock: it reports busy, and the
command is run again without blocking the loop.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final

from sqlalchemy.dialects.sqlite.pysqlite import dialect as sqlite_dialect
from sqlalchemy.sql.elements import ClauseElement

from app.db.database import Connection, Row, Statements
from app.db.errors import BusyError, ConflictError, UnavailableError

_BUSY: Final = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_PRIMARY_CODE: Final = 0xFF  # an extended result code carries its primary code in the low byte
_CACHED_STATEMENTS: Final = 64


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except sqlite3.IntegrityError as error:
        raise ConflictError(str(error)) from error
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & _PRIMARY_CODE
        raise (BusyError if code in _BUSY else UnavailableError)(str(error)) from error


class _SqliteConnection:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._statements = Statements(sqlite_dialect())

    async def one(self, statement: ClauseElement, values: Mapping[str, Any]) -> Row | None:
        row: Row | None = self._execute(statement, values).fetchone()
        return row

    async def all(self, statement: ClauseElement, values: Mapping[str, Any]) -> Sequence[Row]:
        rows: Sequence[Row] = self._execute(statement, values).fetchall()
        return rows

    async def run(self, statement: ClauseElement, values: Mapping[str, Any]) -> int:
        return self._execute(statement, values).rowcount

    async def run_many(self, statement: ClauseElement, values: Sequence[Mapping[str, Any]]) -> None:
        sql = self._statements[statement]
        self._connection.executemany(sql.text, [sql.arguments(row) for row in values])

    def _execute(self, statement: ClauseElement, values: Mapping[str, Any]) -> sqlite3.Cursor:
        sql = self._statements[statement]
        return self._connection.execute(sql.text, sql.arguments(values))


class SqliteDatabase:
    """`path` of the file; `synchronous` FULL survives a power cut, NORMAL may lose the last moments of one."""

    def __init__(self, path: str, synchronous: str = "FULL") -> None:
        self._path = path
        self._synchronous = synchronous
        self._lock = asyncio.Lock()
        self._opened: tuple[sqlite3.Connection, _SqliteConnection] | None = None

    async def open(self) -> None:
        with _translated():
            connection = sqlite3.connect(
                self._path, timeout=0, isolation_level=None, cached_statements=_CACHED_STATEMENTS
            )
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute(f"PRAGMA synchronous={self._synchronous}")
            connection.execute("PRAGMA foreign_keys=ON")
        self._opened = (connection, _SqliteConnection(connection))

    async def close(self) -> None:
        if self._opened is not None:
            self._opened[0].close()
            self._opened = None

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        async with self._lock:
            raw, connection = self._connections()
            with _translated():
                raw.execute("BEGIN IMMEDIATE")  # the write lock first: nothing read is stale when it is written back
                try:
                    yield connection
                    raw.execute("COMMIT")
                except BaseException:
                    if raw.in_transaction:
                        raw.execute("ROLLBACK")
                    raise

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Connection]:
        async with self._lock:
            with _translated():
                yield self._connections()[1]

    def _connections(self) -> tuple[sqlite3.Connection, _SqliteConnection]:
        if self._opened is None:
            raise UnavailableError("the database is not open")
        return self._opened
