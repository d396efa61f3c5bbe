"""POST /v1/join."""

from collections.abc import Callable

import pytest

from tests.api.kit import COMPUTER, errors, joined, types, unchanged, waiting
from tests.client import Api, Json, Seat, ok, refused

pytestmark = pytest.mark.asyncio(loop_scope="module")

LOOKALIKES = str.maketrans({"0": "O", "1": "I"})


class TestJoinByCode:
    @pytest.mark.parametrize("visibility", ["private", "public"])
    async def test_takes_a_seat(self, api: Api, visibility: str) -> None:
        creator, code = await waiting(api, visibility=visibility)
        body = {"join_code": code, "name": "Ivo", "client_seed": "abc"}
        response = await api.http.post("/v1/join", json=body)
        answer = ok(response, 201)
        assert set(answer) == {"game", "seat", "token"}
        assert response.headers["cache-control"] == "no-store"
        assert (answer["game"]["id"], answer["seat"]) == (creator.game_id, 1)
        assert answer["game"]["players"][1]["name"] == "Ivo"
        assert types(await creator.events())[1:4] == ["player_joined", "client_seed_added", "game_started"]

    @pytest.mark.parametrize(
        "typed",
        [
            pytest.param(lambda code: code.lower(), id="lower-case"),
            pytest.param(lambda code: f"{code[:5]}-{code[5:]}", id="hyphen"),
            pytest.param(lambda code: "-".join(code), id="hyphens"),
            pytest.param(lambda code: f" {code} ", id="blanks"),
            pytest.param(lambda code: code.translate(LOOKALIKES), id="O-for-0"),
            pytest.param(lambda code: code.replace("1", "l").lower(), id="l-for-1"),
        ],
    )
    async def test_codes_as_people_type_them(self, api: Api, typed: Callable[[str], str]) -> None:
        creator, code = await waiting(api)
        assert (await joined(api, typed(code))).game_id == creator.game_id

    @pytest.mark.parametrize("code", ["0000000000", "0", "ČĆŽ", "7K3QZ9XW2U", "?" * 64, "' OR 1=1 --"])
    async def test_wrong_code(self, api: Api, code: str) -> None:
        problem = refused(await api.http.post("/v1/join", json={"join_code": code}), 404, "wrong_join_code")
        assert code not in (problem["title"], problem["detail"])

    async def test_a_code_opens_one_game(self, api: Api) -> None:
        (one, code), (other, other_code) = await waiting(api), await waiting(api)
        assert (await joined(api, other_code)).game_id == other.game_id
        assert (await one.game())["open_seats"] == 1
        assert (await joined(api, code)).game_id == one.game_id

    async def test_a_seat_is_taken_once(self, api: Api) -> None:
        creator, code = await waiting(api)
        await joined(api, code)
        async with unchanged(api, creator.game_id):
            problem = refused(await api.http.post("/v1/join", json={"join_code": code}), 409, "game_already_started")
        assert problem["game"]["id"] == creator.game_id

    async def test_names_differ_and_a_free_seat_is_taken_first(self, api: Api) -> None:
        created = ok(await api.create({"players": [COMPUTER, {"name": "Ana"}, {}], "open_seats": 1}), 201)
        game_id, code = created["game"]["id"], created["join_code"]
        ana = Seat(api.http, game_id, 1, created["seats"][0]["token"])
        refused(await api.http.post("/v1/join", json={"join_code": code, "name": "aNA"}), 409, "name_taken")
        ok(await ana.post("leave"))
        assert (await joined(api, code, name="aNA")).seat == 1
        assert (await joined(api, code)).seat == 3

    async def test_an_abandoned_game(self, api: Api) -> None:
        creator, code = await waiting(api)
        ok(await creator.post("leave"))
        refused(await api.http.post("/v1/join", json={"join_code": code}), 409, "game_not_active")

    async def test_only_on_the_version_that_if_match_names(self, api: Api) -> None:
        creator, code = await waiting(api)
        response = await api.http.post("/v1/join", json={"join_code": code}, headers={"If-Match": 'W/"2"'})
        refused(response, 412, "version_mismatch")
        assert (await creator.game())["open_seats"] == 1

    @pytest.mark.parametrize(
        ("body", "location", "code"),
        [
            pytest.param({}, ["join_code"], "missing", id="missing"),
            pytest.param({"join_code": None}, ["join_code"], "string_type", id="null"),
            pytest.param({"join_code": 1234567890}, ["join_code"], "string_type", id="number"),
            pytest.param({"join_code": ""}, ["join_code"], "string_too_short", id="empty"),
            pytest.param({"join_code": "0" * 65}, ["join_code"], "string_too_long", id="long"),
            pytest.param({"join_code": "0", "seat": 1}, ["seat"], "extra_forbidden", id="unknown-field"),
            pytest.param({"join_code": "0", "name": ""}, ["name"], "name_length", id="name"),
        ],
    )
    async def test_invalid(self, api: Api, body: Json, location: list[str | int], code: str) -> None:
        problem = refused(await api.http.post("/v1/join", json=body), 422, "invalid_request")
        assert errors(problem) == [(["body", *location], code)]

    async def test_a_body_is_needed(self, api: Api) -> None:
        problem = refused(await api.http.post("/v1/join"), 422, "invalid_request")
        assert errors(problem) == [(["body"], "missing")]
