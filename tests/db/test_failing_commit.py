"""What a client is told is what was committed, whatever happens at COMMIT.

Each test goes through every operation on one database: setting one up for each would be most of the time spent.
"""

import uuid
from collections import Counter

import pytest

from app.db.uow import ATTEMPTS
from tests.client import Api, ok, refused
from tests.db.faulty import Fault, FaultyDatabase
from tests.db.operations import COMMANDS, OPERATIONS, Send
from tests.db.storage import Storage

unclear = pytest.mark.parametrize("fault", [Fault.LOST_BEFORE, Fault.LOST_AFTER, Fault.BUSY])


async def test_a_refused_commit_is_told_and_leaves_no_trace(
    past: Api, now: Api, faulty: FaultyDatabase, stored: Storage
) -> None:
    for operation in OPERATIONS:
        send = await operation.prepare(past, now)
        before = await stored.tables()
        faulty.faults.append(Fault.REFUSED)
        refused(await send(), 503, "unavailable")
        assert await stored.tables() == before, operation
        assert (await send()).status_code == operation.status, operation  # nothing is left in the way


async def test_an_error_that_nobody_foresaw_tells_nothing_and_leaves_no_trace(
    past: Api, now: Api, faulty: FaultyDatabase, stored: Storage
) -> None:
    (seat,) = await past.seats()
    before = await stored.tables()
    faulty.faults.append(Fault.CRASHED)
    answer = await now.http.post(f"/v1/games/{seat.game_id}/roll", headers={"Authorization": f"Bearer {seat.token}"})
    refused(answer, 500, "internal")
    assert "as the test asked" not in answer.text
    assert await stored.tables() == before


@unclear
async def test_an_unclear_commit_has_one_effect_and_the_right_answer(
    fault: Fault, past: Api, now: Api, faulty: FaultyDatabase, stored: Storage
) -> None:
    for operation in OPERATIONS:
        clean, send = await operation.prepare(past, now), await operation.prepare(past, now)
        wanted = await _effect(stored, clean, operation.status)
        faulty.faults.append(fault)
        assert await _effect(stored, send, operation.status) == wanted, operation
        assert not faulty.faults
    await stored.sound_events()


@unclear
async def test_with_a_key_the_repeat_gets_the_same_answer(
    fault: Fault, past: Api, now: Api, faulty: FaultyDatabase, stored: Storage
) -> None:
    for operation in COMMANDS:
        send, key = await operation.prepare(past, now), str(uuid.uuid4())
        faulty.faults.append(fault)
        first = await send(Idempotency_Key=key)
        assert first.status_code == operation.status, operation
        after = await stored.tables()
        again = await send(Idempotency_Key=key)
        assert await stored.tables() == after, operation
        if operation.name == "leave":
            refused(again, 401, "unauthorized")  # the token is void everywhere, and is looked at first
            continue
        assert (again.status_code, again.content) == (first.status_code, first.content), operation
        assert again.headers["idempotency-replayed"] == "true"


async def test_a_refused_commit_frees_its_key(past: Api, now: Api, faulty: FaultyDatabase) -> None:
    for operation in COMMANDS:
        send, key = await operation.prepare(past, now), str(uuid.uuid4())
        faulty.faults.append(Fault.REFUSED)
        refused(await send(Idempotency_Key=key), 503, "unavailable")
        again = await send(Idempotency_Key=key)
        assert again.status_code == operation.status, operation
        assert "idempotency-replayed" not in again.headers


async def test_where_nobody_can_look_the_repeat_settles_an_unclear_commit(
    past: Api, now: Api, faulty: FaultyDatabase, stored: Storage
) -> None:
    """The commit happened, but the database is gone when the server wants to see whether it did."""
    for operation in COMMANDS:
        if operation.name == "leave":
            continue  # its repeat is refused, see above
        clean, send = await operation.prepare(past, now), await operation.prepare(past, now)
        wanted = await _effect(stored, clean, operation.status)
        before, key = await _kinds(stored), str(uuid.uuid4())
        faulty.faults.append(Fault.LOST_AFTER)
        faulty.lost_for_reads = True
        refused(await send(Idempotency_Key=key), 503, "unavailable")
        faulty.mend()
        again = await send(Idempotency_Key=key)
        assert again.status_code == operation.status, operation
        assert again.headers["idempotency-replayed"] == "true"
        assert await _kinds(stored) - before == wanted, operation


async def test_an_outcome_that_stays_unclear_is_not_pursued_for_ever(
    past: Api, now: Api, faulty: FaultyDatabase, stored: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.db.uow.LONGEST_PAUSE_S", 0.001)
    (seat,) = await past.seats()
    before = await stored.tables()
    faulty.faults.extend([Fault.LOST_BEFORE] * ATTEMPTS)
    answer = await now.http.post(f"/v1/games/{seat.game_id}/roll", headers={"Authorization": f"Bearer {seat.token}"})
    refused(answer, 503, "unavailable")
    assert answer.headers["retry-after"] == "1"
    assert not faulty.faults
    assert await stored.tables() == before


async def test_what_a_late_command_settled_is_kept_whole_or_not_at_all(
    past: Api, now: Api, faulty: FaultyDatabase, stored: Storage
) -> None:
    """The late command's own transaction makes the automatic score."""
    (seat,) = await past.seats()
    for _ in range(3):
        ok(await seat.roll())
    path, headers = f"/v1/games/{seat.game_id}/score", {"Authorization": f"Bearer {seat.token}"}
    faulty.faults.append(Fault.REFUSED)
    refused(await now.http.post(path, json={"box": "chance"}, headers=headers), 503, "unavailable")
    assert await stored.scored() == 0
    late = refused(await now.http.post(path, json={"box": "chance"}, headers=headers), 409, "deadline_passed")
    assert late["game"]["version"] == (await stored.games())[seat.game_id].version
    assert await stored.scored() == 1


async def _effect(stored: Storage, send: Send, status: int) -> Counter[str]:
    """What a request added to the games, as kinds of events."""
    before = await _kinds(stored)
    response = await send()
    assert response.status_code == status, response.text
    return await _kinds(stored) - before


async def _kinds(stored: Storage) -> Counter[str]:
    return Counter(type(event).__name__ for events in (await stored.events()).values() for event in events)
