"""What the repository needs of a database, and how SQL reaches a driver.

Statements are SQLAlchemy Core, compiled once per dialect, and run on the driver itself: a command's few statements
are most of its cost, and the engine layer would double it (`make bench` shows the figures).
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, cast

from sqlalchemy import BigInteger
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.elements import ClauseElement
from sqlalchemy.sql.functions import FunctionElement

Row: TypeAlias = Mapping[str, Any]


class clock_ms(FunctionElement[int]):  # noqa: N801 - named as it is called in SQL
    """The database's wall clock in milliseconds, read when the row is produced and not when the transaction began."""

    type = BigInteger()
    inherit_cache = True


@compiles(clock_ms, "postgresql")
def _postgresql_clock(_element: clock_ms, _compiler: SQLCompiler, **_: Any) -> str:
    return "CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT)"


@compiles(clock_ms, "sqlite")
def _sqlite_clock(_element: clock_ms, _compiler: SQLCompiler, **_: Any) -> str:
    return "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"  # the Julian day of 1970-01-01


@dataclass(frozen=True, slots=True)
class _Sql:
    text: str
    names: tuple[str, ...]
    defaults: Mapping[str, Any]

    def arguments(self, values: Mapping[str, Any]) -> tuple[Any, ...]:
        given = {**self.defaults, **values}
        return tuple([given[name] for name in self.names])


class Statements:
    """Compiled SQL of one dialect, by statement."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._compiled: dict[ClauseElement, _Sql] = {}

    def __getitem__(self, statement: ClauseElement) -> _Sql:
        found = self._compiled.get(statement)
        if found is None:
            compiled = cast("SQLCompiler", statement.compile(dialect=self._dialect))
            names = tuple(compiled.positiontup or ())
            found = _Sql(str(compiled), names, dict(compiled.params))
            self._compiled[statement] = found
        return found


class Connection(Protocol):
    """Runs statements; `values` are the bind parameters by name. Raises DatabaseError."""

    async def one(self, statement: ClauseElement, values: Mapping[str, Any]) -> Row | None: ...

    async def all(self, statement: ClauseElement, values: Mapping[str, Any]) -> Sequence[Row]: ...

    async def run(self, statement: ClauseElement, values: Mapping[str, Any]) -> int:
        """The number of rows touched."""
        ...

    async def run_many(self, statement: ClauseElement, values: Sequence[Mapping[str, Any]]) -> None: ...


class Database(Protocol):
    """One database with its connections."""

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    def transaction(self) -> AbstractAsyncContextManager[Connection]:
        """A write transaction: committed when the block ends, rolled back when it raises."""
        ...

    def reading(self) -> AbstractAsyncContextManager[Connection]:
        """A connection for single reads outside a transaction, returned as soon as the block ends."""
        ...
