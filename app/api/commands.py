"""The commands of a seated player, the most frequent first, as routes are tried in order."""

from collections.abc import Callable
from typing import Any, Final

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel

from app.api.answers import BODY, problems, respond
from app.api.body import StrictRoute
from app.api.headers import ACCEPT_LANGUAGE, IDEMPOTENCY_KEY, IF_MATCH, caller, game_id
from app.db.errors import ConflictError
from app.problems import ApiCode, ProblemError
from app.schemas.requests import AddSeed, HoldDice, NoBody, RollDice, ScoreBox, SelectBox
from app.schemas.responses import Game
from app.services.play import decide
from engine.actions import Action, AddClientSeed, Hold, Leave, Return, Roll, Score, Select, Start
from engine.errors import ErrorCode
from engine.game import Seat

router: Final = APIRouter(prefix="/v1/games/{id}", tags=["play"], route_class=StrictRoute)

_DOCUMENTED: Final[dict[str, Any]] = {
    "parameters": [ACCEPT_LANGUAGE, IDEMPOTENCY_KEY, IF_MATCH],
    "security": [{"seatToken": []}],
}
_ALWAYS: Final = (
    *BODY,
    ApiCode.UNAUTHORIZED,
    ApiCode.GAME_NOT_FOUND,
    ApiCode.CONFLICT,
    ApiCode.VERSION_MISMATCH,
    ApiCode.IDEMPOTENCY_KEY_REUSED,
    ErrorCode.GAME_NOT_ACTIVE,
)
_TURN: Final = (ErrorCode.NOT_YOUR_TURN, ErrorCode.ROLL_FIRST)
_BOX: Final = (ErrorCode.BOX_FILLED, ErrorCode.BOX_NOT_ALLOWED, ApiCode.DEADLINE_PASSED)


@router.post(
    "/roll",
    operation_id="rollDice",
    summary="Roll the dice that are not held",
    response_model=Game,
    responses=problems(*_ALWAYS, *_TURN, ErrorCode.NO_ROLLS_LEFT),
    openapi_extra=_DOCUMENTED,
)
async def roll(request: Request, id: str, body: RollDice | None = None) -> Response:
    held = body.hold if body else None
    return await act(request, id, "roll", body, lambda seat: Roll(seat, _ascending(held)))


@router.post(
    "/hold",
    operation_id="holdDice",
    summary="Replace the held dice",
    response_model=Game,
    responses=problems(*_ALWAYS, *_TURN, ErrorCode.NO_ROLLS_LEFT, ErrorCode.TOO_MANY_CHANGES, ApiCode.DEADLINE_PASSED),
    openapi_extra=_DOCUMENTED,
)
async def hold(request: Request, id: str, body: HoldDice) -> Response:
    return await act(request, id, "hold", body, lambda seat: Hold(seat, tuple(sorted(body.hold))))


@router.post(
    "/select",
    operation_id="selectBox",
    summary="Mark a box without scoring, or clear the mark",
    response_model=Game,
    responses=problems(*_ALWAYS, *_TURN, *_BOX, ErrorCode.TOO_MANY_CHANGES),
    openapi_extra=_DOCUMENTED,
)
async def select(request: Request, id: str, body: SelectBox) -> Response:
    return await act(request, id, "select", body, lambda seat: Select(seat, body.box))


@router.post(
    "/score",
    operation_id="scoreBox",
    summary="Score in a box, or in the selected one",
    response_model=Game,
    responses=problems(*_ALWAYS, *_TURN, *_BOX, ErrorCode.NOTHING_SELECTED),
    openapi_extra=_DOCUMENTED,
)
async def score(request: Request, id: str, body: ScoreBox | None = None) -> Response:
    box = body.box if body else None
    return await act(request, id, "score", body, lambda seat: Score(seat, box))


@router.post(
    "/start",
    operation_id="startGame",
    summary="Start with the players present",
    response_model=Game,
    responses=problems(*_ALWAYS, ErrorCode.GAME_ALREADY_STARTED),
    openapi_extra=_DOCUMENTED,
)
async def start(request: Request, id: str, body: NoBody | None = None) -> Response:
    return await act(request, id, "start", body, lambda _: Start())


@router.post(
    "/leave",
    operation_id="leaveGame",
    summary="Give the seat up for good",
    response_model=Game,
    responses=problems(*_ALWAYS),
    openapi_extra=_DOCUMENTED,
)
async def leave(request: Request, id: str, body: NoBody | None = None) -> Response:
    return await act(request, id, "leave", body, Leave)


@router.post(
    "/return",
    operation_id="returnToGame",
    summary="Take the seat back after being away",
    response_model=Game,
    responses=problems(*_ALWAYS, ErrorCode.NOT_AWAY),
    openapi_extra=_DOCUMENTED,
)
async def come_back(request: Request, id: str, body: NoBody | None = None) -> Response:
    return await act(request, id, "return", body, Return)


@router.post(
    "/client-seed",
    operation_id="addClientSeed",
    summary="Add entropy to the dice",
    response_model=Game,
    responses=problems(*_ALWAYS, ErrorCode.SEED_TOO_LATE),
    openapi_extra=_DOCUMENTED,
)
async def client_seed(request: Request, id: str, body: AddSeed) -> Response:
    return await act(request, id, "client-seed", body, lambda seat: AddClientSeed(seat, body.client_seed))


async def act(
    request: Request, id: str, operation: str, body: BaseModel | None, action: Callable[[Seat], Action]
) -> Response:
    """Runs a command of a seated player as one transaction."""
    who = caller(request, operation, body)
    uow = request.app.state.uow
    found = game_id(id)
    try:
        answer = await uow.run(found, lambda record: decide(record, who, action), key=who.scoped_key(), admit=who.admit)
    except ConflictError:
        answer = who.refusal(ProblemError(ApiCode.CONFLICT), await uow.read(found))
    return respond(answer)


def _ascending(hold: list[int] | None) -> tuple[int, ...] | None:
    return None if hold is None else tuple(sorted(hold))
