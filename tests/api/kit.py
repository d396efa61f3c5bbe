"""What the tests of the API say often: dice, games brought to a certain point, and that nothing has changed."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TypeAlias

import httpx
from sqlalchemy import select

from app.db.records import Record
from app.db.tables import metadata
from engine.events import Event
from engine.game import Millis
from tests.client import Api, Json, Seat, ok

COMPUTER: Json = {"kind": "computer"}
PLAIN = "12346"
"""Dice of no worth, apart from a small straight."""
BOXES = (
    *("ones", "twos", "threes", "fours", "fives", "sixes"),
    *("three_of_a_kind", "four_of_a_kind", "full_house", "small_straight", "large_straight", "chance", "penta"),
)
UNKNOWN = "01890000-0000-7000-8000-000000000000"
"""The id of no game."""

Turn: TypeAlias = tuple[str, str]
"""A box, and the dice of the one roll that is scored in it."""


def dice(text: str) -> list[int]:
    """Dice written as five digits."""
    return [int(face) for face in text]


def sandbox(*rolls: str) -> Json:
    return {"sandbox": {"rolls": [dice(roll) for roll in rolls]}}


async def solo(api: Api, *rolls: str, **body: object) -> Seat:
    """A game for one that will see these rolls."""
    (seat,) = await api.seats(**sandbox(*rolls), **body)
    return seat


async def played(api: Api, turns: Sequence[Turn], *rolls: str, **body: object) -> Seat:
    """A game for one in which `turns` have been played; `rolls` come next."""
    seat = await solo(api, *(text for _, text in turns), *rolls, **body)
    for box, _ in turns:
        ok(await seat.roll())
        ok(await seat.score(box))
    return seat


async def rolled(seat: Seat, times: int = 1) -> Json:
    """The game after some rolls."""
    for _ in range(times):
        ok(await seat.roll())
    return await seat.game()


async def third_roll(api: Api, *rolls: str, **body: object) -> Seat:
    """A game for one after the last roll of its first turn, which shows the last of `rolls`."""
    seat = await solo(api, *(rolls or (PLAIN,) * 3), **body)
    await rolled(seat, 3)
    return seat


def options(game: Json) -> dict[str, tuple[int, int]]:
    """Points and Penta bonus by legal box."""
    return {option["box"]: (option["points"], option["penta_bonus"]) for option in game["turn"]["options"]}


def card(game: Json, seat: int = 0) -> Json:
    found: Json = next(player["card"] for player in game["players"] if player["seat"] == seat)
    return found


def presences(game: Json) -> list[str]:
    return [player["presence"] for player in game["players"]]


def errors(problem: Json) -> list[tuple[list[str | int], str]]:
    """Where a request was wrong, and in what."""
    return [(error["location"], error["code"]) for error in problem["errors"]]


def types(events: Sequence[Json]) -> list[str]:
    return [event["type"] for event in events]


async def score_somewhere(seat: Seat) -> Json:
    """The game after the first legal box was filled."""
    box = next(iter(options(await seat.game())))
    return ok(await seat.score(box))


async def _stored(api: Api, game_id: str) -> tuple[Record, list[Event]]:
    return replace(await api.record(game_id), now=Millis(0)), await api.stored_events(game_id)


@asynccontextmanager
async def unchanged(api: Api, game_id: str) -> AsyncIterator[None]:
    """What happens inside leaves no trace in the game."""
    before = await _stored(api, game_id)
    yield
    assert await _stored(api, game_id) == before


async def dump(api: Api) -> dict[str, list[dict[str, object]]]:
    """Every row of every table."""
    async with api.uow.database.reading() as connection:
        return {
            name: sorted([dict(row) for row in await connection.all(select(table), {})], key=str)
            for name, table in metadata.tables.items()
        }


@asynccontextmanager
async def untouched(api: Api) -> AsyncIterator[None]:
    """What happens inside leaves no trace in the database."""
    before = await dump(api)
    yield
    assert await dump(api) == before


async def read(seat: Seat, path: str = "", token: str | None = None, **headers: str) -> httpx.Response:
    """Reads the game, or a part of it, as anyone or with a token."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    if token is not None:
        sent["Authorization"] = f"Bearer {token}"
    return await seat.http.get(f"/v1/games/{seat.game_id}{path}", headers=sent)


async def finished(api: Api, **body: object) -> Seat:
    """A game for one, played to its end."""
    return await played(api, [(box, PLAIN) for box in BOXES], **body)


async def waiting(api: Api, **body: object) -> tuple[Seat, str]:
    """The creator's seat of a game with one open seat, and its join code."""
    created = ok(await api.create({"open_seats": 1, **body}), 201)
    return Seat(api.http, created["game"]["id"], 0, created["seats"][0]["token"]), created["join_code"]


async def joined(api: Api, code: str, **body: object) -> Seat:
    """The seat that someone takes by a code."""
    answer = ok(await api.http.post("/v1/join", json={"join_code": code, **body}), 201)
    return Seat(api.http, answer["game"]["id"], answer["seat"], answer["token"])
