"""POST /v1/games/{id}/players."""

from collections.abc import Awaitable, Callable

import httpx
import pytest

from tests.api.kit import COMPUTER, UNKNOWN, errors, types, unchanged, waiting
from tests.client import Api, Json, Seat, ok, refused

pytestmark = pytest.mark.asyncio(loop_scope="module")

PUBLIC: Json = {"visibility": "public"}


async def join(api: Api, game_id: str, body: object = None, **headers: str) -> httpx.Response:
    kwargs: Json = {} if body is None else {"json": body}
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return await api.http.post(f"/v1/games/{game_id}/players", headers=sent, **kwargs)


async def started(api: Api) -> Seat:
    seat, _ = await waiting(api, **PUBLIC)
    ok(await seat.post("start"))
    return seat


async def over(api: Api) -> Seat:
    (seat,) = await api.seats(players=[{}], open_seats=1, **PUBLIC)
    ok(await seat.post("leave"))
    return seat


async def full(api: Api) -> Seat:
    """Waiting for `start`, as a computer has the first seat."""
    (seat,) = await api.seats(players=[COMPUTER, {}], **PUBLIC)
    return seat


async def open_to_others(api: Api) -> Seat:
    (seat,) = await api.seats(players=[{"name": "Ana"}], open_seats=2, **PUBLIC)
    return seat


class TestJoinPublic:
    @pytest.mark.parametrize("body", [None, {}, {"name": "Ivo"}, {"client_seed": "x_Y-9"}])
    async def test_takes_a_seat(self, api: Api, body: Json | None) -> None:
        creator = await open_to_others(api)
        response = await join(api, creator.game_id, body)
        answer = ok(response, 201)
        assert set(answer) == {"game", "seat", "token"}
        assert answer["seat"] == 1
        assert response.headers["cache-control"] == "no-store"
        assert response.headers["etag"] == f'W/"{answer["game"]["version"]}"'
        player = answer["game"]["players"][1]
        assert (player["seat"], player["name"]) == (1, (body or {}).get("name", "Igrač 2"))
        assert (answer["game"]["status"], answer["game"]["open_seats"]) == ("waiting", 1)
        told = (await creator.events())[1:]
        seeded = "client_seed" in (body or {})
        assert types(told) == ["player_joined", *["client_seed_added"] * seeded]
        assert all(event["seat"] == 1 for event in told)

    async def test_the_token_plays_the_seat(self, api: Api) -> None:
        creator = await open_to_others(api)
        answer = ok(await join(api, creator.game_id), 201)
        ok(await creator.post("start"))
        ok(await creator.roll())
        ok(await creator.score("chance"))
        game = ok(await Seat(api.http, creator.game_id, 1, answer["token"]).roll())
        assert (game["turn"]["seat"], game["turn"]["rolls_used"]) == (1, 1)

    async def test_the_last_open_seat_starts_the_game(self, api: Api) -> None:
        creator, _ = await waiting(api, **PUBLIC)
        game = ok(await join(api, creator.game_id), 201)["game"]
        assert (game["status"], game["turn"]["seat"], game["open_seats"]) == ("active", 0, 0)
        told = await creator.events()
        assert types(told) == ["game_created", "player_joined", "game_started", "turn_started"]

    async def test_it_starts_a_game_that_a_computer_begins(self, api: Api) -> None:
        created = ok(await api.create({"players": [COMPUTER], "open_seats": 1, **PUBLIC}), 201)
        game = ok(await join(api, created["game"]["id"]), 201)["game"]
        assert (game["turn"]["seat"], game["turn"]["round"]) == (1, 1)
        assert game["players"][0]["card"]["total"] > 0 or 0 in game["players"][0]["card"]["boxes"].values()

    async def test_the_lowest_open_seat_is_taken(self, api: Api) -> None:
        seats = await api.seats(players=[{}, {}], open_seats=2, **PUBLIC)
        ok(await seats[0].post("leave"))
        answer = ok(await join(api, seats[0].game_id, {"name": "Novi"}), 201)
        assert answer["seat"] == 0
        assert [(p["seat"], p["name"]) for p in answer["game"]["players"]] == [(0, "Novi"), (1, "Igrač 2")]

    @pytest.mark.parametrize(
        ("game", "body", "code"),
        [
            pytest.param(started, {}, "game_already_started", id="started"),
            pytest.param(over, {}, "game_not_active", id="abandoned"),
            pytest.param(full, {}, "game_full", id="full"),
            pytest.param(open_to_others, {"name": "ANA"}, "name_taken", id="name"),
        ],
    )
    async def test_refused(self, api: Api, game: Callable[[Api], Awaitable[Seat]], body: Json, code: str) -> None:
        seat = await game(api)
        async with unchanged(api, seat.game_id):
            problem = refused(await join(api, seat.game_id, body), 409, code)
        assert problem["game"] == await seat.game()

    async def test_a_finished_game_was_started(self, api: Api) -> None:
        seat, _ = await waiting(api, **PUBLIC)
        ok(await seat.post("start"))
        for box in (await seat.game())["players"][0]["card"]["boxes"]:
            ok(await seat.roll())
            ok(await seat.score(box))
        assert (await seat.game())["status"] == "finished"
        refused(await join(api, seat.game_id), 409, "game_already_started")

    async def test_a_private_game_is_not_there(self, api: Api) -> None:
        seat, _ = await waiting(api)
        async with unchanged(api, seat.game_id):
            problem = refused(await join(api, seat.game_id), 404, "game_not_found")
        assert "game" not in problem

    @pytest.mark.parametrize("game_id", [UNKNOWN, "1", "x" * 300, "01890000-0000-7000-8000-00000000000g"])
    async def test_no_such_game(self, api: Api, game_id: str) -> None:
        refused(await join(api, game_id), 404, "game_not_found")

    async def test_only_on_the_version_that_if_match_names(self, api: Api) -> None:
        seat = await open_to_others(api)
        async with unchanged(api, seat.game_id):
            problem = refused(await join(api, seat.game_id, if_match='"7"'), 412, "version_mismatch")
        assert problem["game"]["version"] == 1
        assert ok(await join(api, seat.game_id, if_match='"1"'), 201)["game"]["version"] == 2

    @pytest.mark.parametrize(
        ("body", "location", "code"),
        [
            pytest.param({"token": "x"}, ["token"], "extra_forbidden", id="unknown-field"),
            pytest.param({"join_code": "0123456789"}, ["join_code"], "extra_forbidden", id="code"),
            pytest.param({"name": None}, ["name"], "string_type", id="name-null"),
            pytest.param({"client_seed": None}, ["client_seed"], "string_type", id="seed-null"),
            pytest.param({"client_seed": ""}, ["client_seed"], "string_pattern_mismatch", id="seed-empty"),
        ],
    )
    async def test_invalid(self, api: Api, body: Json, location: list[str | int], code: str) -> None:
        seat = await open_to_others(api)
        async with unchanged(api, seat.game_id):
            problem = refused(await join(api, seat.game_id, body), 422, "invalid_request")
        assert errors(problem) == [(["body", *location], code)]
