"""Server processes of a test, and clients for them: none outlives the test, whatever becomes of it."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import httpx

from tests.servers import Server, start

CONNECTIONS = 32
"""No test opens more at a time."""


class Servers:
    """Starts servers on a database; each writes a log of its own into `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._servers: list[Server] = []

    def start(self, database_url: str, count: int = 1, **settings: str) -> list[Server]:
        """That many servers on the same database, all ready; `settings` by the names of their variables."""
        environment = {"SANDBOX": "true", "LOCALE": "en", "LOG_LEVEL": "INFO", "LOG_FORMAT": "json", **settings}
        started = [
            start(
                database_url,
                settings={f"PENTA_{name}": value for name, value in environment.items()},
                log=self._folder / f"{len(self._servers) + number}.log",
            )
            for number in range(count)
        ]
        self._servers += started
        for server in started:
            server.wait_ready()
        return started

    def log(self, server: Server) -> str:
        """What a server has printed."""
        return (self._folder / f"{self._servers.index(server)}.log").read_text()

    async def stopped(self, server: Server) -> float:
        """Waits for a proper end, with shutdown code run and no failure told; returns how long it took."""
        began = time.monotonic()
        code = await asyncio.to_thread(server.process.wait, 15)
        seconds = time.monotonic() - began
        log = self.log(server)
        assert "Application shutdown complete" in log
        assert "Traceback" not in log
        assert code == 0
        return seconds

    def stop(self) -> None:
        """Ends what still runs."""
        for server in self._servers:
            if server.process.poll() is None:
                server.kill()


@asynccontextmanager
async def clients(servers: Sequence[Server]) -> AsyncIterator[list[httpx.AsyncClient]]:
    """A client for each server."""
    limits = httpx.Limits(max_connections=CONNECTIONS // len(servers))
    opened = [httpx.AsyncClient(base_url=server.url, limits=limits, timeout=30) for server in servers]
    try:
        yield opened
    finally:
        for client in opened:
            await client.aclose()
