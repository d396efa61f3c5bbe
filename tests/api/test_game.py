"""GET /v1/games/{id}."""

import pytest

from tests.api.kit import PLAIN, UNKNOWN, finished, read, rolled, solo, waiting
from tests.client import Api, ok, refused

pytestmark = pytest.mark.asyncio(loop_scope="module")


class TestGame:
    async def test_anyone_may_read_it(self, api: Api) -> None:
        seat = await solo(api, PLAIN)
        response = await read(seat)
        game = ok(response)
        assert (game["id"], game["version"], game["status"]) == (seat.game_id, 3, "active")
        assert response.headers["etag"] == 'W/"3"'
        assert response.headers["cache-control"] == "no-cache"
        assert "Accept-Language" in response.headers["vary"].split(", ")

    async def test_the_version_is_the_seq_of_the_last_event(self, api: Api) -> None:
        for seat in (await solo(api, PLAIN), (await waiting(api))[0], await finished(api)):
            assert (await seat.game())["version"] == (await seat.events())[-1]["seq"] == len(await seat.events())

    async def test_a_roll_changes_it(self, api: Api) -> None:
        seat = await solo(api, PLAIN)
        await rolled(seat)
        assert (await read(seat, If_None_Match='W/"3"')).headers["etag"] == 'W/"4"'

    @pytest.mark.parametrize("tag", ['W/"3"', '"3"', 'W/"1", W/"3"', '"x" , "3"', "*", ' W/"3" '])
    @pytest.mark.parametrize("method", ["GET", "HEAD"])
    async def test_known_already(self, api: Api, method: str, tag: str) -> None:
        seat = await solo(api, PLAIN)
        path, headers = f"/v1/games/{seat.game_id}", {"If-None-Match": tag}
        response = await api.http.request(method, path, headers=headers)
        assert (response.status_code, response.content) == (304, b"")
        assert response.headers["etag"] == 'W/"3"'
        assert response.headers["cache-control"] == "no-cache"
        assert "Accept-Language" in response.headers["vary"].split(", ")
        assert "content-type" not in response.headers

    @pytest.mark.parametrize("tag", ['W/"2"', '"4"', "3", "W/3", "", '"3', '"03"', "**", '"3" x'])
    async def test_not_known_yet(self, api: Api, tag: str) -> None:
        seat = await solo(api, PLAIN)
        ok(await read(seat, If_None_Match=tag))

    async def test_head_is_get_without_the_body(self, api: Api) -> None:
        seat = await solo(api, PLAIN)
        get, head = await read(seat), await api.http.head(f"/v1/games/{seat.game_id}")
        assert (head.status_code, head.content) == (200, b"")
        for name in ("content-type", "content-length", "etag", "cache-control", "vary"):
            assert head.headers[name] == get.headers[name]

    @pytest.mark.parametrize("path", ["", "/events", "/fairness"])
    async def test_a_token_that_is_sent_must_be_valid(self, api: Api, path: str) -> None:
        seat, other = await solo(api), await solo(api)
        ok(await read(seat, path, seat.token))
        for token in (other.token, "x", "", "a b"):
            response = await read(seat, path, token)
            refused(response, 401, "unauthorized")
            assert response.headers["www-authenticate"] == "Bearer"
        refused(await read(seat, path, Authorization="Basic eDp5"), 401, "unauthorized")

    @pytest.mark.parametrize("path", ["", "/events", "/fairness"])
    @pytest.mark.parametrize("game_id", [UNKNOWN, "x", "a%00b", "<script>alert(1)", "%ff", "ž" * 36])
    async def test_no_such_game(self, api: Api, game_id: str, path: str) -> None:
        """B08, C03."""
        problem = refused(await api.http.get(f"/v1/games/{game_id}{path}"), 404, "game_not_found")
        assert "script" not in str(problem)

    @pytest.mark.parametrize("path", ["", "/events", "/fairness"])
    async def test_ids_are_read_in_any_case(self, api: Api, path: str) -> None:
        seat = await solo(api)
        ok(await api.http.get(f"/v1/games/{seat.game_id.upper()}{path}"))

    @pytest.mark.parametrize(
        ("body", "content_type"), [("{", "application/json"), ("x", "text/plain"), ("x" * 70_000, "text/plain")]
    )
    @pytest.mark.parametrize("path", ["", "/events", "/fairness"])
    async def test_a_body_means_nothing_here(self, api: Api, path: str, body: str, content_type: str) -> None:
        seat = await solo(api)
        url = f"/v1/games/{seat.game_id}{path}"
        ok(await api.http.request("GET", url, content=body, headers={"Content-Type": content_type}))


class TestClocks:
    async def test_the_time_that_is_left(self, api: Api) -> None:
        seat = await solo(api, *[PLAIN] * 3)
        await rolled(seat, 3)
        for passed, left in ((0, 3000), (1, 2999), (2998, 1)):
            api.clock.advance(passed)
            turn = (await seat.game())["turn"]
            assert (turn["remaining_ms"], turn["deadline_at"]) == (left, "2026-09-21T14:13:23.000Z")

    async def test_server_time_is_now_and_updated_at_the_last_event(self, api: Api) -> None:
        seat = await solo(api, PLAIN)
        api.clock.advance(1234)
        game = await seat.game()
        assert game["server_time"] == "2026-09-21T14:13:21.234Z"
        assert game["created_at"] == game["updated_at"] == "2026-09-21T14:13:20.000Z"
        game = await rolled(seat)
        assert game["updated_at"] == "2026-09-21T14:13:21.234Z"
