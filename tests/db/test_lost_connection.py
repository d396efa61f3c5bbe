"""Failures of a real PostgreSQL and of the way to it, as the driver reports them."""

import asyncio
import shutil
import tempfile
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from app.db import repository
from app.db.postgres import SESSION_SETTINGS, PostgresDatabase
from tests.client import Api, Seat, ok, refused
from tests.db.operations import on_time
from tests.db.proxy import Cut, Proxy, proxied
from tests.db.storage import LOCK_WAITS, SESSIONS, Storage, locked, storage
from tests.db.waiting import eventually


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """A folder whose path leaves room for a socket's name."""
    folder = Path(tempfile.mkdtemp(prefix="cut"))
    yield folder
    shutil.rmtree(folder)


@asynccontextmanager
async def through_proxy(url: str, folder: Path) -> AsyncIterator[tuple[Api, Proxy]]:
    async with proxied(url, folder) as (proxy, through), on_time(through, pool_size=2) as api:
        yield api, proxy


@pytest.mark.parametrize("cut", Cut)
@pytest.mark.parametrize("with_key", [False, True])
async def test_a_connection_lost_at_commit_still_gives_one_roll_and_its_answer(
    cut: Cut, with_key: bool, postgres_url: str, short_folder: Path
) -> None:
    async with through_proxy(postgres_url, short_folder) as (api, proxy), storage(postgres_url) as stored:
        (seat,) = await api.seats()
        for number in (1, 2, 3):
            proxy.cut = cut
            headers = {"Idempotency_Key": str(uuid.uuid4())} if with_key else {}
            game = ok(await seat.post("roll", **headers))
            assert proxy.cuts == number
            assert game["turn"]["rolls_used"] == number
            assert game["version"] == (await stored.games())[seat.game_id].version
            if with_key:
                again = await seat.post("roll", **headers)
                assert (again.json(), again.headers["idempotency-replayed"]) == (game, "true")
        await stored.sound_events()


@pytest.mark.parametrize("cut", Cut)
async def test_a_connection_lost_while_creating_gives_one_game(cut: Cut, postgres_url: str, short_folder: Path) -> None:
    async with through_proxy(postgres_url, short_folder) as (api, proxy), storage(postgres_url) as stored:
        proxy.cut = cut
        created = ok(await api.create({"players": [{}], "open_seats": 1}), 201)
        assert proxy.cuts == 1
        assert list(await stored.games()) == [created["game"]["id"]]


async def test_a_commit_that_the_database_refuses_leaves_no_trace(postgres_url: str) -> None:
    """A deferred trigger is run by COMMIT itself."""
    async with on_time(postgres_url) as api, storage(postgres_url) as stored:
        (seat,) = await api.seats()
        before = await stored.tables()
        await stored.all(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$"
        )
        await stored.all(
            "CREATE CONSTRAINT TRIGGER refusing AFTER INSERT ON events DEFERRABLE INITIALLY DEFERRED "
            "FOR EACH ROW EXECUTE FUNCTION refuse()"
        )
        refused(await seat.roll(), 503, "unavailable")
        assert await stored.tables() == before
        await stored.all("DROP TRIGGER refusing ON events")
        assert ok(await seat.roll())["turn"]["rolls_used"] == 1


async def test_a_session_ended_in_the_middle_is_replaced(postgres_url: str) -> None:
    async with on_time(postgres_url) as api, storage(postgres_url) as stored:
        (seat,) = await api.seats()
        async with locked(postgres_url, seat.game_id):
            rolling = asyncio.create_task(seat.roll())
            await eventually(lambda: stored.one(LOCK_WAITS))
            await stored.all(f"SELECT pg_terminate_backend(pid) FROM {SESSIONS} AND wait_event_type = 'Lock'")
        assert ok(await rolling)["turn"]["rolls_used"] == 1


async def test_sessions_ended_while_idle_are_not_noticed(postgres_url: str) -> None:
    """What the driver says depends on how much of the news has arrived, so it is tried more than once."""
    async with on_time(postgres_url) as api, storage(postgres_url) as stored:
        for _ in range(10):
            (seat,) = await api.seats()
            await asyncio.gather(*(seat.game() for _ in range(8)))  # fills the pool
            await stored.all(f"SELECT pg_terminate_backend(pid) FROM {SESSIONS}")
            assert ok(await seat.roll())["turn"]["rolls_used"] == 1


async def test_the_victim_of_a_deadlock_runs_again(postgres_url: str) -> None:
    """The other session holds the next event's key and wants the game, which the command holds."""
    async with on_time(postgres_url) as api, storage(postgres_url) as stored, storage(postgres_url) as other:
        (seat,) = await api.seats()
        version = (await seat.game())["version"]
        await other.all("BEGIN")
        await other.all("SET LOCAL deadlock_timeout = '10s'")  # so that the command is the one to give way
        await other.all(f"INSERT INTO events VALUES ('{seat.game_id}', {version + 1}, 0, '')")
        rolling = asyncio.create_task(seat.roll())
        await eventually(lambda: stored.one(LOCK_WAITS))
        await other.all(f"SELECT 1 FROM games WHERE id = '{seat.game_id}' FOR UPDATE")
        await other.all("ROLLBACK")
        assert ok(await rolling)["turn"]["rolls_used"] == 1
        await stored.sound_events()


async def test_a_client_that_hangs_in_the_middle_of_a_statement_frees_its_game_in_the_end(
    postgres_url: str, short_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For the database its session is active, so that the timeout for idle transactions overlooks it."""
    monkeypatch.setitem(SESSION_SETTINGS, "idle_in_transaction_session_timeout", "500ms")
    monkeypatch.setattr("app.db.postgres.TRANSACTION_TIMEOUT", "1s", raising=False)
    async with through_proxy(postgres_url, short_folder) as (hanging, proxy), on_time(postgres_url) as api:
        (seat,) = await api.seats(auto_score_ms=None)
        proxy.hang_after = b"INSERT INTO events"
        rolling = asyncio.create_task(replace(seat, http=hanging.http).roll())
        await eventually(lambda: _flag(proxy.hang_after is None))
        answers = [await seat.roll(), await rolling]
        # once the game is free, either may come first: the hanging command runs again on another connection
        assert sorted(ok(answer)["turn"]["rolls_used"] for answer in answers) == [1, 2]


async def test_serialization_failures_run_again(postgres_url: str) -> None:
    """Under SERIALIZABLE every wait for a lock ends in such a failure."""
    async with on_time(postgres_url) as api, storage(postgres_url) as stored:
        await api.uow.database.close()
        api.uow.database = PostgresDatabase(postgres_url, isolation="serializable")
        await api.uow.database.open()
        (seat,) = await api.seats(auto_score_ms=None)
        answers = await asyncio.gather(*(seat.roll() for _ in range(8)))
        await _three_rolls(answers, seat, stored)


async def test_without_the_lock_the_version_alone_keeps_the_order(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.db.repository.LOCK_GAME", repository._READ_GAME)
    async with on_time(postgres_url) as api, storage(postgres_url) as stored:
        (seat,) = await api.seats(auto_score_ms=None)
        answers = await asyncio.gather(*(seat.roll() for _ in range(8)))
        await _three_rolls(answers, seat, stored)


async def _three_rolls(answers: list[httpx.Response], seat: Seat, stored: Storage) -> None:
    """Three rolls were made, one each; the rest was told that none is left."""
    rolls = [answer for answer in answers if answer.status_code == 200]
    assert sorted(answer.json()["turn"]["rolls_used"] for answer in rolls) == [1, 2, 3]
    for answer in answers:
        if answer not in rolls:
            refused(answer, 409, "no_rolls_left")
    assert (await stored.games())[seat.game_id].current_turn.rolls_used == 3
    await stored.sound_events()


async def _flag(value: bool) -> bool:
    return value
