"""The request headers that commands and reads understand, and their description for the contract file."""

import hashlib
import re
from typing import Any, Final

import orjson
from fastapi import Request
from pydantic import BaseModel

from app.api.body import invalid
from app.log import request_id
from app.problems import ApiCode, ProblemError
from app.services.caller import NOBODY, Caller
from app.texts import negotiate
from app.tokens import token_id

ANY: Final = "*"

_KEY: Final = re.compile(r"[\x21-\x7e]{1,255}")
_ETAG: Final = re.compile(r'(?:W/)?"([\x21\x23-\x7e\x80-\xff]*)"')
_BEARER: Final = re.compile(r"bearer +([A-Za-z0-9._~+/-]+=*)", re.IGNORECASE)
_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def language(request: Request) -> str:
    default: str = request.app.state.settings.locale
    return negotiate(request.headers.get("accept-language"), default)


def caller(request: Request, operation: str, body: BaseModel | None = None, *, open_key: bool = False) -> Caller:
    """The caller of a command; `open_key`: no token scopes its idempotency key, so the key must be a UUID."""
    key = _idempotency_key(request, must_be_uuid=open_key)
    return Caller(
        operation=operation,
        body_hash=_body_hash(body) if key is not None else b"",
        token_id=_token_id(request),
        key=key,
        versions=_if_match(request),
        language=language(request),
        request_id=request_id.get(),
    )


def reader(request: Request) -> Caller:
    """The caller of a read."""
    return Caller(
        operation="read",
        body_hash=b"",
        token_id=_token_id(request),
        key=None,
        versions=None,
        language=language(request),
        request_id=request_id.get(),
    )


def is_known(request: Request, version: int) -> bool:
    """Whether the reader has this version of the game already; a malformed If-None-Match is ignored."""
    header = ",".join(request.headers.getlist("if-none-match"))
    return header.strip() == ANY or str(version) in (_etags(header) or ())


def game_id(text: str) -> str:
    """A game's id as it is stored; raises `game_not_found` for what cannot be one."""
    lowered = text.lower()
    if not _UUID.fullmatch(lowered):
        raise ProblemError(ApiCode.GAME_NOT_FOUND)
    return lowered


def _token_id(request: Request) -> str | None:
    headers = request.headers.getlist("authorization")
    if not headers:
        return None
    found = _BEARER.fullmatch(headers[0].strip())
    return token_id(found[1]) if found and len(headers) == 1 else NOBODY


def _idempotency_key(request: Request, *, must_be_uuid: bool) -> str | None:
    keys = request.headers.getlist("idempotency-key")
    if not keys:
        return None
    key = keys[0]
    if len(keys) > 1 or not _KEY.fullmatch(key):
        raise invalid(["header", "Idempotency-Key"], "One key of 1 to 255 visible ASCII characters", "idempotency_key")
    if must_be_uuid and not _UUID.fullmatch(key.lower()):
        raise invalid(["header", "Idempotency-Key"], "Here the key must be a UUID", "uuid_parsing")
    return key


def _if_match(request: Request) -> frozenset[str] | None:
    header = ",".join(request.headers.getlist("if-match"))
    if "if-match" not in request.headers or header.strip() == ANY:
        return None
    tags = _etags(header)
    if tags is None:
        raise invalid(["header", "If-Match"], 'One or more entity tags, such as "5"', "entity_tag")
    return tags


def _etags(header: str) -> frozenset[str] | None:
    """The tags of a list, without quotes and weakness, as a version says all there is to say; None if malformed."""
    found = [_ETAG.fullmatch(part.strip()) for part in header.split(",")]
    tags = [match[1] for match in found if match]
    return frozenset(tags) if len(tags) == len(found) else None


def _body_hash(body: BaseModel | None) -> bytes:
    """Tells bodies apart by what they say, however they are written; no body says the same as an empty one."""
    said = body.model_dump(mode="json", exclude_unset=True) if body is not None else {}
    return hashlib.sha256(orjson.dumps(said, option=orjson.OPT_SORT_KEYS)).digest()


def _header(name: str, description: str, schema: dict[str, Any], example: str) -> dict[str, Any]:
    return {
        "name": name,
        "in": "header",
        "required": False,
        "description": description,
        "schema": schema,
        "example": example,
    }


ACCEPT_LANGUAGE: Final = _header("Accept-Language", "hr or en; hr when nothing fits", {"type": "string"}, "en")
IDEMPOTENCY_KEY: Final = _header(
    "Idempotency-Key",
    "A repeat with the same key gets the first answer again, for 24 hours",
    {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[\\x21-\\x7e]+$"},
    "5f0c4a3e-8a0e-4f8e-9a53-8d9f5f6f7f10",
)
OPEN_IDEMPOTENCY_KEY: Final = _header(
    "Idempotency-Key",
    "A UUID; whoever knows it gets the answer again, tokens included, for 24 hours",
    {"type": "string", "format": "uuid"},
    "5f0c4a3e-8a0e-4f8e-9a53-8d9f5f6f7f10",
)
IF_MATCH: Final = _header("If-Match", "Acts only on this version of the game", {"type": "string"}, '"5"')
IF_NONE_MATCH: Final = _header(
    "If-None-Match", "Answers 304 while the game has this version", {"type": "string"}, 'W/"5"'
)
