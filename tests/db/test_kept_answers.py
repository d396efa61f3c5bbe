"""How long an answer is kept for its idempotency key: 24 hours, to the millisecond, and then forgotten."""

import uuid

import pytest

from tests.client import Api, Json, ok, refused
from tests.db.storage import Storage

DAY_MS = 24 * 60 * 60 * 1000


async def test_an_answer_is_replayed_for_a_day_and_then_forgotten(api: Api, stored: Storage) -> None:
    (seat,) = await api.seats(auto_score_ms=None)
    first = await seat.roll(Idempotency_Key="k")
    api.clock.advance(DAY_MS)
    again = await seat.roll(Idempotency_Key="k")
    assert again.headers["idempotency-replayed"] == "true"
    assert again.content == first.content
    api.clock.advance(1)
    anew = await seat.roll(Idempotency_Key="k")
    assert "idempotency-replayed" not in anew.headers
    assert ok(anew)["turn"]["rolls_used"] == 2
    assert await stored.one("SELECT count(*) FROM answers") == 1
    api.clock.advance(DAY_MS)
    kept = await seat.roll(Idempotency_Key="k")
    assert kept.content == anew.content


async def test_a_forgotten_key_may_mean_something_else(api: Api) -> None:
    (seat,) = await api.seats(auto_score_ms=None)
    ok(await seat.roll(Idempotency_Key="k"))
    refused(await seat.hold([0], Idempotency_Key="k"), 422, "idempotency_key_reused")
    api.clock.advance(DAY_MS + 1)
    assert ok(await seat.hold([0], Idempotency_Key="k"))["turn"]["held"] == [0]


async def test_the_key_of_a_creation_is_kept_as_long(api: Api, stored: Storage) -> None:
    key = str(uuid.uuid4())
    body: Json = {"players": [{}, {}]}
    first = await api.create(body, Idempotency_Key=key)
    created = ok(first, 201)
    api.clock.advance(DAY_MS)
    again = await api.create(body, Idempotency_Key=key)
    assert again.headers["idempotency-replayed"] == "true"
    assert again.json() == created  # the tokens, too
    api.clock.advance(1)
    anew = ok(await api.create(body, Idempotency_Key=key), 201)
    assert anew["game"]["id"] != created["game"]["id"]
    assert {seat["token"] for seat in anew["seats"]}.isdisjoint({seat["token"] for seat in created["seats"]})
    assert await stored.one("SELECT count(*) FROM open_answers") == 1


async def test_the_key_of_a_join_is_kept_as_long(api: Api, stored: Storage) -> None:
    created = ok(await api.create({"open_seats": 3}), 201)
    key = str(uuid.uuid4())
    body: Json = {"join_code": created["join_code"]}

    async def join() -> object:
        return ok(await api.http.post("/v1/join", json=body, headers={"Idempotency-Key": key}), 201)

    api.clock.advance(DAY_MS // 2)  # a game that waits is given up after a day
    first = await join()
    api.clock.advance(DAY_MS // 2 - 1)
    assert await join() == first
    assert len((await stored.games())[created["game"]["id"]].players) == 2


@pytest.mark.parametrize("late", [False, True])
async def test_what_a_late_score_was_told_is_kept_as_well(api: Api, late: bool) -> None:
    """And an answer in time is replayed as it was, although the deadline has passed since."""
    (seat,) = await api.seats()
    for _ in range(3):
        game = ok(await seat.roll())
    api.clock.advance(3000 if late else 2999)
    box = game["turn"]["options"][0]["box"]
    first = await seat.score(box, Idempotency_Key="k")
    assert first.status_code == (409 if late else 200)
    ok(await seat.roll())
    api.clock.advance(DAY_MS)
    again = await seat.score(box, Idempotency_Key="k")
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert again.headers["idempotency-replayed"] == "true"


async def test_neither_keys_nor_tokens_are_stored(api: Api, stored: Storage) -> None:
    key = str(uuid.uuid4())
    created = ok(await api.create({"players": [{}]}, Idempotency_Key=key), 201)
    (held,) = created["seats"]
    path = f"/v1/games/{created['game']['id']}/roll"
    ok(await api.http.post(path, headers={"Authorization": f"Bearer {held['token']}", "Idempotency-Key": key}))
    everything = str(await stored.tables())
    assert key not in everything
    assert held["token"] not in everything
