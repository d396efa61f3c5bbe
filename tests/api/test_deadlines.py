"""The automatic score after the last roll, with the clock in the test's hand."""

from collections.abc import Awaitable, Callable

import httpx
import pytest

from engine.strategy.table import shipped
from tests.api.kit import (
    BOXES,
    COMPUTER,
    PLAIN,
    card,
    played,
    read,
    rolled,
    sandbox,
    third_roll,
    types,
    unchanged,
)
from tests.client import Api, Json, Seat, ok, refused

pytestmark = pytest.mark.asyncio(loop_scope="module")

DELAY = 3000
AUTO_SCORED = {"box": "small_straight", "points": 30, "penta_bonus": 0}
"""What the server makes of PLAIN on an empty card."""
POLICY = {"id": "optimal", "version": shipped().version, "expected_total": pytest.approx(246.4185131759)}

Send = Callable[[Seat], Awaitable[httpx.Response]]

LATE: dict[str, Send] = {
    "hold": lambda seat: seat.hold([0]),
    "select": lambda seat: seat.select("chance"),
    "clear": lambda seat: seat.select(None),
    "score": lambda seat: seat.score("chance"),
    "confirm": lambda seat: seat.score(),
}
late = pytest.mark.parametrize("send", LATE.values(), ids=LATE)


async def pair(api: Api) -> tuple[Seat, Seat]:
    """Two players; the first has rolled three times."""
    first, second = await api.seats(players=[{}, {}], **sandbox(*[PLAIN] * 6))
    await rolled(first, 3)
    return first, second


async def scores(seat: Seat) -> list[Json]:
    return [event for event in await seat.events() if event["type"] == "scored"]


class TestDeadline:
    @pytest.mark.parametrize("auto_score_ms", [500, 3000, 3_600_000])
    async def test_one_millisecond_before_the_player_is_in_time(self, api: Api, auto_score_ms: int) -> None:
        seat = await third_roll(api, auto_score_ms=auto_score_ms)
        api.clock.advance(auto_score_ms - 1)
        assert (await seat.game())["turn"]["remaining_ms"] == 1
        assert card(ok(await seat.score("ones")))["boxes"]["ones"] == 1
        (scored,) = await scores(seat)
        assert (scored["actor"], scored["due_at"]) == ("player", None)

    @pytest.mark.parametrize("auto_score_ms", [500, 3000, 3_600_000])
    @pytest.mark.parametrize("later", [0, 1, 123_456])
    async def test_from_then_on_the_automatic_score_counts(self, api: Api, auto_score_ms: int, later: int) -> None:
        seat = await third_roll(api, auto_score_ms=auto_score_ms)
        due_at = (await seat.game())["turn"]["deadline_at"]
        api.clock.advance(auto_score_ms + later)
        problem = refused(await seat.score("ones"), 409, "deadline_passed")
        assert problem["auto_scored"] == AUTO_SCORED
        assert problem["game"] == await seat.game()
        assert card(problem["game"])["boxes"] == {**dict.fromkeys(BOXES), "small_straight": 30}
        (scored,) = await scores(seat)
        assert {**scored, **AUTO_SCORED} == scored
        assert (scored["actor"], scored["due_at"], scored["policy"]) == ("deadline", due_at, POLICY)
        assert scored["at"] == problem["game"]["updated_at"] == problem["game"]["server_time"]

    @late
    async def test_whatever_comes_late_is_told(self, api: Api, send: Send) -> None:
        seat = await third_roll(api)
        api.clock.advance(DELAY)
        problem = refused(await send(seat), 409, "deadline_passed")
        assert problem["auto_scored"] == AUTO_SCORED
        assert len(await scores(seat)) == 1

    @late
    async def test_until_the_seat_rolls_again(self, api: Api, send: Send) -> None:
        """Whether or not the next turn has begun, and whoever asked in between."""
        first, second = await pair(api)
        api.clock.advance(DELAY)
        refused(await send(first), 409, "deadline_passed")  # the other's turn
        refused(await second.score("chance"), 409, "roll_first")  # who was not late himself
        await rolled(second)
        refused(await send(first), 409, "deadline_passed")
        ok(await second.score("chance"))
        async with unchanged(api, first.game_id):
            refused(await send(first), 409, "deadline_passed")  # the own turn, before its first roll
        await rolled(first)
        response = await send(first)
        assert response.status_code == 200 or response.json()["code"] == "nothing_selected"

    @late
    async def test_also_when_the_game_is_over(self, api: Api, send: Send) -> None:
        seat = await played(api, [(box, PLAIN) for box in BOXES[:-1]], *[PLAIN] * 3)
        await rolled(seat, 3)
        api.clock.advance(DELAY)
        problem = refused(await send(seat), 409, "deadline_passed")
        assert (problem["game"]["status"], problem["game"]["turn"]) == ("finished", None)
        assert problem["auto_scored"] == {"box": "penta", "points": 0, "penta_bonus": 0}
        assert types(await seat.events())[-2:] == ["scored", "game_finished"]
        refused(await seat.roll(), 409, "game_not_active")

    async def test_the_bonus_is_told_too(self, api: Api) -> None:
        seat = await played(api, [("penta", "44444")], *["44444"] * 3)
        await rolled(seat, 3)
        api.clock.advance(DELAY)
        problem = refused(await seat.score("chance"), 409, "deadline_passed")
        assert problem["auto_scored"] == {"box": "fours", "points": 20, "penta_bonus": 100}

    @pytest.mark.parametrize("rolls", [0, 1, 2])
    async def test_no_clock_before_the_last_roll(self, api: Api, rolls: int) -> None:
        (seat,) = await api.seats(players=[{}])
        turn = (await rolled(seat, rolls))["turn"]
        assert (turn["deadline_at"], turn["remaining_ms"]) == (None, None)
        api.clock.advance(86_400_000)
        assert (await seat.game())["turn"]["rolls_used"] == rolls

    async def test_never(self, api: Api) -> None:
        seat = await third_roll(api, auto_score_ms=None)
        assert (await seat.game())["turn"]["deadline_at"] is None
        api.clock.advance(86_400_000)
        ok(await seat.score("ones"))

    async def test_it_never_moves(self, api: Api) -> None:
        seat = await third_roll(api)
        deadline = (await seat.game())["turn"]["deadline_at"]
        for request in (
            seat.roll(),
            seat.hold([0]),
            seat.score(),
            seat.select(None),
            seat.score("chance", If_Match='"1"'),
        ):
            api.clock.advance(100)
            await request
            assert (await seat.game())["turn"]["deadline_at"] == deadline


class TestSelection:
    async def test_it_stops_the_clock(self, api: Api) -> None:
        seat = await third_roll(api)
        api.clock.advance(DELAY - 1)
        turn = ok(await seat.select("ones"))["turn"]
        assert (turn["selected"], turn["deadline_at"], turn["remaining_ms"]) == ("ones", None, None)
        api.clock.advance(86_400_000)
        assert ok(await seat.select("twos"))["turn"]["deadline_at"] is None
        api.clock.advance(86_400_000)
        assert card(ok(await seat.score()))["boxes"]["twos"] == 2
        assert (await scores(seat))[0]["actor"] == "player"

    async def test_clearing_it_starts_a_fresh_one(self, api: Api) -> None:
        seat = await third_roll(api)
        api.clock.advance(1000)
        ok(await seat.select("ones"))
        api.clock.advance(10_000)
        turn = ok(await seat.select(None))["turn"]
        assert (turn["deadline_at"], turn["remaining_ms"]) == ("2026-09-21T14:13:34.000Z", 3000)
        api.clock.advance(2999)
        assert (await seat.game())["turn"]["remaining_ms"] == 1
        api.clock.advance(1)
        refused(await seat.score("ones"), 409, "deadline_passed")

    async def test_with_nothing_marked_it_is_left_alone(self, api: Api) -> None:
        seat = await third_roll(api)
        api.clock.advance(1000)
        events = await seat.events()
        assert ok(await seat.select(None))["turn"]["remaining_ms"] == 2000
        assert await seat.events() == events

    async def test_before_the_last_roll_it_starts_none(self, api: Api) -> None:
        (seat,) = await api.seats(players=[{}], **sandbox(PLAIN, PLAIN, PLAIN))
        await rolled(seat, 2)
        ok(await seat.select("ones"))
        assert ok(await seat.select(None))["turn"]["deadline_at"] is None
        ok(await seat.select("ones"))
        turn = (await rolled(seat))["turn"]  # the last roll clears it, and the clock starts
        assert (turn["selected"], turn["remaining_ms"]) == (None, 3000)

    async def test_a_refused_selection_stops_nothing(self, api: Api) -> None:
        seat = await played(api, [("ones", PLAIN)], *[PLAIN] * 3)
        await rolled(seat, 3)
        refused(await seat.select("ones"), 409, "box_filled")
        assert (await seat.game())["turn"]["remaining_ms"] == 3000


class TestSettling:
    @pytest.mark.parametrize("path", ["", "/events", "/fairness"])
    @pytest.mark.parametrize("method", ["GET", "HEAD"])
    async def test_any_read_settles_first(self, api: Api, method: str, path: str) -> None:
        first, _ = await pair(api)
        api.clock.advance(DELAY + 50)
        response = await api.http.request(method, f"/v1/games/{first.game_id}{path}")
        assert response.status_code == 200
        assert (await api.record(first.game_id)).game.current_turn.seat == 1
        assert [event["actor"] for event in await scores(first)] == ["deadline"]

    async def test_no_reader_sees_a_clock_below_zero(self, api: Api) -> None:
        """B04: not even with an entity tag of the version before."""
        seat = await third_roll(api)
        tag = (await read(seat)).headers["etag"]
        api.clock.advance(DELAY)
        game = ok(await read(seat, If_None_Match=tag))
        assert (game["turn"]["round"], game["turn"]["remaining_ms"]) == (2, None)

    async def test_a_refused_command_settles_too(self, api: Api) -> None:
        first, second = await pair(api)
        api.clock.advance(DELAY)
        problem = refused(await second.score("chance"), 409, "roll_first")
        assert problem["game"]["turn"]["seat"] == 1
        assert len(await scores(first)) == 1

    async def test_one_score_and_one_hand_over(self, api: Api) -> None:
        """B03: both clients poll, and the late player scores again and again."""
        first, second = await pair(api)
        api.clock.advance(DELAY)
        for _ in range(3):
            for seat in (first, second):
                turn = (await seat.game())["turn"]
                assert (turn["seat"], turn["rolls_used"], turn["dice"]) == (1, 0, None)
            refused(await first.score("chance"), 409, "deadline_passed")
        assert types(await first.events())[-2:] == ["scored", "turn_started"]
        assert ok(await second.roll())["turn"]["rolls_used"] == 1

    async def test_computers_move_with_it(self, api: Api) -> None:
        (seat,) = await api.seats(players=[{}, COMPUTER, COMPUTER], **sandbox(*[PLAIN] * 3))
        await rolled(seat, 3)
        api.clock.advance(DELAY)
        game = await seat.game()
        assert (game["turn"]["seat"], game["turn"]["round"]) == (0, 2)
        assert [event["actor"] for event in await scores(seat)] == ["deadline", "computer", "computer"]

    async def test_a_turn_that_it_opens_starts_its_clocks_now(self, api: Api) -> None:
        """A minute late: the next player's limit runs from the settling, never from the past."""
        first, second = await api.seats(players=[{}, {}], turn_limit_ms=10_000, **sandbox(*[PLAIN] * 6))
        await rolled(first, 3)
        api.clock.advance(60_000)
        game = await second.game()
        assert (game["turn"]["seat"], game["turn"]["turn_limit_at"]) == (1, "2026-09-21T14:14:30.000Z")
        (scored,) = await scores(first)
        assert (scored["due_at"], scored["at"]) == ("2026-09-21T14:13:23.000Z", "2026-09-21T14:14:20.000Z")
        api.clock.advance(9_999)
        await rolled(second)


class TestRoll:
    async def test_it_always_means_the_present_turn(self, api: Api) -> None:
        seat = await third_roll(api)
        api.clock.advance(DELAY)
        game = ok(await seat.roll())
        assert (game["turn"]["round"], game["turn"]["rolls_used"]) == (2, 1)
        assert card(game)["boxes"]["small_straight"] == 30

    async def test_also_where_that_is_another_players(self, api: Api) -> None:
        first, second = await pair(api)
        api.clock.advance(DELAY)
        refused(await first.roll(), 409, "not_your_turn")
        assert ok(await second.roll())["turn"]["rolls_used"] == 1

    async def test_unless_if_match_names_the_turn_before(self, api: Api) -> None:
        seat = await third_roll(api)
        version = (await seat.game())["version"]
        api.clock.advance(DELAY)
        problem = refused(await seat.roll(If_Match=f'"{version}"'), 412, "version_mismatch")
        assert (problem["game"]["version"], problem["game"]["turn"]["round"]) == (version + 2, 2)
        ok(await seat.roll(If_Match=f'"{version + 2}"'))

    async def test_a_hold_that_meant_the_turn_before_is_refused_with_it(self, api: Api) -> None:
        """Held dice of a new turn do not exist yet."""
        seat = await third_roll(api)
        api.clock.advance(DELAY)
        refused(await seat.roll([0]), 409, "roll_first")
