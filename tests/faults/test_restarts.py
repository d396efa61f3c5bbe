"""Deadlines that pass while no server runs are made up for by the next one, with nobody asking."""

import asyncio
import signal
import time
from collections.abc import Callable

from engine.events import Event, TurnStarted
from engine.game import Actor
from tests.client import Seat
from tests.db.storage import Storage, kind, storage
from tests.db.waiting import eventually, sleep_until
from tests.faults.play import check_turns, lateness, past_last_roll, scores, summary
from tests.faults.servers import Servers, clients

GAMES = 50
PROMPT_S = 10.0
"""Ten times and more what the benchmark of restarts reports."""
POLL_S = 0.3
"""Longer than a sleeper sleeps: whatever would act twice has had its chance."""


async def test_after_a_kill_every_overdue_game_is_scored_once(
    database_url: str, servers: Servers, record_property: Callable[[str, object], None]
) -> None:
    (killed,) = servers.start(database_url)
    async with clients([killed]) as https, storage(database_url) as stored:
        seats = await past_last_roll(https, GAMES, auto_score_ms=2500)
        killed.kill()
        assert await stored.scored() == 0
        await sleep_until(await _last_deadline(stored))
        before = await stored.tables()
        servers.start(database_url)
        ready = time.monotonic()

        async def all_scored() -> bool:
            return await stored.scored() >= GAMES

        await eventually(all_scored, within=PROMPT_S, every=0.002)
        seconds = time.monotonic() - ready
        record_property("seconds from ready to the last score", f"{seconds:.3f}")
        print(f"{kind(database_url)}: {seconds:.3f} s from /readyz to the last score of {GAMES}")
        await asyncio.sleep(POLL_S)
        await _check_scored_once(stored, seats)
        assert len(before["games"]) == GAMES


async def test_a_stopped_server_leaves_its_deadlines_to_the_next_one(database_url: str, servers: Servers) -> None:
    """Some fall due while the server stops, some while none runs, and some when the next one does."""
    (first,) = servers.start(database_url, SHUTDOWN_GRACE_S="10")
    async with clients([first]) as https, storage(database_url) as stored:
        early = await past_last_roll(https, 10, auto_score_ms=500)
        late = await past_last_roll(https, 10, auto_score_ms=3000)
        first.process.send_signal(signal.SIGTERM)
        assert await servers.stopped(first) < 5, "idle connections and deadlines to come are nothing to wait for"
        assert len([game for game in (await stored.games()).values() if game.players[0].auto_scored]) <= len(early)
        pending = await stored.one("SELECT count(*) FROM games WHERE due_at IS NOT NULL")
        assert pending == len(early) + len(late)
        (second,) = servers.start(database_url)

        async def all_scored() -> bool:
            return await stored.scored() >= len(early) + len(late)

        await eventually(all_scored, within=PROMPT_S)
        await asyncio.sleep(POLL_S)
        await _check_scored_once(stored, [*early, *late])
    async with clients([second]) as (http,):
        for seat in [early[0], late[0]]:
            game = (await http.get(f"/v1/games/{seat.game_id}")).json()
            assert game["turn"]["remaining_ms"] is None
            assert (game["turn"]["round"], game["turn"]["rolls_used"]) == (2, 0)


async def _last_deadline(stored: Storage) -> int:
    deadlines = [game.current_turn.deadline_at for game in (await stored.games()).values() if game.turn]
    return max(at for at in deadlines if at is not None)


async def _check_scored_once(stored: Storage, seats: list[Seat]) -> None:
    """By the deadline alone, and the next turn begins at that instant and not in the past."""
    found: dict[str, list[Event]] = await stored.sound_events()
    late = []
    for seat in seats:
        events = found[seat.game_id]
        check_turns(events)
        (scored,) = scores(events)
        assert scored.actor is Actor.DEADLINE
        late.append(lateness(scored))
        starts = [event for event in events if isinstance(event, TurnStarted)]
        assert [start.at for start in starts[1:]] == [scored.at]
    print("late by", summary(late))
