"""TERM: what is under way is answered, what waits is let go, and nothing is left behind."""

import asyncio
import signal
from collections.abc import Sequence

import httpx
import orjson

from tests.client import ok, refused
from tests.db.storage import LOCK_WAITS, SESSIONS, Storage, locked, storage
from tests.db.waiting import eventually
from tests.faults.play import create, create_many
from tests.faults.servers import Servers, clients
from tests.servers import Server

Request = asyncio.Task[httpx.Response]

REQUESTS = 8


async def test_requests_under_way_are_answered(database_url: str, servers: Servers) -> None:
    """They stand before a lock when TERM comes, and get it afterwards."""
    (server,) = servers.start(database_url, SHUTDOWN_GRACE_S="10")
    async with clients([server]) as (http,), storage(database_url) as stored:
        (seat,) = await create(http, auto_score_ms=None)
        async with locked(database_url, seat.game_id):
            rolling = [asyncio.create_task(seat.roll(Idempotency_Key=f"k{number % 2}")) for number in range(REQUESTS)]
            await _under_way(servers, server, stored, rolling)
            server.process.send_signal(signal.SIGTERM)
            await eventually(lambda: _refuses(server))
        answers = await asyncio.gather(*rolling)
        await servers.stopped(server)
        assert [answer.status_code for answer in answers] == [200] * REQUESTS
        assert (await stored.games())[seat.game_id].current_turn.rolls_used == 2
        await _nothing_left(stored)


async def test_requests_that_cannot_go_on_are_let_go_after_the_grace(database_url: str, servers: Servers) -> None:
    (server,) = servers.start(database_url, SHUTDOWN_GRACE_S="1")
    async with clients([server]) as (http,), storage(database_url) as stored:
        (seat,) = await create(http, auto_score_ms=None)
        before = await stored.tables()
        async with locked(database_url, seat.game_id):
            rolling = [asyncio.create_task(seat.roll()) for _ in range(3)]
            await _under_way(servers, server, stored, rolling)
            server.process.send_signal(signal.SIGTERM)
            answers = await asyncio.gather(*rolling)
            seconds = await servers.stopped(server)
        assert seconds < 4
        for answer in answers:
            refused(answer, 503, "unavailable")
        assert await stored.tables() == before
        await _nothing_left(stored)


async def test_under_load_each_answer_is_whole_and_true(database_url: str, servers: Servers) -> None:
    """TERM in the middle of many rolls: whatever was acknowledged is stored, whatever was not may be or not."""
    (server,) = servers.start(database_url, SHUTDOWN_GRACE_S="10")
    async with clients([server]) as (http,), storage(database_url) as stored:
        seats = await create_many([http], 16, auto_score_ms=None)
        acknowledged = dict.fromkeys((seat.game_id for seat in seats), 0)

        async def play(number: int) -> None:
            seat = seats[number]
            try:
                while True:
                    for _ in range(3):
                        acknowledged[seat.game_id] = ok(await seat.roll())["version"]
                    (box, *_) = [box for box, points in (await _boxes(seat.http, seat.game_id)) if points is None]
                    acknowledged[seat.game_id] = ok(await seat.score(box))["version"]
            except httpx.TransportError:
                pass

        playing = asyncio.gather(*(play(number) for number in range(len(seats))))
        await eventually(lambda: _some(acknowledged))
        server.process.send_signal(signal.SIGTERM)
        await playing
        await servers.stopped(server)
        events = await stored.sound_events()
        assert all(events[game_id][-1].seq >= version for game_id, version in acknowledged.items())


async def test_an_interrupt_from_the_keyboard_stops_it_too(sqlite_url: str, servers: Servers) -> None:
    (server,) = servers.start(sqlite_url)
    server.process.send_signal(signal.SIGINT)
    await servers.stopped(server)


async def _under_way(servers: Servers, server: Server, stored: Storage, requests: Sequence[Request]) -> None:
    """Waits until the server works at every request: all stand before the lock, or, on SQLite, ask again for it."""

    async def all_stopped() -> bool:
        if stored.kind == "postgresql":
            return int(await stored.one(LOCK_WAITS)) == len(requests)
        retried = [line for line in servers.log(server).splitlines() if "command_retried" in line]
        return len({orjson.loads(line)["request_id"] for line in retried}) == len(requests)

    await eventually(all_stopped)
    assert not any(request.done() for request in requests)


async def _refuses(server: Server) -> bool:
    """Whether the server takes no more connections."""
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", server.port)
    except OSError:
        return True
    writer.close()
    await writer.wait_closed()
    return False


async def _nothing_left(stored: Storage) -> None:
    """Neither sessions nor locks."""
    if stored.kind == "postgresql":
        await eventually(lambda: _none(stored, f"SELECT count(*) FROM {SESSIONS}"))
    else:
        await stored.all("BEGIN IMMEDIATE")
        await stored.all("ROLLBACK")


async def _none(stored: Storage, sql: str) -> bool:
    return int(await stored.one(sql)) == 0


async def _some(acknowledged: dict[str, int]) -> bool:
    return all(version > 6 for version in acknowledged.values())


async def _boxes(http: httpx.AsyncClient, game_id: str) -> list[tuple[str, int | None]]:
    game = ok(await http.get(f"/v1/games/{game_id}"))
    return list(game["players"][0]["card"]["boxes"].items())
