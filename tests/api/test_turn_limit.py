"""The turn limit: the computer finishes a turn, and plays for a player who is away."""

import pytest

from tests.api.kit import (
    COMPUTER,
    PLAIN,
    card,
    presences,
    rolled,
    sandbox,
    score_somewhere,
    types,
    unchanged,
    waiting,
)
from tests.client import Api, Json, Seat, ok, refused

pytestmark = pytest.mark.asyncio(loop_scope="module")

LIMIT = 10_000
COMMANDS: dict[str, Json | None] = {"roll": None, "hold": {"hold": [0]}, "select": {"box": "ones"}, "score": None}


async def pair(api: Api, *rolls: str, **body: object) -> tuple[Seat, Seat]:
    options = {"turn_limit_ms": LIMIT, "auto_score_ms": None, **body}
    first, second = await api.seats(players=[{}, {}], **options, **sandbox(*rolls))
    return first, second


async def alone(api: Api, *rolls: str, **body: object) -> Seat:
    (seat,) = await api.seats(players=[{}], **{"turn_limit_ms": LIMIT, **body}, **sandbox(*rolls))
    return seat


async def last_score(seat: Seat) -> Json:
    return [event for event in await seat.events() if event["type"] == "scored"][-1]


async def play(seat: Seat, box: str) -> None:
    await rolled(seat)
    ok(await seat.score(box))


async def away(api: Api) -> tuple[Seat, Seat]:
    """The first player is away after two turns in a row that the limit ended; it is the second player's turn."""
    first, second = await pair(api)
    for box in ("ones", "twos"):
        api.clock.advance(LIMIT)
        await play(second, box)
    return first, second


class TestLimit:
    @pytest.mark.parametrize("rolls", [0, 1, 3])
    async def test_the_computer_finishes_the_turn(self, api: Api, rolls: int) -> None:
        first, _ = await pair(api, *[PLAIN] * 3)
        game = await rolled(first, rolls)
        assert game["turn"]["turn_limit_at"] == "2026-09-21T14:13:30.000Z"
        api.clock.advance(LIMIT - 1)
        assert (await first.game())["turn"]["seat"] == 0
        api.clock.advance(1)
        game = await first.game()
        assert (game["turn"]["seat"], presences(game)) == (1, ["playing", "playing"])
        scored = await last_score(first)
        assert (scored["seat"], scored["actor"]) == (0, "turn_limit")
        assert scored["due_at"] == scored["at"] == "2026-09-21T14:13:30.000Z"
        assert scored["policy"]["id"] == "optimal"
        assert card(game)["boxes"][scored["box"]] == scored["points"]

    async def test_a_selected_box_is_confirmed(self, api: Api) -> None:
        first, _ = await pair(api, PLAIN)
        await rolled(first)
        ok(await first.select("sixes"))
        api.clock.advance(LIMIT)
        assert card(await first.game())["boxes"]["sixes"] == 6
        scored = await last_score(first)
        assert (scored["actor"], scored["policy"]) == ("turn_limit", None)  # the player chose it

    @pytest.mark.parametrize("command", ["hold", "select", "score"])
    async def test_who_comes_late_is_told(self, api: Api, command: str) -> None:
        first, _ = await pair(api, PLAIN)
        await rolled(first)
        ok(await first.select("sixes"))
        api.clock.advance(LIMIT)
        problem = refused(await first.post(command, COMMANDS[command]), 409, "deadline_passed")
        assert problem["auto_scored"] == {"box": "sixes", "points": 6, "penta_bonus": 0}

    async def test_it_runs_from_the_start_of_the_turn(self, api: Api) -> None:
        first, second = await pair(api)
        api.clock.advance(4000)
        await play(first, "ones")
        assert (await second.game())["turn"]["turn_limit_at"] == "2026-09-21T14:13:34.000Z"
        api.clock.advance(4000)
        assert (await rolled(second))["turn"]["turn_limit_at"] == "2026-09-21T14:13:34.000Z"

    @pytest.mark.parametrize(
        ("auto_score_ms", "actor", "due"),
        [
            pytest.param(9_999, "deadline", "29.999", id="deadline-first"),
            pytest.param(10_000, "deadline", "30.000", id="same-instant"),
            pytest.param(10_001, "turn_limit", "30.000", id="limit-first"),
        ],
    )
    @pytest.mark.parametrize("later", [0, 50_000])
    async def test_the_earlier_clock_acts(self, api: Api, auto_score_ms: int, actor: str, due: str, later: int) -> None:
        """However late it is looked at."""
        first, _ = await pair(api, *[PLAIN] * 3, auto_score_ms=auto_score_ms)
        await rolled(first, 3)
        api.clock.advance(10_001 + later)
        await first.game()
        scored = await last_score(first)
        assert (scored["actor"], scored["due_at"]) == (actor, f"2026-09-21T14:13:{due}Z")

    async def test_a_computer_has_none(self, api: Api) -> None:
        seat, _ = await waiting(api, players=[{}, COMPUTER], turn_limit_ms=LIMIT)
        assert ok(await seat.post("start"))["turn"]["turn_limit_at"] is not None
        ok(await seat.post("leave"))
        assert (await seat.game())["status"] == "abandoned"


class TestAway:
    async def test_after_two_such_turns_in_a_row(self, api: Api) -> None:
        first, second = await away(api)
        game = await second.game()
        assert presences(game) == ["away", "playing"]
        assert types(await first.events()).count("player_away") == 1
        assert (game["turn"]["seat"], game["turn"]["round"]) == (1, 3)  # the third turn was played at once
        assert (await last_score(first))["actor"] == "computer"

    @pytest.mark.parametrize("how", ["score", "deadline"])
    async def test_not_with_another_turn_between(self, api: Api, how: str) -> None:
        seat = await alone(api)
        for _ in range(3):
            api.clock.advance(LIMIT)
            assert presences(await seat.game()) == ["playing"]
            if how == "score":
                await rolled(seat)
                await score_somewhere(seat)
            else:
                await rolled(seat, 3)
                api.clock.advance(3000)
                await seat.game()

    async def test_the_computer_plays_to_the_end(self, api: Api) -> None:
        first, second = await away(api)
        for _ in range(11):
            await rolled(second)
            game = await score_somewhere(second)
        assert game["status"] == "finished"
        assert presences(game) == ["away", "playing"]
        assert None not in card(game, 0)["boxes"].values()
        refused(await first.post("return"), 409, "game_not_active")

    async def test_the_seat_cannot_be_played_meanwhile(self, api: Api) -> None:
        """Its own last turn was the computer's, so there is nothing to be late for."""
        first, second = await away(api)
        async with unchanged(api, first.game_id):
            for command, body in COMMANDS.items():
                refused(await first.post(command, body), 409, "not_your_turn")
        ok(await second.roll())


class TestAllAway:
    async def still(self, api: Api) -> Seat:
        """A game for one that stands still."""
        seat = await alone(api)
        for _ in range(2):
            api.clock.advance(LIMIT)
            await seat.game()
        return seat

    async def test_the_game_waits_without_clocks(self, api: Api) -> None:
        seat = await self.still(api)
        game = await seat.game()
        turn = game["turn"]
        assert (game["status"], presences(game)) == ("active", ["away"])
        assert (turn["round"], turn["rolls_used"]) == (3, 0)
        assert (turn["turn_limit_at"], turn["deadline_at"], turn["remaining_ms"]) == (None, None, None)
        async with unchanged(api, seat.game_id):
            api.clock.advance(29 * 86_400_000)
            assert (await seat.game())["turn"] == turn

    @pytest.mark.parametrize(
        ("command", "code"),
        [
            ("roll", "not_your_turn"),
            ("hold", "deadline_passed"),
            ("select", "deadline_passed"),
            ("score", "deadline_passed"),
        ],
    )
    async def test_who_is_away_must_return_first(self, api: Api, command: str, code: str) -> None:
        seat = await self.still(api)
        async with unchanged(api, seat.game_id):
            refused(await seat.post(command, COMMANDS[command]), 409, code)
        ok(await seat.post("return"))
        assert ok(await seat.roll())["turn"]["round"] == 3
        await score_somewhere(seat)

    async def test_a_computer_does_not_play_on_alone(self, api: Api) -> None:
        (seat,) = await api.seats(players=[{}, COMPUTER], turn_limit_ms=LIMIT)
        for _ in range(2):
            api.clock.advance(LIMIT)
            game = await seat.game()
        assert (game["turn"]["seat"], game["turn"]["round"]) == (1, 2)
        async with unchanged(api, seat.game_id):
            api.clock.advance(86_400_000)
            await seat.game()
        game = ok(await seat.post("return"))
        assert (game["turn"]["seat"], game["turn"]["round"]) == (0, 3)

    async def test_who_leaves_last_but_the_others_are_away(self, api: Api) -> None:
        """A human is left, though away: the game waits for him."""
        first, second = await away(api)
        await rolled(second, 3)
        game = ok(await second.post("leave"))
        assert (game["status"], presences(game)) == ("active", ["away", "left"])
        assert (game["turn"]["seat"], game["turn"]["deadline_at"]) == (1, None)
        game = ok(await first.post("return"))
        assert (game["turn"]["seat"], game["turn"]["rolls_used"]) == (0, 0)
        ok(await first.post("leave"))
        assert (await first.game())["status"] == "abandoned"
