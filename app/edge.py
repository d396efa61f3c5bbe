"""The outermost layer, plain ASGI, for every request: its id, other origins, HEAD, a log line, and no naked 500.

Scripts of any origin may ask and read the answers, without credentials. All get the same headers, so that caches
need not tell origins apart; a preflight gets the lists, and the browser refuses by them, not the server.
"""

import asyncio
import time
from typing import Final

import structlog
from fastapi import Request
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.answers import problem_response
from app.log import begin_request
from app.problems import ApiCode, ProblemError

METHODS: Final = ("GET", "HEAD", "POST", "OPTIONS")
ALLOWED_HEADERS: Final = (
    "Authorization",
    "Content-Type",
    "Accept-Language",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Last-Event-ID",
)
EXPOSED_HEADERS: Final = (
    "ETag",
    "Location",
    "Retry-After",
    "RateLimit",
    "RateLimit-Policy",
    "Idempotency-Replayed",
    "X-Request-ID",
)
PREFLIGHT_KEPT_S: Final = 600

_ORIGINS: Final = Headers(
    {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": ", ".join(EXPOSED_HEADERS)}
).raw
_PREFLIGHT: Final = Response(
    status_code=204,
    headers={
        "Access-Control-Allow-Methods": ", ".join(METHODS),
        "Access-Control-Allow-Headers": ", ".join(ALLOWED_HEADERS),
        "Access-Control-Max-Age": str(PREFLIGHT_KEPT_S),
    },
)

_log = structlog.get_logger(__name__)


class Edge:
    """Runs `app` inside what every request gets."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        status = 0
        head = scope["method"] == "HEAD"
        asked = Headers(scope=scope)
        own = [*_ORIGINS, (b"x-request-id", begin_request(asked.get("x-request-id")).encode("ascii"))]

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {**message, "headers": [*message["headers"], *own]}
            elif head:
                message = {**message, "body": b""}
            await send(message)

        inner = {**scope, "method": "GET"} if head else scope
        try:
            await (_PREFLIGHT if _is_preflight(scope, asked) else self._app)(inner, receive, sending)
        except ClientDisconnect:
            pass  # there is nobody to answer
        except asyncio.CancelledError:  # the grace of a stop is over; nothing runs after this, so it may end here
            if status:
                raise
            await problem_response(Request(scope), ProblemError(ApiCode.UNAVAILABLE))(scope, receive, sending)
        except Exception:
            _log.exception("request_failed", method=scope["method"], route=_route(inner))
            if status:
                raise
            await problem_response(Request(scope), ProblemError(ApiCode.INTERNAL))(scope, receive, sending)
        finally:
            took = round((time.perf_counter() - began) * 1000, 2)
            _log.info("request", method=scope["method"], route=_route(inner), status=status, ms=took)


def _is_preflight(scope: Scope, headers: Headers) -> bool:
    return scope["method"] == "OPTIONS" and "origin" in headers and "access-control-request-method" in headers


def _route(scope: Scope) -> str | None:
    """The route's template: a path may hold what a log should not."""
    route = scope.get("route")
    return getattr(route, "path", None)
