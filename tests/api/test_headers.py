"""Request headers: Idempotency-Key, Accept-Language and those that no command knows. `test_commands` has the others."""

from collections.abc import Awaitable, Callable

import httpx
import pytest

from tests.api.kit import PLAIN, solo, untouched, waiting
from tests.client import Api, ok, refused

pytestmark = pytest.mark.asyncio(loop_scope="module")

UUID = "5f0c4a3e-8a0e-4f8e-9a53-8d9f5f6f7f10"
NOT_A_KEY = {
    "C12-empty": b"",
    "blank": b" ",
    "two-words": b"a b",
    "C12-10000": b"k" * 10_000,
    "256": b"k" * 256,
    "C12-nul": b"a\x00b",
    "C03-only-nul": b"\x00",
    "tab": b"a\tb",
    "newline": b"a\nb",
    "delete": b"a\x7f",
    "utf-8": "ključ".encode(),
    "latin-1": b"\xfc",
}
NOT_A_UUID = {"word": "abc", "almost": UUID[:-1], "longer": UUID + "0", "letters": UUID.replace("5", "g"), "C03": "%00"}

Send = Callable[[Api, list[tuple[bytes, bytes]]], Awaitable[httpx.Response]]


async def roll(api: Api, headers: list[tuple[bytes, bytes]]) -> httpx.Response:
    seat = await solo(api, PLAIN)
    return await api.http.post(
        f"/v1/games/{seat.game_id}/roll", headers=[(b"Authorization", f"Bearer {seat.token}".encode()), *headers]
    )


async def create(api: Api, headers: list[tuple[bytes, bytes]]) -> httpx.Response:
    return await api.http.post("/v1/games", headers=headers)


async def join(api: Api, headers: list[tuple[bytes, bytes]]) -> httpx.Response:
    _, code = await waiting(api)
    return await api.http.post("/v1/join", json={"join_code": code}, headers=headers)


async def join_public(api: Api, headers: list[tuple[bytes, bytes]]) -> httpx.Response:
    seat, _ = await waiting(api, visibility="public")
    return await api.http.post(f"/v1/games/{seat.game_id}/players", headers=headers)


class TestIdempotencyKey:
    @pytest.mark.parametrize("send", [roll, create, join, join_public])
    @pytest.mark.parametrize("key", NOT_A_KEY.values(), ids=NOT_A_KEY)
    async def test_not_a_key(self, api: Api, send: Send, key: bytes) -> None:
        response = await send(api, [(b"Idempotency-Key", key)])
        (error,) = refused(response, 422, "invalid_request")["errors"]
        assert error["location"] == ["header", "Idempotency-Key"]

    @pytest.mark.parametrize("send", [create, join, join_public])
    @pytest.mark.parametrize("key", NOT_A_UUID.values(), ids=NOT_A_UUID)
    async def test_not_a_uuid_where_no_token_scopes_it(self, api: Api, send: Send, key: str) -> None:
        response = await send(api, [(b"Idempotency-Key", key.encode())])
        (error,) = refused(response, 422, "invalid_request")["errors"]
        assert error["location"] == ["header", "Idempotency-Key"]

    async def test_a_refused_key_leaves_no_trace(self, api: Api) -> None:
        for key in (b"", b"abc", b"\x00"):
            async with untouched(api):
                refused(await create(api, [(b"Idempotency-Key", key)]), 422, "invalid_request")

    @pytest.mark.parametrize("key", ["k", "k" * 255, "!~", "%00", '"quoted"', "a,b", UUID])
    async def test_a_key(self, api: Api, key: str) -> None:
        ok(await roll(api, [(b"Idempotency-Key", key.encode())]))

    @pytest.mark.parametrize("send", [roll, create, join])
    async def test_sent_twice(self, api: Api, send: Send) -> None:
        """Which of two keys is meant cannot be known."""
        twice = [(b"Idempotency-Key", UUID.encode()), (b"Idempotency-Key", UUID.replace("5", "6").encode())]
        refused(await send(api, twice), 422, "invalid_request")


class TestOthers:
    @pytest.mark.parametrize("value", [b"", b"\x00", b"\xff" * 100, b",;q=", b"en;q=x", b"*;q=2", b"hr," * 10_000])
    async def test_any_accept_language_gets_an_answer(self, api: Api, value: bytes) -> None:
        response = await api.http.get("/v1/nothing", headers=[(b"Accept-Language", value)])
        refused(response, 404, "not_found")

    @pytest.mark.parametrize("accept", ["text/html", "application/xml", "x", "", "text/event-stream"])
    async def test_the_answer_is_json_whatever_is_accepted(self, api: Api, accept: str) -> None:
        seat = await solo(api)
        ok(await api.http.get(f"/v1/games/{seat.game_id}", headers={"Accept": accept}))

    async def test_two_tokens_are_no_token(self, api: Api) -> None:
        seat, other = await solo(api), await solo(api)
        tokens = [(b"Authorization", f"Bearer {one.token}".encode()) for one in (seat, other)]
        for path in ("", "/events"):
            response = await api.http.get(f"/v1/games/{seat.game_id}{path}", headers=tokens)
            refused(response, 401, "unauthorized")

    async def test_a_version_on_either_of_two_lines(self, api: Api) -> None:
        """Several lines of a list header are one list."""
        seat = await solo(api, PLAIN)
        token = (b"Authorization", f"Bearer {seat.token}".encode())
        path = f"/v1/games/{seat.game_id}"
        known = [(b"If-None-Match", b'W/"1"'), (b"If-None-Match", b'W/"3"')]
        assert (await api.http.get(path, headers=known)).status_code == 304
        wanted = [token, (b"If-Match", b'"1"'), (b"If-Match", b'"3"')]
        ok(await api.http.post(f"{path}/roll", headers=wanted))
