"""Errors as `application/problem+json` (RFC 9457): the closed set of codes, their statuses, and their one shape."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from app.texts import text
from engine.errors import ErrorCode

MEDIA_TYPE: Final = "application/problem+json"
RETRY_AFTER_S: Final = 1


class ApiCode(StrEnum):
    """Errors beside the refusals of the rules."""

    MALFORMED_JSON = "malformed_json"
    UNAUTHORIZED = "unauthorized"
    SANDBOX_DISABLED = "sandbox_disabled"
    NOT_FOUND = "not_found"
    GAME_NOT_FOUND = "game_not_found"
    WRONG_JOIN_CODE = "wrong_join_code"
    METHOD_NOT_ALLOWED = "method_not_allowed"
    PAYLOAD_TOO_LARGE = "payload_too_large"
    UNSUPPORTED_MEDIA_TYPE = "unsupported_media_type"
    DEADLINE_PASSED = "deadline_passed"
    CONFLICT = "conflict"
    VERSION_MISMATCH = "version_mismatch"
    INVALID_REQUEST = "invalid_request"
    IDEMPOTENCY_KEY_REUSED = "idempotency_key_reused"
    INTERNAL = "internal"
    UNAVAILABLE = "unavailable"


STATUS: Final[Mapping[str, int]] = {
    ApiCode.MALFORMED_JSON: 400,
    ApiCode.UNAUTHORIZED: 401,
    ApiCode.SANDBOX_DISABLED: 403,
    ApiCode.NOT_FOUND: 404,
    ApiCode.GAME_NOT_FOUND: 404,
    ApiCode.WRONG_JOIN_CODE: 404,
    ApiCode.METHOD_NOT_ALLOWED: 405,
    ApiCode.PAYLOAD_TOO_LARGE: 413,
    ApiCode.UNSUPPORTED_MEDIA_TYPE: 415,
    ErrorCode.NOT_YOUR_TURN: 409,
    ErrorCode.ROLL_FIRST: 409,
    ErrorCode.NO_ROLLS_LEFT: 409,
    ErrorCode.BOX_FILLED: 409,
    ErrorCode.BOX_NOT_ALLOWED: 409,
    ErrorCode.NOTHING_SELECTED: 409,
    ErrorCode.GAME_NOT_ACTIVE: 409,
    ErrorCode.GAME_ALREADY_STARTED: 409,
    ErrorCode.GAME_FULL: 409,
    ErrorCode.NAME_TAKEN: 409,
    ErrorCode.SEED_TOO_LATE: 409,
    ErrorCode.NOT_AWAY: 409,
    ApiCode.DEADLINE_PASSED: 409,
    ApiCode.CONFLICT: 409,
    ApiCode.VERSION_MISMATCH: 412,
    ApiCode.INVALID_REQUEST: 422,
    ApiCode.IDEMPOTENCY_KEY_REUSED: 422,
    ErrorCode.TOO_MANY_CHANGES: 429,
    ApiCode.INTERNAL: 500,
    ApiCode.UNAVAILABLE: 503,
}

HEADERS: Final[Mapping[int, Mapping[str, str]]] = {
    401: {"WWW-Authenticate": "Bearer"},
    429: {"Retry-After": str(RETRY_AFTER_S)},
    503: {"Retry-After": str(RETRY_AFTER_S)},
}


class ProblemError(Exception):
    """An error to be answered. `values` fill the text's placeholders, `facts` become members of the body."""

    def __init__(
        self,
        code: ApiCode | ErrorCode,
        *,
        values: Mapping[str, object] | None = None,
        facts: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.values = values or {}
        self.facts = facts or {}
        self.headers = headers or {}

    @property
    def status(self) -> int:
        return STATUS[self.code]

    @property
    def all_headers(self) -> dict[str, str]:
        return {**HEADERS.get(self.status, {}), **self.headers}

    def body(self, language: str, request_id: str) -> dict[str, Any]:
        """The problem as plain data, in one language."""
        return {
            "type": f"/problems/{self.code}",
            "title": text(language, f"problem.{self.code}.title"),
            "status": self.status,
            "detail": text(language, f"problem.{self.code}.detail", **self.values),
            "code": self.code,
            "request_id": request_id,
            **self.facts,
        }
