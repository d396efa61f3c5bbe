"""What was raised while serving a request, as a problem."""

from typing import Any, Final

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.routing import Match

from app.api.answers import problem_response
from app.db.errors import DatabaseError
from app.db.uow import GameNotFoundError, KeyReusedError
from app.problems import ApiCode, ProblemError

MAX_ERRORS: Final = 50
"""How many faults of one request are told."""

_BY_STATUS: Final = {400: ApiCode.MALFORMED_JSON, 404: ApiCode.NOT_FOUND, 413: ApiCode.PAYLOAD_TOO_LARGE}


def install(app: FastAPI) -> None:
    """Registers the handlers; what they do not know becomes a 500 at the edge."""
    app.add_exception_handler(ProblemError, _handle)
    app.add_exception_handler(RequestValidationError, _handle)
    app.add_exception_handler(HTTPException, _handle)
    app.add_exception_handler(GameNotFoundError, _handle)
    app.add_exception_handler(KeyReusedError, _handle)
    app.add_exception_handler(DatabaseError, _handle)


async def _handle(request: Request, error: Exception) -> Response:
    if isinstance(error, HTTPException) and error.status_code == 405:
        return _wrong_method(request)
    return problem_response(request, _problem(error))


def _problem(error: Exception) -> ProblemError:
    match error:
        case ProblemError():
            return error
        case RequestValidationError():
            return ProblemError(
                ApiCode.INVALID_REQUEST, facts={"errors": [_part(part) for part in error.errors()[:MAX_ERRORS]]}
            )
        case GameNotFoundError():
            return ProblemError(ApiCode.GAME_NOT_FOUND)
        case KeyReusedError():
            return ProblemError(ApiCode.IDEMPOTENCY_KEY_REUSED)
        case DatabaseError():
            return ProblemError(ApiCode.UNAVAILABLE)
        case HTTPException():
            return ProblemError(_BY_STATUS.get(error.status_code, ApiCode.INTERNAL))
    raise error


def _part(error: dict[str, Any]) -> dict[str, Any]:
    """One validation error, without the input: it may hold secrets, or what JSON cannot hold."""
    return {"location": list(error["loc"]), "message": error["msg"], "code": error["type"]}


def _wrong_method(request: Request) -> Response:
    """405, or the answer to OPTIONS: both name every method that the address has."""
    methods = allowed_methods(request)
    allow = {"Allow": ", ".join(methods)}
    if request.method == "OPTIONS":
        return Response(status_code=204, headers=allow)
    error = ProblemError(ApiCode.METHOD_NOT_ALLOWED, values={"allowed": allow["Allow"]}, headers=allow)
    return problem_response(request, error)


def allowed_methods(request: Request) -> list[str]:
    """The methods of all routes at the request's path."""
    methods = {"OPTIONS"}
    for route in request.app.routes:
        if route.matches(request.scope)[0] is not Match.NONE:
            methods |= route.methods
    if "GET" in methods:
        methods.add("HEAD")
    return sorted(methods)
