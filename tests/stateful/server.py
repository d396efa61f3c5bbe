"""The server that all games of a run share: in process, its clock in the test's hand, and what happened on it."""

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Coroutine, Iterator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

import structlog

from tests.client import Api, FakeClock, serving
from tests.stateful.card import Json

T = TypeVar("T")

TIMES = ("at", "due_at", "deadline_at", "turn_limit_at", "created_at", "updated_at", "server_time")


@dataclass
class Answer:
    """A response; header names in small letters."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    text: str = ""

    def json(self) -> Json:
        body: Json = in_milliseconds(json.loads(self.text))
        return body


class Server:
    """`seen` counts what answers said and what became of games, to show that a run was not an idle one."""

    def __init__(self, runner: asyncio.Runner, api: Api) -> None:
        self._runner = runner
        self.api = api
        self.seen: Counter[str] = Counter()

    @property
    def clock(self) -> FakeClock:
        return self.api.clock

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(work)

    def send(self, method: str, path: str, body: Json | None = None, headers: dict[str, str] | None = None) -> Answer:
        answer = self.run(self._call(method, path, body, headers or {}))
        assert answer.status < 500, answer.text
        if answer.status >= 400:
            self.seen[answer.json()["code"]] += 1
        self.seen["requests"] += 1
        return answer

    async def _call(self, method: str, path: str, body: Json | None, headers: dict[str, str]) -> Answer:
        """One request by ASGI itself: a client library would take as long again as the server does."""
        content = b"" if body is None else json.dumps(body).encode()
        sent = {"host": "penta", "content-length": str(len(content)), **headers}
        if body is not None:
            sent["content-type"] = "application/json"
        plain, _, query = path.partition("?")
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": plain,
            "raw_path": plain.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.lower().encode(), value.encode()) for name, value in sent.items()],
            "client": ("127.0.0.1", 1),
            "server": ("penta", 80),
        }
        answer = Answer()

        async def receive() -> MutableMapping[str, Any]:
            return {"type": "http.request", "body": content, "more_body": False}

        async def send(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                answer.status = message["status"]
                answer.headers = {name.decode().lower(): value.decode() for name, value in message["headers"]}
            else:
                answer.text += message.get("body", b"").decode()

        await self.api.app(scope, receive, send)
        return answer


@contextmanager
def running(database_url: str) -> Iterator[Server]:
    """The server on `database_url`; without logs, and without waiting for the disk at each commit."""
    config = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with asyncio.Runner() as runner:
        context = serving(database_url, sqlite_synchronous="NORMAL")
        api = runner.run(context.__aenter__())
        try:
            yield Server(runner, api)
        finally:
            runner.run(context.__aexit__(None, None, None))
            structlog.configure(**config)


def in_milliseconds(value: Any) -> Any:
    """JSON with its times as the model counts them."""
    if isinstance(value, list):
        return [in_milliseconds(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: _milliseconds(item) if name in TIMES and item is not None else in_milliseconds(item)
        for name, item in value.items()
    }


def _milliseconds(time: str) -> int:
    assert time.endswith("Z"), time
    return round(datetime.fromisoformat(time).timestamp() * 1000)
