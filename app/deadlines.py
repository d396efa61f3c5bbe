"""The sleeper: in every process, wakes when the next game is due and settles it, with nobody asking.

Deadlines are data. The sleeper only decides when to look; what happens to a game is decided, once, by the transaction
that every command runs too, so any number of sleepers may find the same game.
"""

import asyncio
import random
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import structlog

from app.db.uow import GameNotFoundError, UnitOfWork
from app.services.reading import settled
from engine.game import Millis

POLL_MS: Final = 250
"""The longest sleep: how late another process's deadline may be noticed when that process has died."""
BATCH: Final = 200
WIDTH: Final = 8
"""How many games are settled at a time, so that a slow one holds up no other."""
FIRST_RETRY_MS: Final = 500
LONGEST_RETRY_MS: Final = 60_000
STALE_AFTER_S: Final = 5.0

_BEGINNING: Final = (Millis(0), "")
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Failure:
    """A game that could not be settled: not tried again before `retry_at`."""

    count: int
    retry_at: Millis


class Sleeper:
    """Settles due games until it is stopped."""

    def __init__(self, uow: UnitOfWork) -> None:
        self._uow = uow
        self._task: asyncio.Task[None] | None = None
        self._wake = asyncio.Event()
        self._wakes_at = Millis(0)
        self._failures: dict[str, _Failure] = {}
        self._looked_at = -STALE_AFTER_S
        self._settling: dict[str, asyncio.Task[None]] = {}
        self._slots = asyncio.Semaphore(WIDTH)
        uow.listen(self._committed)

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="sleeper")

    async def stop(self) -> None:
        running = [*self._settling.values(), *([self._task] if self._task else [])]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    @property
    def is_alive(self) -> bool:
        """Whether it runs, and has looked at the database not long ago."""
        running = self._task is not None and not self._task.done()
        return running and asyncio.get_running_loop().time() - self._looked_at < STALE_AFTER_S

    async def sweep(self) -> None:
        """Settles every game that is due now, each in its own transaction."""
        await self._look()
        await asyncio.gather(*self._settling.values())

    async def _run(self) -> None:
        while True:
            try:
                pause = await self._pause(await self._look())
            except Exception:
                _log.exception("sleeper_failed")
                pause = POLL_MS
            await self._sleep(pause)

    async def _look(self) -> Millis:
        """Begins to settle every game that is due; returns the instant up to which it looked."""
        now = await self._uow.now()
        self._expect(now + POLL_MS)
        after = _BEGINNING
        while True:
            batch = await self._uow.due(now, after, BATCH)
            self._looked_at = asyncio.get_running_loop().time()
            for _, game_id in batch:
                self._begin(game_id, now)
            if len(batch) < BATCH:
                return now
            after = batch[-1]

    def _begin(self, game_id: str, now: Millis) -> None:
        failure = self._failures.get(game_id)
        if game_id in self._settling or (failure is not None and now < failure.retry_at):
            return
        task = asyncio.create_task(self._settle(game_id, now))
        self._settling[game_id] = task
        task.add_done_callback(lambda _: self._settling.pop(game_id))

    async def _settle(self, game_id: str, now: Millis) -> None:
        try:
            async with self._slots:
                await self._uow.change(game_id, settled, wait=False)
        except GameNotFoundError:
            pass  # gone, or in somebody else's hands, who settles it
        except Exception:
            failure = self._failures.get(game_id)
            count = failure.count + 1 if failure else 1
            pause = min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** min(count - 1, 10))
            self._failures[game_id] = _Failure(count, Millis(now + pause))
            _log.exception("game_not_settled", game_id=game_id, failures=count)
            return
        self._failures.pop(game_id, None)

    async def _pause(self, looked: Millis) -> float:
        """Milliseconds until the next look: until the next game is due, and not longer than the poll interval."""
        due = await self._uow.next_due(looked)
        now = await self._uow.now()
        longest = POLL_MS * random.uniform(0.8, 1.0)  # noqa: S311 - so that processes do not look all at once
        pause = max(0, min(longest, due - now)) if due is not None else longest
        if not self._wake.is_set():
            self._wakes_at = Millis(now + int(pause))
        return pause

    async def _sleep(self, milliseconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(milliseconds / 1000):
                await self._wake.wait()

    def _expect(self, latest: int) -> None:
        """Before looking: whatever is committed from now on and due before `latest` wakes the sleeper."""
        self._wake.clear()
        self._wakes_at = Millis(latest)

    def _committed(self, _game_id: str, due_at: Millis | None) -> None:
        if due_at is not None and due_at < self._wakes_at:
            self._wake.set()
