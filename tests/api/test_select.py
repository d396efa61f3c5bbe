"""POST /v1/games/{id}/select; what it does to the clock is in test_deadlines."""

import pytest

from tests.api.kit import BOXES, PLAIN, errors, options, played, rolled, solo, types, unchanged
from tests.client import Api, ok, refused

pytestmark = pytest.mark.asyncio(loop_scope="module")


class TestSelect:
    @pytest.mark.parametrize("box", BOXES)
    @pytest.mark.parametrize("rolls", [1, 3])
    async def test_marks_a_box(self, api: Api, rolls: int, box: str) -> None:
        seat = await solo(api, *[PLAIN] * 3)
        before = await rolled(seat, rolls)
        game = ok(await seat.select(box))
        assert game["turn"]["selected"] == box
        assert game["players"] == before["players"]
        told = (await seat.events())[-1]
        assert (told["type"], told["seat"], told["box"]) == ("box_selected", 0, box)

    async def test_another_box_and_none(self, api: Api) -> None:
        seat = await solo(api, PLAIN)
        await rolled(seat)
        ok(await seat.select("ones"))
        assert ok(await seat.select("twos"))["turn"]["selected"] == "twos"
        assert ok(await seat.select(None))["turn"]["selected"] is None
        assert types(await seat.events())[-3:] == ["box_selected"] * 3

    @pytest.mark.parametrize("box", ["ones", None])
    async def test_the_same_again_is_no_event(self, api: Api, box: str | None) -> None:
        seat = await solo(api, PLAIN)
        await rolled(seat)
        ok(await seat.select(box))
        async with unchanged(api, seat.game_id):
            assert ok(await seat.select(box))["turn"]["selected"] == box

    @pytest.mark.parametrize("box", ["chance", None])
    async def test_before_the_first_roll(self, api: Api, box: str | None) -> None:
        seat = await solo(api, PLAIN)
        async with unchanged(api, seat.game_id):
            refused(await seat.select(box), 409, "roll_first")

    async def test_a_filled_box(self, api: Api) -> None:
        seat = await played(api, [("ones", "66666")], PLAIN)
        game = await rolled(seat)
        async with unchanged(api, seat.game_id):
            problem = refused(await seat.select("ones"), 409, "box_filled")
        assert problem["legal_boxes"] == list(options(game)) == list(BOXES[1:])

    async def test_a_box_that_the_joker_forbids(self, api: Api) -> None:
        seat = await played(api, [("penta", "44444")], "44444")
        await rolled(seat)
        async with unchanged(api, seat.game_id):
            problem = refused(await seat.select("chance"), 409, "box_not_allowed")
        assert problem["legal_boxes"] == ["fours"]
        ok(await seat.select("fours"))

    @pytest.mark.parametrize(
        ("body", "location", "code"),
        [
            pytest.param({}, ["box"], "missing", id="missing"),
            pytest.param({"box": "yahtzee"}, ["box"], "enum", id="unknown-box"),
            pytest.param({"box": "ONES"}, ["box"], "enum", id="capitals"),
            pytest.param({"box": 1}, ["box"], "enum", id="number"),
            pytest.param({"box": ["ones"]}, ["box"], "enum", id="list"),
            pytest.param({"box": ""}, ["box"], "enum", id="empty"),
            pytest.param({"box": "ones", "points": 50}, ["points"], "extra_forbidden", id="unknown-field"),
        ],
    )
    async def test_invalid(self, api: Api, body: object, location: list[str], code: str) -> None:
        seat = await solo(api, PLAIN)
        await rolled(seat)
        async with unchanged(api, seat.game_id):
            problem = refused(await seat.post("select", body), 422, "invalid_request")
        assert errors(problem) == [(["body", *location], code)]

    async def test_a_body_is_needed(self, api: Api) -> None:
        seat = await solo(api, PLAIN)
        problem = refused(await seat.post("select"), 422, "invalid_request")
        assert errors(problem) == [(["body"], "missing")]
