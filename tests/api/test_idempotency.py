"""Idempotency-Key on the commands of a seat, and on creating and joining, where no token scopes it."""

import base64
from uuid import uuid4

import httpx
import pytest

from tests.api.kit import COMPUTER, PLAIN, dump, joined, rolled, sandbox, solo, third_roll, unchanged, waiting
from tests.client import Api, Json, Seat, ok, refused

pytestmark = pytest.mark.asyncio(loop_scope="module")

DAY = 86_400_000
COMMANDS: list[tuple[str, int, Json | None]] = [
    ("roll", 0, None),
    ("roll", 1, {"hold": [0, 2]}),
    ("hold", 1, {"hold": [0]}),
    ("select", 1, {"box": "chance"}),
    ("score", 1, {"box": "chance"}),
    ("client-seed", 0, {"client_seed": "abc"}),
]

every_command = pytest.mark.parametrize(("command", "rolls", "body"), COMMANDS)


async def two(api: Api) -> tuple[Seat, Seat]:
    first, second = await api.seats(players=[{}, {}], **sandbox(PLAIN, "11111", "22222"))
    return first, second


def is_replay(first: httpx.Response, again: httpx.Response) -> bool:
    """The same answer, byte for byte, and marked as a repeat; the first one was not."""
    return (
        "idempotency-replayed" not in first.headers
        and again.headers.get("idempotency-replayed") == "true"
        and (again.status_code, again.content) == (first.status_code, first.content)
        and again.headers["content-type"] == first.headers["content-type"]
        and again.headers.get("etag") == first.headers.get("etag")
    )


class TestReplay:
    @every_command
    async def test_a_command_acts_once(self, api: Api, command: str, rolls: int, body: Json | None) -> None:
        seat, _ = await two(api)
        await rolled(seat, rolls)
        first = await seat.post(command, body, Idempotency_Key="k")
        ok(first)
        api.clock.advance(1234)
        async with unchanged(api, seat.game_id):
            for _ in range(3):
                assert is_replay(first, await seat.post(command, body, Idempotency_Key="k"))

    @every_command
    async def test_another_key_acts_again(self, api: Api, command: str, rolls: int, body: Json | None) -> None:
        seat, _ = await two(api)
        await rolled(seat, rolls)
        first = await seat.post(command, body, Idempotency_Key="k")
        again = await seat.post(command, body, Idempotency_Key="K")
        assert not is_replay(first, again)
        assert "idempotency-replayed" not in again.headers

    async def test_start_and_return(self, api: Api) -> None:
        seat, _ = await waiting(api)
        first = await seat.post("start", Idempotency_Key="k")
        assert is_replay(first, await seat.post("start", Idempotency_Key="k"))
        (seat,) = await api.seats(players=[{}], turn_limit_ms=5000)
        for _ in range(2):
            api.clock.advance(5000)
            await seat.game()
        first = await seat.post("return", Idempotency_Key="k")
        ok(first)
        assert is_replay(first, await seat.post("return", Idempotency_Key="k"))

    async def test_the_token_goes_before_the_stored_answer(self, api: Api) -> None:
        seat, _ = await two(api)
        ok(await seat.post("leave", Idempotency_Key="k"))
        refused(await seat.post("leave", Idempotency_Key="k"), 401, "unauthorized")

    async def test_after_a_deadline(self, api: Api) -> None:
        """The answer of the third roll is told again although its turn was scored meanwhile."""
        seat = await solo(api, *[PLAIN] * 4)
        await rolled(seat, 2)
        first = await seat.roll(Idempotency_Key="k")
        api.clock.advance(3000)
        assert is_replay(first, await seat.roll(Idempotency_Key="k"))
        assert (await seat.game())["turn"]["round"] == 2
        assert is_replay(first, await seat.roll(Idempotency_Key="k"))

    async def test_it_goes_before_if_match_and_the_rules(self, api: Api) -> None:
        seat, other = await two(api)
        first = await seat.roll(Idempotency_Key="k", If_Match='"3"')
        ok(first)
        ok(await seat.score("chance"))
        assert is_replay(first, await seat.roll(Idempotency_Key="k", If_Match='"3"'))
        refused(await seat.roll(), 409, "not_your_turn")
        ok(await other.post("leave"))
        ok(await seat.post("leave", Idempotency_Key="l"))

    async def test_in_the_language_of_the_first_answer(self, api: Api) -> None:
        seat = await third_roll(api)
        api.clock.advance(3000)
        first = await seat.score("chance", Idempotency_Key="k", Accept_Language="en")
        assert refused(first, 409, "deadline_passed")["title"] == "Time is up"
        assert is_replay(first, await seat.score("chance", Idempotency_Key="k", Accept_Language="hr"))

    async def test_computers_turns_are_part_of_it(self, api: Api) -> None:
        (seat,) = await api.seats(players=[{}, COMPUTER])
        await rolled(seat)
        first = await seat.score("chance", Idempotency_Key="k")
        ok(first)
        async with unchanged(api, seat.game_id):
            assert is_replay(first, await seat.score("chance", Idempotency_Key="k"))

    async def test_a_command_that_changes_nothing(self, api: Api) -> None:
        seat = await solo(api, PLAIN)
        await rolled(seat)
        first = await seat.hold([], Idempotency_Key="k")
        ok(await seat.hold([1]))
        assert is_replay(first, await seat.hold([], Idempotency_Key="k"))
        assert (await seat.game())["turn"]["held"] == [1]

    async def test_for_24_hours(self, api: Api) -> None:
        (seat,) = await api.seats(players=[{}], auto_score_ms=None)
        first = await seat.roll(Idempotency_Key="k")
        api.clock.advance(DAY)
        assert is_replay(first, await seat.roll(Idempotency_Key="k"))
        api.clock.advance(1)
        second = await seat.roll(Idempotency_Key="k")
        assert ok(second)["turn"]["rolls_used"] == 2
        assert "idempotency-replayed" not in second.headers
        assert is_replay(second, await seat.roll(Idempotency_Key="k"))


class TestRefused:
    async def test_may_be_tried_again(self, api: Api) -> None:
        first, second = await two(api)
        refused(await second.roll(Idempotency_Key="k"), 409, "not_your_turn")
        refused(await first.score("chance", Idempotency_Key="k"), 409, "roll_first")
        await rolled(first)
        refused(await first.score("chance", Idempotency_Key="k", If_Match='"1"'), 412, "version_mismatch")
        ok(await first.score("chance", Idempotency_Key="k"))
        assert ok(await second.roll(Idempotency_Key="k"))["turn"]["seat"] == 1

    async def test_an_invalid_request_is_not_kept(self, api: Api) -> None:
        seat = await solo(api, PLAIN)
        refused(await seat.post("roll", {"hold": [9]}, Idempotency_Key="k"), 422, "invalid_request")
        ok(await seat.roll(Idempotency_Key="k"))

    @pytest.mark.parametrize("command", ["hold", "select", "score"])
    async def test_deadline_passed_is_kept(self, api: Api, command: str) -> None:
        body = {"hold": {"hold": [0]}, "select": {"box": "ones"}, "score": {"box": "ones"}}[command]
        seat = await third_roll(api)
        api.clock.advance(3000)
        first = await seat.post(command, body, Idempotency_Key="k")
        refused(first, 409, "deadline_passed")
        await rolled(seat)
        assert is_replay(first, await seat.post(command, body, Idempotency_Key="k"))
        ok(await seat.post(command, body, Idempotency_Key="l"))


class TestReuse:
    """C12: a key for something else is refused, and nothing happens."""

    @pytest.mark.parametrize(
        ("command", "body"),
        [
            pytest.param("roll", {"hold": [1]}, id="body"),
            pytest.param("roll", {"hold": [0, 1]}, id="longer-body"),
            pytest.param("roll", None, id="no-body"),
            pytest.param("hold", {"hold": [0]}, id="operation-same-body"),
            pytest.param("score", {"box": "chance"}, id="operation"),
            pytest.param("select", {"box": None}, id="select"),
            pytest.param("client-seed", {"client_seed": "a"}, id="client-seed"),
            pytest.param("start", None, id="start"),
            pytest.param("leave", {}, id="leave"),
        ],
    )
    async def test_of_a_seat(self, api: Api, command: str, body: Json | None) -> None:
        seat = await solo(api, PLAIN, PLAIN)
        await rolled(seat)
        first = await seat.roll([0], Idempotency_Key="k")
        async with unchanged(api, seat.game_id):
            problem = refused(await seat.post(command, body, Idempotency_Key="k"), 422, "idempotency_key_reused")
        assert "game" not in problem
        assert is_replay(first, await seat.roll([0], Idempotency_Key="k"))

    @pytest.mark.parametrize(
        "content", [b'{"hold":[0,2]}', b' {"hold" : [ 0 , 2 ] }\n', b'{"\\u0068old":[0,2]}', b'{"hold":[-0,2]}']
    )
    async def test_the_same_body_written_differently(self, api: Api, content: bytes) -> None:
        seat = await solo(api, PLAIN, PLAIN)
        await rolled(seat)
        first = await seat.roll([0, 2], Idempotency_Key="k")
        headers = {"Authorization": f"Bearer {seat.token}", "Idempotency-Key": "k", "Content-Type": "application/json"}
        again = await api.http.post(f"/v1/games/{seat.game_id}/roll", content=content, headers=headers)
        assert is_replay(first, again)

    @pytest.mark.parametrize("bodies", [(None, {}), ({}, None)])
    async def test_no_body_is_an_empty_one(self, api: Api, bodies: tuple[Json | None, Json | None]) -> None:
        seat = await solo(api, PLAIN)
        first, again = [await seat.post("roll", body, Idempotency_Key="k") for body in bodies]
        assert is_replay(first, again)

    async def test_players_do_not_share_keys(self, api: Api) -> None:
        first, second = await two(api)
        ok(await first.post("client-seed", {"client_seed": "a"}, Idempotency_Key="k"))
        game = ok(await second.post("client-seed", {"client_seed": "b"}, Idempotency_Key="k"))
        assert game["version"] == 5

    async def test_games_do_not_share_keys(self, api: Api) -> None:
        for _ in range(2):
            seat = await solo(api, PLAIN)
            assert "idempotency-replayed" not in (await seat.roll(Idempotency_Key="k")).headers

    async def test_a_successor_does_not_inherit_keys(self, api: Api) -> None:
        _, code = await waiting(api, open_seats=2)
        gone = await joined(api, code)
        ok(await gone.post("client-seed", {"client_seed": "a"}, Idempotency_Key="k"))
        ok(await gone.post("leave"))
        heir = await joined(api, code)
        response = await heir.post("client-seed", {"client_seed": "b"}, Idempotency_Key="k")
        ok(response)
        assert "idempotency-replayed" not in response.headers


class TestCreating:
    async def test_the_same_game_and_tokens_again(self, api: Api) -> None:
        body, key = {"players": [{}, {}], "open_seats": 1}, str(uuid4())
        first = await api.create(body, idempotency_key=key)
        created = ok(first, 201)
        api.clock.advance(5000)
        again = await api.create(body, idempotency_key=key)
        assert is_replay(first, again)
        assert again.headers["location"] == first.headers["location"]
        assert again.headers["cache-control"] == "no-store"
        game_id, (held, _) = created["game"]["id"], created["seats"]
        ok(await Seat(api.http, game_id, 0, held["token"]).post("start"))
        assert is_replay(first, await api.create(body, idempotency_key=key))

    async def test_without_a_key_each_is_new(self, api: Api) -> None:
        one, other = ok(await api.create(), 201), ok(await api.create(), 201)
        assert one["game"]["id"] != other["game"]["id"]

    async def test_another_key_another_game(self, api: Api) -> None:
        one, other = [ok(await api.create(idempotency_key=str(uuid4())), 201) for _ in range(2)]
        assert one["game"]["id"] != other["game"]["id"]
        assert one["seats"][0]["token"] != other["seats"][0]["token"]

    @pytest.mark.parametrize("body", [{"hints": False}, {"players": [{"name": "x"}]}, {"open_seats": 1}])
    async def test_another_body(self, api: Api, body: Json) -> None:
        key = str(uuid4())
        ok(await api.create({}, idempotency_key=key), 201)
        count = len((await dump(api))["games"])
        refused(await api.create(body, idempotency_key=key), 422, "idempotency_key_reused")
        assert len((await dump(api))["games"]) == count

    async def test_for_24_hours(self, api: Api) -> None:
        key = str(uuid4())
        first = await api.create(idempotency_key=key)
        api.clock.advance(DAY)
        assert is_replay(first, await api.create(idempotency_key=key))
        api.clock.advance(1)
        second = await api.create(idempotency_key=key)
        assert second.json()["game"]["id"] != first.json()["game"]["id"]
        assert second.json()["seats"] != first.json()["seats"]

    async def test_a_refusal_may_be_tried_again(self, api: Api) -> None:
        key = str(uuid4())
        refused(await api.create({"open_seats": 9}, idempotency_key=key), 422, "invalid_request")
        ok(await api.create({}, idempotency_key=key), 201)


class TestJoining:
    async def join(self, api: Api, code: str, key: str, **body: str) -> httpx.Response:
        return await api.http.post(
            "/v1/join", json={"join_code": code, **body}, headers={"Idempotency-Key": key, "If-Match": "*"}
        )

    async def test_the_same_seat_and_token_again(self, api: Api) -> None:
        creator, code = await waiting(api)
        key = str(uuid4())
        first = await self.join(api, code, key)
        token = ok(first, 201)["token"]
        async with unchanged(api, creator.game_id):
            assert is_replay(first, await self.join(api, code, key))
        ok(await creator.roll())
        assert is_replay(first, await self.join(api, code, key))
        ok(await Seat(api.http, creator.game_id, 1, token).post("leave"))

    async def test_a_public_game(self, api: Api) -> None:
        creator, _ = await waiting(api, visibility="public")
        path, headers = f"/v1/games/{creator.game_id}/players", {"Idempotency-Key": str(uuid4())}
        first = await api.http.post(path, headers=headers)
        ok(first, 201)
        assert is_replay(first, await api.http.post(path, headers=headers, json={}))
        refused(await api.http.post(path, headers=headers, json={"name": "x"}), 422, "idempotency_key_reused")

    async def test_a_key_for_something_else(self, api: Api) -> None:
        """C12: for creating and then joining, for another way of joining, another name, another game."""
        key, public = str(uuid4()), {"open_seats": 3, "visibility": "public"}
        created = ok(await api.create(public, idempotency_key=key), 201)
        code, path = created["join_code"], f"/v1/games/{created['game']['id']}/players"
        refused(await self.join(api, code, key), 422, "idempotency_key_reused")
        key = str(uuid4())
        ok(await self.join(api, code, key), 201)
        refused(await self.join(api, code, key, name="x"), 422, "idempotency_key_reused")
        refused(await api.http.post(path, headers={"Idempotency-Key": key}), 422, "idempotency_key_reused")
        refused(await api.create(idempotency_key=key), 422, "idempotency_key_reused")
        _, other_code = await waiting(api)
        refused(await self.join(api, other_code, key), 422, "idempotency_key_reused")
        assert ok(await api.http.get(f"/v1/games/{created['game']['id']}"))["open_seats"] == 2

    async def test_a_seats_command_is_never_answered_with_it(self, api: Api) -> None:
        """C12: a token scopes the keys of a seat, so this one is new there."""
        key = str(uuid4())
        created = ok(await api.create(idempotency_key=key), 201)
        seat = Seat(api.http, created["game"]["id"], 0, created["seats"][0]["token"])
        response = await seat.roll(Idempotency_Key=key)
        assert ok(response)["turn"]["rolls_used"] == 1
        assert "idempotency-replayed" not in response.headers
        refused(await seat.score("chance", Idempotency_Key=key), 422, "idempotency_key_reused")

    async def test_a_refusal_may_be_tried_again(self, api: Api) -> None:
        creator, code = await waiting(api, players=[{"name": "Ana"}], open_seats=2)
        key = str(uuid4())
        refused(await self.join(api, code, key, name="ana"), 409, "name_taken")
        ok(await self.join(api, code, key, name="Ivo"), 201)
        assert (await creator.game())["open_seats"] == 1


class TestStorage:
    async def test_no_token_and_no_key_is_stored(self, own: Api) -> None:
        keys = [str(uuid4()) for _ in range(3)]
        created = ok(await own.create({"open_seats": 2}, idempotency_key=keys[0]), 201)
        headers = {"Idempotency-Key": keys[1]}
        answer = ok(await own.http.post("/v1/join", json={"join_code": created["join_code"]}, headers=headers), 201)
        plain = await joined(own, created["join_code"])
        seat = Seat(own.http, created["game"]["id"], 0, created["seats"][0]["token"])
        ok(await seat.roll(Idempotency_Key=keys[2]))
        tables = await dump(own)
        assert [len(tables[name]) for name in ("open_answers", "answers", "join_codes")] == [2, 1, 1]
        stored = b"\n".join(
            value if isinstance(value, bytes) else str(value).encode()
            for rows in tables.values()
            for row in rows
            for value in row.values()
        )
        for secret in (seat.token, answer["token"], plain.token):
            raw = base64.urlsafe_b64decode(secret + "=")
            for form in (secret.encode(), raw, raw.hex().encode(), base64.b64encode(raw)):
                assert form not in stored
        for key in keys:
            assert key.encode() not in stored
            assert key.replace("-", "").encode() not in stored
