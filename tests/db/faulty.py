"""A database that fails when told to: a decorator around a real one."""

from collections import deque
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from enum import Enum, auto

from app.db.database import Connection, Database
from app.db.errors import BusyError, CommitUnclearError, UnavailableError


class Fault(Enum):
    """What happens at the COMMIT of one transaction."""

    NONE = auto()
    REFUSED = auto()
    """The database rolls back and says so."""
    CRASHED = auto()
    """The same, with an error nobody foresaw."""
    BUSY = auto()
    """Another transaction was in the way."""
    LOST_BEFORE = auto()
    """The connection breaks, and the transaction is rolled back."""
    LOST_AFTER = auto()
    """The transaction is committed, and the connection breaks before anyone is told."""


_RAISED: dict[Fault, type[Exception]] = {
    Fault.REFUSED: UnavailableError,
    Fault.CRASHED: RuntimeError,
    Fault.BUSY: BusyError,
    Fault.LOST_BEFORE: CommitUnclearError,
    Fault.LOST_AFTER: CommitUnclearError,
}


class FaultyDatabase:
    """`inner`, whose next transactions meet the faults that were asked for, one each."""

    def __init__(self, inner: Database) -> None:
        self._inner = inner
        self.faults: deque[Fault] = deque()
        self.lost_for_reads = False
        """Whether every read fails that follows a lost COMMIT, until `mend`."""
        self._unreadable = False

    def mend(self) -> None:
        self._unreadable = False

    async def open(self) -> None:
        await self._inner.open()

    async def close(self) -> None:
        await self._inner.close()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        fault = self.faults.popleft() if self.faults else Fault.NONE
        raised = _RAISED.get(fault)
        async with self._inner.transaction() as connection:
            yield connection
            if raised is not None and fault is not Fault.LOST_AFTER:
                raise raised("as the test asked")
        if raised is not None:
            self._unreadable = self.lost_for_reads
            raise raised("as the test asked")

    def reading(self) -> AbstractAsyncContextManager[Connection]:
        if self._unreadable:
            raise UnavailableError("as the test asked")
        return self._inner.reading()
