"""SQLite with another writer at the file: waiting for the lock is the server's business, not the client's."""

import asyncio
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

from engine.game import Actor
from tests.client import Seat, ok
from tests.db.storage import sqlite_path
from tests.db.waiting import eventually
from tests.faults.conftest import Running
from tests.faults.play import PROMPT_MS, check_turns, create, gather, lateness, scores, summary

GAMES = 20
SECONDS = 8.0
RARELY = 5
WRITER = """
import random, select, sqlite3, sys, time
chance, taken = random.Random(7), 0
connection = sqlite3.connect(sys.argv[1], timeout=5, isolation_level=None)
while not select.select([sys.stdin], [], [], chance.uniform(0, 0.15))[0]:
    connection.execute("BEGIN IMMEDIATE")
    time.sleep(0.05)
    connection.execute("ROLLBACK")
    taken += 1
connection.close()
print(taken)
"""


@contextmanager
def another_writer(path: str) -> Iterator[None]:
    """A process that takes the write lock at random moments and keeps it for 50 ms; it must have done so often."""
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as writer:
        try:
            yield
        finally:
            told, _ = writer.communicate(timeout=10)
    assert writer.returncode == 0
    assert int(told) > 20


async def test_rolls_and_deadlines_go_on_beside_another_writer(on_sqlite: Running) -> None:
    """Each player rolls three times and lets the clock score; a look past the server tells when it has."""
    http = on_sqlite.http(0)
    seats = [seats[0] for seats in await gather(create(http, auto_score_ms=500) for _ in range(GAMES))]
    end = time.monotonic() + SECONDS
    turns = dict.fromkeys((seat.game_id for seat in seats), 0)

    refused: list[str] = []

    async def play(seat: Seat) -> None:
        while time.monotonic() < end and turns[seat.game_id] < 13:
            for _ in range(3):
                while (answer := await seat.roll()).status_code == 503:
                    refused.append(seat.game_id)
                ok(answer)
            turns[seat.game_id] += 1
            await eventually(lambda: _has_scored(on_sqlite, seat, turns[seat.game_id]), every=0.05)

    with another_writer(sqlite_path(on_sqlite.cluster.database_url)):
        await asyncio.gather(*(play(seat) for seat in seats))
    found = await on_sqlite.stored.sound_events()
    late = []
    for seat in seats:
        check_turns(found[seat.game_id])
        scored = scores(found[seat.game_id])
        assert len(scored) == turns[seat.game_id] > 1
        assert {score.actor for score in scored} == {Actor.DEADLINE}
        late += [lateness(score) for score in scored]
    print(f"beside another writer, {len(refused)} rolls refused for a while; late by", summary(late))
    assert len(refused) <= RARELY
    assert max(late) < PROMPT_MS


async def _has_scored(running: Running, seat: Seat, turns: int) -> bool:
    """Without the server: a read through it would settle the game."""
    sql = f"""SELECT count(*) FROM events WHERE game_id = '{seat.game_id}' AND body LIKE '%"scored"%'"""
    return int(await running.stored.one(sql)) >= turns


async def test_a_writer_that_keeps_the_lock_is_told_as_unavailable(on_sqlite: Running) -> None:
    """And reading goes on meanwhile."""
    (seat,) = await create(on_sqlite.http(0), auto_score_ms=None)
    with closing(sqlite3.connect(sqlite_path(on_sqlite.cluster.database_url), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        rolling = asyncio.create_task(seat.roll())
        while not rolling.done():
            began = time.monotonic()
            ok(await on_sqlite.http(0).get(f"/v1/games/{seat.game_id}"))
            assert time.monotonic() - began < 1
            await asyncio.sleep(0.05)
        answer = await rolling
        other.execute("ROLLBACK")
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert answer.headers["retry-after"] == "1"
    assert ok(await seat.roll())["turn"]["rolls_used"] == 1
