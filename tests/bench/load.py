"""A small HTTP/1.1 load driver: keep-alive connections on asyncio streams, cheap enough not to be the bottleneck."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Call:
    """One request; `token` is a seat's."""

    path: str
    token: str = ""
    body: bytes = b""

    def encoded(self) -> bytes:
        head = f"POST {self.path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {self.token}\r\n"
        if self.body:
            head += "Content-Type: application/json\r\n"
        return f"{head}Content-Length: {len(self.body)}\r\n\r\n".encode() + self.body


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    body: bytes
    seconds: float


class Connection:
    """One keep-alive connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, port: int) -> "Connection":
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    async def send(self, call: Call) -> Reply:
        began = time.perf_counter()
        self._writer.write(call.encoded())
        head = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
        body = await self._reader.readexactly(length)
        return Reply(int(head[9:12]), body, time.perf_counter() - began)

    async def close(self) -> None:
        self._writer.close()
        await self._writer.wait_closed()


@dataclass(frozen=True, slots=True)
class Measured:
    """Replies of a run, and how long it took."""

    replies: list[Reply]
    seconds: float

    @property
    def per_second(self) -> float:
        return len(self.replies) / self.seconds

    def latency_ms(self, share: float) -> float:
        """The latency that `share` of the requests stayed below."""
        times = sorted(reply.seconds for reply in self.replies)
        return 1000 * times[min(len(times) - 1, int(share * len(times)))]


async def drive(port: int, queues: Sequence[Sequence[Call]]) -> Measured:
    """Sends each queue in order over a connection of its own, all at once."""
    connections = [await Connection.open(port) for _ in queues]
    replies: list[Reply] = []

    async def work(connection: Connection, calls: Sequence[Call]) -> None:
        for call in calls:
            replies.append(await connection.send(call))  # noqa: PERF401 - each waits for the one before

    began = time.perf_counter()
    await asyncio.gather(*map(work, connections, queues))
    seconds = time.perf_counter() - began
    for connection in connections:
        await connection.close()
    return Measured(replies, seconds)
