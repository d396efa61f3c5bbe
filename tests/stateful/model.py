"""A small model of a game of Penta, written from the rules and the contract, without the server's code.

It answers commands as the server must. What it cannot know (ordinary dice, what a computer chooses) it takes from
the server's events, and only checks that it was legal. Times are milliseconds.
"""

from collections.abc import Callable
from typing import Any

from tests.stateful.card import Json, options, result
from tests.stateful.state import DAY, Expected, Feed, Kept, Key, Player, Refused, Turn, folded, unnamed
from tests.stateful.view import game_view

STATUS = {"version_mismatch": 412, "rate_limited": 429}


class Model:
    """One game: `wanted` is the body that creates it, `level` that of its computers, `fixed` what never changes."""

    def __init__(self, now: int, wanted: Json, level: str, fixed: Json, feed: Feed) -> None:
        named = wanted.get("players", [{}])
        people = wanted.get("open_seats", 0) + sum(player.get("kind") != "computer" for player in named)
        self.options = {
            "auto_score_ms": wanted.get("auto_score_ms", 3000),
            "turn_limit_ms": wanted.get("turn_limit_ms", DAY if people > 1 else None),
            "hints": wanted.get("hints", True),
            "sandbox": "sandbox" in wanted,
        }
        self.given: list[list[int]] = wanted.get("sandbox", {}).get("rolls", [])
        self.visibility = wanted.get("visibility", "private")
        self.fixed, self.feed = fixed, feed
        self.events: list[Json] = []
        self.tokens: dict[str, int] = {}
        self.kept: dict[Key, Kept] = {}
        self.status = "waiting"
        self.turn: Turn | None = None
        self.result: Json | None = None
        self.rolls = 0
        self.created = self.accepted = now
        self.seats = len(named) + wanted.get("open_seats", 0)
        self.players: dict[int, Player] = {}
        taken = [player["name"] for player in named if "name" in player]
        for seat, player in enumerate(named):
            name = player.get("name") or unnamed(seat, taken)
            taken.append(name)
            computer = player.get("kind") == "computer"
            self.players[seat] = Player(seat, name, player.get("kind", "human"), level if computer else None)
        shown = [{"seat": p.seat, "name": p.name, "kind": p.kind, "level": p.level} for p in self.players.values()]
        what = {"rules": "penta", "visibility": self.visibility, "options": self.options}
        self._tell(now, "game_created", players=shown, open_seats=self.open_seats, **what)
        if self.open_seats == 0 and self.players[0].kind == "human":
            self._start(now)

    # Commands

    def command(
        self, now: int, token: str, name: str, body: Json, key: str | None = None, match: tuple[int, ...] | None = None
    ) -> Expected:
        """The answer to a seated player."""
        if token not in self.tokens:
            return Expected(401, "unauthorized")
        seat = self.tokens[token]

        def act() -> Json:
            self._act(now, seat, name, body)
            return self.view(now)

        return self._once(now, (token, key) if key else None, (name, body), match, act, seat)

    def join(
        self, now: int, name: str, body: Json, key: str | None = None, match: tuple[int, ...] | None = None
    ) -> Expected:
        """The answer to somebody who comes by id (`players`) or by code (`join`)."""
        if name == "players" and self.visibility != "public":
            return Expected(404, "game_not_found")

        def act() -> Json:
            seat = self._join(now, body)
            return {"game": self.view(now), "seat": seat}

        return self._once(now, (None, key) if key else None, (name, body), match, act)

    def _once(
        self,
        now: int,
        keep_as: Key | None,
        said: tuple[str, Json],
        match: tuple[int, ...] | None,
        act: Callable[[], Json],
        seat: int | None = None,
    ) -> Expected:
        kept = self.kept.get(keep_as) if keep_as else None
        if kept and now - kept.at <= DAY:
            return Expected(kept.status, kept=kept) if kept.said == said else Expected(422, "idempotency_key_reused")
        self.settle(now)
        try:
            if seat is not None and said[0] in ("hold", "select", "score") and self.players[seat].late:
                raise Refused("deadline_passed", auto_scored=self.players[seat].late)
            if match is not None and len(self.events) not in match:
                raise Refused("version_mismatch")
            body = act()
        except Refused as refused:
            late = refused.code == "deadline_passed"
            body = {"game": self.view(now), **refused.facts}
            return Expected(STATUS.get(refused.code, 409), refused.code, body, keep_as=keep_as if late else None)
        self.accepted = now
        return Expected(200 if seat is not None else 201, body=body, keep_as=keep_as)

    def _act(self, now: int, seat: int, name: str, body: Json) -> None:
        player = self.players[seat]
        if name == "start":
            if self.status != "waiting":
                raise Refused("game_not_active" if self.status == "abandoned" else "game_already_started")
            self._start(now)
        elif self.status in ("finished", "abandoned"):
            raise Refused("game_not_active")
        elif name == "leave":
            self._leave(now, seat)
        elif name == "client-seed":
            if self.rolls or player.client_seed is not None:
                raise Refused("seed_too_late")
            self._add_seed(now, player, body["client_seed"])
        elif self.turn is None:
            raise Refused("game_not_active")
        elif name == "return":
            if player.presence != "away":
                raise Refused("not_away")
            self._return(now, player)
        elif self.turn.seat != seat or not player.moves:
            raise Refused("not_your_turn")
        else:
            self._move(now, self.turn, player, name, body)
        self._computers(now)

    def _join(self, now: int, body: Json) -> int:
        if self.status != "waiting":
            raise Refused("game_not_active" if self.status == "abandoned" else "game_already_started")
        if self.open_seats == 0:
            raise Refused("game_full")
        seat = min(set(range(self.seats)) - set(self.players))
        taken = [player.name for player in self.players.values()]
        name = body.get("name") or unnamed(seat, taken)
        if folded(name) in map(folded, taken):
            raise Refused("name_taken")
        self.players[seat] = Player(seat, name)
        self.players = dict(sorted(self.players.items()))
        self._tell(now, "player_joined", seat, name=name)
        if "client_seed" in body:
            self._add_seed(now, self.players[seat], body["client_seed"])
        if self.open_seats == 0:
            self._start(now)
        self._computers(now)
        return seat

    def _leave(self, now: int, seat: int) -> None:
        self.tokens = {token: held for token, held in self.tokens.items() if held != seat}
        self._tell(now, "player_left", seat)
        if self.status == "waiting":
            del self.players[seat]
        else:
            self.players[seat].presence = "left"
            if self.turn and self.turn.seat == seat:
                self.turn.deadline = None
        if not any(p.kind == "human" and p.presence != "left" for p in self.players.values()):
            self._abandon(now)

    def _return(self, now: int, player: Player) -> None:
        if self.turn and not self._anybody:
            self.turn.started = now  # the game stood still
        player.presence, player.limits = "playing", 0
        self._tell(now, "player_back", player.seat)

    def _add_seed(self, now: int, player: Player, client_seed: str) -> None:
        player.client_seed = client_seed
        self._tell(now, "client_seed_added", player.seat, client_seed=client_seed)

    # Turns

    def _start(self, now: int) -> None:
        self.status = "active"
        self._tell(now, "game_started")
        self._next_turn(now, min(self.players))

    def _next_turn(self, now: int, seat: int) -> None:
        number = 14 - list(self.players[seat].boxes.values()).count(None)
        self.turn = Turn(seat, now, number)
        self._tell(now, "turn_started", seat, round=number)

    def _move(self, now: int, turn: Turn, player: Player, name: str, body: Json) -> None:
        if name == "roll":
            if turn.rolls == 3:
                raise Refused("no_rolls_left")
            if turn.dice is None and body.get("hold"):
                raise Refused("roll_first")
            self._roll(now, turn, player, sorted(body["hold"]) if "hold" in body else turn.held)
        elif turn.dice is None:
            raise Refused("roll_first")
        elif name == "hold":
            if turn.rolls == 3:
                raise Refused("no_rolls_left")
            if turn.held != sorted(body["hold"]):
                self._count_change(turn)
                turn.held = sorted(body["hold"])
                self._tell(now, "held", turn.seat, held=turn.held)
        elif name == "select":
            self._check_box(turn, player, body["box"])
            if turn.selected != body["box"]:
                self._count_change(turn)
                turn.selected = body["box"]
                turn.deadline = self._deadline(now, turn)
                self._tell(now, "box_selected", turn.seat, box=turn.selected)
        else:
            box = body.get("box") or turn.selected
            if box is None:
                raise Refused("nothing_selected")
            self._check_box(turn, player, box)
            self._score(now, turn, player, box, "player")

    def _check_box(self, turn: Turn, player: Player, box: str | None) -> None:
        legal = [option["box"] for option in options(player.boxes, turn.dice or [])]
        if box is not None and box not in legal:
            filled = player.boxes[box] is not None
            raise Refused("box_filled" if filled else "box_not_allowed", legal_boxes=legal)

    def _count_change(self, turn: Turn) -> None:
        if turn.changes == 100:
            raise Refused("rate_limited")
        turn.changes += 1

    def _deadline(self, now: int, turn: Turn) -> int | None:
        delay = self.options["auto_score_ms"]
        runs = turn.rolls == 3 and turn.selected is None and self.players[turn.seat].moves
        return now + delay if runs and delay is not None else None

    def _roll(self, now: int, turn: Turn, player: Player, held: list[int]) -> None:
        fresh = self.given[self.rolls] if self.rolls < len(self.given) else self._peek("rolled")["dice"]
        assert [face in range(1, 7) for face in fresh] == [True] * 5, fresh
        old = turn.dice
        turn.dice = [old[p] if old and p in held else fresh[p] for p in range(5)]
        self.rolls += 1
        turn.rolls += 1
        turn.held, turn.selected, player.late = list(held), None, None
        turn.deadline = self._deadline(now, turn)
        self._tell(now, "rolled", turn.seat, roll_number=turn.rolls, held=turn.held, dice=turn.dice)

    def _score(
        self,
        now: int,
        turn: Turn,
        player: Player,
        box: str,
        actor: str,
        due: int | None = None,
        policy: Json | None = None,
    ) -> None:
        option = next(option for option in options(player.boxes, turn.dice or []) if option["box"] == box)
        player.boxes[box] = option["points"]
        player.bonuses += option["penta_bonus"] // 100
        player.late = option if due is not None else None
        player.limits = player.limits + 1 if actor == "turn_limit" else 0
        self._tell(now, "scored", turn.seat, **option, actor=actor, due_at=due, policy=policy)
        if player.limits == 2:
            player.presence = "away"
            self._tell(now, "player_away", turn.seat)
        if any(None in other.boxes.values() for other in self.players.values()):
            later = [seat for seat in self.players if seat > turn.seat]
            self._next_turn(now, min(later or self.players))
            return
        self.status, self.turn = "finished", None
        self.result = result({seat: other.card["total"] for seat, other in self.players.items()})
        self._tell(now, "game_finished", result=self.result)

    # What the server does by itself

    def settle(self, now: int) -> None:
        """Lets the clocks act that are due."""
        while True:
            clocks = self._clocks()
            if not clocks or clocks[0][0] > now:
                return
            due, _, actor = clocks[0]
            if actor == "expiry":
                self._abandon(now)
                continue
            turn = self.turn
            assert turn is not None
            if turn.selected is not None:
                self._score(now, turn, self.players[turn.seat], turn.selected, actor, due)
            else:
                self._computer_turn(now, turn, actor, due)
            self._computers(now)

    def _clocks(self) -> list[tuple[int, int, str]]:
        """What the server will do by itself, soonest first: when, how much later it stands of equals, and what."""
        clocks = []
        if self.turn and self.turn.deadline is not None:
            clocks.append((self.turn.deadline, 0, "deadline"))
        if (limit := self.turn_limit_at) is not None:
            clocks.append((limit, 1, "turn_limit"))
        if self.status in ("waiting", "active"):
            expiry = self.created + DAY if self.status == "waiting" else self.accepted + 30 * DAY
            clocks.append((expiry, 2, "expiry"))
        return sorted(clocks)

    def due_at(self, what: str) -> int | None:
        """When the server will do this, if nothing else happens."""
        return next((at for at, _, actor in self._clocks() if actor == what), None)

    @property
    def turn_limit_at(self) -> int | None:
        limit = self.options["turn_limit_ms"]
        if self.turn is None or limit is None or not self.players[self.turn.seat].moves:
            return None
        return self.turn.started + int(limit)

    @property
    def _anybody(self) -> bool:
        """Whether a human is there to play with."""
        return any(player.moves for player in self.players.values())

    def _computers(self, now: int) -> None:
        while self.turn and self._anybody and not self.players[self.turn.seat].moves:
            self._computer_turn(now, self.turn, "computer")

    def _computer_turn(self, now: int, turn: Turn, actor: str, due: int | None = None) -> None:
        """Follows the computer through a turn; every choice of it must be one that a player might make."""
        player = self.players[turn.seat]
        while (event := self._peek("rolled", "scored"))["type"] == "rolled":
            held = event["held"]
            assert turn.rolls < 3, event
            assert held == [p for p in range(5) if p in held and turn.dice], event
            self._roll(now, turn, player, held)
        assert turn.dice, event
        assert event["box"] in [option["box"] for option in options(player.boxes, turn.dice)], event
        policy = event["policy"]
        assert policy.keys() == {"id", "version", "expected_total"}, event
        self._score(now, turn, player, event["box"], actor, due, policy)

    def _abandon(self, now: int) -> None:
        self.status, self.turn = "abandoned", None
        self._tell(now, "game_abandoned")

    # Events and the view

    def _peek(self, *types: str) -> Json:
        event = self.feed(len(self.events) + 1)
        assert event["type"] in types, event
        return event

    def _tell(self, now: int, what: str, seat: int | None = None, **facts: Any) -> None:
        self.events.append({"seq": len(self.events) + 1, "at": now, "type": what, "seat": seat, **facts})

    @property
    def open_seats(self) -> int:
        return self.seats - len(self.players) if self.status == "waiting" else 0

    @property
    def client_seeds(self) -> list[str]:
        return [player.client_seed or "" for player in self.players.values()]

    def view(self, now: int) -> Json:
        return game_view(self, now)
