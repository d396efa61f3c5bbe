"""The one reader of request bodies: strict JSON in UTF-8, or a problem."""

import json
import re
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, Final, NoReturn

from fastapi import Request, Response
from fastapi.routing import APIRoute

from app.problems import ApiCode, ProblemError

MAX_BODY: Final = 64 * 1024

_JSON_TYPE: Final = re.compile(
    r'application/(?:[\w.+-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*', re.IGNORECASE
)
_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")


class StrictRequest(Request):
    """A request whose body is read once, bounded, and as JSON only."""

    async def body(self) -> bytes:
        if not hasattr(self, "_body"):
            self._body = await self._read()
        return self._body

    async def json(self) -> Any:
        if not hasattr(self, "_json"):
            self._json = parse(await self.body())
        return self._json

    async def _read(self) -> bytes:
        body = bytearray()
        async for chunk in self.stream():
            body += chunk
            if len(body) > MAX_BODY:
                raise ProblemError(ApiCode.PAYLOAD_TOO_LARGE, values={"limit": MAX_BODY})
        if body and not _JSON_TYPE.fullmatch(",".join(self.headers.getlist("content-type"))):
            raise ProblemError(ApiCode.UNSUPPORTED_MEDIA_TYPE)
        return bytes(body)


class StrictRoute(APIRoute):
    """A route that reads its body strictly, where it has one, and takes no query parameter twice."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def strict(request: Request) -> Response:
            if request.scope["query_string"]:
                _check_query(request)
            if self.body_field is not None:
                request = StrictRequest(request.scope, request.receive)
                if await request.body():
                    await request.json()  # here, as FastAPI would answer its own 400 to whatever this raises
            return await handle(request)

        return strict


def parse(body: bytes) -> dict[str, Any]:
    """The object that `body` holds.

    Raises `malformed_json` for what is not JSON in UTF-8 (NaN, Infinity and duplicate names included), and
    `invalid_request` for JSON that is no object or that holds text no database could keep.
    """
    try:
        value = json.loads(body.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_no_constant)
    except UnicodeDecodeError:
        _malformed("Not UTF-8")
    except json.JSONDecodeError as error:
        _malformed(f"Not JSON at line {error.lineno}, column {error.colno}")
    except RecursionError:
        _malformed("Nested too deeply")
    except ValueError:  # Python's limit on the digits of a whole number
        _malformed("A number is too long")
    if not isinstance(value, dict):
        raise invalid(["body"], "The body must be a JSON object", "object_type")
    if b"\\u" in body and any(_UNSTORABLE.search(text) for text in _texts(value)):
        raise invalid(["body"], "Text must have no NUL and no lone surrogates", "text_not_storable")
    return value


def _check_query(request: Request) -> None:
    names = Counter(name for name, _ in request.query_params.multi_items())
    twice = next((name for name, count in names.items() if count > 1), None)
    if twice is not None:
        raise invalid(["query", twice], "A parameter is given once", "duplicate_parameter")


def invalid(location: list[str | int], message: str, code: str) -> ProblemError:
    """An `invalid_request` with one error."""
    return _with_error(ApiCode.INVALID_REQUEST, location, message, code)


def _malformed(reason: str) -> NoReturn:
    raise _with_error(ApiCode.MALFORMED_JSON, ["body"], reason, "json_invalid")


def _with_error(problem: ApiCode, location: list[str | int], message: str, code: str) -> ProblemError:
    return ProblemError(problem, facts={"errors": [{"location": location, "message": message, "code": code}]})


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        _malformed("A name occurs twice in an object")
    return members


def _no_constant(name: str) -> NoReturn:
    _malformed(f"{name} is not JSON")


def _texts(value: Any) -> Iterator[str]:
    """Every text in a JSON value, names included; without recursion, as the value may be nested deeply."""
    rest = [value]
    while rest:
        part = rest.pop()
        if isinstance(part, str):
            yield part
        elif isinstance(part, dict):
            rest += [*part, *part.values()]
        elif isinstance(part, list):
            rest += part
