"""Clients that hang up in the middle: nothing of theirs is left half done or open."""

import asyncio
import random
from collections import Counter

from tests.client import Seat, ok
from tests.db.storage import SESSIONS
from tests.db.waiting import eventually
from tests.faults.conftest import Running
from tests.faults.play import check_turns, create_many, gather, through
from tests.servers import Server

ROLLS = 500
AT_ONCE = 16


async def test_rolls_that_are_cut_off_are_done_or_not(on_postgres: Running) -> None:
    """Cut off 1 to 20 ms after they were sent; three for each game, so that all of them are legal."""
    seats = await create_many(on_postgres.https, (ROLLS + 2) // 3, auto_score_ms=None)
    chance = random.Random(19)
    cuts = [
        _cut_off(on_postgres.cluster.servers[number % 2], seats[number // 3], chance.uniform(0.001, 0.02))
        for number in range(ROLLS)
    ]
    told = Counter(await gather(cuts, AT_ONCE))
    idle = f"SELECT count(*) FROM {SESSIONS} AND state LIKE 'idle in transaction%'"
    busy = f"SELECT count(*) FROM {SESSIONS} AND state = 'active'"

    async def quiet() -> bool:
        return not await on_postgres.stored.one(idle) and not await on_postgres.stored.one(busy)

    await eventually(quiet)
    assert told[None] > ROLLS / 10, "hardly any was cut off"
    assert set(told) <= {None, 200}
    found = await on_postgres.stored.sound_events()
    rolls = 0
    for seat in seats:
        check_turns(found[seat.game_id])
        rolls += sum(event.seq > 3 for event in found[seat.game_id])
    assert told[200] <= rolls <= ROLLS
    for number in (0, 1):  # and the servers serve on
        answers = await gather(through(on_postgres.http(number), seat).game() for seat in seats[:20])
        assert len(answers) == 20


async def test_a_request_of_which_only_half_arrives_does_no_harm(running: Running) -> None:
    (seat,) = await create_many(running.https, 1, auto_score_ms=None)
    for end in (10, 60, 120, -1):
        _, writer = await asyncio.open_connection("127.0.0.1", running.cluster.servers[0].port)
        writer.write(_request(seat, b'{"hold": []}')[:end])
        await writer.drain()
        writer.transport.abort()
    assert ok(await seat.roll())["turn"]["rolls_used"] == 1
    logs = [running.cluster.logs.log(server) for server in running.cluster.servers]
    assert not any("ClientDisconnect" in log for log in logs), "hanging up is no failure of the server"


async def _cut_off(server: Server, seat: Seat, seconds: float) -> int | None:
    """Sends a roll and hangs up; the status that came in before that, if any."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(_request(seat))
    try:
        async with asyncio.timeout(seconds):
            return int((await reader.readline()).split()[1])
    except TimeoutError:
        return None
    finally:
        writer.transport.abort()  # a reset: no polite end of the connection


def _request(seat: Seat, body: bytes = b"") -> bytes:
    head = f"POST /v1/games/{seat.game_id}/roll HTTP/1.1\r\nHost: penta\r\nAuthorization: Bearer {seat.token}\r\n"
    if body:
        head += "Content-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
