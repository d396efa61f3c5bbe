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


async def test_a_process_that_hangs_in_a_transaction_holds_up_one_game_only(
    postgres_url: str, servers: Servers
) -> None:
    """The hanging one is stopped by a signal; what it has locked at that moment is freed by the database's timeout."""
    hanging, other = servers.start(postgres_url, count=2)
    async with clients([other]) as https, storage(postgres_url) as stored:
        seats = await past_last_roll(https, 40, auto_score_ms=1500)
        hanging.process.send_signal(signal.SIGSTOP)
        try:

            async def nearly_all_scored() -> bool:
                return await stored.scored() >= len(seats) - 1

            await eventually(nearly_all_scored, within=15)
            found = await stored.events()
            late = [lateness(score) for seat in seats for score in scores(found[seat.game_id])]
            assert max(late) < PROMPT_MS, summary(late)
        finally:
            hanging.process.send_signal(signal.SIGCONT)

        async def all_scored() -> bool:
            return await stored.scored() >= len(seats)

        await eventually(all_scored, within=15)
        assert await stored.scored() == len(seats)
        for seat in seats:
            check_turns((await stored.sound_events())[seat.game_id])


def _moves_of_computers(played: bool) -> list[tuple[int, Actor]]:
    return [(1, Actor.COMPUTER), (2, Actor.COMPUTER)] if played else []
