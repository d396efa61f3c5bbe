"""Waiting for a condition instead of for a time."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")


async def eventually(check: Callable[[], Awaitable[T]], within: float = 10.0, every: float = 0.01) -> T:
    """The first true answer of `check`; fails when there was none in `within` seconds."""
    end = time.monotonic() + within
    while not (answer := await check()):
        assert time.monotonic() < end, f"not within {within} s, last answer: {answer!r}"
        await asyncio.sleep(every)
    return answer


async def sleep_until(at_ms: float) -> None:
    """Returns when the wall clock, which both databases tell too, shows `at_ms`."""
    await asyncio.sleep(max(0.0, at_ms / 1000 - time.time()))
