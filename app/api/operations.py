"""What operators ask: is the process alive, and can it serve."""

from typing import Final

from fastapi import APIRouter, Request, Response

from app.api.answers import problems, view
from app.problems import ApiCode, ProblemError
from app.schemas.responses import Health

router: Final = APIRouter(tags=["operations"])

_OK: Final = {"status": "ok"}


@router.get(
    "/livez",
    operation_id="isAlive",
    summary="Whether the process answers",
    response_model=Health,
    responses=problems(),
)
async def livez() -> Response:
    return view(_OK)


@router.get(
    "/readyz",
    operation_id="isReady",
    summary="Whether database and deadlines work",
    response_model=Health,
    responses=problems(),
)
async def readyz(request: Request) -> Response:
    await request.app.state.uow.now()
    if not request.app.state.sleeper.is_alive:
        raise ProblemError(ApiCode.UNAVAILABLE)
    return view(_OK)
