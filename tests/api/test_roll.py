"""POST /v1/games/{id}/roll."""

import pytest

from tests.api.kit import PLAIN, dice, errors, played, rolled, solo, types, unchanged
from tests.client import Api, ok, refused

pytestmark = pytest.mark.asyncio(loop_scope="module")

WRONG_POSITIONS = [
    pytest.param([-1], [0], "greater_than_equal", id="A16-minus-one"),
    pytest.param([5], [0], "less_than_equal", id="A16-five"),
    pytest.param([0, 0], [], "duplicate_position", id="A16-twice"),
    pytest.param([0, 1, 2, 3, 4, 0], [], "too_long", id="A16-six"),
    pytest.param([True, False], [0], "int_type", id="C05-bool"),
    pytest.param([1.0], [0], "int_type", id="C05-float"),
    pytest.param(["2"], [0], "int_type", id="C05-text"),
    pytest.param("01", [], "list_type", id="C05-string"),
    pytest.param([None], [0], "int_type", id="null-inside"),
    pytest.param([[0]], [0], "int_type", id="nested"),
    pytest.param({"0": True}, [], "list_type", id="object"),
    pytest.param(3, [], "list_type", id="number"),
    pytest.param([10**30], [0], "less_than_equal", id="huge"),
    pytest.param([-(10**4000)], [0], "greater_than_equal", id="4000-digits"),
]


class TestRoll:
    @pytest.mark.parametrize("body", [None, {}, {"hold": []}])
    async def test_the_first_roll_is_of_all_dice(self, api: Api, body: object) -> None:
        seat = await solo(api, "55231")
        turn = ok(await seat.post("roll", body))["turn"]
        assert (turn["dice"], turn["rolls_used"], turn["rolls_left"]) == (dice("55231"), 1, 2)
        assert (turn["held"], turn["selected"], turn["deadline_at"]) == ([], None, None)

    async def test_held_dice_stay(self, api: Api) -> None:
        seat = await solo(api, "11234", "55555", "66666", PLAIN)
        ok(await seat.roll())
        turn = ok(await seat.roll([4, 0]))["turn"]
        assert (turn["dice"], turn["held"]) == ([1, 5, 5, 5, 4], [0, 4])
        turn = ok(await seat.roll())["turn"]  # what was held still is
        assert (turn["dice"], turn["held"], turn["rolls_left"]) == ([1, 6, 6, 6, 4], [0, 4], 0)
        rolls = [event for event in await seat.events() if event["type"] == "rolled"]
        assert [(r["roll_number"], r["held"], r["dice"]) for r in rolls] == [
            (1, [], [1, 1, 2, 3, 4]),
            (2, [0, 4], [1, 5, 5, 5, 4]),
            (3, [0, 4], [1, 6, 6, 6, 4]),
        ]

    async def test_hold_replaces_what_was_held(self, api: Api) -> None:
        seat = await solo(api, "11111", "22222", "33333")
        await rolled(seat)
        ok(await seat.hold([0, 1]))
        turn = ok(await seat.roll([2]))["turn"]
        assert (turn["dice"], turn["held"]) == (dice("22122"), [2])
        assert ok(await seat.roll([]))["turn"]["dice"] == dice("33333")

    async def test_holding_all_five_uses_up_a_roll(self, api: Api) -> None:
        """S02."""
        seat = await solo(api, "11234", "55555", "66666")
        await rolled(seat)
        for used in (2, 3):
            turn = ok(await seat.roll([0, 1, 2, 3, 4]))["turn"]
            assert (turn["seat"], turn["rolls_used"], turn["dice"]) == (0, used, dice("11234"))
        refused(await seat.roll([]), 409, "no_rolls_left")
        ok(await seat.score("ones"))

    @pytest.mark.parametrize("turns", [[], [("chance", PLAIN)]], ids=["first-turn", "second-turn"])
    async def test_nothing_can_be_held_before_the_first_roll(self, api: Api, turns: list[tuple[str, str]]) -> None:
        """A15: no dice of the turn before can be seen or held."""
        seat = await played(api, turns, "55555")
        turn = (await seat.game())["turn"]
        assert (turn["dice"], turn["held"], turn["options"], turn["rolls_used"]) == (None, [], [], 0)
        async with unchanged(api, seat.game_id):
            problem = refused(await seat.roll([0, 1]), 409, "roll_first")
        assert problem["game"]["turn"] == turn
        assert ok(await seat.roll())["turn"]["dice"] == dice("55555")

    async def test_three_rolls_a_turn(self, api: Api) -> None:
        seat = await solo(api, *[PLAIN] * 4)
        await rolled(seat, 3)
        async with unchanged(api, seat.game_id):
            problem = refused(await seat.roll(), 409, "no_rolls_left")
            refused(await seat.roll([0]), 409, "no_rolls_left")
        assert problem["game"]["turn"]["rolls_left"] == 0

    async def test_it_clears_a_selection(self, api: Api) -> None:
        seat = await solo(api, PLAIN, PLAIN)
        await rolled(seat)
        ok(await seat.select("chance"))
        assert ok(await seat.roll())["turn"]["selected"] is None
        assert types(await seat.events())[-3:] == ["rolled", "box_selected", "rolled"]

    @pytest.mark.parametrize(("hold", "location", "code"), WRONG_POSITIONS)
    @pytest.mark.parametrize("command", ["roll", "hold"])
    async def test_wrong_positions(self, api: Api, command: str, hold: object, location: list[int], code: str) -> None:
        seat = await solo(api, PLAIN)
        await rolled(seat)
        async with unchanged(api, seat.game_id):
            problem = refused(await seat.post(command, {"hold": hold}), 422, "invalid_request")
        assert errors(problem)[0] == (["body", "hold", *location], code)

    @pytest.mark.parametrize(
        ("body", "location", "code"),
        [
            pytest.param({"holds": [0]}, ["holds"], "extra_forbidden", id="C05-mistyped"),
            pytest.param({"hold": [0], "Hold": [1]}, ["Hold"], "extra_forbidden", id="capital"),
            pytest.param({"hold": None}, ["hold"], "list_type", id="null"),
            pytest.param({"dice": [6, 6, 6, 6, 6]}, ["dice"], "extra_forbidden", id="dice"),
        ],
    )
    async def test_invalid(self, api: Api, body: object, location: list[str], code: str) -> None:
        seat = await solo(api, PLAIN)
        async with unchanged(api, seat.game_id):
            problem = refused(await seat.post("roll", body), 422, "invalid_request")
        assert errors(problem) == [(["body", *location], code)]

    async def test_dice_without_a_sandbox(self, api: Api) -> None:
        """Given rolls come to an end; then the dice are drawn."""
        seat = await solo(api, PLAIN)
        ok(await seat.roll())
        drawn = ok(await seat.roll([0]))["turn"]["dice"]
        assert drawn[0] == 1
        assert all(1 <= die <= 6 for die in drawn)
