"""Request bodies: JSON in UTF-8 and nothing else, whatever the command. Nothing that is refused leaves a trace."""

from collections.abc import AsyncIterator, Mapping

import httpx
import pytest
import pytest_asyncio

from tests.api.kit import errors, untouched
from tests.client import Api, Json, ok

pytestmark = pytest.mark.asyncio(loop_scope="module")

LIMIT = 64 * 1024
JSON_TYPE = "application/json"
BODIES: dict[str, bytes] = {
    "/v1/games": b"{}",
    "/v1/join": b'{"join_code":"x"}',
    "players": b"{}",
    "start": b"{}",
    "leave": b"{}",
    "return": b"{}",
    "client-seed": b'{"client_seed":"x"}',
    "roll": b"{}",
    "hold": b'{"hold":[]}',
    "select": b'{"box":"ones"}',
    "score": b"{}",
}
"""A valid body of every command."""

MALFORMED = {
    "C01-nan": b'{"hold":[NaN]}',
    "C01-infinity": b'{"hold":[Infinity]}',
    "C01-minus-infinity": b'{"auto_score_ms":-Infinity}',
    "duplicate": b'{"hold":[0],"hold":[1]}',
    "duplicate-deep": b'{"players":[{"name":"a","name":"a"}]}',
    "duplicate-escaped": b'{"box":"ones","\\u0062ox":"twos"}',
    "not-utf-8": b'{"name":"\xff"}',
    "overlong": b'{"name":"\xc0\xaf"}',
    "encoded-surrogate": b'{"name":"\xed\xa0\x80"}',
    "latin-1": '{"name":"č"}'.encode("iso-8859-2"),
    "utf-8-bom": b"\xef\xbb\xbf{}",
    "utf-16": "{}".encode("utf-16"),
    "utf-16-without-bom": "{}".encode("utf-16-le"),
    "utf-32": "{}".encode("utf-32"),
    "unfinished": b'{"hold":[0',
    "one-brace": b"{",
    "two-values": b"{}{}",
    "text-behind": b"{} x",
    "blank": b" ",
    "quotes": b"{'hold':[0]}",
    "comma": b'{"hold":[0,]}',
    "comment": b"{/**/}",
    "leading-zero": b'{"hold":[01]}',
    "plus": b'{"hold":[+1]}',
    "python": b'{"hints":True}',
    "undefined": b'{"box":undefined}',
    "newline-in-text": b'{"name":"a\nb"}',
    "raw-nul": b'{"name":"a\x00b"}',
    "bad-escape": b'{"name":"\\x41"}',
    "half-an-escape": b'{"name":"\\u00"}',
    "deep-lists": b"[" * 60_000,
    "deep-closed-lists": b'{"hold":' + b"[" * 30_000 + b"]" * 30_000 + b"}",
    "deep-objects": b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
    "5000-digits": b'{"hold":[' + b"9" * 5000 + b"]}",
    "minus-5000-digits": b'{"auto_score_ms":-' + b"9" * 5000 + b"}",
}
INVALID = {
    "C01-1e999": b'{"hold":[1e999]}',
    "C01-minus-1e999": b'{"auto_score_ms":-1e999}',
    "C01-huge-float": b'{"open_seats":' + b"9" * 5000 + b".0}",
    "C03-nul": b'{"name":"a\\u0000b","join_code":"a\\u0000b","client_seed":"a\\u0000b"}',
    "C03-nul-in-a-key": b'{"a\\u0000b":1}',
    "C03-nul-deep": b'{"players":[{"name":"\\u0000"}]}',
    "high-surrogate": b'{"name":"\\ud800"}',
    "low-surrogate": b'{"name":"\\udfff!"}',
    "surrogates-turned": b'{"name":"\\udc00\\ud800"}',
    "surrogate-in-a-key": b'{"\\ud800":1}',
    "surrogate-deep": b'{"players":[{"name":["\\uDBFF"]}]}',
    "list": b"[]",
    "list-of-objects": b"[{}]",
    "null": b"null",
    "text": b'"roll"',
    "number": b"5",
    "true": b"true",
    "C05-unknown-field": b'{"holds":[0],"nmae":"x"}',
    "empty-key": b'{"":1}',
    "odd-key": b'{"\\u202e__proto__":{}}',
    "long-key": b'{"' + b"k" * 60_000 + b'":1}',
    "many-keys": b"{" + b",".join(b'"k%d":1' % n for n in range(300)) + b"}",
    "nested": b'{"x":' + b"[" * 300 + b"]" * 300 + b"}",
    "nested-with-an-escape": b'{"x":' + b"[" * 300 + b'"\\u0041"' + b"]" * 300 + b"}",
}
WRONG_TYPES = {
    "S15-none": None,
    "S15-text": "text/plain",
    "S15-utf-16": "application/json; charset=utf-16",
    "latin-1": "application/json; charset=iso-8859-1",
    "form": "application/x-www-form-urlencoded",
    "multipart": "multipart/form-data; boundary=x",
    "binary": "application/octet-stream",
    "empty": "",
    "almost": "application/jsonp",
    "text-json": "text/json",
    "two": "application/json, text/plain",
    "unknown-parameter": "application/json; version=1",
    "nul": "application/json\x00",
}
RIGHT_TYPES = (
    *("application/json", "Application/JSON", "application/json;charset=utf-8", 'application/json; charset="UTF-8"'),
    *("application/json ; charset=utf-8 ;", "application/problem+json", "application/vnd.penta.v1+json"),
)


class Target:
    """A game with an open seat, and its commands as raw requests. Each would succeed or be refused by the rules."""

    def __init__(self, http: httpx.AsyncClient, created: Json) -> None:
        self._http = http
        self._game = f"/v1/games/{created['game']['id']}"
        self._token = created["seats"][0]["token"]

    async def send(
        self, command: str, content: bytes | AsyncIterator[bytes], content_type: str | None = JSON_TYPE
    ) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self._token}"}
        if content_type is not None:
            headers["Content-Type"] = content_type
        path = command if command.startswith("/") else f"{self._game}/{command}"
        return await self._http.post(path, content=content, headers=headers)

    async def send_all(
        self, bodies: Mapping[str, bytes | AsyncIterator[bytes]], content_type: str | None = JSON_TYPE
    ) -> dict[str, httpx.Response]:
        return {command: await self.send(command, body, content_type) for command, body in bodies.items()}


def told(answers: dict[str, httpx.Response]) -> dict[str, tuple[int, str]]:
    """Status and code by command."""
    return {command: (answer.status_code, answer.json()["code"]) for command, answer in answers.items()}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def target(shared: Api) -> Target:
    return Target(shared.http, ok(await shared.create({"open_seats": 1, "visibility": "public"}), 201))


def padded(body: bytes, length: int) -> bytes:
    """The same JSON, made longer by blanks."""
    return body[:-1] + b" " * (length - len(body)) + body[-1:]


async def chunks(content: bytes, size: int) -> AsyncIterator[bytes]:
    for start in range(0, len(content), size):
        yield content[start : start + size]


class TestBody:
    @pytest.mark.parametrize("body", MALFORMED.values(), ids=MALFORMED)
    async def test_not_json(self, api: Api, target: Target, body: bytes) -> None:
        async with untouched(api):
            answers = await target.send_all(dict.fromkeys(BODIES, body))
        assert told(answers) == dict.fromkeys(BODIES, (400, "malformed_json"))
        for answer in answers.values():
            assert [error["location"] for error in answer.json()["errors"]] == [["body"]]

    @pytest.mark.parametrize("body", INVALID.values(), ids=INVALID)
    async def test_not_what_is_described(self, api: Api, target: Target, body: bytes) -> None:
        async with untouched(api):
            answers = await target.send_all(dict.fromkeys(BODIES, body))
        assert told(answers) == dict.fromkeys(BODIES, (422, "invalid_request"))
        for answer in answers.values():
            assert all(error["location"][0] == "body" for error in answer.json()["errors"])

    @pytest.mark.parametrize("content_type", WRONG_TYPES.values(), ids=WRONG_TYPES)
    async def test_not_said_to_be_json(self, api: Api, target: Target, content_type: str | None) -> None:
        async with untouched(api):
            answers = await target.send_all(BODIES, content_type)
        assert told(answers) == dict.fromkeys(BODIES, (415, "unsupported_media_type"))
        assert all("curl --json" in answer.json()["detail"] for answer in answers.values())

    @pytest.mark.parametrize("content_type", RIGHT_TYPES)
    async def test_said_to_be_json(self, target: Target, content_type: str) -> None:
        """It gets past the reading of the body; an unknown field then stops every command in the same way."""
        answers = await target.send_all(dict.fromkeys(BODIES, b'{"unknown":1}'), content_type)
        assert told(answers) == dict.fromkeys(BODIES, (422, "invalid_request"))
        for answer in answers.values():
            assert (["body", "unknown"], "extra_forbidden") in errors(answer.json())

    @pytest.mark.parametrize("content_type", [JSON_TYPE, None, "text/plain"])
    @pytest.mark.parametrize("length", [LIMIT + 1, 1_000_000])
    @pytest.mark.parametrize("size", [2_000_000, 1000], ids=["whole", "chunked"])
    async def test_too_long(self, api: Api, target: Target, content_type: str | None, length: int, size: int) -> None:
        bodies = {command: chunks(padded(body, length), size) for command, body in BODIES.items()}
        async with untouched(api):
            answers = await target.send_all(bodies, content_type)
        assert told(answers) == dict.fromkeys(BODIES, (413, "payload_too_large"))
        assert all(str(LIMIT) in answer.json()["detail"] for answer in answers.values())

    @pytest.mark.parametrize("depths", [range(1, 600, 29), range(600, 1000), range(1000, 30_000, 2900)], ids=str)
    async def test_any_depth_gets_an_answer(self, target: Target, depths: range) -> None:
        """Also where the reader's limit is met by one part of it and not by the next."""
        for depth in depths:
            body = b'{"x":' + b"[" * depth + b'"\\u0041"' + b"]" * depth + b"}"
            assert (await target.send("roll", body)).status_code in (400, 422), depth


class TestAccepted:
    """A body at the limit, in one piece and in many, is carried out."""

    @pytest.mark.parametrize("size", [LIMIT, 1000, 1], ids=["whole", "chunked", "byte-by-byte"])
    async def test_64_kib(self, api: Api, size: int) -> None:
        body = padded(b'{"players":[{"name":"Ana"}]}', LIMIT)
        response = await api.http.post("/v1/games", content=chunks(body, size), headers={"Content-Type": JSON_TYPE})
        assert ok(response, 201)["game"]["players"][0]["name"] == "Ana"

    @pytest.mark.parametrize("content_type", [None, JSON_TYPE, "text/plain", "application/x-www-form-urlencoded"])
    async def test_no_body_needs_no_type(self, api: Api, content_type: str | None) -> None:
        headers = {} if content_type is None else {"Content-Type": content_type}
        ok(await api.http.post("/v1/games", content=b"", headers=headers), 201)

    @pytest.mark.parametrize(
        ("body", "name"),
        [
            pytest.param(b'{"players":[{"name":"\\u010d\\ud83c\\udfb2"}]}', "č🎲", id="pairs-of-surrogates"),
            pytest.param('{"players":[{"name":"č🎲"}]}'.encode(), "č🎲", id="utf-8"),
            pytest.param(b'{"players":[{"name":"a\\\\u0000"}]}', r"a\u0000", id="text-that-looks-like-nul"),
            pytest.param(b'{"players":[{"name":"\\\\ud800"}]}', r"\ud800", id="text-that-looks-like-a-surrogate"),
            pytest.param(b'{"players":[{"name":"\\u0041\\\\u0000"}]}', r"A\u0000", id="both"),
            pytest.param(b'\n\t {"players" : [{"name":"a"}]}\r\n', "a", id="blanks"),
        ],
    )
    async def test_text(self, api: Api, body: bytes, name: str) -> None:
        response = await api.http.post("/v1/games", content=body, headers={"Content-Type": JSON_TYPE})
        assert ok(response, 201)["game"]["players"][0]["name"] == name
