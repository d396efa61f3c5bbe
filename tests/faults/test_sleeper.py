"""The sleeper inside one process: when it looks, and that its death is noticed."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest

from app.deadlines import POLL_MS, Sleeper
from app.main import create_app
from app.settings import Settings
from engine.game import Millis
from tests.client import Api, FakeClock, Seat, ok, refused
from tests.db.waiting import eventually

SOON_S = 0.6 * POLL_MS / 1000
"""Less than the shortest pause between two looks."""


@pytest.fixture
async def awake(database_url: str, clock: FakeClock) -> AsyncIterator[Api]:
    """A server whose start-up has run, with the sleeper at work on the test's clock."""
    app = create_app(Settings(database_url=database_url, sandbox=True), clock)
    transport = httpx.ASGITransport(app=app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://penta") as http,
    ):
        yield Api(app, http, clock)


@asynccontextmanager
async def sleeping(api: Api) -> AsyncIterator[None]:
    """The sleeper of a server whose start-up has not run."""
    sleeper: Sleeper = api.app.state.sleeper
    sleeper.start()
    try:
        yield
    finally:
        await sleeper.stop()


async def _past_last_roll(api: Api) -> Seat:
    (seat,) = await api.seats(auto_score_ms=500)
    for _ in range(3):
        ok(await seat.roll())
    return seat


async def _is_scored(api: Api, seat: Seat) -> None:
    """Waits, without a read that settles."""

    async def scored() -> bool:
        return (await api.record(seat.game_id)).game.players[0].auto_scored is not None

    await eventually(scored, every=0.001)


async def test_what_falls_due_during_a_sweep_is_not_left_until_the_next_poll(api: Api) -> None:
    """The first game's settling takes the clock past the second one's deadline."""
    waits = []
    for _ in range(3):
        first = await _past_last_roll(api)
        api.clock.advance(1)
        second = await _past_last_roll(api)
        api.clock.advance(499)

        def settled(game_id: str, _due_at: Millis | None, first: Seat = first) -> None:
            if game_id == first.game_id:
                api.clock.advance(5)

        api.uow.listen(settled)
        async with sleeping(api):
            await _is_scored(api, first)
            began = time.monotonic()
            await _is_scored(api, second)
            waits.append(time.monotonic() - began)
    assert min(waits) < SOON_S, waits


async def test_a_dead_sleeper_makes_the_server_unready(awake: Api) -> None:
    await eventually(lambda: _is_ready(awake))
    (task,) = [task for task in asyncio.all_tasks() if task.get_name() == "sleeper"]
    task.cancel()
    await asyncio.wait([task])
    answer = await awake.http.get("/readyz")
    refused(answer, 503, "unavailable")
    assert answer.headers["retry-after"]
    ok(await awake.http.get("/livez"))


async def test_a_sleeper_that_hangs_makes_the_server_unready(awake: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.deadlines.STALE_AFTER_S", 0.3)

    async def hang(*_: object) -> list[tuple[Millis, str]]:
        await asyncio.Event().wait()
        raise AssertionError

    await eventually(lambda: _is_ready(awake))
    monkeypatch.setattr(awake.uow, "due", hang)
    await eventually(lambda: _is_unready(awake), within=5)


async def test_a_database_that_fails_for_a_while_does_not_end_the_sleeper(
    awake: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat = await _past_last_roll(awake)
    failed = asyncio.Event()
    due = awake.uow.due

    async def fail(*_: object) -> list[tuple[Millis, str]]:
        failed.set()
        raise RuntimeError("as the test asked")

    monkeypatch.setattr(awake.uow, "due", fail)
    awake.clock.advance(500)
    await asyncio.wait_for(failed.wait(), 5)
    monkeypatch.setattr(awake.uow, "due", due)
    await _is_scored(awake, seat)


async def _is_ready(api: Api) -> bool:
    return (await api.http.get("/readyz")).status_code == 200


async def _is_unready(api: Api) -> bool:
    return (await api.http.get("/readyz")).status_code == 503
