"""What stands in a command's way makes it run again, from the beginning and not for ever."""

import asyncio
import time
from dataclasses import replace

import pytest

from app.db import repository
from app.db.database import Connection
from app.db.records import Record
from engine.game import Millis
from tests.client import Api, Seat, ok, refused
from tests.db.faulty import Fault, FaultyDatabase
from tests.db.operations import AGO_MS
from tests.db.storage import LOCK_WAITS, Storage, kind, locked, storage
from tests.db.waiting import eventually, sleep_until


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the server wait less between its attempts."""
    monkeypatch.setattr("app.db.uow.LONGEST_PAUSE_S", 0.001)


async def test_a_busy_database_is_asked_again(past: Api, now: Api, faulty: FaultyDatabase, stored: Storage) -> None:
    seat = await _seat(past, now)
    faulty.faults.extend([Fault.BUSY] * 3)
    assert ok(await seat.roll())["turn"]["rolls_used"] == 1
    assert not faulty.faults
    await stored.sound_events()


async def test_a_database_that_stays_busy_is_given_up(
    past: Api, now: Api, faulty: FaultyDatabase, stored: Storage, impatient: None
) -> None:
    seat = await _seat(past, now)
    before = await stored.tables()
    faulty.faults.extend([Fault.BUSY] * 1000)
    answer = await seat.roll()
    refused(answer, 503, "unavailable")
    assert answer.headers["retry-after"] == "1"
    assert await stored.tables() == before
    faulty.faults.clear()
    ok(await seat.roll())


async def test_each_attempt_decides_anew(past: Api, now: Api, stored: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game that was loaded has gone on when it is to be stored: the command acts on what there is then."""
    seat = await _seat(past, now)
    stale = await now.uow.read(seat.game_id)
    ok(await seat.roll())
    _load_once(monkeypatch, stale)
    assert ok(await seat.roll())["turn"]["rolls_used"] == 2
    await stored.sound_events()


async def test_a_version_that_keeps_moving_is_a_conflict(
    past: Api, now: Api, stored: Storage, monkeypatch: pytest.MonkeyPatch, impatient: None
) -> None:
    seat = await _seat(past, now)
    stale = await now.uow.read(seat.game_id)
    version = ok(await seat.roll())["version"]
    before = await stored.tables()

    async def lock_game(_connection: Connection, _game_id: str) -> Record:
        return stale

    monkeypatch.setattr(repository, "lock_game", lock_game)
    told = refused(await seat.roll(), 409, "conflict")
    assert told["game"]["version"] == version
    assert await stored.tables() == before


async def test_the_clock_is_read_after_the_lock(database_url: str, now: Api, stored: Storage) -> None:
    seats = await now.seats(players=[{}, {}])
    async with locked(database_url, seats[0].game_id) as other:
        rolling = asyncio.create_task(seats[0].roll())
        await _is_waiting(database_url, rolling)
        await asyncio.sleep(0.3)
        released = await other.now()
    game = ok(await rolling)
    (rolled,) = [event for event in (await stored.events())[game["id"]] if event.seq == game["version"]]
    assert rolled.at >= released


async def test_a_deadline_that_passes_while_the_command_waits_wins(
    database_url: str, now: Api, stored: Storage
) -> None:
    seat, other_seat = await now.seats(players=[{}, {}], auto_score_ms=1000)
    for _ in range(3):
        game = ok(await seat.roll())
    deadline = (await stored.games())[seat.game_id].current_turn.deadline_at
    assert deadline is not None
    async with locked(database_url, seat.game_id) as other:
        scoring = asyncio.create_task(seat.score("chance"))
        await _is_waiting(database_url, scoring)
        assert await other.now() < deadline
        await sleep_until(deadline + 20)
        released = await other.now()
    told = refused(await scoring, 409, "deadline_passed")
    scored = told["game"]["players"][0]["card"]["boxes"]
    assert scored[told["auto_scored"]["box"]] == told["auto_scored"]["points"]
    assert [value for value in scored.values() if value is not None] == [told["auto_scored"]["points"]]
    assert told["game"]["turn"]["seat"] == other_seat.seat
    assert told["game"]["version"] == game["version"] + 2
    (start,) = [event for event in (await stored.events())[seat.game_id] if event.seq == told["game"]["version"]]
    assert start.at >= released


async def test_a_deadline_that_passes_after_the_lock_was_given_does_not(
    past: Api, now: Api, stored: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The instant of the decision counts, not that of the COMMIT."""
    (seat,) = await past.seats(auto_score_ms=AGO_MS + 1500)
    for _ in range(3):
        ok(await seat.roll())
    deadline = (await stored.games())[seat.game_id].current_turn.deadline_at
    assert deadline is not None
    update_game = repository.update_game

    async def slow(connection: Connection, old_version: int, record: Record, due_at: Millis | None) -> bool:
        await sleep_until(deadline + 20)
        return await update_game(connection, old_version, record, due_at)

    monkeypatch.setattr(repository, "update_game", slow)
    game = ok(await replace(seat, http=now.http).score("chance"))
    assert time.time() * 1000 > deadline
    assert game["players"][0]["card"]["boxes"]["chance"] is not None
    assert await stored.scored() == 1


async def _seat(past: Api, now: Api) -> Seat:
    """The player of a game for one."""
    (seat,) = await past.seats(auto_score_ms=None)
    return replace(seat, http=now.http)


def _load_once(monkeypatch: pytest.MonkeyPatch, record: Record) -> None:
    """Makes the next transaction load `record`, whatever is stored."""
    lock_game = repository.lock_game

    async def stale(_connection: Connection, _game_id: str) -> Record:
        monkeypatch.setattr(repository, "lock_game", lock_game)
        return record

    monkeypatch.setattr(repository, "lock_game", stale)


async def _is_waiting(database_url: str, command: "asyncio.Task[object]") -> None:
    """Returns when the command stands before the lock; on SQLite it asks again and again instead."""
    if kind(database_url) == "sqlite":
        await asyncio.sleep(0.05)
    else:
        async with storage(database_url) as watching:
            await eventually(lambda: watching.one(LOCK_WAITS))
    assert not command.done()
