"""Several server processes on one PostgreSQL: each deadline acts once, whoever sees it first and whoever dies."""

import asyncio
import signal

from engine.events import TurnStarted
from engine.game import Actor
from tests.db.storage import storage
from tests.db.waiting import eventually
from tests.faults.play import PROMPT_MS, check_turns, lateness, past_last_roll, scores, summary
from tests.faults.servers import Servers, clients

PROCESSES = 4
GAMES = 50
CONNECTIONS_OF_ONE = 10
LONGEST_TRANSACTION_MS = 10_000
"""How long the database lets a transaction last whose process has stopped in the middle of it."""


async def test_each_game_is_scored_once_although_a_process_is_killed(postgres_url: str, servers: Servers) -> None:
    """Half of the games are solo; in the others two computers move as soon as the deadline has acted."""
    started = servers.start(postgres_url, count=PROCESSES)
    async with clients(started) as https, storage(postgres_url) as stored:
        computers = [{}, {"kind": "computer"}, {"kind": "computer"}]
        solo = await past_last_roll(https, GAMES, auto_score_ms=2000)
        mixed = await past_last_roll(https, GAMES, auto_score_ms=1500, players=computers)
        started[0].kill()
        whole = len(solo) + 3 * len(mixed)

        async def all_scored() -> bool:
            return await stored.scored() >= whole

        await eventually(all_scored, within=15)
        await asyncio.sleep(0.3)  # longer than any sleeper sleeps
        found = await stored.sound_events()
        late = []
        for seat in [*solo, *mixed]:
            events = found[seat.game_id]
            check_turns(events)
            by_clock, *others = scores(events)
            assert by_clock.actor is Actor.DEADLINE
            assert [(score.seat, score.actor) for score in others] == _moves_of_computers(seat in mixed)
            assert isinstance(events[-1], TurnStarted)
            assert events[-1].seat == 0
            late.append(lateness(by_clock))
        print("with a process killed, late by", summary(late))
        assert max(late) < PROMPT_MS


async def test_a_process_that_hangs_holds_up_only_what_it_has_locked(postgres_url: str, servers: Servers) -> None:
    """Stopped by a signal while the deadlines pass; the database ends its open transactions after a while."""
    hanging, other = servers.start(postgres_url, count=2)
    async with clients([other]) as https, storage(postgres_url) as stored:
        seats = await past_last_roll(https, GAMES, auto_score_ms=1500)

        async def scored(count: int) -> bool:
            return await stored.scored() >= count

        await eventually(lambda: scored(1))
        hanging.process.send_signal(signal.SIGSTOP)
        try:
            await eventually(lambda: scored(GAMES), within=20)
        finally:
            hanging.process.send_signal(signal.SIGCONT)
        found = await stored.sound_events()
        late = []
        for seat in seats:
            check_turns(found[seat.game_id])
            (score,) = scores(found[seat.game_id])
            late.append(lateness(score))
        print("with a process hanging, late by", summary(late))
        assert sum(ms > PROMPT_MS for ms in late) <= CONNECTIONS_OF_ONE
        assert max(late) < LONGEST_TRANSACTION_MS + PROMPT_MS


def _moves_of_computers(played: bool) -> list[tuple[int, Actor]]:
    return [(1, Actor.COMPUTER), (2, Actor.COMPUTER)] if played else []
