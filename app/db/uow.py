"""The transaction recipe: every change of a game goes through `UnitOfWork.run`, and is kept whole or not at all.

Lock the game, read the clock, look for a stored answer, decide, store the game where its version is still the one
that was loaded, store its events and the answer, commit; only then reply. What stands in the way (a lock, a lost
connection) makes the whole command run again. The lock only spares work: the version and the unique keys make sure.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Concatenate, Final, ParamSpec, TypeAlias, TypeVar

import structlog

from app.clock import Clock
from app.db import repository
from app.db.database import Connection, Database
from app.db.errors import BusyError, CommitUnclearError, ConflictError, DatabaseError, UnavailableError
from app.db.records import Answer, AnswerKey, Change, Decision, Record, StoredAnswer
from engine.events import Event
from engine.game import Millis

ATTEMPTS: Final = 12
FIRST_PAUSE_S: Final = 0.01
LONGEST_PAUSE_S: Final = 0.5
RETRY_FOR_S: Final = 5.0
"""After this time no further attempt begins: whoever waits has a right to an answer."""

T = TypeVar("T")
P = ParamSpec("P")
Admit: TypeAlias = Callable[[Record], None]
Decide: TypeAlias = Callable[[Record], Decision]
Listener: TypeAlias = Callable[[str, Millis | None], None]
"""Told after a commit: the game's id, and when it is due."""

_log = structlog.get_logger(__name__)


class GameNotFoundError(Exception):
    """No game has this id."""


class KeyReusedError(Exception):
    """The idempotency key was used for another operation, another body or another game."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """A decision that creates a game, with the code that opens it to others."""

    decision: Decision
    join_code: str | None


class UnitOfWork:
    """Runs use cases as transactions. `clock` replaces the database's clock (tests do so)."""

    def __init__(self, database: Database, clock: Clock | None = None) -> None:
        self.database = database
        self._clock = clock
        self._listeners: list[Listener] = []

    def listen(self, listener: Listener) -> None:
        self._listeners.append(listener)

    async def run(
        self, game_id: str, decide: Decide, *, key: AnswerKey | None = None, admit: Admit | None = None
    ) -> Answer:
        """Runs one command on a locked game and returns what was committed.

        `admit` raises for a caller who may not act; `decide` makes the decision and may be called again.
        Raises GameNotFoundError, KeyReusedError, ConflictError, UnavailableError, and what the two functions raise.
        """

        async def attempt(connection: Connection) -> tuple[Answer, Change | None]:
            record = self._at(await repository.lock_game(connection, game_id))
            if admit is not None:
                admit(record)
            if key is not None:
                stored = await repository.find_answer(connection, game_id, key, record.now)
                if stored is not None:
                    return _replay(stored, key, game_id), None
            decision = decide(record)
            await _store(connection, record, decision.change)
            if key is not None and decision.replayable:
                await _keep(connection, game_id, key, decision.answer, record.now)
            return decision.answer, decision.change

        return await self._committed(attempt)

    async def change(self, game_id: str, decide: Callable[[Record], Change], *, wait: bool = True) -> Record:
        """Changes a game without anybody asking; raises what `run` raises.

        Without `wait`, a game that another transaction holds counts as not found.
        """

        async def attempt(connection: Connection) -> tuple[Record, Change | None]:
            record = self._at(await repository.lock_game(connection, game_id, wait=wait))
            change = decide(record)
            await _store(connection, record, change)
            return change.record, change

        return await self._committed(attempt)

    async def create(self, decide: Callable[[Millis], NewGame], *, key: AnswerKey | None = None) -> Answer:
        """Creates a game in one transaction; raises KeyReusedError and UnavailableError."""

        async def attempt(connection: Connection) -> tuple[Answer, Change | None]:
            now = await self._now(connection)
            if key is not None:
                stored = await repository.find_answer(connection, "", key, now)
                if stored is not None:
                    return _replay(stored, key, stored.game_id), None
            new = decide(now)
            change, answer = new.decision.change, new.decision.answer
            await repository.insert_game(connection, change.record, change.due_at)
            await repository.insert_events(connection, change.record.id, change.events)
            if new.join_code is not None:
                await repository.insert_join_code(connection, new.join_code, change.record.id)
            if key is not None:
                await _keep(connection, change.record.id, key, answer, now)
            return answer, change

        return await self._committed(attempt)

    async def read(self, game_id: str) -> Record:
        """The game as last committed; raises GameNotFoundError and UnavailableError."""
        return self._at(await self._query(repository.read_game, game_id))

    async def events(self, game_id: str, after: int, limit: int) -> list[Event]:
        """Events with a seq greater than `after`, at most `limit`."""
        return await self._query(repository.read_events, game_id, after, limit)

    async def game_of_code(self, code: str) -> str | None:
        """The id of the game that a join code opens."""
        return await self._query(repository.find_join_code, code)

    async def due(self, now: Millis, after: tuple[Millis, str], limit: int) -> list[tuple[Millis, str]]:
        """Due time and id of games due at `now`, in that order, from the one that follows `after`."""
        return await self._query(repository.due_games, now, after, limit)

    async def next_due(self, after: Millis) -> Millis | None:
        """The earliest due time later than `after`."""
        return await self._query(repository.next_due, after)

    async def now(self) -> Millis:
        """The authoritative clock."""
        return await self._query(self._now)

    async def _now(self, connection: Connection) -> Millis:
        return self._clock.now() if self._clock else await repository.read_clock(connection)

    async def _query(
        self, ask: Callable[Concatenate[Connection, P], Awaitable[T]], *args: P.args, **named: P.kwargs
    ) -> T:
        """One read, outside a transaction, on a connection that is given back at once."""

        async def attempt() -> T:
            async with self.database.reading() as connection:
                return await ask(connection, *args, **named)

        return await self._retried(attempt)

    def _at(self, record: Record | None) -> Record:
        if record is None:
            raise GameNotFoundError
        return replace(record, now=self._clock.now()) if self._clock else record

    async def _committed(self, attempt: Callable[[Connection], Awaitable[tuple[T, Change | None]]]) -> T:
        async def transaction() -> T:
            try:
                async with self.database.transaction() as connection:
                    result, change = await attempt(connection)
            except CommitUnclearError:  # raised when the block has ended, so both are bound
                if not await self._happened(change):
                    raise BusyError("the commit did not happen") from None
            if change is not None and change.events:
                for listener in self._listeners:
                    listener(change.record.id, change.due_at)
            return result

        return await self._retried(transaction)

    async def _happened(self, change: Change | None) -> bool:
        """Whether a commit whose answer was lost took place: its first event is there, the same in every part."""
        if change is None:
            return True  # it only read
        if not change.events:
            return False  # nothing changed, so it can be run again
        first = change.events[0]
        return await self.events(change.record.id, first.seq - 1, 1) == [first]

    async def _retried(self, attempt: Callable[[], Awaitable[T]]) -> T:
        loop = asyncio.get_running_loop()
        until = loop.time() + RETRY_FOR_S
        for number in range(ATTEMPTS):
            try:
                return await attempt()
            except (BusyError, ConflictError) as error:
                _log.info("command_retried", attempt=number + 1, reason=type(error).__name__)
                reason: DatabaseError = error
            if loop.time() > until:
                break
            longest = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2**number)
            await asyncio.sleep(random.uniform(0, longest))  # noqa: S311 - jitter, not a secret
        if isinstance(reason, ConflictError):
            raise reason
        raise UnavailableError("the database stayed busy") from reason


def _replay(stored: StoredAnswer, key: AnswerKey, game_id: str) -> Answer:
    same = (stored.game_id, stored.operation, stored.body_hash) == (game_id, key.operation, key.body_hash)
    if not same:
        raise KeyReusedError
    return stored.answer


async def _store(connection: Connection, loaded: Record, change: Change) -> None:
    if not change.events and change.record.commanded_at == loaded.commanded_at:
        return
    if not await repository.update_game(connection, loaded.game.version, change.record, change.due_at):
        raise ConflictError("the game went on meanwhile")
    if change.events:
        await repository.insert_events(connection, loaded.id, change.events)


async def _keep(connection: Connection, game_id: str, key: AnswerKey, answer: Answer, now: Millis) -> None:
    if not await repository.keep_answer(connection, game_id, key, answer, now):
        raise ConflictError("the key was used meanwhile")
