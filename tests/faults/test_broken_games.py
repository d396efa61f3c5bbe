"""One game that cannot be settled is that game's trouble alone."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from engine.events import Scored
from tests.client import Json, Seat, ok
from tests.db.storage import locked
from tests.db.waiting import eventually
from tests.faults.conftest import Running
from tests.faults.play import PROMPT_MS, check_turns, create, lateness, past_last_roll, scores, summary

UNREADABLE = "UPDATE games SET state = '{{\"no' WHERE id = '{id}'"
EVENT_IN_THE_WAY = (
    "INSERT INTO events (game_id, seq, at, body) VALUES "
    """('{id}', {next}, 0, '{{"type": "game_started", "seat": null}}')"""
)
DELETED = "DELETE FROM games WHERE id = '{id}'"


@pytest.mark.parametrize("sabotage", [UNREADABLE, EVENT_IN_THE_WAY, DELETED], ids=["state", "event", "row"])
async def test_other_games_are_scored_on_time(running: Running, sabotage: str) -> None:
    async with _broken(running, sabotage) as broken:
        late = await _lateness_of_others(running)
        assert max(late) < PROMPT_MS, summary(late)
        await _all_ready(running)
        if sabotage is not DELETED:
            await eventually(lambda: _is_logged(running, broken))


async def test_a_game_that_is_whole_again_is_scored(running: Running) -> None:
    """Without a restart; the pauses between attempts grow, but begin small."""
    async with _broken(running, EVENT_IN_THE_WAY) as broken:
        await eventually(lambda: _is_logged(running, broken))
    await eventually(lambda: _scored(running, broken), within=20)


async def test_a_game_that_somebody_else_keeps_locked_holds_up_no_other(on_postgres: Running) -> None:
    (seat,) = await past_last_roll(on_postgres.https[:1], 1, auto_score_ms=500)
    async with locked(on_postgres.cluster.database_url, seat.game_id):
        late = await _lateness_of_others(on_postgres)
        assert max(late) < PROMPT_MS, summary(late)
    await eventually(lambda: _scored(on_postgres, seat.game_id), within=20)


@asynccontextmanager
async def _broken(running: Running, sabotage: str) -> AsyncIterator[str]:
    """A game past its last roll that cannot be settled; mended in the end, so that no other test meets it."""
    (seat,) = await create(running.http(0), auto_score_ms=500)
    for _ in range(3):
        game: Json = ok(await seat.roll())
    (saved,) = await running.stored.all(f"SELECT state FROM games WHERE id = '{seat.game_id}'")
    await running.stored.all(sabotage.format(id=seat.game_id, next=game["version"] + 1))
    try:
        yield seat.game_id
    finally:
        where = f"game_id = '{seat.game_id}' AND seq > {game['version']}"
        if sabotage is EVENT_IN_THE_WAY:
            await running.stored.all(f"DELETE FROM events WHERE {where}")
        else:
            state = saved["state"].replace("'", "''")
            await running.stored.all(f"UPDATE games SET state = '{state}' WHERE id = '{seat.game_id}'")
            if sabotage is DELETED:
                await running.stored.all(f"DELETE FROM events WHERE game_id = '{seat.game_id}'")


async def _lateness_of_others(running: Running) -> list[int]:
    """Of games whose deadlines are spread over two seconds."""
    seats: list[Seat] = []
    for burst in range(6):
        seats += await past_last_roll(running.https, 4, auto_score_ms=500 + 250 * burst)

    async def all_scored() -> list[Scored] | None:
        found = await running.stored.events()
        scored = [score for seat in seats for score in scores(found[seat.game_id])]
        return scored if len(scored) >= len(seats) else None

    scored = await eventually(all_scored, within=20, every=0.1)
    assert scored is not None
    assert len(scored) == len(seats)
    return [lateness(score) for score in scored]


async def _all_ready(running: Running) -> None:
    for answer in await asyncio.gather(*(http.get("/readyz") for http in running.https)):
        ok(answer)


async def _is_logged(running: Running, game_id: str) -> bool:
    logs = [running.cluster.logs.log(server) for server in running.cluster.servers]
    lines = [line for log in logs for line in log.splitlines() if game_id in line]
    return any('"level":"error"' in line and "game_not_settled" in line for line in lines)


async def _scored(running: Running, game_id: str) -> bool:
    events = (await running.stored.events())[game_id]
    check_turns(events)
    return len(scores(events)) == 1
