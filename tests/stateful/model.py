"""Penta once more, small and slow, written from the rules and not from the server: what the server is held against.

The model follows a game by its events. It says what a command must come to, checks that each event is one that the
rules allow at that moment, and what the game looks like afterwards.
"""

from collections import Counter, deque
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]
Events = deque[Json]

UPPER = ["ones", "twos", "threes", "fours", "fives", "sixes"]
LOWER = ["three_of_a_kind", "four_of_a_kind", "full_house", "small_straight", "large_straight", "chance", "penta"]
BOXES = UPPER + LOWER
DAY_MS = 24 * 60 * 60 * 1000


def points(box: str, dice: list[int], joker: bool = False) -> int:
    """What five dice bring in a box."""
    counts = Counter(dice)
    most = max(counts.values())
    four_in_a_row = any({low, low + 1, low + 2, low + 3} <= set(dice) for low in (1, 2, 3))
    if box in UPPER:
        face = UPPER.index(box) + 1
        return face * counts[face]
    if box in ("three_of_a_kind", "four_of_a_kind"):
        return sum(dice) if most >= (3 if box.startswith("three") else 4) else 0
    if box == "full_house":
        return 25 if joker or sorted(counts.values()) == [2, 3] else 0
    if box == "small_straight":
        return 30 if joker or four_in_a_row else 0
    if box == "large_straight":
        return 40 if joker or set(dice) in ({1, 2, 3, 4, 5}, {2, 3, 4, 5, 6}) else 0
    if box == "penta":
        return 50 if most == 5 else 0
    return sum(dice)


@dataclass
class Player:
    """A seat that is taken."""

    name: str
    kind: str
    presence: str = "playing"
    boxes: dict[str, int] = field(default_factory=dict)
    bonuses: int = 0
    limits: int = 0
    late: Json | None = None
    seeded: bool = False

    @property
    def here(self) -> bool:
        return self.kind == "human" and self.presence == "playing"

    def legal(self, dice: list[int]) -> dict[str, tuple[int, int]]:
        """Points and Penta bonus by legal box."""
        free = [box for box in BOXES if box not in self.boxes]
        if len(set(dice)) > 1 or self.boxes.get("penta") != 50:
            return {box: (points(box, dice), 0) for box in free}
        own = UPPER[dice[0] - 1]
        if own in free:
            return {own: (5 * dice[0], 100)}
        lower = [box for box in free if box in LOWER]
        return {box: (points(box, dice, joker=True), 100) for box in lower or free}

    def card(self) -> Json:
        upper = sum(self.boxes.get(box, 0) for box in UPPER)
        lower = sum(self.boxes.get(box, 0) for box in LOWER)
        bonus = 35 if upper >= 63 else 0
        return {
            "boxes": {box: self.boxes.get(box) for box in BOXES},
            "upper_subtotal": upper,
            "upper_bonus": bonus,
            "upper_total": upper + bonus,
            "lower_total": lower,
            "penta_bonuses": self.bonuses,
            "penta_bonus_total": 100 * self.bonuses,
            "total": upper + bonus + lower + 100 * self.bonuses,
        }


@dataclass
class Turn:
    """The turn being played; times in milliseconds."""

    seat: int
    began: int
    used: int = 0
    dice: list[int] | None = None
    held: list[int] = field(default_factory=list)
    selected: str | None = None
    deadline: int | None = None
    changes: int = 0


@dataclass
class Model:
    """A game as the rules see it."""

    auto_ms: int | None
    limit_ms: int | None
    seats: int
    given: list[list[int]]
    created: int
    commanded: int
    players: dict[int, Player] = field(default_factory=dict)
    status: str = "waiting"
    version: int = 0
    rolls: int = 0
    turn: Turn | None = None

    # What the game looks like

    def view(self, now: int) -> Json:
        """The parts of a `Game` that the rules decide."""
        return {
            "version": self.version,
            "status": self.status,
            "open_seats": self.seats - len(self.players) if self.status == "waiting" else 0,
            "players": [
                {"seat": s, "name": p.name, "kind": p.kind, "presence": p.presence, "card": p.card()}
                for s, p in sorted(self.players.items())
            ],
            "turn": self._turn_view(now) if self.turn else None,
            "result": self.result() if self.status == "finished" else None,
        }

    def _turn_view(self, now: int) -> Json:
        turn = self.now
        player = self.players[turn.seat]
        legal = player.legal(turn.dice) if turn.dice else {}
        return {
            "seat": turn.seat,
            "round": len(player.boxes) + 1,
            "rolls_used": turn.used,
            "rolls_left": 3 - turn.used,
            "dice": turn.dice,
            "held": turn.held,
            "selected": turn.selected,
            "remaining_ms": max(0, turn.deadline - now) if turn.deadline is not None else None,
            "options": [{"box": b, "points": p, "penta_bonus": x} for b, (p, x) in legal.items()],
            "must_sacrifice": bool(legal) and all(p == 0 for p, _ in legal.values()),
        }

    def result(self) -> Json:
        totals = {seat: player.card()["total"] for seat, player in self.players.items()}
        ranking = [
            {"seat": seat, "rank": 1 + sum(other > total for other in totals.values()), "total": total}
            for seat, total in totals.items()
        ]
        ranking.sort(key=lambda place: (place["rank"], place["seat"]))
        return {"winners": [p["seat"] for p in ranking if p["rank"] == 1], "ranking": ranking}

    @property
    def now(self) -> Turn:
        assert self.turn is not None
        return self.turn

    # What a command must come to

    def refusal(self, seat: int, command: str, body: Json, version: str | None) -> str | None:
        """The code of the error that the command of a seated player must get, None when it must be carried out."""
        player = self.players[seat]
        if command in ("hold", "select", "score") and player.late is not None:
            return "deadline_passed"
        if version is not None and version != str(self.version):
            return "version_mismatch"
        if command == "start":
            names = {"waiting": None, "abandoned": "game_not_active"}
            return names.get(self.status, "game_already_started")
        if self.status in ("finished", "abandoned"):
            return "game_not_active"
        if command == "leave":
            return None
        if command == "client-seed":
            return "seed_too_late" if self.rolls or player.seeded else None
        if self.turn is None:
            return "game_not_active"
        if command == "return":
            return None if player.presence == "away" else "not_away"
        if seat != self.turn.seat or not player.here:
            return "not_your_turn"
        return self._turn_refusal(player, command, body)

    def _turn_refusal(self, player: Player, command: str, body: Json) -> str | None:
        turn = self.now
        if command == "roll":
            if turn.used == 3:
                return "no_rolls_left"
            return "roll_first" if turn.dice is None and body.get("hold") else None
        if turn.dice is None:
            return "roll_first"
        if command == "hold":
            if turn.used == 3:
                return "no_rolls_left"
            changed = sorted(body["hold"]) != turn.held
            return "rate_limited" if changed and turn.changes >= 100 else None
        box = body.get("box")
        if command == "score" and box is None:
            box = turn.selected
            if box is None:
                return "nothing_selected"
        if box is not None and box not in player.legal(turn.dice):
            return "box_filled" if box in player.boxes else "box_not_allowed"
        changed = command == "select" and box != turn.selected
        return "rate_limited" if changed and turn.changes >= 100 else None

    def join_refusal(self, name: str | None, version: str | None = None) -> str | None:
        if version is not None and version != str(self.version):
            return "version_mismatch"
        if self.status == "abandoned":
            return "game_not_active"
        if self.status != "waiting":
            return "game_already_started"
        if len(self.players) == self.seats:
            return "game_full"
        taken = {player.name.casefold() for player in self.players.values()}
        return "name_taken" if name is not None and name.casefold() in taken else None

    # What may happen

    def due(self, now: int) -> tuple[str, int] | None:
        """What the server must do by itself by now, and since when."""
        clocks: list[tuple[int, int, str]] = []
        if self.status == "waiting":
            clocks.append((self.created + DAY_MS, 2, "abandon"))
        if self.status == "active":
            clocks.append((self.commanded + 30 * DAY_MS, 2, "abandon"))
        if self.turn is not None:
            if self.turn.deadline is not None:
                clocks.append((self.turn.deadline, 0, "deadline"))
            if self.limit_ms is not None and self.players[self.turn.seat].here:
                clocks.append((self.turn.began + self.limit_ms, 1, "turn_limit"))
        first = min(clocks, default=None)
        return (first[2], first[0]) if first is not None and first[0] <= now else None

    def settle(self, events: Events, now: int) -> None:
        """Takes the events by which the clocks must have acted."""
        while (due := self.due(now)) is not None:
            actor, since = due
            if actor == "abandon":
                self.take(events, "game_abandoned", at=now)
                continue
            turn = self.now
            box = turn.selected
            while box is None and events and events[0]["type"] == "rolled":
                assert actor == "turn_limit"
                self.take(events, "rolled", seat=turn.seat, at=now)
            scored = self.take(events, "scored", seat=turn.seat, actor=actor, due_at=since, at=now)
            assert box in (None, scored["box"])
            assert (scored["policy"] is None) == (box is not None)
            self.end_turn(events)
            self.computers(events)

    def computers(self, events: Events) -> None:
        """Takes the whole turns that the computer must have played."""
        while self.turn and not self.players[self.turn.seat].here and any(p.here for p in self.players.values()):
            seat = self.turn.seat
            while events[0]["type"] == "rolled":
                self.take(events, "rolled", seat=seat)
            scored = self.take(events, "scored", seat=seat, actor="computer", due_at=None)
            assert scored["policy"]["id"]
            self.end_turn(events)

    def end_turn(self, events: Events) -> None:
        """Takes what must follow a score."""
        if events and events[0]["type"] == "player_away":
            self.take(events, "player_away")
        assert not any(p.limits >= 2 and p.presence == "playing" for p in self.players.values())
        if all(len(player.boxes) == 13 for player in self.players.values()):
            self.take(events, "game_finished", result=self.result())
        else:
            self.take(events, "turn_started")

    def take(self, events: Events, kind: str, **facts: Any) -> Json:
        """Takes the next event, which must be of this kind, with these facts, and allowed; changes the state by it."""
        assert events, f"{kind} did not happen"
        event = events.popleft()
        assert event["type"] == kind, event
        assert {name: event[name] for name in facts} == facts
        self.version += 1
        assert event["seq"] == self.version
        getattr(self, f"_{kind}")(event)
        return event

    def _game_created(self, event: Json) -> None:
        for player in event["players"]:
            self.players[player["seat"]] = Player(player["name"], player["kind"])

    def _player_joined(self, event: Json) -> None:
        free = [seat for seat in range(self.seats) if seat not in self.players]
        assert event["seat"] == free[0]
        self.players[event["seat"]] = Player(event["name"], "human")

    def _player_left(self, event: Json) -> None:
        if self.status == "waiting":
            del self.players[event["seat"]]
            return
        self.players[event["seat"]].presence = "left"
        if self.turn is not None and self.turn.seat == event["seat"]:
            self.turn.deadline = None

    def _player_away(self, event: Json) -> None:
        player = self.players[event["seat"]]
        assert player.limits == 2
        player.presence = "away"

    def _player_back(self, event: Json) -> None:
        if self.turn is not None and not any(player.here for player in self.players.values()):
            self.turn.began = event["at"]
        player = self.players[event["seat"]]
        player.presence, player.limits = "playing", 0

    def _client_seed_added(self, event: Json) -> None:
        assert self.rolls == 0
        self.players[event["seat"]].seeded = True

    def _game_started(self, _: Json) -> None:
        self.status = "active"

    def _turn_started(self, event: Json) -> None:
        seats = sorted(self.players)
        counts = {seat: len(self.players[seat].boxes) for seat in seats}
        assert event["seat"] == min(seats, key=lambda seat: (counts[seat], seat))
        assert event["round"] == counts[event["seat"]] + 1
        self.turn = Turn(event["seat"], event["at"])

    def _rolled(self, event: Json) -> None:
        turn = self.now
        turn.used += 1
        self.rolls += 1
        dice = event["dice"]
        assert (turn.seat, turn.used) == (event["seat"], event["roll_number"])
        assert all(turn.dice and turn.dice[p] == dice[p] for p in event["held"])
        if self.rolls <= len(self.given):
            given = self.given[self.rolls - 1]
            assert all(dice[p] == given[p] for p in range(5) if p not in event["held"])
        turn.dice, turn.held, turn.selected = dice, event["held"], None
        player = self.players[turn.seat]
        player.late = None
        if turn.used == 3:
            self._run_clock(event["at"])

    def _held(self, event: Json) -> None:
        self.now.held = event["held"]
        self.now.changes += 1

    def _box_selected(self, event: Json) -> None:
        turn = self.now
        turn.selected, turn.deadline = event["box"], None
        turn.changes += 1
        if event["box"] is None and turn.used == 3:
            self._run_clock(event["at"])

    def _run_clock(self, at: int) -> None:
        turn = self.now
        if self.auto_ms is not None and self.players[turn.seat].here:
            turn.deadline = at + self.auto_ms

    def _scored(self, event: Json) -> None:
        turn = self.now
        player = self.players[turn.seat]
        assert turn.dice is not None
        won = {"points": event["points"], "penta_bonus": event["penta_bonus"]}
        assert player.legal(turn.dice)[event["box"]] == tuple(won.values())
        player.boxes[event["box"]] = event["points"]
        player.bonuses += event["penta_bonus"] // 100
        player.limits = player.limits + 1 if event["actor"] == "turn_limit" else 0
        player.late = {"box": event["box"], **won} if event["due_at"] is not None else None
        self.turn = None

    def _game_finished(self, _: Json) -> None:
        self.status, self.turn = "finished", None

    def _game_abandoned(self, _: Json) -> None:
        self.status, self.turn = "abandoned", None
