"""One game, on the server and in the model: every answer and every event of the one is held against the other."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.client import START
from tests.stateful.card import Json
from tests.stateful.model import Model
from tests.stateful.server import Answer, Server
from tests.stateful.state import Expected, Kept

PAGE = 1000
SECRET = {"token"}


class Table:
    """`tokens` are all that were ever given out, `keyed` the requests that can be repeated.

    `sound` is False while something is being compared, and so after a divergence.
    """

    def __init__(self, server: Server, wanted: Json | None, key: str | None = None) -> None:
        self.server = server
        self.sound = False
        self.seen: list[Json] = []
        self._agreed = 0
        self._read_at: int | None = None
        self.keyed: list[tuple[str, str | None, Json, str]] = []
        server.clock.time = START
        headers = {"Idempotency-Key": key} if key else None
        answer = server.send("POST", "/v1/games", wanted, headers)
        assert answer.status == 201, answer.text
        created = answer.json()
        game, self.join_code = created["game"], created["join_code"]
        self.id: str = game["id"]
        self.url = f"/v1/games/{self.id}"
        assert answer.headers["location"] == self.url
        levels = {player["level"] for player in game["players"] if player["kind"] == "computer"}
        fixed = {"id": self.id, "commitment": game["commitment"]}
        self.model = Model(START, wanted or {}, levels.pop() if levels else "", fixed, self._event)
        self._same(game, self.model.view(START))
        assert (self.join_code is None) == (self.model.open_seats == 0)
        humans = [player.seat for player in self.model.players.values() if player.kind == "human"]
        assert [held["seat"] for held in created["seats"]] == humans
        self.model.tokens = {held["token"]: held["seat"] for held in created["seats"]}
        self.tokens = list(self.model.tokens)
        if key:
            again = server.send("POST", "/v1/games", wanted, headers)
            assert (again.text, again.headers["idempotency-replayed"]) == (answer.text, "true")
        self.sound = True
        self.sync()

    @property
    def mover(self) -> str | None:
        """The token of the human whose turn it is, present or not."""
        turn = self.model.turn
        return next((token for token, seat in self.model.tokens.items() if turn and seat == turn.seat), None)

    def command(
        self,
        token: str,
        name: str,
        body: Json | None = None,
        key: str | None = None,
        match: tuple[int, ...] | None = None,
    ) -> None:
        """A command of whoever holds `token`."""
        headers = {"Authorization": f"Bearer {token}", **_conditions(key, match)}
        with self._comparing():
            now = self._now
            answer = self.server.send("POST", f"{self.url}/{name}", body, headers)
            expected = self.model.command(now, token, name, body or {}, key, match)
            self._check(now, answer, expected, (name, body or {}))
            if key and expected.keep_as:
                self.keyed.append((name, token, body or {}, key))

    def join(
        self, by_code: bool, body: Json, code: str = "", key: str | None = None, match: tuple[int, ...] | None = None
    ) -> None:
        """Somebody comes, by the game's id or by its code as he types it."""
        name, path = ("join", "/v1/join") if by_code else ("players", f"{self.url}/players")
        sent = {**body, "join_code": code} if by_code else body
        with self._comparing():
            now = self._now
            answer = self.server.send("POST", path, sent, _conditions(key, match))
            expected = self.model.join(now, name, sent, key, match)
            self._check(now, answer, expected, (name, sent))
            if expected.status == 201 and not expected.kept:
                token = answer.json()["token"]
                assert token not in self.tokens
                self.tokens.append(token)
                self.model.tokens[token] = expected.body["seat"]
            if key and expected.keep_as:
                self.keyed.append((name, None, sent, key))

    def repeat(self, number: int, match: tuple[int, ...] | None) -> None:
        """The same request under its key once more."""
        name, token, body, key = self.keyed[number % len(self.keyed)]
        if token is not None:
            self.command(token, name, body, key, match)
        else:
            self.join(
                name == "join", {k: v for k, v in body.items() if k != "join_code"}, body.get("join_code", ""), key
            )

    def refuse(self, token: str, name: str, body: Json) -> None:
        """A body that says nothing the server understands: whoever sends it, nothing changes."""
        with self._comparing():
            answer = self.server.send("POST", f"{self.url}/{name}", body, {"Authorization": f"Bearer {token}"})
            self._problem(answer, 422, "invalid_request")

    def read(self, token: str | None, known: int | None) -> None:
        """The game, with or without a token, for a reader who knows a version."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if known is not None:
            headers["If-None-Match"] = f'W/"{known}"'
        with self._comparing():
            if token is not None and token not in self.model.tokens:
                # whether the server settles before it looks at the token is its own affair
                self.model.settle(self._fetch())
                self._problem(self.server.send("GET", self.url, None, headers), 401, "unauthorized")
                return
            now = self._now
            answer = self.server.send("GET", self.url, None, headers)
            self.model.settle(now)
            version = len(self.model.events)
            assert answer.headers["etag"] == f'W/"{version}"'
            if known == version:
                assert (answer.status, answer.text) == (304, "")
            else:
                assert answer.status == 200
                self._same(answer.json(), self.model.view(now))

    def read_events(self, after: int, limit: int) -> None:
        """A page out of the middle."""
        with self._comparing():
            page = self.server.send("GET", f"{self.url}/events?after={after}&limit={limit}").json()
            self.model.settle(self._now)
            wanted = self.model.events[after : after + limit]
            self._same(page["events"], wanted)
            assert page["next_after"] == (wanted[-1]["seq"] if wanted else after)

    def fairness(self) -> Json:
        """What tells about the dice; what is secret before the end must not be there."""
        with self._comparing():
            fairness: Json = self.server.send("GET", f"{self.url}/fairness").json()
            self.model.settle(self._now)
            over = self.model.status in ("finished", "abandoned")
            rolled = [event for event in self.model.events if event["type"] == "rolled"] if over else []
            rolls = [
                {"r": r, "seat": event["seat"], "held": event["held"], "dice": event["dice"]}
                for r, event in enumerate(rolled, start=1)
            ]
            assert (fairness["server_seed"] is not None) == over
            wanted = {
                "game_id": self.id,
                "commitment": self.model.fixed["commitment"],
                "client_seeds": self.model.client_seeds,
                "server_seed": fairness["server_seed"],
                "rolls": rolls,
                "verifiable": not self.model.options["sandbox"],
            }
            self._same(fairness, wanted)
        return fairness

    def sync(self) -> None:
        """Reads what has happened, to the last event, and compares it."""
        with self._comparing():
            self.model.settle(self._fetch())
        assert self.seen == self.model.events, _first_difference(self.seen, self.model.events)
        self._agreed = len(self.seen)

    # Comparing

    @property
    def _now(self) -> int:
        return self.server.clock.time

    @contextmanager
    def _comparing(self) -> Iterator[None]:
        """One request. Time goes on after it, and if events had to be read for it, that has settled the clocks."""
        self.sound = False
        yield
        self.server.clock.advance(1)
        if self._read_at is not None:
            read_at, self._read_at = self._read_at, None
            self.model.settle(read_at)
        self.sound = True

    def _check(self, now: int, answer: Answer, expected: Expected, said: tuple[str, Json]) -> None:
        replayed = answer.headers.get("idempotency-replayed")
        if expected.kept:
            assert (answer.status, answer.text, replayed) == (expected.status, expected.kept.text, "true")
            self.server.seen["replayed"] += 1
            return
        assert replayed is None
        if expected.code:
            shown = self._problem(answer, expected.status, expected.code)
            self._same({name: shown.get(name) for name in expected.body}, expected.body)
        else:
            assert answer.status == expected.status, answer.text
            shown = {name: value for name, value in answer.json().items() if name not in SECRET}
            self._same(shown, expected.body)
            version = expected.body.get("game", expected.body)["version"]
            assert answer.headers["etag"] == f'W/"{version}"'
        if expected.keep_as:
            self.model.kept[expected.keep_as] = Kept(said, now, expected.status, answer.text)

    def _problem(self, answer: Answer, status: int, code: str) -> Json:
        problem: Json = answer.json()
        assert (answer.status, problem.get("code")) == (status, code), answer.text
        assert problem["status"] == status
        assert answer.headers["content-type"] == "application/problem+json"
        return problem

    def _event(self, seq: int) -> Json:
        """The server's event that the model needs to go on; what the model said before it must be so."""
        if seq > len(self.seen):
            self._fetch()
        before = self.model.events[self._agreed :]
        told = self.seen[self._agreed : seq - 1]
        assert told == before, _first_difference(told, before)
        self._agreed = seq - 1
        assert seq <= len(self.seen), f"the server has no event {seq}"
        return self.seen[seq - 1]

    def _fetch(self) -> int:
        """Reads the events that are new; returns when."""
        self.server.clock.advance(1)
        self._read_at = self._now
        while True:
            page = self.server.send("GET", f"{self.url}/events?after={len(self.seen)}&limit={PAGE}").json()
            self.seen += page["events"]
            if len(page["events"]) < PAGE:
                return self._read_at

    def _same(self, shown: Any, wanted: Any) -> None:
        assert shown == wanted, _difference(shown, wanted)


def _conditions(key: str | None, match: tuple[int, ...] | None) -> dict[str, str]:
    headers = {"Idempotency-Key": key} if key else {}
    if match is not None:
        # the weak form is accepted too, as that is how a game's ETag is written
        headers["If-Match"] = ", ".join(f'{"W/" if number % 2 else ""}"{number}"' for number in match)
    return headers


def _difference(shown: Any, wanted: Any, path: str = "answer") -> str:
    """The first place where two values differ."""
    if isinstance(shown, dict) and isinstance(wanted, dict) and shown.keys() == wanted.keys():
        name = next(name for name in wanted if shown[name] != wanted[name])
        return _difference(shown[name], wanted[name], f"{path}.{name}")
    if isinstance(shown, list) and isinstance(wanted, list) and len(shown) == len(wanted):
        return _first_difference(shown, wanted, path)
    return f"{path}: the server says {shown!r}, the model {wanted!r}"


def _first_difference(shown: list[Any], wanted: list[Any], path: str = "events") -> str:
    for number, (one, other) in enumerate(zip(shown, wanted, strict=False)):
        if one != other:
            return _difference(one, other, f"{path}[{number}]")
    return f"{path}: {len(shown)} on the server, {len(wanted)} in the model; next {(shown + wanted)[-1:]}"
