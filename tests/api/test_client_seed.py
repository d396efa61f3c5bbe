"""POST /v1/games/{id}/client-seed."""

import pytest

from tests.api.kit import COMPUTER, errors, joined, rolled, types, unchanged, waiting
from tests.client import Api, Json, ok, refused

pytestmark = pytest.mark.asyncio(loop_scope="module")


class TestClientSeed:
    @pytest.mark.parametrize("seed", ["a", "Z" * 64, "AZaz09_-", "null"])
    async def test_adds_entropy(self, api: Api, seed: str) -> None:
        (seat,) = await api.seats(players=[{}, COMPUTER])
        ok(await seat.post("client-seed", {"client_seed": seed}))
        told = (await seat.events())[-1]
        assert (told["type"], told["seat"], told["client_seed"]) == ("client_seed_added", 0, seed)

    async def test_in_a_waiting_game(self, api: Api) -> None:
        seat, _ = await waiting(api)
        assert ok(await seat.post("client-seed", {"client_seed": "abc"}))["status"] == "waiting"
        assert types(await seat.events()) == ["game_created", "client_seed_added"]

    async def test_once_a_seat(self, api: Api) -> None:
        first, second = await api.seats(players=[{}, {}])
        ok(await first.post("client-seed", {"client_seed": "abc"}))
        async with unchanged(api, first.game_id):
            refused(await first.post("client-seed", {"client_seed": "abc"}), 409, "seed_too_late")
        ok(await second.post("client-seed", {"client_seed": "abc"}))

    async def test_not_twice_by_joining(self, api: Api) -> None:
        _, code = await waiting(api)
        seat = await joined(api, code, client_seed="abc")
        refused(await seat.post("client-seed", {"client_seed": "def"}), 409, "seed_too_late")

    async def test_before_the_first_roll_of_the_game(self, api: Api) -> None:
        first, second = await api.seats(players=[{}, {}])
        await rolled(first)
        async with unchanged(api, first.game_id):
            problem = refused(await second.post("client-seed", {"client_seed": "abc"}), 409, "seed_too_late")
        assert problem["game"]["turn"]["rolls_used"] == 1

    async def test_a_computers_roll_is_a_roll(self, api: Api) -> None:
        (seat,) = await api.seats(players=[COMPUTER, {}])
        ok(await seat.post("start"))
        refused(await seat.post("client-seed", {"client_seed": "abc"}), 409, "seed_too_late")

    @pytest.mark.parametrize(
        ("body", "location", "code"),
        [
            pytest.param({}, ["client_seed"], "missing", id="missing"),
            pytest.param({"client_seed": None}, ["client_seed"], "string_type", id="null"),
            pytest.param({"client_seed": 5}, ["client_seed"], "string_type", id="number"),
            pytest.param({"client_seed": ""}, ["client_seed"], "string_pattern_mismatch", id="empty"),
            pytest.param({"client_seed": "a" * 65}, ["client_seed"], "string_pattern_mismatch", id="long"),
            pytest.param({"client_seed": "a,b"}, ["client_seed"], "string_pattern_mismatch", id="comma"),
            pytest.param({"client_seed": "a|b"}, ["client_seed"], "string_pattern_mismatch", id="bar"),
            pytest.param({"client_seed": "abc\n"}, ["client_seed"], "string_pattern_mismatch", id="newline"),
            pytest.param({"client_seed": "č"}, ["client_seed"], "string_pattern_mismatch", id="letter"),
            pytest.param({"client_seed": "٣"}, ["client_seed"], "string_pattern_mismatch", id="digit"),
            pytest.param({"client_seed": "a", "seat": 1}, ["seat"], "extra_forbidden", id="unknown-field"),
        ],
    )
    async def test_invalid(self, api: Api, body: Json, location: list[str | int], code: str) -> None:
        (seat,) = await api.seats(players=[{}])
        async with unchanged(api, seat.game_id):
            problem = refused(await seat.post("client-seed", body), 422, "invalid_request")
        assert errors(problem) == [(["body", *location], code)]
