"""Random games through the HTTP layer, against a small model written from the rules: no divergence, no 500.

Each run is another one. It prints the seed that brings it back: STATEFUL_SEED=<seed> pytest tests/stateful.
Rules have no preconditions, and draw nothing once they run: ordinary dice are different each time, even under the same
seed, and what Hypothesis draws must not depend on them.
"""

import json
import os
import random
import secrets
import uuid
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from tests.stateful.audit import audit
from tests.stateful.card import BOXES, Json, options
from tests.stateful.server import Server, running
from tests.stateful.table import Table

NIGHTLY = os.environ.get("HYPOTHESIS_PROFILE") == "nightly"
EXAMPLES = 340 * (10 if NIGHTLY else 1)
STEPS = 34
GAMES = 250 * (10 if NIGHTLY else 1)
"""How many games each of the two databases must see; a game counts when somebody has rolled."""

ALWAYS_SEEN = (
    *("unauthorized", "invalid_request", "version_mismatch", "idempotency_key_reused", "replayed", "name_taken"),
    *("not_your_turn", "roll_first", "no_rolls_left", "box_filled", "box_not_allowed", "nothing_selected"),
    *("deadline_passed", "game_not_active", "game_already_started", "seed_too_late", "not_away"),
    *("scored by computer", "scored by deadline", "scored by turn_limit", "jokers", "player_away", "player_back"),
    *("player_joined", "player_left", "client_seed_added", "held", "box_selected", "game_abandoned", "verified"),
)
"""Without these a run has not tried what it is there to try."""

NAMES = ("Ana", "ANA", "Ｂo", "bo", "Igrač 2", "Igrač 3")
CLIENT_SEEDS = ("a", "A-_9", "x" * 64)
WHOSE = st.integers(0, 9)
NUMBER = st.integers(0, 2**32)
MOVES: tuple[tuple[str, Json], ...] = (
    ("roll", {}),
    ("roll", {"hold": [3, 1]}),
    ("hold", {"hold": [0, 1, 2, 3, 4]}),
    ("hold", {"hold": [4, 2]}),
    ("hold", {"hold": []}),
    *(("select", {"box": box}) for box in ("ones", "chance", "penta", None, None)),
    *(("score", {"box": box}) for box in ("sixes", "full_house", "large_straight")),
    ("score", {}),
)
BODIES_REFUSED: tuple[tuple[str, Json], ...] = (
    ("roll", {"hold": [5]}),
    ("roll", {"hold": [0, 0]}),
    ("roll", {"hold": [True]}),
    ("roll", {"hold": None}),
    ("hold", {}),
    ("hold", {"hold": ["1"]}),
    ("select", {}),
    ("select", {"box": "yahtzee"}),
    ("score", {"box": None}),
    ("score", {"box": "ones", "points": 5}),
    ("client-seed", {"client_seed": "a|b"}),
    ("leave", {"now": True}),
)

GUEST = st.fixed_dictionaries(
    {}, optional={"name": st.sampled_from(NAMES), "client_seed": st.sampled_from(CLIENT_SEEDS)}
)
GUESTS = st.lists(GUEST, min_size=4, max_size=4)
HEADERS = st.fixed_dictionaries(
    {
        # few keys, so that they are reused, rightly and wrongly
        "key": st.sampled_from([None, None, None, "k1", "k2", "k3"]),
        # by how much the version that is asked for differs from the present one
        "match": st.sampled_from([None, None, None, (0,), (0, 1), (-1,), (1,), (-2, -1)]),
    }
)


@st.composite
def new_games(draw: st.DrawFn) -> Json:
    kinds = draw(st.lists(st.sampled_from(["human", "human", "computer"]), max_size=4))
    open_seats = draw(st.integers(0 if "human" in kinds else 1, max(1, 4 - len(kinds))))
    wanted: Json = {"players": [{"kind": kind} for kind in kinds], "open_seats": open_seats}
    for player, name in zip(wanted["players"], draw(st.permutations([None, None, "Ana", "Igrač 1"])), strict=False):
        if name is not None:
            player["name"] = name
    optional = {
        "auto_score_ms": st.sampled_from([500, 3000, None]),
        "turn_limit_ms": st.sampled_from([5000, 60_000, None]),
        "hints": st.just(False),
    }
    wanted |= draw(st.fixed_dictionaries({}, optional=optional))
    if draw(st.booleans()):
        length, dice = draw(st.sampled_from([0, 20, 312, 312])), random.Random(draw(NUMBER))
        same = draw(st.integers(0, 2)) == 0  # so that whoever plays alike ends alike
        wanted["sandbox"] = {"rolls": [[2] * 5 if same else given_roll(dice) for _ in range(length)]}
    elif draw(st.booleans()):
        wanted["visibility"] = "public"
    return wanted


def given_roll(dice: random.Random) -> list[int]:
    """Five equal dice far more often than chance gives them, so that there are Penta bonuses and jokers."""
    if dice.random() < 0.5:
        return [dice.choice((3, 4, dice.randint(1, 6)))] * 5
    return dice.choice(([dice.randint(1, 6) for _ in range(5)], [2, 3, 4, 5, 6], [1, 1, 3, 4, 6], [2, 2, 5, 5, 5]))


class Games(RuleBasedStateMachine):
    """Some games after each other, by one to four players."""

    server: ClassVar[Server]
    table: Table

    @initialize(wanted=new_games() | new_games() | st.none(), keyed=st.booleans(), guests=st.none() | GUESTS | GUESTS)
    def create(self, wanted: Json | None, keyed: bool, guests: list[Json] | None) -> None:
        self.table = Table(self.server, wanted, str(uuid.uuid4()) if keyed else None)
        self.join_keys = {name: str(uuid.uuid4()) for name in ("k1", "k2", "k3")}
        if guests is not None:
            self.begin(guests)

    def begin(self, guests: list[Json]) -> None:
        """So that most games are played, and do not only wait."""
        table, by_code = self.table, self.table.model.visibility == "private"
        if table.model.open_seats and table.model.players:
            namesake = next(iter(table.model.players.values())).name.upper()
            table.join(by_code, {"name": namesake}, table.join_code or "")
        for guest in guests[: table.model.open_seats]:
            table.join(by_code, guest, table.join_code or "")
        if table.model.status == "waiting" and table.model.tokens:
            table.command(self.token(0), "start")

    @rule(wanted=new_games(), guests=GUESTS)
    def another_game(self, wanted: Json, guests: list[Json]) -> None:
        if self.table.model.status in ("finished", "abandoned"):
            audit(self.table)
            self.create(wanted, keyed=False, guests=guests)

    def send(self, whose: int, name: str, body: Json | None, headers: Json) -> None:
        self.table.command(self.token(whose), name, body, headers["key"], self.versions(headers))

    def token(self, whose: int) -> str:
        """Most often of who is to move, or of somebody in the game; else any that was ever given out, or none."""
        mover, seated = self.table.mover, sorted(self.table.model.tokens, key=self.table.tokens.index)
        if whose < 8 and seated:
            return mover if whose < 6 and mover else seated[whose % len(seated)]
        return [*self.table.tokens, "nobody"][whose % (len(self.table.tokens) + 1)]

    def versions(self, headers: Json) -> tuple[int, ...] | None:
        match = headers["match"]
        return None if match is None else tuple(len(self.table.model.events) + by for by in match)

    @rule(whose=WHOSE, hold=st.none() | st.lists(st.integers(0, 4), unique=True), headers=HEADERS)
    def roll(self, whose: int, hold: list[int] | None, headers: Json) -> None:
        self.send(whose, "roll", None if hold is None else {"hold": hold}, headers)

    @rule(whose=WHOSE, hold=st.lists(st.integers(0, 4), unique=True), headers=HEADERS)
    def hold(self, whose: int, hold: list[int], headers: Json) -> None:
        self.send(whose, "hold", {"hold": hold}, headers)

    @rule(whose=WHOSE, box=st.none() | st.sampled_from(BOXES), headers=HEADERS)
    def select(self, whose: int, box: str | None, headers: Json) -> None:
        self.send(whose, "select", {"box": box}, headers)

    @rule(whose=WHOSE, box=st.none() | st.sampled_from(BOXES), headers=HEADERS)
    def score(self, whose: int, box: str | None, headers: Json) -> None:
        self.send(whose, "score", None if box is None else {"box": box}, headers)

    @rule(whose=WHOSE, headers=HEADERS, sure=st.integers(0, 9))
    def leave(self, whose: int, headers: Json, sure: int) -> None:
        """Seldom, most of all for the last one: a game that is abandoned has no more to show."""
        if sure < (4 if len(self.table.model.tokens) > 1 else 1):
            self.send(whose, "leave", {}, headers)

    @rule(whose=WHOSE, headers=HEADERS)
    def come_back(self, whose: int, headers: Json) -> None:
        self.send(whose, "return", None, headers)

    @rule(whose=WHOSE, client_seed=st.sampled_from(CLIENT_SEEDS), headers=HEADERS)
    def add_seed(self, whose: int, client_seed: str, headers: Json) -> None:
        self.send(whose, "client-seed", {"client_seed": client_seed}, headers)

    @rule(whose=WHOSE, headers=HEADERS)
    def start(self, whose: int, headers: Json) -> None:
        self.send(whose, "start", None, headers)

    @rule(
        by_code=st.booleans(),
        body=GUEST,
        headers=HEADERS,
    )
    def join(self, by_code: bool, body: Json, headers: Json) -> None:
        code = self.table.join_code
        if by_code and code is None:
            return
        typed = f"{code[:5]}-{code[5:]}".lower() if code and len(body) == 1 else code or ""
        self.table.join(by_code, body, typed, self.join_keys.get(headers["key"] or ""), self.versions(headers))

    @rule(number=st.integers(0, 20), headers=HEADERS)
    def repeat(self, number: int, headers: Json) -> None:
        if self.table.keyed:
            self.table.repeat(number, self.versions(headers))

    @rule(whose=WHOSE, what=st.sampled_from(BODIES_REFUSED))
    def nonsense(self, whose: int, what: tuple[str, Json]) -> None:
        self.table.refuse(self.token(whose), *what)

    @rule(
        whose=st.none() | WHOSE, known=st.none() | st.integers(-1, 0), after=st.integers(0, 60), limit=st.integers(1, 9)
    )
    def read(self, whose: int | None, known: int | None, after: int, limit: int) -> None:
        self.table.read_events(after, limit)
        self.table.read(
            self.token(whose) if whose is not None else None,
            len(self.table.model.events) + known if known is not None else None,
        )
        self.table.fairness()

    @rule(milliseconds=st.sampled_from([1, 100, 499, 500, 2999, 3000, 5000, 60_000, 20 * 3_600_000]))
    def wait(self, milliseconds: int) -> None:
        self.server.clock.advance(milliseconds)

    @rule(
        what=st.sampled_from(["deadline"] * 5 + ["turn_limit"] * 3 + ["expiry"]),
        offset=st.sampled_from([-1, 0, 1, 60]),
        move=st.sampled_from(["roll", "hold", "select", "score", "score", "return", "leave", "read"]),
        whose=WHOSE,
        headers=HEADERS,
    )
    def at_the_clock(self, what: str, offset: int, move: str, whose: int, headers: Json) -> None:
        """A move at the very instant at which a clock acts, or next to it."""
        if what == "deadline":
            self.to_the_last_roll()
        due = self.table.model.due_at(what)
        if due is None:
            return
        self.server.clock.time = max(self.server.clock.time, due + offset)
        bodies: Json = {"hold": {"hold": [1]}, "select": {"box": "chance"}, "score": {"box": BOXES[whose]}}
        if move == "read":
            self.table.read(None, None)
        else:
            self.send(whose, move, bodies.get(move), headers)

    @rule(turns=st.integers(1, 6), back=st.booleans())
    def sleep(self, turns: int, back: bool) -> None:
        """Nobody moves until the turn limit has ended some turns: two in a row make a player away."""
        model = self.table.model
        for _ in range(turns):
            due = model.due_at("turn_limit")
            if due is not None:
                self.server.clock.time = max(self.server.clock.time, due)
                self.table.read(None, None)
            away = [token for token, seat in model.tokens.items() if model.players[seat].presence == "away"]
            if back and away:
                self.table.command(away[0], "return")

    def to_the_last_roll(self) -> None:
        """A deadline runs after the third roll only."""
        model, token = self.table.model, self.table.mover
        while token and (turn := model.turn) and model.players[turn.seat].moves and turn.rolls < 3:
            self.table.command(token, "roll")
            token = self.table.mover

    @rule(moves=st.lists(st.sampled_from(MOVES), min_size=2, max_size=8), headers=HEADERS)
    def turn_by_hand(self, moves: list[tuple[str, Json]], headers: Json) -> None:
        """Moves in a row by whoever is to move, as single ones seldom come at the right moment."""
        for name, body in (("roll", {}), *moves):
            self.send(0, name, body, headers if name == "score" else {"key": None, "match": None})

    @rule(turns=st.sampled_from([1, 13, 60]), how=NUMBER, alike=st.booleans())
    def play(self, turns: int, how: int, alike: bool) -> None:
        """Whole turns, so that many games come to their end; `alike`: each player fills his card in the same order."""
        choice, model = random.Random(how), self.table.model
        if model.status == "waiting":
            self.begin([{}] * model.open_seats)
        for _ in range(turns):
            token, turn = self.table.mover, model.turn
            if token is None or turn is None or not model.players[turn.seat].moves:
                return
            self.play_turn(token, random.Random(turn.round) if alike else choice)

    def play_turn(self, token: str, choice: random.Random) -> None:
        """Given dice are played for Penta bonuses; ordinary ones without looking at them."""
        model, table, turn = self.table.model, self.table, self.table.model.turn
        assert turn is not None
        for _ in range(max(turn.rolls, choice.randint(1, 3)) - turn.rolls):
            hold = choice.choice(([], [], [0, 1, 2, 3, 4], [0, 1]))
            table.command(token, "roll", {"hold": hold} if turn.dice else None)
        if turn.dice is None or turn is not model.turn:
            return
        boxes = model.players[turn.seat].boxes
        legal = [option["box"] for option in options(boxes, turn.dice)]
        forbidden = [box for box in BOXES if box not in legal and boxes[box] is None] or [*set(BOXES) - set(legal)]
        if forbidden and choice.random() < 0.2:
            table.command(token, choice.choice(("select", "score")), {"box": min(forbidden)})
        five_equal, box = len(set(turn.dice)) == 1, choice.choice(legal)
        if model.given and "penta" in legal and choice.random() < 0.8:
            box = "penta" if five_equal else legal[0]
        if choice.random() < 0.2:
            table.command(token, "select", {"box": box})
            table.command(token, "score")
        else:
            table.command(token, "score", {"box": box})

    def teardown(self) -> None:
        if hasattr(self, "table") and self.table.sound:
            audit(self.table)


def test_random_games(database_url: str, shared_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    number = int(os.environ.get("STATEFUL_SEED") or secrets.randbits(64))
    print(f"STATEFUL_SEED={number}")
    with running(database_url) as server:
        machine = seed(number)(type("TheseGames", (Games,), {"server": server}))
        run_state_machine_as_test(
            machine,
            settings=settings(
                max_examples=EXAMPLES,
                stateful_step_count=STEPS,
                deadline=None,
                derandomize=False,
                database=None,
                print_blob=True,
                suppress_health_check=list(HealthCheck),
            ),
        )
        seen = server.seen
    with capsys.disabled():
        print(f"\n{seen['played']} games, {seen['finished']} finished, {seen['requests']} requests: {json.dumps(seen)}")
    assert seen["played"] >= GAMES
    assert seen["finished"] >= GAMES // 10
    assert not [what for what in ALWAYS_SEEN if seen[what] == 0]
