"""Answers as HTTP responses, and their description for the contract file."""

from typing import Any, Final

from fastapi import Request, Response

from app.api.headers import language
from app.db.records import Answer
from app.log import request_id
from app.present import Json, dump
from app.problems import HEADERS, MEDIA_TYPE, STATUS, ApiCode, ProblemError
from app.schemas.responses import Problem
from engine.errors import ErrorCode

_VARY: Final = {"Vary": "Accept-Language"}


def respond(answer: Answer, headers: dict[str, str] | None = None) -> Response:
    """A command's answer: the game with its version as an entity tag, or a problem."""
    sent = {**_VARY, **(headers or {})}
    if answer.replayed:
        sent["Idempotency-Replayed"] = "true"
    if answer.status >= 400:
        return Response(answer.body, answer.status, {**sent, **HEADERS.get(answer.status, {})}, MEDIA_TYPE)
    sent["ETag"] = etag(answer.version)
    return Response(answer.body, answer.status, sent, "application/json")


def view(body: Json, headers: dict[str, str] | None = None) -> Response:
    """A read's answer."""
    return Response(dump(body), 200, {**_VARY, **(headers or {})}, "application/json")


def problem_response(request: Request, problem: ProblemError) -> Response:
    body = dump(problem.body(language(request), request_id.get()))
    return Response(body, problem.status, {**_VARY, **problem.all_headers}, MEDIA_TYPE)


def etag(version: int) -> str:
    return f'W/"{version}"'


def problems(*codes: ApiCode | ErrorCode) -> dict[int | str, dict[str, Any]]:
    """Declares the errors of an operation, by status."""
    by_status: dict[int, list[str]] = {}
    for code in (*codes, *EVERYWHERE):
        by_status.setdefault(STATUS[code], []).append(code.value)
    return {
        status: {"model": Problem, "description": ", ".join(f"`{code}`" for code in sorted(names))}
        for status, names in sorted(by_status.items())
    }


EVERYWHERE: Final = (ApiCode.INVALID_REQUEST, ApiCode.INTERNAL, ApiCode.UNAVAILABLE)
BODY: Final = (ApiCode.MALFORMED_JSON, ApiCode.PAYLOAD_TOO_LARGE, ApiCode.UNSUPPORTED_MEDIA_TYPE)
