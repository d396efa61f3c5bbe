"""Addresses and methods: what does not exist, OPTIONS, HEAD, and other origins."""

import pytest

from tests.api.kit import UNKNOWN, read, solo
from tests.client import Api, ok, refused

pytestmark = pytest.mark.asyncio(loop_scope="module")

GAME = f"/v1/games/{UNKNOWN}"
READS = (GAME, f"{GAME}/events", f"{GAME}/fairness", "/livez", "/readyz", "/openapi.json")
COMMANDS = (
    *("/v1/games", "/v1/join", f"{GAME}/players", f"{GAME}/start", f"{GAME}/leave", f"{GAME}/return"),
    *(f"{GAME}/client-seed", f"{GAME}/roll", f"{GAME}/hold", f"{GAME}/select", f"{GAME}/score"),
)
ALLOWED = {path: {"GET", "HEAD", "OPTIONS"} for path in READS} | {path: {"OPTIONS", "POST"} for path in COMMANDS}
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "FOO")
ORIGIN = {"Origin": "https://play.example"}

every_address = pytest.mark.parametrize("path", ALLOWED)


def names(header: str) -> set[str]:
    return {name.strip().lower() for name in header.split(",")}


class TestUnknown:
    @pytest.mark.parametrize("method", METHODS)
    @pytest.mark.parametrize(
        "path",
        [
            *("/", "/v1", "/v2/games", "/v1/games/", f"{GAME}/", f"{GAME}/dance", f"{GAME}/roll/", "//v1/games"),
            *("/V1/games", "/v1/game", "/docs", "/redoc", "/v1/games/a/b/c", "/%00", "/v1/%3Cscript%3E"),
        ],
    )
    async def test_address(self, api: Api, path: str, method: str) -> None:
        response = await api.http.request(method, path)
        assert response.status_code == 404
        if method != "HEAD":
            refused(response, 404, "not_found")

    async def test_it_says_nothing_of_the_address(self, api: Api) -> None:
        response = await api.http.get("/v1/games/x/<script>alert(1)</script>")
        assert "script" not in response.text
        refused(response, 404, "not_found")


class TestMethods:
    @every_address
    @pytest.mark.parametrize("method", METHODS)
    async def test_wrong_ones_are_told_the_right_ones(self, api: Api, path: str, method: str) -> None:
        allowed = ALLOWED[path]
        response = await api.http.request(method, path)
        if method in allowed:
            assert response.status_code != 405
            return
        assert response.status_code == 405
        assert set(response.headers["allow"].split(", ")) == allowed
        if method != "HEAD":
            assert response.headers["allow"] in refused(response, 405, "method_not_allowed")["detail"]

    @every_address
    async def test_options_names_them(self, api: Api, path: str) -> None:
        response = await api.http.options(path)
        assert (response.status_code, response.content) == (204, b"")
        assert set(response.headers["allow"].split(", ")) == ALLOWED[path]

    async def test_options_of_no_address(self, api: Api) -> None:
        refused(await api.http.options("/v1/nothing"), 404, "not_found")


class TestOtherOrigins:
    @every_address
    @pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
    async def test_preflight(self, api: Api, path: str, method: str) -> None:
        headers = {"Access-Control-Request-Method": method, "Access-Control-Request-Headers": "x-other"}
        response = await api.http.options(path, headers={**ORIGIN, **headers})
        assert (response.status_code, response.content) == (204, b"")
        assert response.headers["access-control-allow-origin"] == "*"
        assert "access-control-allow-credentials" not in response.headers
        assert names(response.headers["access-control-allow-methods"]) == {"get", "head", "post", "options"}
        assert names(response.headers["access-control-allow-headers"]) == {
            *("authorization", "content-type", "accept-language", "idempotency-key"),
            *("if-match", "if-none-match", "last-event-id"),
        }

    @pytest.mark.parametrize("path", ["", "/events", "/fairness", "/dance"])
    async def test_simple_requests(self, api: Api, path: str) -> None:
        """Refusals can be read by scripts, too."""
        seat = await solo(api)
        for token in (None, "x"):
            response = await read(seat, path, token, **ORIGIN)
            assert response.headers["access-control-allow-origin"] == "*"
            assert "access-control-allow-credentials" not in response.headers
            exposed = names(", ".join(response.headers.get_list("access-control-expose-headers")))
            assert exposed == {
                *("etag", "location", "retry-after", "ratelimit", "ratelimit-policy", "idempotency-replayed"),
                "x-request-id",
            }

    async def test_caches_need_not_tell_origins_apart(self, api: Api) -> None:
        response = await read(await solo(api))
        assert response.headers["access-control-allow-origin"] == "*"
        assert "Origin" not in response.headers["vary"]


class TestRequestId:
    async def test_an_error_names_its_request(self, api: Api) -> None:
        response = await api.http.get("/v1/nothing")
        assert response.headers["x-request-id"] == response.json()["request_id"]
        assert len(response.json()["request_id"]) == 32

    async def test_each_request_has_its_own(self, api: Api) -> None:
        assert len({(await api.http.get("/livez")).headers["x-request-id"] for _ in range(3)}) == 3

    async def test_a_clients_own_is_kept(self, api: Api) -> None:
        wanted = "5f0c4a3e-8a0e-4f8e-9a53-8d9f5f6f7f10"
        response = await api.http.get("/v1/nothing", headers={"X-Request-ID": wanted})
        assert response.headers["x-request-id"] == response.json()["request_id"] == wanted

    @pytest.mark.parametrize("wanted", ["x" * 10_000, "a b", "<script>", "\t", "1", "%0d%0aSet-Cookie:x"])
    async def test_not_one_that_is_no_id(self, api: Api, wanted: str) -> None:
        response = await api.http.get("/livez", headers={"X-Request-ID": wanted})
        assert wanted != response.headers["x-request-id"]
        assert len(response.headers["x-request-id"]) == 32


class TestDescription:
    async def test_it_is_served(self, api: Api) -> None:
        response = await api.http.get("/openapi.json")
        assert response.headers["content-type"] == "application/json"
        assert ok(response) == api.app.openapi()
