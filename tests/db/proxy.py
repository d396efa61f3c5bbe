"""A proxy before PostgreSQL: breaks a connection at COMMIT, as a failing network would, or lets a client hang."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from enum import Enum, auto
from pathlib import Path

from sqlalchemy import make_url

_COMMIT = b"COMMIT;\x00"
_SOCKET = ".s.PGSQL.5432"


class Cut(Enum):
    """Where the next COMMIT ends."""

    BEFORE_SERVER = auto()
    """It never arrives."""
    BEFORE_CLIENT = auto()
    """It is carried out, and the answer never arrives."""


class Proxy:
    """Passes everything on in both directions, until it is told what is to go wrong."""

    def __init__(self, upstream: Path) -> None:
        self._upstream = upstream
        self.cut: Cut | None = None
        self.cuts = 0
        self.hang_after: bytes | None = None
        """What a client sends last before it hangs, for once."""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        up_reader, up_writer = await asyncio.open_unix_connection(str(self._upstream))
        back = asyncio.create_task(_pass_on(up_reader, writer))
        try:
            while data := await reader.read(65536):
                cut = self.cut if _COMMIT in data else None
                if cut is not None:
                    self.cut = None
                    self.cuts += 1
                if cut is Cut.BEFORE_SERVER:
                    break
                if cut is Cut.BEFORE_CLIENT:
                    await _end(back)
                    up_writer.write(data)
                    await up_reader.readuntil(b"COMMIT\x00")
                    break
                up_writer.write(data)
                if self.hang_after is not None and self.hang_after in data:
                    self.hang_after = None
                    await asyncio.wait([back])  # the server gives up, or the test ends
                    break
        finally:
            await _end(back)
            for closing in (up_writer, writer):
                closing.close()
                await closing.wait_closed()


async def _end(task: "asyncio.Task[None]") -> None:
    task.cancel()
    await asyncio.wait([task])


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65536):
        writer.write(data)
    writer.close()


@asynccontextmanager
async def proxied(url: str, folder: Path) -> AsyncIterator[tuple[Proxy, str]]:
    """A proxy before the database at `url`, and the URL that leads through it."""
    parsed = make_url(url)
    proxy = Proxy(Path(str(parsed.query["host"])) / _SOCKET)
    server = await asyncio.start_unix_server(proxy.serve, str(folder / _SOCKET))
    try:
        through = parsed.update_query_dict({"host": str(folder)})
        yield proxy, through.render_as_string(hide_password=False)
    finally:
        server.close()
