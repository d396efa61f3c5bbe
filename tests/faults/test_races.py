"""Commands that meet: identical ones and different ones, on PostgreSQL through two processes."""

import asyncio
import uuid
from collections import Counter

import httpx

from engine.events import Rolled, Scored
from tests.client import Json, Seat, ok, refused
from tests.faults.conftest import Running
from tests.faults.play import check_turns, create, create_many, gather, scores, through

ROUNDS = 50


async def _twice(
    running: Running, seat: Seat, command: str, body: object = None, **headers: str
) -> list[httpx.Response]:
    """The same command at the same moment, through both servers where there are two."""
    return await asyncio.gather(
        *(through(running.http(number), seat).post(command, body, **headers) for number in range(2))
    )


async def test_an_identical_roll_with_a_key_is_one_roll(running: Running) -> None:
    seats = await create_many(running.https, ROUNDS, auto_score_ms=None)

    async def one_round(seat: Seat) -> None:
        answers = await _twice(running, seat, "roll", Idempotency_Key=str(uuid.uuid4()))
        assert [answer.status_code for answer in answers] == [200, 200]
        assert answers[0].content == answers[1].content
        assert [answer.headers.get("idempotency-replayed") for answer in answers].count("true") == 1
        assert answers[0].json()["turn"]["rolls_used"] == 1

    await gather((one_round(seat) for seat in seats), at_once=8)
    await _check(running, seats, rolls=1, scored=0)


async def test_an_identical_roll_on_a_version_is_one_roll(running: Running) -> None:
    seats = await create_many(running.https, ROUNDS, auto_score_ms=None)

    async def one_round(seat: Seat) -> None:
        version = (await seat.game())["version"]
        answers = await _twice(running, seat, "roll", If_Match=f'"{version}"')
        _one_won(answers, 412, "version_mismatch")

    await gather((one_round(seat) for seat in seats), at_once=8)
    await _check(running, seats, rolls=1, scored=0)


async def test_an_identical_last_roll_is_one_roll(running: Running) -> None:
    """Without any header: there is one roll left, and two ask for it."""
    seats = await create_many(running.https, ROUNDS, auto_score_ms=None)

    async def one_round(seat: Seat) -> None:
        ok(await seat.roll())
        ok(await seat.roll())
        _one_won(await _twice(running, seat, "roll"), 409, "no_rolls_left")

    await gather((one_round(seat) for seat in seats), at_once=8)
    await _check(running, seats, rolls=3, scored=0)


async def test_an_identical_score_is_one_score(running: Running) -> None:
    seats = await create_many(running.https, ROUNDS, players=[{}, {}])

    async def one_round(seat: Seat) -> None:
        ok(await seat.roll())
        answers = await _twice(running, seat, "score", {"box": "chance"})
        _one_won(answers, 409, "not_your_turn")

    await gather((one_round(seat) for seat in seats), at_once=8)
    await _check(running, seats, rolls=1, scored=1)


async def test_an_identical_score_with_a_key_is_one_score(running: Running) -> None:
    """A solo game: the turn after it is the same player's."""
    seats = await create_many(running.https, ROUNDS)

    async def one_round(seat: Seat) -> None:
        ok(await seat.roll())
        answers = await _twice(running, seat, "score", {"box": "chance"}, Idempotency_Key="k")
        assert [answer.status_code for answer in answers] == [200, 200]
        assert answers[0].content == answers[1].content

    await gather((one_round(seat) for seat in seats), at_once=8)
    await _check(running, seats, rolls=1, scored=1)


async def test_a_score_and_a_roll_at_once_have_one_order(running: Running) -> None:
    """Either the roll belongs to the turn that is scored then, or it comes too late for it."""
    seats = await create_many(running.https, ROUNDS, players=[{}, {}])
    orders: Counter[bool] = Counter()

    async def one_round(number: int, seat: Seat) -> None:
        ok(await seat.roll())
        first, second = through(running.http(number), seat), through(running.http(number + 1), seat)
        sending = [first.score("chance"), second.roll()]
        answers = await asyncio.gather(*(sending if number % 4 < 2 else sending[::-1]))
        score, roll = answers if number % 4 < 2 else answers[::-1]
        game = ok(score)
        if roll.status_code == 200:
            assert roll.json()["version"] < game["version"]
        else:
            assert refused(roll, 409, "not_your_turn")["game"]["version"] >= game["version"]
        orders[roll.status_code == 200] += 1
        assert (await seat.game())["turn"] == {**game["turn"], "seat": 1, "rolls_used": 0}

    await gather((one_round(number, seat) for number, seat in enumerate(seats)), at_once=8)
    found = await running.stored.sound_events()
    for seat in seats:
        check_turns(found[seat.game_id])
        kinds = [type(event) for event in found[seat.game_id] if isinstance(event, Rolled | Scored)]
        assert kinds[-1] is Scored
    assert orders.total() == ROUNDS


async def test_parallel_rolls_with_one_key_are_one_roll(running: Running) -> None:
    for _ in range(5):
        (seat,) = await create(running.http(0), auto_score_ms=None)
        answers = await asyncio.gather(
            *(through(running.http(number), seat).roll([], Idempotency_Key="k") for number in range(10))
        )
        assert {answer.status_code for answer in answers} == {200}
        assert len({answer.content for answer in answers}) == 1
        assert [answer.headers.get("idempotency-replayed") for answer in answers].count("true") == 9
        await _check(running, [seat], rolls=1, scored=0)


async def test_parallel_rolls_with_one_key_but_different_bodies_are_one_roll(running: Running) -> None:
    (seat,) = await create(running.http(0), auto_score_ms=None)
    ok(await seat.roll())
    answers = await asyncio.gather(
        *(through(running.http(number), seat).roll([number % 2], Idempotency_Key="k") for number in range(10))
    )
    assert Counter(answer.status_code for answer in answers) == {200: 5, 422: 5}
    for answer in answers:
        if answer.status_code == 422:
            refused(answer, 422, "idempotency_key_reused")
    await _check(running, [seat], rolls=2, scored=0)


async def test_parallel_creations_with_one_key_are_one_game(running: Running) -> None:
    before = len(await running.stored.games())
    headers = {"Idempotency-Key": str(uuid.uuid4())}
    answers = await asyncio.gather(
        *(running.http(number).post("/v1/games", json={"players": [{}, {}]}, headers=headers) for number in range(10))
    )
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.content for answer in answers}) == 1
    assert len(await running.stored.games()) == before + 1
    tokens = [held["token"] for held in answers[0].json()["seats"]]
    game_id = answers[0].json()["game"]["id"]
    ok(await Seat(running.http(1), game_id, 0, tokens[0]).roll())
    refused(await Seat(running.http(0), game_id, 1, tokens[1]).roll(), 409, "not_your_turn")


async def test_hands_full_of_different_commands_keep_one_history(running: Running) -> None:
    """Two players hammer one game with whatever comes to mind; each answer is a 200 or a plain refusal."""
    players = await create(running.http(0), players=[{}, {}], auto_score_ms=None)
    commands: list[tuple[str, Json | None]] = [
        ("roll", None),
        ("roll", {"hold": [0, 1]}),
        ("hold", {"hold": [2]}),
        ("select", {"box": "chance"}),
        ("score", {"box": "chance"}),
        ("score", None),
    ]
    sent = [
        through(running.http(number), players[number % 2]).post(*commands[number // 2 % len(commands)])
        for number in range(240)
    ]
    answers = await gather(sent, at_once=24)
    assert {answer.status_code for answer in answers} <= {200, 409, 429}
    versions = [answer.json()["version"] for answer in answers if answer.status_code == 200]
    events = (await running.stored.sound_events())[players[0].game_id]
    check_turns(events)
    assert max(versions) <= events[-1].seq


def _one_won(answers: list[httpx.Response], status: int, code: str) -> None:
    won, lost = sorted(answers, key=lambda answer: answer.status_code)
    game = ok(won)
    assert refused(lost, status, code)["game"]["version"] == game["version"]


async def _check(running: Running, seats: list[Seat], *, rolls: int, scored: int) -> None:
    """What the database holds of games of one turn."""
    found = await running.stored.sound_events()
    for seat in seats:
        events = found[seat.game_id]
        check_turns(events)
        assert len([event for event in events if isinstance(event, Rolled)]) == rolls
        assert len(scores(events)) == scored
