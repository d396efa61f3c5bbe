"""The server in process and the model beside it: one command after another, each held against the other."""

import asyncio
import hashlib
import hmac
import uuid
from collections import deque
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import httpx

from engine.evolve import replay
from tests.client import Api, FakeClock, ok, serving
from tests.stateful.model import Events, Json, Model

STATUS = {"version_mismatch": 412, "rate_limited": 429}
TIMES = ("at", "due_at")


@dataclass
class World:
    """A server that many games are played on, and how many were."""

    runner: asyncio.Runner
    api: Api
    games: int = 0
    finished: int = 0

    @property
    def clock(self) -> FakeClock:
        return self.api.clock

    def request(self, method: str, path: str, body: object = None, **headers: str) -> httpx.Response:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        kwargs: Json = {} if body is None else {"json": body}
        response = self.runner.run(self.api.http.request(method, path, headers=sent, **kwargs))
        assert response.status_code < 500, response.text
        return response


@contextmanager
def world(database_url: str) -> Iterator[World]:
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        api = runner.run(stack.enter_async_context(serving(database_url)))
        try:
            yield World(runner, api)
        finally:
            runner.run(stack.aclose())


@dataclass
class Table:
    """One game, on the server and in the model."""

    world: World
    model: Model
    id: str
    code: str | None
    public: bool
    tokens: dict[int, str] = field(default_factory=dict)
    void: list[str] = field(default_factory=list)
    keyed: tuple[tuple[Any, ...], httpx.Response] | None = None

    @classmethod
    def create(cls, world: World, body: Json) -> "Table":
        created = ok(world.request("POST", "/v1/games", body), 201)
        options, now = created["game"]["options"], world.clock.time
        model = Model(
            auto_ms=options["auto_score_ms"],
            limit_ms=options["turn_limit_ms"],
            seats=len(body["players"]) + body["open_seats"],
            given=body.get("sandbox", {}).get("rolls", []),
            created=now,
            commanded=now,
        )
        table = cls(world, model, created["game"]["id"], created["join_code"], body["visibility"] == "public")
        table.tokens = {held["seat"]: held["token"] for held in created["seats"]}
        events = table.news()
        model.take(events, "game_created")
        if body["open_seats"] == 0 and body["players"][0]["kind"] == "human":
            table._started(events)
        table.compare(created["game"], events)
        world.games += 1
        return table

    def news(self) -> Events:
        """The events that the model has not seen, times in milliseconds."""
        path = f"/v1/games/{self.id}/events?after={self.model.version}&limit=1000"
        events = ok(self.world.request("GET", path))["events"]
        return deque({name: _ms(v) if name in TIMES and v else v for name, v in event.items()} for event in events)

    def compare(self, game: Json, left: Events) -> None:
        """The game shown is the model's, and no event is left over."""
        assert not left, f"more happened: {left}"
        wanted = self.model.view(self.world.clock.time)
        shown = {name: game[name] for name in wanted}
        shown["players"] = [
            {name: value for name, value in player.items() if name != "level"} for player in shown["players"]
        ]
        if shown["turn"]:
            shown["turn"] = {name: shown["turn"][name] for name in wanted["turn"]}
        assert shown == wanted

    def read(self) -> None:
        game = ok(self.world.request("GET", f"/v1/games/{self.id}"))
        events = self.news()
        self.model.settle(events, self.world.clock.time)
        self.compare(game, events)

    def command(self, seat: int, name: str, body: Json, version: str | None = None, key: str | None = None) -> None:
        """Sends a command of a seat and follows what comes of it."""
        response = self._send(seat, name, body, version, key)
        now, events = self.world.clock.time, self.news()
        self.model.settle(events, now)
        refusal = self.model.refusal(seat, name, body, version)
        shown = self._refused(response, refusal) if refusal else ok(response)
        if refusal == "deadline_passed":
            assert response.json()["auto_scored"] == self.model.players[seat].late
        if refusal is None:
            self._happened(events, seat, name, body)
        self.compare(shown, events)
        if key is not None:
            stored = refusal in (None, "deadline_passed")
            self.keyed = ((seat, name, body, version, key), response) if stored else None

    def repeat(self) -> None:
        """The same command under the same key again: the first answer, whatever has happened since."""
        if self.keyed is None or self.keyed[0][0] not in self.tokens:
            return
        (seat, name, body, version, key), first = self.keyed
        again = self._send(seat, name, body, version, key)
        assert (again.status_code, again.content) == (first.status_code, first.content)
        assert again.headers["idempotency-replayed"] == "true"
        reused = self._send(seat, "hold", {"hold": [0, 1, 2, 3, 4]}, None, key)
        if (name, body) != ("hold", {"hold": [0, 1, 2, 3, 4]}):
            assert (reused.status_code, reused.json()["code"]) == (422, "idempotency_key_reused")

    def join(self, name: str | None, seed: str | None, version: str | None) -> None:
        body: Json = {k: v for k, v in (("name", name), ("client_seed", seed)) if v is not None}
        headers = {"If_Match": f'"{version}"'} if version is not None else {}
        if self.code is None and not self.public:
            return
        if self.public:
            response = self.world.request("POST", f"/v1/games/{self.id}/players", body, **headers)
        else:
            response = self.world.request("POST", "/v1/join", {**body, "join_code": self.code}, **headers)
        now, events = self.world.clock.time, self.news()
        self.model.settle(events, now)
        refusal = self.model.join_refusal(name, version)
        if refusal:
            self.compare(self._refused(response, refusal), events)
            return
        joined = ok(response, 201)
        assert joined["token"] not in self.tokens.values()
        self.tokens[joined["seat"]] = joined["token"]
        self.model.take(events, "player_joined", seat=joined["seat"], **({"name": name} if name else {}))
        if seed is not None:
            self.model.take(events, "client_seed_added", seat=joined["seat"], client_seed=seed)
        if len(self.model.players) == self.model.seats:
            self._started(events)
        self.model.commanded = now
        self.compare(joined["game"], events)

    def strangers_are_refused(self) -> None:
        for token in ("", "nonsense", *self.void[-2:]):
            response = self.world.request("POST", f"/v1/games/{self.id}/roll", Authorization=f"Bearer {token}")
            assert (response.status_code, response.json()["code"]) == (401, "unauthorized")

    def check_whole(self) -> None:
        """At the end of the example: the log replays to the stored state, and finished games have verifiable dice."""
        self.read()
        api, run = self.world.api, self.world.runner.run
        events = run(api.stored_events(self.id))
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        assert replay(events) == run(api.record(self.id)).game
        fairness = ok(self.world.request("GET", f"/v1/games/{self.id}/fairness"))
        if self.model.status not in ("finished", "abandoned"):
            assert (fairness["server_seed"], fairness["rolls"]) == (None, [])
            return
        self.world.finished += self.model.status == "finished"
        assert hashlib.sha256(bytes.fromhex(fairness["server_seed"])).hexdigest() == fairness["commitment"]
        assert len(fairness["rolls"]) == self.model.rolls
        for roll in fairness["rolls"][len(self.model.given) :]:
            for position in set(range(5)) - set(roll["held"]):
                assert roll["dice"][position] == _die(fairness, roll["r"], position)

    def _send(self, seat: int, name: str, body: Json, version: str | None, key: str | None) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.tokens[seat]}"}
        if version is not None:
            headers["If_Match"] = f'"{version}"'
        if key is not None:
            headers["Idempotency_Key"] = key
        return self.world.request("POST", f"/v1/games/{self.id}/{name}", body or None, **headers)

    def _refused(self, response: httpx.Response, code: str) -> Json:
        problem: Json = response.json()
        assert (response.status_code, problem["code"]) == (STATUS.get(code, 409), code), response.text
        game: Json = problem["game"]
        return game

    def _happened(self, events: Events, seat: int, name: str, body: Json) -> None:
        model, now = self.model, self.world.clock.time
        before = model.version
        match name:
            case "start":
                self._started(events)
            case "leave":
                model.take(events, "player_left", seat=seat)
                self.void.append(self.tokens.pop(seat))
                if not any(p.kind == "human" and p.presence != "left" for p in model.players.values()):
                    model.take(events, "game_abandoned")
            case "return":
                model.take(events, "player_back", seat=seat)
            case "client-seed":
                model.take(events, "client_seed_added", seat=seat, **body)
            case "roll":
                held = sorted(body["hold"]) if "hold" in body else model.now.held
                model.take(events, "rolled", seat=seat, held=held, at=now)
            case "hold":
                if sorted(body["hold"]) != model.now.held:
                    model.take(events, "held", seat=seat, held=sorted(body["hold"]))
            case "select":
                if body["box"] != model.now.selected:
                    model.take(events, "box_selected", seat=seat, box=body["box"], at=now)
            case "score":
                box = body.get("box") or model.now.selected
                facts = {"box": box, "actor": "player", "due_at": None, "policy": None}
                model.take(events, "scored", seat=seat, **facts)
                model.end_turn(events)
        if model.version > before:
            model.commanded = now
        model.computers(events)

    def _started(self, events: Events) -> None:
        self.model.take(events, "game_started")
        self.model.take(events, "turn_started")
        self.model.computers(events)


def new_key() -> str:
    return str(uuid.uuid4())


def _ms(time: str) -> int:
    return round(datetime.fromisoformat(time).timestamp() * 1000)


def _die(fairness: Json, roll: int, position: int) -> int:
    """The scheme as published, written down once more."""
    counter = 0
    while True:
        text = "|".join(
            [fairness["game_id"], ",".join(fairness["client_seeds"]), str(roll), str(position), str(counter)]
        )
        digest = hmac.new(bytes.fromhex(fairness["server_seed"]), text.encode(), hashlib.sha256).digest()
        fair = [byte for byte in digest if byte < 252]
        if fair:
            return fair[0] % 6 + 1
        counter += 1
