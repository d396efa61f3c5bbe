"""Holds every response against the app's own description (OpenAPI 3.1): the tests' client runs this on each one."""

import re
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import httpx
from fastapi import FastAPI
from jsonschema import Draft202012Validator, FormatChecker, ValidationError  # type: ignore[import-untyped]
from jsonschema.validators import extend  # type: ignore[import-untyped]

Json = dict[str, Any]

PROBLEM = "application/problem+json"
UNDESCRIBED = ("/openapi.json",)
"""What is served without being a part of the API."""

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,6}Z")


def _is_time(value: object) -> bool:
    """RFC 3339 in UTC with at least milliseconds."""
    return not isinstance(value, str) or _TIME.fullmatch(value) is not None


_formats = FormatChecker(formats=())
_formats.checks("date-time")(_is_time)


def _by_type(validator: Any, schemas: Json, instance: Any, _schema: Json) -> Iterator[Exception]:
    """A keyword for what OpenAPI calls a discriminator: the schema that `type` names, without trying all."""
    named = instance.get("type") if isinstance(instance, dict) else None
    if named not in schemas:
        yield ValidationError(f"{named!r} is no type of this")
    else:
        yield from validator.descend(instance, schemas[named])


_Validator = extend(Draft202012Validator, {"byType": _by_type})


class Contract:
    """The description, with a validator for each schema that a response can have."""

    def __init__(self, description: Json) -> None:
        self._paths = [(_pattern(template), methods) for template, methods in description["paths"].items()]
        self._schemas = description["components"]["schemas"]
        self._validators: dict[str, Any] = {}

    def check(self, request: httpx.Request, response: httpx.Response) -> None:
        """Raises AssertionError for a response that the description does not allow."""
        path = request.url.path
        method = "get" if request.method == "HEAD" else request.method.lower()
        methods = self._methods(path)
        if methods is None and path in UNDESCRIBED:
            return
        if methods is None:
            self._exempt(response, 404, "not_found")
        elif method == "options":
            _require(response.status_code == 204 and not response.content, response, "OPTIONS is 204 without a body")
        elif method not in methods:
            self._exempt(response, 405, "method_not_allowed")
        else:
            self._described(methods[method]["responses"], response, has_body=request.method != "HEAD")

    def _methods(self, path: str) -> Json | None:
        return next((methods for pattern, methods in self._paths if pattern.fullmatch(path)), None)

    def _exempt(self, response: httpx.Response, status: int, code: str) -> None:
        """What no operation can declare: an address or a method that does not exist. It still is a problem."""
        if response.request.method == "OPTIONS" and response.status_code == 204:
            return  # a preflight, which is answered before anything looks at the path
        told = response.status_code, response.headers.get("content-type")
        _require(told == (status, PROBLEM), response, f"only a problem with {status} may be undeclared here")
        if response.request.method != "HEAD":
            self._validate({"$ref": "#/components/schemas/Problem"}, response)
            _require(response.json()["code"] == code, response, f"only {code} may be undeclared here")

    def _described(self, responses: Json, response: httpx.Response, *, has_body: bool) -> None:
        declared = responses.get(str(response.status_code))
        if declared is None:
            raise _violation(response, "this status is not declared")
        content = declared.get("content")
        if content is None:
            _require(not response.content, response, "no body is declared")
            return
        media_type = content.get(response.headers.get("content-type"))
        if media_type is None:
            raise _violation(response, "this content type is not declared")
        if not has_body:
            _require(not response.content, response, "HEAD has no body")
            return
        self._validate(media_type["schema"], response)
        if response.status_code >= 400:
            code = response.json()["code"]
            _require(f"`{code}`" in declared["description"], response, f"{code} is not declared")

    def _validate(self, schema: Json, response: httpx.Response) -> None:
        key = str(schema)
        if key not in self._validators:
            self._validators[key] = _Validator(_closed(schema, self._schemas), format_checker=_formats)
        body = response.json()
        for error in self._validators[key].iter_errors(body):
            raise _violation(response, f"{error.json_path}: {error.message}")
        if response.headers["content-type"] == PROBLEM:
            told = (body["status"], body["type"])
            _require(told == (response.status_code, f"/problems/{body['code']}"), response, f"the body says {told}")


def checking(app: FastAPI) -> Callable[[httpx.Response], Awaitable[None]]:
    """An event hook for a client of `app`."""

    async def check(response: httpx.Response) -> None:
        await response.aread()
        _contract(app).check(response.request, response)

    return check


_made: list[Contract] = []


def _contract(app: FastAPI) -> Contract:
    """One for all apps of this process: settings do not change the description."""
    if not _made:
        _made.append(Contract(app.openapi()))
    return _made[0]


def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(template)))


def _closed(part: Any, schemas: Json) -> Any:
    """A schema with its references written out, and with fields that it does not name refused."""
    if isinstance(part, list):
        return [_closed(item, schemas) for item in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _closed(schemas[part["$ref"].rpartition("/")[2]], schemas)
    if "discriminator" in part:
        return {
            "byType": {name: _closed({"$ref": ref}, schemas) for name, ref in part["discriminator"]["mapping"].items()}
        }
    closed = {name: _closed(value, schemas) for name, value in part.items()}
    return {**closed, "additionalProperties": False} if "properties" in part else closed


def _require(held: bool, response: httpx.Response, claim: str) -> None:
    if not held:
        raise _violation(response, claim)


def _violation(response: httpx.Response, claim: str) -> AssertionError:
    request = response.request
    return AssertionError(f"{request.method} {request.url}: {response.status_code} {response.text[:500]!r}: {claim}")
