"""How promptly a restarted server scores the games that fell due while it was down, with nobody asking.

`python -m tests.bench.restarts` prints, per database, the time from the first 200 of /readyz to the last score.
"""

import asyncio
import statistics
import tempfile
import time
from pathlib import Path

from app.db import migrate
from app.db.opening import database
from app.db.uow import UnitOfWork
from app.settings import Settings
from engine.events import Scored
from tests.bench.load import drive
from tests.bench.rolls import create_games, rolls
from tests.databases import Postgres
from tests.servers import start

GAMES = 50
ROUNDS = 5
AUTO_SCORE_MS = 500


def main() -> None:
    print(f"{GAMES} games overdue at the restart, {ROUNDS} restarts, milliseconds from ready to the last score")
    print(f"{'database':<12}{'median':>8}{'max':>8}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        path.chmod(0o755)
        _report("sqlite", f"sqlite:///{path / 'bench.db'}")
        postgres = Postgres(path / "postgres", durable=True)
        try:
            _report("postgresql", postgres.create("bench"))
        finally:
            postgres.close()


def _report(name: str, url: str) -> None:
    migrate.upgrade(Settings(database_url=url))
    times = [_restart(url) for _ in range(ROUNDS)]
    print(f"{name:<12}{statistics.median(times):>8.0f}{max(times):>8.0f}", flush=True)


def _restart(url: str) -> float:
    server = start(url)
    server.wait_ready()
    body = f'{{"auto_score_ms": {AUTO_SCORE_MS}}}'.encode()
    games = create_games(server.port, GAMES, body)
    asyncio.run(drive(server.port, rolls(games)))
    server.kill()
    time.sleep(AUTO_SCORE_MS / 1000)
    server = start(url)
    try:
        server.wait_ready()
        ready = time.time() * 1000
        while True:
            scores = asyncio.run(_scores(url, [game.id for game in games]))
            if len(scores) == GAMES:
                return max(scores) - ready
            time.sleep(0.01)
    finally:
        server.stop()


async def _scores(url: str, games: list[str]) -> list[int]:
    """When each game was scored, read from the database so that no request settles it."""
    uow = UnitOfWork(database(Settings(database_url=url)))
    await uow.database.open()
    try:
        events = [event for game in games for event in await uow.events(game, 0, 1000)]
    finally:
        await uow.database.close()
    return [event.at for event in events if isinstance(event, Scored)]


if __name__ == "__main__":
    main()
