"""Throughput of `roll` against a bare endpoint with the same statements, in one run, on both databases.

`python -m tests.bench.rolls` prints a table; the ratio is the figure to quote. Commits do not wait for the disk
unless asked to, as a slow disk would hide the difference between the two.
"""

import argparse
import asyncio
import json
import os
import platform
import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from app.db import migrate
from app.settings import Settings
from tests.bench.load import Call, Measured, drive
from tests.databases import Postgres
from tests.servers import running

CONNECTIONS = 16
ROLLS_A_TURN = 3
NO_CLOCK = b'{"auto_score_ms": null}'
BARE = ("-m", "tests.bench.bare")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Game:
    id: str
    token: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="how often both are measured, in turn")
    parser.add_argument("--games", type=int, default=640, help="games a round; each is rolled three times")
    parser.add_argument("--durable", action="store_true", help="wait for the disk at each commit, as in production")
    arguments = parser.parse_args()
    print(
        f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} cores, "
        f"{CONNECTIONS} connections, {arguments.games * ROLLS_A_TURN} rolls a round, {arguments.rounds} rounds, "
        f"{'waiting' if arguments.durable else 'not waiting'} for the disk"
    )
    print(f"{'database':<12}{'penta /s':>10}{'bare /s':>10}{'ratio':>8}{'min':>7}{'max':>7}{'p50 ms':>8}{'p99 ms':>8}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        path.chmod(0o755)
        _report("sqlite", f"sqlite:///{path / 'bench.db'}", arguments)
        postgres = Postgres(path / "postgres", durable=arguments.durable)
        try:
            _report("postgresql", postgres.create("bench"), arguments)
        finally:
            postgres.close()


def _report(name: str, url: str, arguments: argparse.Namespace) -> None:
    migrate.upgrade(Settings(database_url=url))
    settings = {"PENTA_SQLITE_SYNCHRONOUS": "FULL" if arguments.durable else "NORMAL"}
    pairs: list[tuple[Measured, Measured]] = []
    for _ in range(arguments.rounds):
        with running(url, settings=settings) as server:
            games = create_games(server.port, arguments.games)
            own = asyncio.run(drive(server.port, rolls(games)))
        with running(url, command=BARE, settings=settings, ready="/openapi.json") as server:
            bare = asyncio.run(drive(server.port, rolls(games)))
        for measured in (own, bare):
            failed = [reply for reply in measured.replies if reply.status != 200]
            if failed:
                raise SystemExit(f"{len(failed)} rolls failed: {failed[0].body.decode()}")
        pairs.append((own, bare))
    ratios = sorted(own.per_second / bare.per_second for own, bare in pairs)
    print(
        f"{name:<12}{statistics.median(own.per_second for own, _ in pairs):>10.0f}"
        f"{statistics.median(bare.per_second for _, bare in pairs):>10.0f}"
        f"{statistics.median(ratios):>8.2f}{ratios[0]:>7.2f}{ratios[-1]:>7.2f}"
        f"{statistics.median(own.latency_ms(0.5) for own, _ in pairs):>8.1f}"
        f"{statistics.median(own.latency_ms(0.99) for own, _ in pairs):>8.1f}",
        flush=True,
    )


def create_games(port: int, number: int, body: bytes = NO_CLOCK) -> list[Game]:
    calls = [Call("/v1/games", body=body) for _ in range(number)]
    created = asyncio.run(drive(port, dealt(calls)))
    bodies = [json.loads(reply.body) for reply in created.replies]
    return [Game(body["game"]["id"], body["seats"][0]["token"]) for body in bodies]


def rolls(games: list[Game]) -> list[list[Call]]:
    """Every game is rolled three times; its rolls go over one connection."""
    return [
        [Call(f"/v1/games/{game.id}/roll", game.token) for _ in range(ROLLS_A_TURN) for game in part]
        for part in dealt(games)
    ]


def dealt(items: list[T]) -> list[list[T]]:
    return [items[start::CONNECTIONS] for start in range(CONNECTIONS)]


if __name__ == "__main__":
    main()
