"""POST /v1/games/{id}/score; what boxes are worth is in test_cases."""

import pytest

from tests.api.kit import (
    BOXES,
    COMPUTER,
    PLAIN,
    card,
    errors,
    finished,
    options,
    played,
    rolled,
    sandbox,
    solo,
    types,
    unchanged,
)
from tests.client import Api, ok, refused

pytestmark = pytest.mark.asyncio(loop_scope="module")


class TestScore:
    @pytest.mark.parametrize("rolls", [1, 2, 3])
    @pytest.mark.parametrize("box", BOXES)
    async def test_fills_a_box(self, api: Api, box: str, rolls: int) -> None:
        seat = await solo(api, *["55552"] * 3)
        before = await rolled(seat, rolls)
        game = ok(await seat.score(box))
        points = options(before)[box][0]
        boxes = {name: points if name == box else None for name in BOXES}
        assert card(game)["boxes"] == boxes
        assert card(game)["total"] == points
        turn = game["turn"]
        assert (turn["seat"], turn["round"], turn["rolls_used"], turn["dice"]) == (0, 2, 0, None)
        assert (turn["held"], turn["selected"], turn["options"]) == ([], None, [])
        scored, started = (await seat.events())[-2:]
        assert (scored["type"], scored["box"], scored["points"], scored["penta_bonus"]) == ("scored", box, points, 0)
        assert (scored["actor"], scored["due_at"], scored["policy"]) == ("player", None, None)
        assert (started["type"], started["round"]) == ("turn_started", 2)

    @pytest.mark.parametrize("body", [None, {}])
    async def test_confirms_the_selected_box(self, api: Api, body: object) -> None:
        seat = await solo(api, PLAIN)
        await rolled(seat)
        ok(await seat.select("small_straight"))
        assert card(ok(await seat.post("score", body)))["boxes"]["small_straight"] == 30

    async def test_a_named_box_goes_before_the_selected_one(self, api: Api) -> None:
        seat = await solo(api, PLAIN)
        await rolled(seat)
        ok(await seat.select("small_straight"))
        boxes = card(ok(await seat.score("chance")))["boxes"]
        assert (boxes["chance"], boxes["small_straight"]) == (16, None)

    @pytest.mark.parametrize("selected", [None, "chance"])
    async def test_nothing_is_selected(self, api: Api, selected: str | None) -> None:
        seat = await solo(api, PLAIN)
        await rolled(seat)
        ok(await seat.select(selected))
        ok(await seat.select(None))
        async with unchanged(api, seat.game_id):
            problem = refused(await seat.score(), 409, "nothing_selected")
        assert "legal_boxes" not in problem

    @pytest.mark.parametrize("box", ["chance", None])
    async def test_before_the_first_roll(self, api: Api, box: str | None) -> None:
        """A15: also not with the dice of the turn before."""
        seat = await played(api, [("ones", "66666")], PLAIN)
        async with unchanged(api, seat.game_id):
            problem = refused(await seat.score(box), 409, "roll_first")
        assert problem["game"]["turn"]["dice"] is None

    async def test_a_filled_box(self, api: Api) -> None:
        seat = await played(api, [("ones", "66666")], PLAIN)
        await rolled(seat)
        async with unchanged(api, seat.game_id):
            problem = refused(await seat.score("ones"), 409, "box_filled")
        assert problem["legal_boxes"] == list(BOXES[1:])
        assert problem["game"]["players"][0]["card"]["boxes"]["ones"] == 0

    async def test_a_box_that_the_joker_forbids(self, api: Api) -> None:
        seat = await played(api, [("penta", "44444")], "44444")
        await rolled(seat)
        async with unchanged(api, seat.game_id):
            problem = refused(await seat.score("chance"), 409, "box_not_allowed")
        assert problem["legal_boxes"] == ["fours"]

    async def test_computers_move_in_the_same_transaction(self, api: Api) -> None:
        (seat,) = await api.seats(players=[{}, COMPUTER, COMPUTER], **sandbox(PLAIN))
        await rolled(seat)
        game = ok(await seat.score("chance"))
        assert (game["turn"]["seat"], game["turn"]["round"]) == (0, 2)
        filled = [sum(v is not None for v in card(game, number)["boxes"].values()) for number in range(3)]
        assert filled == [1, 1, 1]
        told = [event for event in await seat.events() if event["type"] == "scored"]
        assert [(event["seat"], event["actor"]) for event in told] == [
            (0, "player"),
            (1, "computer"),
            (2, "computer"),
        ]

    async def test_no_roll_after_the_score(self, api: Api) -> None:
        """S05, one after the other: the roll that comes second is the next turn's."""
        first, _ = await api.seats(players=[{}, {}], **sandbox(PLAIN, "66666"))
        await rolled(first)
        ok(await first.score("chance"))
        async with unchanged(api, first.game_id):
            refused(await first.roll(), 409, "not_your_turn")
            refused(await first.score("chance"), 409, "not_your_turn")
        alone = await solo(api, PLAIN, "66666")
        await rolled(alone)
        ok(await alone.score("chance"))
        game = ok(await alone.roll())
        assert (game["turn"]["round"], game["turn"]["rolls_used"]) == (2, 1)
        assert card(game)["boxes"]["chance"] == 16

    async def test_the_last_box_ends_the_game(self, api: Api) -> None:
        seat = await finished(api)
        game = await seat.game()
        total = card(game)["total"]
        assert (game["status"], game["turn"]) == ("finished", None)
        assert game["result"] == {"winners": [0], "ranking": [{"seat": 0, "rank": 1, "total": total}]}
        events = await seat.events()
        assert types(events)[-2:] == ["scored", "game_finished"]
        assert events[-1]["result"] == game["result"]
        assert events[-1]["seq"] == game["version"]

    @pytest.mark.parametrize(
        ("body", "location", "code"),
        [
            pytest.param({"box": None}, ["box"], "enum", id="null"),
            pytest.param({"box": "yahtzee"}, ["box"], "enum", id="unknown-box"),
            pytest.param({"box": 5}, ["box"], "enum", id="number"),
            pytest.param({"box": "ones", "points": 50}, ["points"], "extra_forbidden", id="unknown-field"),
        ],
    )
    async def test_invalid(self, api: Api, body: object, location: list[str], code: str) -> None:
        seat = await solo(api, PLAIN)
        await rolled(seat)
        async with unchanged(api, seat.game_id):
            problem = refused(await seat.post("score", body), 422, "invalid_request")
        assert errors(problem) == [(["body", *location], code)]
