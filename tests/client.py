"""A client for the tests: the HTTP API in process, with the clock and the dice in the test's hand."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from fastapi import FastAPI

from app.db import repository
from app.db.records import Record
from app.db.uow import UnitOfWork
from app.main import create_app
from app.settings import Settings
from engine.events import Event
from engine.game import Millis
from tests.api.contract import checking

Json = dict[str, Any]

START = 1_790_000_000_000


class FakeClock:
    """A clock that moves only when it is told to."""

    def __init__(self, now: int = START) -> None:
        self.time = now

    def now(self) -> Millis:
        return Millis(self.time)

    def advance(self, milliseconds: int) -> None:
        self.time += milliseconds


@dataclass(frozen=True)
class Seat:
    """One player's way into one game."""

    http: httpx.AsyncClient
    game_id: str
    seat: int
    token: str

    async def post(self, command: str, body: object = None, **headers: str) -> httpx.Response:
        """Sends a command; header names are given with underscores."""
        sent = {"Authorization": f"Bearer {self.token}", **{k.replace("_", "-"): v for k, v in headers.items()}}
        kwargs: Json = {} if body is None else {"json": body}
        return await self.http.post(f"/v1/games/{self.game_id}/{command}", headers=sent, **kwargs)

    async def roll(self, hold: Sequence[int] | None = None, **headers: str) -> httpx.Response:
        return await self.post("roll", None if hold is None else {"hold": hold}, **headers)

    async def hold(self, hold: Sequence[int], **headers: str) -> httpx.Response:
        return await self.post("hold", {"hold": hold}, **headers)

    async def select(self, box: str | None, **headers: str) -> httpx.Response:
        return await self.post("select", {"box": box}, **headers)

    async def score(self, box: str | None = None, **headers: str) -> httpx.Response:
        return await self.post("score", None if box is None else {"box": box}, **headers)

    async def game(self) -> Json:
        return ok(await self.http.get(f"/v1/games/{self.game_id}"))

    async def events(self) -> list[Json]:
        page = ok(await self.http.get(f"/v1/games/{self.game_id}/events", params={"limit": 1000}))
        events: list[Json] = page["events"]
        return events


@dataclass(frozen=True)
class Api:
    """The server under test, called in process; the sleeper does not run."""

    app: FastAPI
    http: httpx.AsyncClient
    clock: FakeClock

    @property
    def uow(self) -> UnitOfWork:
        uow: UnitOfWork = self.app.state.uow
        return uow

    async def create(self, body: object = None, **headers: str) -> httpx.Response:
        sent = {k.replace("_", "-"): v for k, v in headers.items()}
        kwargs: Json = {} if body is None else {"json": body}
        return await self.http.post("/v1/games", headers=sent, **kwargs)

    async def seats(self, **body: Any) -> list[Seat]:
        """Creates a game and returns its human seats."""
        created = ok(await self.create(body), 201)
        game_id = created["game"]["id"]
        return [Seat(self.http, game_id, held["seat"], held["token"]) for held in created["seats"]]

    async def solo(self, *rolls: Sequence[int], **body: Any) -> Seat:
        """A game for one with given rolls; ordinary dice without."""
        sandbox = {"sandbox": {"rolls": [list(roll) for roll in rolls]}} if rolls else {}
        (seat,) = await self.seats(**sandbox, **body)
        return seat

    async def record(self, game_id: str) -> Record:
        """What is stored of a game."""
        return await self.uow.read(game_id)

    async def stored_events(self, game_id: str) -> list[Event]:
        async with self.uow.database.reading() as connection:
            return await repository.read_events(connection, game_id, 0, 100_000)


@asynccontextmanager
async def serving(database_url: str, clock: FakeClock | None = None, **settings: Any) -> AsyncIterator[Api]:
    """The app on `database_url` without a network in between."""
    clock = clock or FakeClock()
    app = create_app(Settings(database_url=database_url, sandbox=settings.pop("sandbox", True), **settings), clock)
    uow: UnitOfWork = app.state.uow
    await uow.database.open()
    try:
        async with http_client(app) as http:
            yield Api(app, http, clock)
    finally:
        await uow.database.close()


def http_client(app: FastAPI) -> httpx.AsyncClient:
    """A client of `app` without a network, which fails on responses that the app's description does not allow."""
    hooks = {"response": [checking(app)]}
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://penta", event_hooks=hooks)


def ok(response: httpx.Response, status: int = 200) -> Json:
    """The body of a response that must have `status`."""
    assert response.status_code == status, response.text
    body: Json = response.json()
    return body


def refused(response: httpx.Response, status: int, code: str) -> Json:
    """The body of a problem that must have `status` and `code`."""
    assert response.headers["content-type"] == "application/problem+json", response.text
    body: Json = response.json()
    assert (response.status_code, body["status"], body["code"]) == (status, status, code), response.text
    return body


def total(card: Mapping[str, Any]) -> int:
    """A card's total, added up again from its boxes."""
    boxes = {name: points or 0 for name, points in card["boxes"].items()}
    upper = sum(boxes[name] for name in ("ones", "twos", "threes", "fours", "fives", "sixes"))
    return sum(boxes.values()) + (35 if upper >= 63 else 0) + 100 * int(card["penta_bonuses"])
