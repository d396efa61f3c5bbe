"""PostgreSQL through asyncpg: a pool whose connections are held for one transaction or one read at a time."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final, Literal

import asyncpg
from sqlalchemy.dialects.postgresql.asyncpg import dialect as asyncpg_dialect
from sqlalchemy.sql.elements import ClauseElement

from app.db.database import Connection, Row, Statements
from app.db.errors import BusyError, CommitUnclearError, ConflictError, UnavailableError

Isolation = Literal["read_committed", "serializable"]

ACQUIRE_TIMEOUT_S: Final = 5.0
CONNECT_TIMEOUT_S: Final = 5.0
SESSION_SETTINGS: Final = {
    "lock_timeout": "3s",
    "statement_timeout": "5s",
    "idle_in_transaction_session_timeout": "5s",
    "application_name": "penta",
}
TRANSACTION_TIMEOUT: Final = "10s"
"""Frees what a client holds that hangs in the middle of a statement; PostgreSQL has this from 17 on."""

_LOST: Final = (
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # seen when the session was ended while a statement was on its way
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.CannotConnectNowError,
    asyncpg.IdleInTransactionSessionTimeoutError,
    asyncpg.TransactionTimeoutError,
    ConnectionError,
)
_BUSY: Final = (
    asyncpg.SerializationError,
    asyncpg.DeadlockDetectedError,
    asyncpg.LockNotAvailableError,
)


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except asyncpg.UniqueViolationError as error:
        raise ConflictError(str(error)) from error
    except (*_BUSY, *_LOST) as error:
        if isinstance(error, ValueError):  # asyncpg's word for an argument of the wrong type
            raise
        raise BusyError(str(error)) from error
    except (asyncpg.PostgresError, OSError, TimeoutError) as error:
        raise UnavailableError(str(error)) from error


class _UnresetConnection(asyncpg.Connection):
    """Nothing here changes a session, so returning a connection needs no extra round trip."""

    def get_reset_query(self) -> str:
        return ""


class _PostgresConnection:
    def __init__(self, connection: Any, statements: Statements) -> None:
        self._connection = connection
        self._statements = statements

    async def one(self, statement: ClauseElement, values: Mapping[str, Any]) -> Row | None:
        sql = self._statements[statement]
        row: Row | None = await self._connection.fetchrow(sql.text, *sql.arguments(values))
        return row

    async def all(self, statement: ClauseElement, values: Mapping[str, Any]) -> Sequence[Row]:
        sql = self._statements[statement]
        rows: Sequence[Row] = await self._connection.fetch(sql.text, *sql.arguments(values))
        return rows

    async def run(self, statement: ClauseElement, values: Mapping[str, Any]) -> int:
        sql = self._statements[statement]
        status: str = await self._connection.execute(sql.text, *sql.arguments(values))
        return int(status.rpartition(" ")[2])  # "UPDATE 1", "INSERT 0 1"

    async def run_many(self, statement: ClauseElement, values: Sequence[Mapping[str, Any]]) -> None:
        sql = self._statements[statement]
        await self._connection.executemany(sql.text, [sql.arguments(row) for row in values])


async def _prepare(connection: asyncpg.Connection) -> None:
    if connection.get_server_version() >= (17,):
        await connection.execute(f"SET transaction_timeout = '{TRANSACTION_TIMEOUT}'")


class PostgresDatabase:
    """`dsn` as libpq reads it; `pool_size` connections at most."""

    def __init__(self, dsn: str, pool_size: int = 10, isolation: Isolation = "read_committed") -> None:
        self._dsn = dsn
        self._pool_size = pool_size
        self._isolation = isolation
        self._statements = Statements(asyncpg_dialect())  # type: ignore[no-untyped-call]
        self._pool: Any = None

    async def open(self) -> None:
        with _translated():
            self._pool = await asyncpg.create_pool(
                self._dsn,
                min_size=1,
                max_size=self._pool_size,
                connection_class=_UnresetConnection,
                init=_prepare,
                server_settings=SESSION_SETTINGS,
                timeout=CONNECT_TIMEOUT_S,
                command_timeout=None,
            )

    async def close(self) -> None:
        if self._pool is not None:
            pool, self._pool = self._pool, None
            try:
                async with asyncio.timeout(ACQUIRE_TIMEOUT_S):
                    await pool.close()
            except TimeoutError:
                pool.terminate()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        with _translated():
            async with self._acquired() as raw:
                transaction = raw.transaction(isolation=self._isolation)
                await transaction.start()
                try:
                    yield _PostgresConnection(raw, self._statements)
                except BaseException:
                    if not raw.is_closed():
                        await transaction.rollback()
                    raise
                try:
                    await transaction.commit()
                except _LOST as error:
                    raise CommitUnclearError(str(error)) from error

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Connection]:
        with _translated():
            async with self._acquired() as raw:
                yield _PostgresConnection(raw, self._statements)

    def _acquired(self) -> Any:
        if self._pool is None:
            raise UnavailableError("the database is not open")
        return self._pool.acquire(timeout=ACQUIRE_TIMEOUT_S)
