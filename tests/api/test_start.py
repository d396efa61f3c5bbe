"""POST /v1/games/{id}/start."""

import pytest

from engine.strategy.table import shipped
from tests.api.kit import COMPUTER, errors, joined, types, unchanged, waiting
from tests.client import Api, ok, refused

pytestmark = pytest.mark.asyncio(loop_scope="module")


class TestStart:
    @pytest.mark.parametrize("body", [None, {}])
    async def test_open_seats_vanish(self, api: Api, body: object) -> None:
        (seat,) = await api.seats(players=[{}], open_seats=3)
        game = ok(await seat.post("start", body))
        assert (game["status"], game["open_seats"], len(game["players"])) == ("active", 0, 1)
        assert (game["turn"]["seat"], game["turn"]["round"]) == (0, 1)
        assert types(await seat.events()) == ["game_created", "game_started", "turn_started"]

    async def test_anyone_who_sits_may_start(self, api: Api) -> None:
        _, code = await waiting(api, open_seats=2)
        other = await joined(api, code)
        assert ok(await other.post("start"))["turn"]["seat"] == 0

    async def test_a_computer_that_begins_moves_at_once(self, api: Api) -> None:
        (seat,) = await api.seats(players=[COMPUTER, {}])
        game = ok(await seat.post("start"))
        assert (game["turn"]["seat"], game["turn"]["round"], game["turn"]["rolls_used"]) == (1, 1, 0)
        scored = (await seat.events())[-2]
        assert (scored["type"], scored["seat"], scored["actor"]) == ("scored", 0, "computer")
        assert (scored["policy"]["id"], scored["policy"]["version"]) == ("optimal", shipped().version)
        assert scored["due_at"] is None

    async def test_the_lowest_taken_seat_begins(self, api: Api) -> None:
        creator, code = await waiting(api, open_seats=2)
        other = await joined(api, code)
        ok(await creator.post("leave"))
        game = ok(await other.post("start"))
        assert [player["seat"] for player in game["players"]] == [1]
        assert game["turn"]["seat"] == 1

    async def test_a_game_starts_once(self, api: Api) -> None:
        seat, _ = await waiting(api)
        ok(await seat.post("start"))
        async with unchanged(api, seat.game_id):
            problem = refused(await seat.post("start"), 409, "game_already_started")
        assert problem["game"]["status"] == "active"

    async def test_nobody_joins_after_the_start(self, api: Api) -> None:
        seat, code = await waiting(api)
        ok(await seat.post("start"))
        refused(await api.http.post("/v1/join", json={"join_code": code}), 409, "game_already_started")

    async def test_it_takes_no_arguments(self, api: Api) -> None:
        seat, _ = await waiting(api)
        async with unchanged(api, seat.game_id):
            problem = refused(await seat.post("start", {"seats": 1}), 422, "invalid_request")
        assert errors(problem) == [(["body", "seats"], "extra_forbidden")]
