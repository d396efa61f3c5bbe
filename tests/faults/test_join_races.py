"""Seats that several want at once, and a start that comes in between."""

import asyncio
from collections import Counter

import httpx

from engine.events import GameStarted, PlayerJoined, PlayerLeft
from engine.game import Status
from tests.client import Json, Seat, ok, refused
from tests.faults.conftest import Running
from tests.faults.play import create

CROWD = 20


async def test_one_free_seat_is_taken_once(running: Running) -> None:
    game_id, code = await _waiting(running, open_seats=1)
    joined = await _crowd(running, game_id, code)
    assert len(joined) == 1
    await _seats_are_held_by(running, game_id, joined)


async def test_a_seat_that_was_left_is_taken_once_again(running: Running) -> None:
    game_id, code = await _waiting(running, open_seats=2)
    (first,) = [await _join(running, game_id, code, 0)]
    leaving = _seat(running, ok(first, 201))
    ok(await leaving.post("leave"))
    joined = await _crowd(running, game_id, code)
    assert len(joined) == 2
    refused(await leaving.roll(), 401, "unauthorized")
    await _seats_are_held_by(running, game_id, joined)


async def test_a_seat_left_while_others_join_is_not_lost(running: Running) -> None:
    """Whoever comes first: the seat is free again, or the game has begun and the computer has it."""
    for _ in range(10):
        game_id, code = await _waiting(running, open_seats=2)
        leaving = _seat(running, ok(await _join(running, game_id, code, 0), 201))
        left, *answers = await asyncio.gather(
            leaving.post("leave"), *(_join(running, game_id, code, number) for number in range(1, 6))
        )
        ok(left)
        joined = _sorted_out(answers)
        game = (await running.stored.games())[game_id]
        assert game.status is Status.ACTIVE
        assert [player.seat for player in game.players] == [0, 1, 2]
        assert len(joined) == (1 if game.players[1].has_left or game.players[2].has_left else 2)
        await _seats_are_held_by(running, game_id, joined)


async def test_nobody_joins_after_the_start(running: Running) -> None:
    outcomes: Counter[int] = Counter()
    for number in range(20):
        (owner,) = await create(running.http(0), players=[{}], open_seats=2, visibility="public")
        starting, joining = owner.post("start"), _join(running, owner.game_id, None, number)
        if number % 2:
            started, joined = await asyncio.gather(starting, joining)
        else:
            joined, started = await asyncio.gather(joining, starting)
        ok(started)
        if joined.status_code != 201:
            refused(joined, 409, "game_already_started")
        outcomes[joined.status_code] += 1
        events = (await running.stored.events())[owner.game_id]
        begun = next(event.seq for event in events if isinstance(event, GameStarted))
        arrivals = [event for event in events if isinstance(event, PlayerJoined)]
        assert len(arrivals) == (joined.status_code == 201)
        assert all(event.seq < begun for event in arrivals)
        assert len((await running.stored.games())[owner.game_id].players) == 1 + len(arrivals)
    assert outcomes.total() == 20


async def test_two_starts_are_one(running: Running) -> None:
    for _ in range(10):
        (owner,) = await create(running.http(0), players=[{}], open_seats=1)
        answers = await asyncio.gather(
            *(Seat(running.http(number), owner.game_id, 0, owner.token).post("start") for number in range(2))
        )
        won, lost = sorted(answers, key=lambda answer: answer.status_code)
        ok(won)
        refused(lost, 409, "game_already_started")


async def _waiting(running: Running, open_seats: int) -> tuple[str, str]:
    body = {"players": [{}], "open_seats": open_seats, "visibility": "public"}
    created = ok(await running.http(0).post("/v1/games", json=body), 201)
    return created["game"]["id"], created["join_code"]


async def _join(running: Running, game_id: str, code: str | None, number: int) -> httpx.Response:
    """One person more; every other one comes by the code."""
    body: Json = {"name": f"P{number}"}
    if code is not None and number % 2:
        return await running.http(number // 2).post("/v1/join", json={**body, "join_code": code})
    return await running.http(number // 2).post(f"/v1/games/{game_id}/players", json=body)


async def _crowd(running: Running, game_id: str, code: str) -> list[Json]:
    """What those were told who got a seat."""
    return _sorted_out(await asyncio.gather(*(_join(running, game_id, code, number) for number in range(CROWD))))


def _sorted_out(answers: list[httpx.Response]) -> list[Json]:
    for answer in answers:
        if answer.status_code != 201:
            assert refused(answer, 409, answer.json()["code"])["code"] in ("game_already_started", "game_full")
    return [answer.json() for answer in answers if answer.status_code == 201]


def _seat(running: Running, joined: Json) -> Seat:
    return Seat(running.http(1), joined["game"]["id"], joined["seat"], joined["token"])


async def _seats_are_held_by(running: Running, game_id: str, joined: list[Json]) -> None:
    """Everyone who was let in holds a seat of his own, with a token that opens it."""
    seats = [told["seat"] for told in joined]
    assert len(set(seats)) == len(seats)
    for told in joined:
        refused(await _seat(running, told).roll(), 409, "not_your_turn")
    events = (await running.stored.sound_events())[game_id]
    names = {event.seat: event.name for event in events if isinstance(event, PlayerJoined)}
    left = sum(isinstance(event, PlayerLeft) for event in events)
    assert sum(isinstance(event, PlayerJoined) for event in events) == len(joined) + left
    assert all(names[told["seat"]] == told["game"]["players"][told["seat"]]["name"] for told in joined)
