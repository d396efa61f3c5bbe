"""Creating, joining and reading games."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from app.api.answers import BODY, etag, problems, respond, view
from app.api.body import StrictRoute
from app.api.headers import (
    ACCEPT_LANGUAGE,
    IF_MATCH,
    IF_NONE_MATCH,
    OPEN_IDEMPOTENCY_KEY,
    caller,
    game_id,
    is_known,
    reader,
)
from app.db.errors import ConflictError
from app.db.records import Record
from app.db.uow import Admit
from app.present import events_view, fairness_view, game_view
from app.problems import ApiCode, ProblemError
from app.schemas.base import Digits
from app.schemas.requests import JoinByCode, JoinGame, NewGame
from app.schemas.responses import CreatedGame, EventPage, Fairness, Game, JoinedGame
from app.services.caller import Caller
from app.services.opening import join, new_game, require_public, with_tokens
from app.services.reading import read_game, read_rolls
from app.tokens import canonical_join_code, token_secret
from engine.errors import ErrorCode

router: Final = APIRouter(prefix="/v1", tags=["games"], route_class=StrictRoute)

MAX_SEQ: Final = 2**31 - 1

_JOIN_ERRORS: Final = (
    *BODY,
    ApiCode.VERSION_MISMATCH,
    ApiCode.IDEMPOTENCY_KEY_REUSED,
    ApiCode.CONFLICT,
    ErrorCode.GAME_ALREADY_STARTED,
    ErrorCode.GAME_NOT_ACTIVE,
    ErrorCode.GAME_FULL,
    ErrorCode.NAME_TAKEN,
)
_JOIN: Final[dict[str, Any]] = {"parameters": [ACCEPT_LANGUAGE, OPEN_IDEMPOTENCY_KEY, IF_MATCH]}
_SECRET: Final = {"Cache-Control": "no-store"}
_FRESH: Final = {"Cache-Control": "no-cache"}
_READ: Final[dict[str, Any]] = {"parameters": [ACCEPT_LANGUAGE], "security": [{}, {"seatToken": []}]}
_READ_ERRORS: Final = (ApiCode.UNAUTHORIZED, ApiCode.GAME_NOT_FOUND)


@router.post(
    "/games",
    operation_id="createGame",
    summary="Create a game",
    status_code=201,
    response_model=CreatedGame,
    responses=problems(*BODY, ApiCode.SANDBOX_DISABLED, ApiCode.IDEMPOTENCY_KEY_REUSED, ApiCode.CONFLICT),
    openapi_extra={"parameters": [ACCEPT_LANGUAGE, OPEN_IDEMPOTENCY_KEY]},
)
async def create_game(request: Request, body: NewGame | None = None) -> Response:
    who = caller(request, "create", body, open_key=True)
    wanted = (body or NewGame()).wanted()
    if wanted.options.sandbox and not request.app.state.settings.sandbox:
        raise ProblemError(ApiCode.SANDBOX_DISABLED)
    secret = token_secret(who.key)
    stored = await request.app.state.uow.create(lambda now: new_game(wanted, who, secret, now), key=who.open_key())
    answer, created = with_tokens(stored, secret)
    return respond(answer, {"Location": f"/v1/games/{created}", **_SECRET})


@router.post(
    "/games/{id}/players",
    operation_id="joinGame",
    summary="Take an open seat of a public game",
    status_code=201,
    response_model=JoinedGame,
    responses=problems(*_JOIN_ERRORS, ApiCode.GAME_NOT_FOUND),
    openapi_extra=_JOIN,
)
async def join_game(request: Request, id: str, body: JoinGame | None = None) -> Response:
    who = caller(request, "players", body, open_key=True)
    return await _join(request, game_id(id), who, body or JoinGame(), require_public)


@router.post(
    "/join",
    operation_id="joinByCode",
    summary="Take an open seat of the game that a code opens",
    status_code=201,
    response_model=JoinedGame,
    responses=problems(*_JOIN_ERRORS, ApiCode.WRONG_JOIN_CODE),
    openapi_extra=_JOIN,
)
async def join_by_code(request: Request, body: JoinByCode) -> Response:
    who = caller(request, "join", body, open_key=True)
    code = canonical_join_code(body.join_code)
    found = await request.app.state.uow.game_of_code(code)
    if found is None:
        raise ProblemError(ApiCode.WRONG_JOIN_CODE)
    return await _join(request, found, who, body, None)


@router.get(
    "/games/{id}",
    operation_id="getGame",
    summary="Read a game",
    response_model=Game,
    responses={304: {"description": "The game still has this version"}, **problems(*_READ_ERRORS)},
    openapi_extra={**_READ, "parameters": [ACCEPT_LANGUAGE, IF_NONE_MATCH]},
)
async def get_game(request: Request, id: str) -> Response:
    who = reader(request)
    record = await _read(request, id, who)
    headers = {"ETag": etag(record.game.version), **_FRESH}
    if is_known(request, record.game.version):
        return Response(status_code=304, headers={**headers, "Vary": "Accept-Language"})
    return view(game_view(record, who.language), headers)


class EventQuery(BaseModel):
    """Which events of a game."""

    model_config = ConfigDict(extra="forbid")

    after: Digits = Field(default=0, ge=0, le=MAX_SEQ, description="The last seq that is known already")
    limit: Digits = Field(default=100, ge=1, le=1000)


@router.get(
    "/games/{id}/events",
    operation_id="getEvents",
    summary="Read what happened, event by event",
    response_model=EventPage,
    responses=problems(*_READ_ERRORS),
    openapi_extra=_READ,
)
async def get_events(request: Request, id: str, query: Annotated[EventQuery, Query()]) -> Response:
    record = await _read(request, id, reader(request))
    events = await request.app.state.uow.events(record.id, query.after, query.limit)
    return view(events_view(events, query.after), _FRESH)


@router.get(
    "/games/{id}/fairness",
    operation_id="getFairness",
    summary="Read what lets anyone check the dice",
    response_model=Fairness,
    responses=problems(*_READ_ERRORS),
    openapi_extra=_READ,
)
async def get_fairness(request: Request, id: str) -> Response:
    record = await _read(request, id, reader(request))
    return view(fairness_view(record, await read_rolls(request.app.state.uow, record)), _FRESH)


async def _read(request: Request, id: str, who: Caller) -> Record:
    record = await read_game(request.app.state.uow, game_id(id))
    who.admit_reader(record)
    return record


async def _join(request: Request, id: str, who: Caller, body: JoinGame, admit: Admit | None) -> Response:
    secret = token_secret(who.key)
    uow = request.app.state.uow
    try:
        answer = await uow.run(
            id,
            lambda record: join(record, who, secret, body.name, body.client_seed),
            key=who.open_key(),
            admit=admit,
        )
    except ConflictError:
        answer = who.refusal(ProblemError(ApiCode.CONFLICT), await uow.read(id))
    if answer.status == 201:
        answer, _ = with_tokens(answer, secret)
    return respond(answer, _SECRET)
