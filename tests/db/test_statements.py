"""How many statements a request costs, counted where the driver sends them."""

import sqlite3
import uuid
from collections.abc import Awaitable, Callable
from itertools import groupby
from typing import Any

import asyncpg
import pytest

from tests.client import Api, FakeClock, ok, serving
from tests.db.operations import COMMANDS

WITHOUT_KEY = 4
WITH_KEY = 6
DAY_MS = 24 * 60 * 60 * 1000
UNUSED = "5f0c4a3e-8a0e-4f8e-9a53-8d9f5f6f7f10"
_FRAME = ("BEGIN", "COMMIT", "ROLLBACK")


class Sent:
    """Statements in the order in which drivers sent them, parameters left out."""

    def __init__(self) -> None:
        self._texts: list[str] = []

    def clear(self) -> None:
        self._texts.clear()

    def add(self, text: str) -> None:
        self._texts.append(text)

    @property
    def has_transaction(self) -> bool:
        return any(text.startswith(_FRAME) for text in self._texts)

    def statements(self) -> list[str]:
        """Without BEGIN and COMMIT. One that is run for many rows is one: prepared and sent once."""
        shapes = [text.partition("VALUES")[0] for text in self._texts if not text.startswith(_FRAME)]
        return [shape for shape, _ in groupby(shapes)]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """What is sent on every connection that a server opens while the test sets up."""
    sent = Sent()
    connect, create_pool = sqlite3.connect, asyncpg.create_pool

    def traced(*args: Any, **named: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*args, **named)
        connection.set_trace_callback(sent.add)
        return connection

    def pool(*args: Any, init: Callable[[Any], Awaitable[None]] | None = None, **named: Any) -> Any:
        async def logged(connection: Any) -> None:
            if init is not None:
                await init(connection)
            connection.add_query_logger(lambda query: sent.add(query.query))

        return create_pool(*args, init=logged, **named)

    monkeypatch.setattr("app.db.sqlite.sqlite3.connect", traced)
    monkeypatch.setattr("app.db.postgres.asyncpg.create_pool", pool)
    return sent


@pytest.mark.parametrize("with_key", [False, True])
async def test_each_command_is_a_handful_of_statements(sent: Sent, now: Api, past: Api, with_key: bool) -> None:
    for operation in COMMANDS:
        send = await operation.prepare(past, now)
        headers = {"Idempotency_Key": str(uuid.uuid4())} if with_key else {}
        sent.clear()
        assert (await send(**headers)).status_code == operation.status
        statements = sent.statements()
        assert 0 < len(statements) <= (WITH_KEY if with_key else WITHOUT_KEY), (operation, statements)


async def test_a_key_past_its_time_costs_no_more(sent: Sent, database_url: str, clock: FakeClock) -> None:
    body = {"players": [{"kind": "human", "name": "Ana"}], "open_seats": 1}
    async with serving(database_url, clock) as api:
        for _ in range(2):
            sent.clear()
            ok(await api.http.post("/v1/games", json=body, headers={"Idempotency-Key": UNUSED}), 201)
            assert len(sent.statements()) <= WITH_KEY
            clock.advance(DAY_MS + 1)


async def test_a_replay_only_looks(sent: Sent, now: Api, past: Api) -> None:
    (seat,) = await now.seats()
    ok(await seat.roll(Idempotency_Key="k"))
    sent.clear()
    ok(await seat.roll(Idempotency_Key="k"))
    assert len(sent.statements()) == 2
    assert not any(text.startswith(("INSERT", "UPDATE", "DELETE")) for text in sent.statements())


async def test_a_read_is_one_statement_and_no_transaction(sent: Sent, now: Api) -> None:
    (seat,) = await now.seats()
    sent.clear()
    await seat.game()
    assert len(sent.statements()) == 1
    assert not sent.has_transaction
