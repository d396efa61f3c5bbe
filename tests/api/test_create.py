"""POST /v1/games."""

import re
from uuid import UUID

import pytest

from tests.api.kit import COMPUTER, PLAIN, dice, errors, sandbox
from tests.client import Api, Json, ok, refused, serving

pytestmark = pytest.mark.asyncio(loop_scope="module")

DAY = 86_400_000
ROLLS = [dice(PLAIN)]


class TestCreate:
    @pytest.mark.parametrize("body", [None, {}, {"players": [{}]}, {"players": [{"kind": "human"}], "open_seats": 0}])
    async def test_without_wishes_it_is_a_game_for_one(self, api: Api, body: Json | None) -> None:
        response = await api.create(body)
        created = ok(response, 201)
        game = created["game"]
        assert response.headers["location"] == f"/v1/games/{game['id']}"
        assert response.headers["etag"] == f'W/"{game["version"]}"'
        assert response.headers["cache-control"] == "no-store"
        assert created["join_code"] is None
        assert [held["seat"] for held in created["seats"]] == [0]
        assert (game["status"], game["visibility"], game["rules"]) == ("active", "private", "penta")
        assert game["options"] == {"auto_score_ms": 3000, "turn_limit_ms": None, "hints": True, "sandbox": False}
        (player,) = game["players"]
        assert (player["name"], player["kind"], player["level"]) == ("Igrač 1", "human", None)
        assert set(player["card"]["boxes"].values()) == {None}
        assert player["card"]["total"] == 0
        assert game["turn"] == {
            "seat": 0,
            "round": 1,
            "rolls_used": 0,
            "rolls_left": 3,
            "dice": None,
            "held": [],
            "selected": None,
            "deadline_at": None,
            "remaining_ms": None,
            "turn_limit_at": None,
            "options": [],
            "must_sacrifice": False,
            "notice": None,
        }
        assert (game["open_seats"], game["result"]) == (0, None)
        assert re.fullmatch("[0-9a-f]{64}", game["commitment"])
        assert game["created_at"] == game["updated_at"] == game["server_time"] == "2026-09-21T14:13:20.000Z"

    async def test_nothing_of_a_game_can_be_guessed(self, api: Api) -> None:
        one, other = [ok(await api.create({"open_seats": 1}), 201) for _ in range(2)]
        assert UUID(one["game"]["id"]).version == 7
        assert re.fullmatch("[A-Za-z0-9_-]{43}", one["seats"][0]["token"])  # 256 bits
        assert re.fullmatch("[0-9A-HJKMNP-TV-Z]{10}", one["join_code"])
        for name in ("id", "commitment"):
            assert one["game"][name] != other["game"][name]
        assert one["seats"][0]["token"] != other["seats"][0]["token"]
        assert one["join_code"] != other["join_code"]

    @pytest.mark.parametrize(
        ("body", "option", "value"),
        [
            pytest.param({"auto_score_ms": 500}, "auto_score_ms", 500, id="auto-score-least"),
            pytest.param({"auto_score_ms": 3_600_000}, "auto_score_ms", 3_600_000, id="auto-score-most"),
            pytest.param({"auto_score_ms": None}, "auto_score_ms", None, id="auto-score-never"),
            pytest.param({"turn_limit_ms": 5000}, "turn_limit_ms", 5000, id="limit-least"),
            pytest.param({"turn_limit_ms": 604_800_000}, "turn_limit_ms", 604_800_000, id="limit-most"),
            pytest.param({"players": [{}, COMPUTER]}, "turn_limit_ms", None, id="limit-one-human"),
            pytest.param({"players": [{}, {}]}, "turn_limit_ms", DAY, id="limit-two-humans"),
            pytest.param({"open_seats": 1}, "turn_limit_ms", DAY, id="limit-open-seat"),
            pytest.param({"players": [], "open_seats": 1}, "turn_limit_ms", None, id="limit-one-open-seat"),
            pytest.param({"open_seats": 1, "turn_limit_ms": None}, "turn_limit_ms", None, id="limit-never"),
            pytest.param({"hints": False}, "hints", False, id="no-hints"),
            pytest.param({"sandbox": {"rolls": ROLLS}}, "sandbox", True, id="sandbox"),
            pytest.param({"sandbox": {"rolls": []}}, "sandbox", True, id="sandbox-empty"),
            pytest.param({"sandbox": {"rolls": ROLLS * 312}}, "sandbox", True, id="sandbox-most"),
        ],
    )
    async def test_options(self, api: Api, body: Json, option: str, value: object) -> None:
        assert ok(await api.create(body), 201)["game"]["options"][option] == value

    @pytest.mark.parametrize(
        ("body", "status", "tokens", "has_code"),
        [
            pytest.param({"players": [{}, COMPUTER]}, "active", [0], False, id="human-first"),
            pytest.param({"players": [COMPUTER, {}]}, "waiting", [1], False, id="computer-first"),
            pytest.param({"players": [{}, COMPUTER, {}]}, "active", [0, 2], False, id="tokens-for-humans"),
            pytest.param({"players": [{}], "open_seats": 7}, "waiting", [0], True, id="open-seats"),
            pytest.param({"players": [], "open_seats": 1}, "waiting", [], True, id="open-seat-only"),
            pytest.param({"players": [COMPUTER] * 7, "open_seats": 1}, "waiting", [], True, id="open-seat-last"),
            pytest.param({"players": [{}] * 8}, "active", list(range(8)), False, id="eight"),
        ],
    )
    async def test_seats(self, api: Api, body: Json, status: str, tokens: list[int], has_code: bool) -> None:
        created = ok(await api.create(body), 201)
        assert created["game"]["status"] == status
        assert [held["seat"] for held in created["seats"]] == tokens
        assert (created["join_code"] is not None) == has_code
        assert created["game"]["open_seats"] == body.get("open_seats", 0)
        assert [player["seat"] for player in created["game"]["players"]] == list(range(len(body["players"])))
        assert (created["game"]["turn"] is None) == (status == "waiting")

    async def test_players_are_as_named(self, api: Api) -> None:
        players = [{"name": " Ana "}, {"kind": "computer", "level": "casual", "name": "Stroj"}, COMPUTER]
        game = ok(await api.create({"players": players, "visibility": "public"}, accept_language="en"), 201)["game"]
        shown = [(player["name"], player["kind"], player["level"]) for player in game["players"]]
        assert shown == [("Ana", "human", None), ("Stroj", "computer", "casual"), ("Player 3", "computer", "optimal")]
        assert game["visibility"] == "public"

    async def test_events_tell_how_it_began(self, api: Api) -> None:
        (seat,) = await api.seats(players=[{"name": "Ana"}, COMPUTER])
        created, started, turn = await seat.events()
        assert created["players"] == [
            {"seat": 0, "name": "Ana", "kind": "human", "level": None},
            {"seat": 1, "name": "Igrač 2", "kind": "computer", "level": "optimal"},
        ]
        assert created["options"] == (await seat.game())["options"]
        assert (created["type"], created["open_seats"], created["seat"]) == ("game_created", 0, None)
        assert started["type"] == "game_started"
        assert (turn["type"], turn["seat"], turn["round"]) == ("turn_started", 0, 1)

    @pytest.mark.parametrize(
        ("body", "location", "code"),
        [
            pytest.param({"colour": "red"}, ["colour"], "extra_forbidden", id="unknown-field"),
            pytest.param({"players": [{"colour": 1}]}, ["players", 0, "colour"], "extra_forbidden", id="unknown-deep"),
            pytest.param({"players": []}, [], "number_of_seats", id="no-seat"),
            pytest.param({"players": [{}] * 9}, ["players"], "too_long", id="nine-players"),
            pytest.param({"players": [{}] * 2, "open_seats": 7}, [], "number_of_seats", id="nine-seats"),
            pytest.param({"open_seats": 8}, ["open_seats"], "less_than_equal", id="eight-open"),
            pytest.param({"open_seats": -1}, ["open_seats"], "greater_than_equal", id="negative-open"),
            pytest.param({"open_seats": True}, ["open_seats"], "int_type", id="C05-true"),
            pytest.param({"open_seats": 1.0}, ["open_seats"], "int_type", id="C05-float"),
            pytest.param({"open_seats": "1"}, ["open_seats"], "int_type", id="C05-text"),
            pytest.param({"players": [COMPUTER]}, [], "no_human", id="computers-only"),
            pytest.param({"players": [{"level": "optimal"}]}, ["players", 0], "level_of_human", id="level-of-human"),
            pytest.param({"players": [{**COMPUTER, "level": "god"}]}, ["players", 0, "level"], "enum", id="level"),
            pytest.param({"players": [{"kind": "cat"}]}, ["players", 0, "kind"], "enum", id="kind"),
            pytest.param({"players": {}}, ["players"], "list_type", id="players-object"),
            pytest.param({"players": ["Ana"]}, ["players", 0], "model_attributes_type", id="player-text"),
            pytest.param({"players": [{"name": "x"}, {"name": "X"}]}, [], "name_twice", id="name-twice"),
            pytest.param({"players": [{"name": 5}]}, ["players", 0, "name"], "string_type", id="name-number"),
            pytest.param({"visibility": "secret"}, ["visibility"], "enum", id="visibility"),
            pytest.param({"auto_score_ms": 499}, ["auto_score_ms"], "greater_than_equal", id="auto-score-low"),
            pytest.param({"auto_score_ms": 3_600_001}, ["auto_score_ms"], "less_than_equal", id="auto-score-high"),
            pytest.param({"auto_score_ms": 3000.0}, ["auto_score_ms"], "int_type", id="C05-auto-score"),
            pytest.param({"turn_limit_ms": 4999}, ["turn_limit_ms"], "greater_than_equal", id="limit-low"),
            pytest.param({"turn_limit_ms": 604_800_001}, ["turn_limit_ms"], "less_than_equal", id="limit-high"),
            pytest.param({"hints": 1}, ["hints"], "bool_type", id="hints-number"),
            pytest.param({"sandbox": {}}, ["sandbox", "rolls"], "missing", id="sandbox-without-rolls"),
            pytest.param({"sandbox": {"rolls": ROLLS * 313}}, ["sandbox", "rolls"], "too_long", id="313-rolls"),
            pytest.param({**sandbox("1234")}, ["sandbox", "rolls", 0], "too_short", id="four-dice"),
            pytest.param({**sandbox("123456")}, ["sandbox", "rolls", 0], "too_long", id="six-dice"),
            pytest.param({**sandbox("12340")}, ["sandbox", "rolls", 0, 4], "greater_than_equal", id="die-0"),
            pytest.param({**sandbox("12347")}, ["sandbox", "rolls", 0, 4], "less_than_equal", id="die-7"),
            pytest.param({**sandbox(PLAIN), "visibility": "public"}, [], "public_sandbox", id="public-sandbox"),
        ],
    )
    async def test_refused(self, api: Api, body: Json, location: list[str | int], code: str) -> None:
        problem = refused(await api.create(body), 422, "invalid_request")
        assert errors(problem) == [(["body", *location], code)]

    @pytest.mark.parametrize("name", ["players", "open_seats", "visibility", "hints", "sandbox"])
    async def test_null_is_no_value(self, api: Api, name: str) -> None:
        problem = refused(await api.create({name: None}), 422, "invalid_request")
        assert [error["location"] for error in problem["errors"]] == [["body", name]]

    @pytest.mark.parametrize("name", ["name", "kind", "level"])
    async def test_null_is_no_value_for_a_player(self, api: Api, name: str) -> None:
        problem = refused(await api.create({"players": [{"kind": "computer", name: None}]}), 422, "invalid_request")
        assert [error["location"] for error in problem["errors"]] == [["body", "players", 0, name]]

    async def test_given_rolls_need_the_setting(self, api: Api, shared_url: str) -> None:
        async with serving(shared_url, sandbox=False) as plain:
            refused(await plain.create(sandbox(PLAIN)), 403, "sandbox_disabled")
            ok(await plain.create(), 201)
