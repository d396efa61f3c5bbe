"""One of everything that changes a game, each ready to be sent to a server on the same database."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import httpx

from app.main import create_app
from app.settings import Settings
from tests.client import Api, FakeClock, Json, Seat, ok

Send = Callable[..., Awaitable[httpx.Response]]
"""Sends the request; header names are keywords with underscores."""

AGO_MS = 60_000
_DICE = [[1, 2, 3, 4, 6]] * 12  # so that computers, too, do the same every time
_COMPUTER = {"kind": "computer"}


@dataclass(frozen=True)
class Operation:
    """`prepare` makes a game in the past through one server, and returns the request for the other one."""

    name: str
    prepare: Callable[[Api, Api], Awaitable[Send]]
    status: int = 200
    takes_key: bool = True

    def __str__(self) -> str:
        return self.name


@asynccontextmanager
async def on_time(database_url: str, **settings: Any) -> AsyncIterator[Api]:
    """The app in process on the database's own clock; its `clock` is without effect."""
    app = create_app(Settings(database_url=database_url, sandbox=True, **settings))
    await app.state.uow.database.open()
    try:
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://penta") as http:
            yield Api(app, http, FakeClock())
    finally:
        await app.state.uow.database.close()  # a test may have put another in its place


def a_minute_ago() -> FakeClock:
    return FakeClock(int(time.time() * 1000) - AGO_MS)


def _creating(**body: Any) -> Callable[[Api, Api], Awaitable[Send]]:
    async def prepare(_past: Api, now: Api) -> Send:
        async def send(**headers: str) -> httpx.Response:
            return await now.create(body, **headers)

        return send

    return prepare


def _playing(
    command: str, body: Json | None = None, *, rolls: int = 0, others: int = 0, computers: int = 0, open_seats: int = 0
) -> Callable[[Api, Api], Awaitable[Send]]:
    """A command of the first player after some rolls."""

    async def prepare(past: Api, now: Api) -> Send:
        players = [{}, *[{}] * others, *[_COMPUTER] * computers]
        seats = await past.seats(players=players, open_seats=open_seats, sandbox={"rolls": _DICE})
        for _ in range(rolls):
            ok(await seats[0].roll())
        return _sending(now, seats[0], command, body)

    return prepare


async def _returning(past: Api, now: Api) -> Send:
    """`return` of a player whose turns the limit ended twice; the game stands still until then."""
    (seat,) = await past.seats(turn_limit_ms=5000)
    for _ in range(2):
        past.clock.advance(5000)
        game = await seat.game()
    assert game["players"][0]["presence"] == "away"
    return _sending(now, seat, "return", None)


async def _joining(past: Api, now: Api) -> Send:
    created = ok(await past.create({"open_seats": 1, "visibility": "public"}), 201)
    return _posting(now, f"/v1/games/{created['game']['id']}/players", {})


async def _joining_by_code(past: Api, now: Api) -> Send:
    created = ok(await past.create({"open_seats": 2}), 201)
    return _posting(now, "/v1/join", {"join_code": created["join_code"]})


async def _settling(past: Api, now: Api) -> Send:
    """A read of a game whose deadline has passed."""
    (seat,) = await past.seats()
    for _ in range(3):
        ok(await seat.roll())

    async def send(**headers: str) -> httpx.Response:
        return await now.http.get(f"/v1/games/{seat.game_id}", headers=headers)

    return send


def _sending(now: Api, seat: Seat, command: str, body: Json | None) -> Send:
    seated = replace(seat, http=now.http)

    async def send(**headers: str) -> httpx.Response:
        return await seated.post(command, body, **headers)

    return send


def _posting(now: Api, path: str, body: Json) -> Send:
    async def send(**headers: str) -> httpx.Response:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        return await now.http.post(path, json=body, headers=sent)

    return send


OPERATIONS = (
    Operation("create", _creating(), 201),
    Operation("create with open seats", _creating(players=[{}], open_seats=2), 201),
    Operation("join", _joining, 201),
    Operation("join by code", _joining_by_code, 201),
    Operation("start", _playing("start", open_seats=1)),
    Operation("leave", _playing("leave", others=1)),
    Operation("return", _returning),
    Operation("client-seed", _playing("client-seed", {"client_seed": "abc"})),
    Operation("roll", _playing("roll")),
    Operation("hold", _playing("hold", {"hold": [0, 1]}, rolls=1)),
    Operation("select", _playing("select", {"box": "chance"}, rolls=1)),
    Operation("score", _playing("score", {"box": "chance"}, rolls=1, others=1)),
    Operation("score before computers", _playing("score", {"box": "chance"}, rolls=2, computers=2)),
    Operation("score too late", _playing("score", {"box": "chance"}, rolls=3, computers=1), 409),
    Operation("read what is overdue", _settling, takes_key=False),
)
COMMANDS = tuple(operation for operation in OPERATIONS if operation.takes_key)
