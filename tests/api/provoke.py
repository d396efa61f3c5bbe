"""Every error that a client can meet, provoked by a request."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

import httpx

from tests.api.kit import (
    COMPUTER,
    PLAIN,
    UNKNOWN,
    finished,
    joined,
    played,
    rolled,
    sandbox,
    solo,
    third_roll,
    waiting,
)
from tests.client import Api, Seat, ok

Provoke = Callable[[Api, str], Awaitable[httpx.Response]]
"""Takes the server, and the Accept-Language to send."""

HEADERS = {"Content-Type": "application/json"}


def _raw(content: bytes, content_type: str = "application/json") -> Provoke:
    async def provoke(api: Api, language: str) -> httpx.Response:
        headers = {"Content-Type": content_type, "Accept-Language": language}
        return await api.http.post("/v1/games", content=content, headers=headers)

    return provoke


def _seat(build: Callable[[Api], Awaitable[Seat]], command: str, body: object = None, **headers: str) -> Provoke:
    async def provoke(api: Api, language: str) -> httpx.Response:
        return await (await build(api)).post(command, body, Accept_Language=language, **headers)

    return provoke


def _get(path: str, method: str = "GET") -> Provoke:
    async def provoke(api: Api, language: str) -> httpx.Response:
        return await api.http.request(method, path, headers={"Accept-Language": language})

    return provoke


async def _fresh(api: Api) -> Seat:
    return await solo(api, PLAIN)


async def _rolled(api: Api) -> Seat:
    seat = await solo(api, PLAIN)
    await rolled(seat)
    return seat


async def _second(api: Api) -> Seat:
    _, second = await api.seats(players=[{}, {}])
    return second


async def _stranger(api: Api) -> Seat:
    return replace(await _fresh(api), token="x")


async def _one_filled(api: Api) -> Seat:
    seat = await played(api, [("chance", PLAIN)], PLAIN)
    await rolled(seat)
    return seat


async def _joker(api: Api) -> Seat:
    seat = await played(api, [("penta", "44444")], "44444")
    await rolled(seat)
    return seat


async def _late(api: Api) -> Seat:
    seat = await third_roll(api)
    api.clock.advance(3000)
    return seat


async def _busy(api: Api) -> Seat:
    seat = await _rolled(api)
    for number in range(100):
        ok(await seat.hold([number % 5]))
    return seat


async def _keyed(api: Api) -> Seat:
    seat = await _rolled(api)
    ok(await seat.hold([0], Idempotency_Key="k"))
    return seat


async def _sandbox_off(api: Api, language: str) -> httpx.Response:
    settings = api.app.state.settings
    api.app.state.settings = settings.model_copy(update={"sandbox": False})
    try:
        return await api.create(sandbox(PLAIN), Accept_Language=language)
    finally:
        api.app.state.settings = settings


async def _join(api: Api, language: str, code: str, **body: str) -> httpx.Response:
    return await api.http.post("/v1/join", json={"join_code": code, **body}, headers={"Accept-Language": language})


async def _wrong_code(api: Api, language: str) -> httpx.Response:
    return await _join(api, language, "0000000000")


async def _started(api: Api, language: str) -> httpx.Response:
    _, code = await waiting(api)
    await joined(api, code)
    return await _join(api, language, code)


async def _full(api: Api, language: str) -> httpx.Response:
    (seat,) = await api.seats(players=[COMPUTER, {}], visibility="public")
    path = f"/v1/games/{seat.game_id}/players"
    return await api.http.post(path, headers={"Accept-Language": language})


async def _name(api: Api, language: str) -> httpx.Response:
    _, code = await waiting(api, players=[{"name": "Ana"}], open_seats=1)
    return await _join(api, language, code, name="Ana")


PROVOKED: dict[str, tuple[int, Provoke]] = {
    "malformed_json": (400, _raw(b"{")),
    "unauthorized": (401, _seat(_stranger, "roll")),
    "sandbox_disabled": (403, _sandbox_off),
    "not_found": (404, _get("/v1/nothing")),
    "game_not_found": (404, _get(f"/v1/games/{UNKNOWN}")),
    "wrong_join_code": (404, _wrong_code),
    "method_not_allowed": (405, _get("/v1/join", "DELETE")),
    "payload_too_large": (413, _raw(b"x" * 70_000)),
    "unsupported_media_type": (415, _raw(b"{}", "text/plain")),
    "not_your_turn": (409, _seat(_second, "roll")),
    "roll_first": (409, _seat(_fresh, "score")),
    "no_rolls_left": (409, _seat(third_roll, "roll")),
    "box_filled": (409, _seat(_one_filled, "score", {"box": "chance"})),
    "box_not_allowed": (409, _seat(_joker, "score", {"box": "chance"})),
    "nothing_selected": (409, _seat(_rolled, "score")),
    "game_not_active": (409, _seat(finished, "roll")),
    "game_already_started": (409, _started),
    "game_full": (409, _full),
    "name_taken": (409, _name),
    "deadline_passed": (409, _seat(_late, "score")),
    "seed_too_late": (409, _seat(_rolled, "client-seed", {"client_seed": "a"})),
    "not_away": (409, _seat(_fresh, "return")),
    "version_mismatch": (412, _seat(_fresh, "roll", If_Match='"1"')),
    "invalid_request": (422, _seat(_fresh, "roll", {"hold": [9]})),
    "idempotency_key_reused": (422, _seat(_keyed, "roll", Idempotency_Key="k")),
    "rate_limited": (429, _seat(_busy, "hold", {"hold": []})),
    "unavailable": (503, _get("/readyz")),
}
WITH_GAME = {code for code, (status, _) in PROVOKED.items() if status in (409, 412)}
