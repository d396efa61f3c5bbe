"""Playing on real servers, several games side by side, and what must hold for every game afterwards."""

import asyncio
from collections.abc import Awaitable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

import httpx

from engine.events import Event, GameFinished, PlayerAway, Rolled, Scored, TurnStarted
from engine.game import Actor, Millis
from tests.client import Json, Seat, ok

T = TypeVar("T")

SIDE_BY_SIDE = 16
PROMPT_MS = 2000
"""What no automatic score may be late by, however busy the machine that runs the tests."""


async def gather(work: Iterable[Awaitable[T]], at_once: int = SIDE_BY_SIDE) -> list[T]:
    """Results in order, with at most `at_once` under way."""
    gate = asyncio.Semaphore(at_once)

    async def one(awaitable: Awaitable[T]) -> T:
        async with gate:
            return await awaitable

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(awaitable)) for awaitable in work]
    return [task.result() for task in tasks]


async def create(http: httpx.AsyncClient, **body: Any) -> list[Seat]:
    """A new game's human seats."""
    created = ok(await http.post("/v1/games", json=body), 201)
    return [Seat(http, created["game"]["id"], held["seat"], held["token"]) for held in created["seats"]]


async def create_many(https: Sequence[httpx.AsyncClient], count: int, **body: Any) -> list[Seat]:
    """The first seats of new games, created on the servers in turn."""
    games = await gather(create(https[number % len(https)], **body) for number in range(count))
    return [seats[0] for seats in games]


async def past_last_roll(https: Sequence[httpx.AsyncClient], count: int, **body: Any) -> list[Seat]:
    """Games whose first player has rolled three times; the third rolls are made in one burst."""
    seats = await create_many(https, count, **body)
    for _ in range(3):
        for answer in await gather(seat.roll() for seat in seats):
            ok(answer)
    return seats


def through(http: httpx.AsyncClient, seat: Seat) -> Seat:
    """The same seat, reached by way of another server."""
    return replace(seat, http=http)


def millis(timestamp: str) -> int:
    return round(datetime.fromisoformat(timestamp).timestamp() * 1000)


def deadline(game: Json) -> int:
    """The instant of the automatic score, in milliseconds."""
    return millis(game["turn"]["deadline_at"])


def scores(events: Iterable[Event]) -> list[Scored]:
    return [event for event in events if isinstance(event, Scored)]


def lateness(scored: Scored) -> int:
    """How long after the deadline the server scored, in milliseconds."""
    assert scored.due_at is not None
    return scored.at - scored.due_at


def check_turns(events: Iterable[Event]) -> None:
    """Each turn is one to three rolls and one score of its own seat, and nothing of it comes later."""
    seat, rolls, previous = None, 0, Millis(0)
    for event in events:
        assert event.at >= previous, "the clock of a game never goes back"
        previous = event.at
        match event:
            case TurnStarted():
                assert seat is None, "a turn begins before the last one was scored"
                seat, rolls = event.seat, 0
            case Rolled():
                assert (event.seat, event.roll_number) == (seat, rolls + 1)
                rolls += 1
            case Scored():
                assert event.seat == seat
                assert rolls >= 1
                assert (event.due_at is None) == (not event.actor.is_clock)
                if event.actor is Actor.DEADLINE:
                    assert rolls == 3
                    assert event.due_at is not None
                    assert event.at >= event.due_at
                seat = None
            case GameFinished() | PlayerAway():
                assert seat is None
            case _:
                pass


def summary(values: Sequence[float]) -> str:
    """The distribution of measured milliseconds in one line."""
    ordered = sorted(values)
    shares = {"min": 0.0, "median": 0.5, "95 %": 0.95, "99 %": 0.99, "max": 1.0}
    parts = [
        f"{name} {ordered[min(len(ordered) - 1, int(share * len(ordered)))]:.0f}" for name, share in shares.items()
    ]
    return f"{len(ordered)} values, ms: {', '.join(parts)}"
