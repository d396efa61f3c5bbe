"""POST /v1/games/{id}/hold."""

import pytest

from tests.api.kit import PLAIN, dice, errors, rolled, solo, unchanged
from tests.client import Api, ok, refused

pytestmark = pytest.mark.asyncio(loop_scope="module")


class TestHold:
    @pytest.mark.parametrize("hold", [[0], [4, 2], [0, 1, 2, 3, 4]])
    async def test_replaces_the_held_set(self, api: Api, hold: list[int]) -> None:
        seat = await solo(api, PLAIN)
        before = await rolled(seat)
        game = ok(await seat.hold(hold))
        assert game["turn"] == {**before["turn"], "held": sorted(hold)}
        told = (await seat.events())[-1]
        assert (told["type"], told["seat"], told["held"]) == ("held", 0, sorted(hold))
        assert ok(await seat.hold([]))["turn"]["held"] == []

    async def test_the_next_roll_keeps_it(self, api: Api) -> None:
        seat = await solo(api, "12345", "66666")
        await rolled(seat)
        ok(await seat.hold([1, 3]))
        assert ok(await seat.roll())["turn"]["dice"] == dice("62646")

    async def test_the_same_set_again_is_no_event(self, api: Api) -> None:
        seat = await solo(api, PLAIN)
        await rolled(seat)
        ok(await seat.hold([3, 1]))
        async with unchanged(api, seat.game_id):
            assert ok(await seat.hold([1, 3]))["turn"]["held"] == [1, 3]

    async def test_it_leaves_a_selection_alone(self, api: Api) -> None:
        seat = await solo(api, PLAIN)
        await rolled(seat)
        ok(await seat.select("chance"))
        assert ok(await seat.hold([0]))["turn"]["selected"] == "chance"

    async def test_before_the_first_roll(self, api: Api) -> None:
        seat = await solo(api, PLAIN)
        async with unchanged(api, seat.game_id):
            refused(await seat.hold([0]), 409, "roll_first")
            refused(await seat.hold([]), 409, "roll_first")

    async def test_after_the_last_roll(self, api: Api) -> None:
        seat = await solo(api, *[PLAIN] * 3)
        await rolled(seat, 3)
        async with unchanged(api, seat.game_id):
            refused(await seat.hold([0]), 409, "no_rolls_left")
            refused(await seat.hold([]), 409, "no_rolls_left")

    async def test_too_many_changes(self, api: Api) -> None:
        """A hundred holds and selections in a turn; those that change nothing do not count."""
        seat = await solo(api, PLAIN, PLAIN, PLAIN)
        await rolled(seat)
        for number in range(50):
            ok(await seat.hold([number % 2]))
            ok(await seat.select(("ones", "chance")[number % 2]))
            ok(await seat.hold([number % 2]))
        async with unchanged(api, seat.game_id):
            response = await seat.hold([])
            problem = refused(response, 429, "rate_limited")
            refused(await seat.select(None), 429, "rate_limited")
            ok(await seat.hold([1]))
        assert response.headers["retry-after"].isdigit()
        assert "game" in problem
        ok(await seat.roll([0]))
        refused(await seat.hold([]), 429, "rate_limited")
        ok(await seat.score("chance"))
        ok(await seat.roll())
        ok(await seat.hold([0]))  # the next turn counts anew

    @pytest.mark.parametrize(
        ("body", "location", "code"),
        [
            pytest.param({}, ["hold"], "missing", id="missing"),
            pytest.param({"hold": None}, ["hold"], "list_type", id="null"),
            pytest.param({"hold": [0], "box": "ones"}, ["box"], "extra_forbidden", id="unknown-field"),
        ],
    )
    async def test_invalid(self, api: Api, body: object, location: list[str], code: str) -> None:
        seat = await solo(api, PLAIN)
        await rolled(seat)
        async with unchanged(api, seat.game_id):
            problem = refused(await seat.post("hold", body), 422, "invalid_request")
        assert errors(problem) == [(["body", *location], code)]

    async def test_a_body_is_needed(self, api: Api) -> None:
        seat = await solo(api, PLAIN)
        problem = refused(await seat.post("hold"), 422, "invalid_request")
        assert errors(problem) == [(["body"], "missing")]
