"""A proxy before PostgreSQL that breaks the connection at COMMIT: what a driver sees when the network fails there."""

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


class CommitCutter:
    """Passes everything on in both directions until `cut` is set and a COMMIT comes along."""

    def __init__(self, upstream: Path) -> None:
        self._upstream = upstream
        self.cut: Cut | None = None
        self.cuts = 0

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
async def cutting(url: str, folder: Path) -> AsyncIterator[tuple[CommitCutter, str]]:
    """A proxy before the database at `url`, and the URL that leads through it."""
    parsed = make_url(url)
    cutter = CommitCutter(Path(str(parsed.query["host"])) / _SOCKET)
    server = await asyncio.start_unix_server(cutter.serve, str(folder / _SOCKET))
    try:
        through = parsed.update_query_dict({"host": str(folder)})
        yield cutter, through.render_as_string(hide_password=False)
    finally:
        server.close()
