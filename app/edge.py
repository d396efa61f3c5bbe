"""The outermost layer, plain ASGI: HEAD, a log line and a 500 that tells nothing, for every request."""

import asyncio
import time
from typing import Final

import structlog
from fastapi import Request
from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.answers import problem_response
from app.problems import ApiCode, ProblemError

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
METHODS: Final = ("GET", "HEAD", "POST", "OPTIONS")

_log = structlog.get_logger(__name__)


class Edge:
    """Serves HEAD as GET without the body, logs what was answered, and turns what nobody caught into a 500."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        status = 0
        head = scope["method"] == "HEAD"

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            elif head:
                message = {**message, "body": b""}
            await send(message)

        inner = {**scope, "method": "GET"} if head else scope
        try:
            await self._app(inner, receive, sending)
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


class Cors(CORSMiddleware):
    """Any origin, without credentials. A preflight gets the lists; the browser refuses by them, not the server."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(
            app,
            allow_origins=["*"],
            allow_methods=METHODS,
            allow_headers=ALLOWED_HEADERS,
            expose_headers=EXPOSED_HEADERS,
        )

    def preflight_response(self, request_headers: Headers) -> Response:  # noqa: ARG002
        return Response(status_code=204, headers=self.preflight_headers)


def _route(scope: Scope) -> str | None:
    """The route's template: a path may hold what a log should not."""
    route = scope.get("route")
    return getattr(route, "path", None)
