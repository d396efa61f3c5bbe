"""Random games through the HTTP layer against the model: no divergence, no 500.

A run plays at least 500 games over both databases; HYPOTHESIS_PROFILE=nightly plays ten times as many.
"""

import os
from typing import ClassVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from tests.stateful.model import BOXES, Json
from tests.stateful.world import Table, World, new_key, world

NIGHTLY = os.environ.get("HYPOTHESIS_PROFILE") == "nightly"
GAMES = 2600 if NIGHTLY else 260
STEPS = 30
KINDS = ("human", "human", "computer")

FACES = st.integers(1, 6)
DICE = st.lists(FACES, min_size=5, max_size=5) | FACES.map(lambda face: [face] * 5)
POSITIONS = st.lists(st.integers(0, 4), max_size=5, unique=True)
BOX = st.sampled_from(BOXES)
SEEDS = st.sampled_from(["abc", "A-Z_09", "x" * 64])
CLOCKS = st.sampled_from([1, 40, 499, 500, 501, 2999, 3000, 5000, 60_000, 24 * 3_600_000])


@st.composite
def new_games(draw: st.DrawFn) -> Json:
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=0, max_size=3))
    open_seats = draw(st.integers(0 if "human" in kinds else 1, 4 - len(kinds)))
    body: Json = {
        "players": [{"kind": kind} for kind in kinds],
        "open_seats": open_seats,
        "visibility": "private",
        "auto_score_ms": draw(st.sampled_from([None, 500, 3000])),
        "turn_limit_ms": draw(st.sampled_from([None, 5000, 60_000])),
    }
    if draw(st.booleans()):
        body["sandbox"] = {"rolls": draw(st.lists(DICE, max_size=60))}
    else:
        body["visibility"] = draw(st.sampled_from(["private", "public"]))
    return body


class Games(RuleBasedStateMachine):
    """One game an example, on a server that all examples share."""

    world: ClassVar[World]

    @initialize(body=new_games())
    def create(self, body: Json) -> None:
        self.table = Table.create(self.world, body)

    def seat(self, data: st.DataObject) -> int | None:
        """Most often the seat to move; None where nobody has a token."""
        seats = sorted(self.table.tokens)
        turn = self.table.model.turn
        if turn is not None and turn.seat in seats:
            seats = [turn.seat] * 4 + seats
        return data.draw(st.sampled_from(seats)) if seats else None

    def send(self, data: st.DataObject, name: str, body: Json) -> None:
        """Sends the command plainly, under a key, or for a version that may be stale."""
        seat = self.seat(data)
        if seat is None:
            return
        how = data.draw(st.sampled_from(["plain"] * 6 + ["key", "now", "stale"]))
        known = {"now": str(self.table.model.version), "stale": str(self.table.model.version - 1)}
        self.table.command(seat, name, body, known.get(how), new_key() if how == "key" else None)

    @rule(data=st.data(), hold=st.none() | POSITIONS)
    def roll(self, data: st.DataObject, hold: list[int] | None) -> None:
        self.send(data, "roll", {} if hold is None else {"hold": hold})

    @rule(data=st.data(), hold=POSITIONS)
    def hold(self, data: st.DataObject, hold: list[int]) -> None:
        self.send(data, "hold", {"hold": hold})

    @rule(data=st.data(), box=st.none() | BOX)
    def select(self, data: st.DataObject, box: str | None) -> None:
        self.send(data, "select", {"box": box})

    @rule(data=st.data(), box=st.none() | BOX)
    def score(self, data: st.DataObject, box: str | None) -> None:
        self.send(data, "score", {} if box is None else {"box": box})

    @rule(data=st.data(), name=st.sampled_from(["start", "start", "return", "return", "leave"]))
    def come_and_go(self, data: st.DataObject, name: str) -> None:
        self.send(data, name, {})

    @rule(data=st.data(), seed=SEEDS)
    def seed(self, data: st.DataObject, seed: str) -> None:
        self.send(data, "client-seed", {"client_seed": seed})

    @rule(name=st.none() | st.sampled_from(["Ana", "ANA", "Iva"]), seed=st.none() | SEEDS, stale=st.booleans())
    def join(self, name: str | None, seed: str | None, stale: bool) -> None:
        self.table.join(name, seed, "0" if stale and name == "Iva" else None)

    @rule(milliseconds=CLOCKS)
    def wait(self, milliseconds: int) -> None:
        self.world.clock.advance(milliseconds)

    @precondition(lambda self: self.table.model.turn is not None)
    @rule(offset=st.sampled_from([-1, 0, 1]))
    def wait_for_the_clock(self, offset: int) -> None:
        """To the very instant at which a clock acts, or a millisecond beside it."""
        model = self.table.model
        limit = model.now.began + model.limit_ms if model.limit_ms is not None else None
        ends = [end + offset for end in (model.now.deadline, limit) if end is not None]
        ahead = [end for end in ends if end > self.world.clock.time]
        if ahead:
            self.world.clock.time = min(ahead)

    @rule()
    def repeat(self) -> None:
        self.table.repeat()

    @rule()
    def read(self) -> None:
        self.table.read()

    @rule()
    def strangers(self) -> None:
        self.table.strangers_are_refused()

    @rule(data=st.data(), turns=st.sampled_from([1, 3, 52]))
    def play_on(self, data: st.DataObject, turns: int) -> None:
        """Whole turns by whoever is to move, so that games come to their end; a game that waits is started."""
        seat = min(self.table.tokens, default=None)
        if seat is not None and self.table.model.status == "waiting":
            self.table.command(seat, "start", {})
        for _ in range(turns):
            self.table.read()
            model = self.table.model
            if model.turn is None or model.turn.seat not in self.table.tokens:
                return
            seat = model.turn.seat
            if model.players[seat].presence == "away":
                self.table.command(seat, "return", {})
            while model.now.used == 0 or (model.now.used < 3 and data.draw(st.booleans())):
                self.table.command(seat, "roll", {})
            assert model.now.dice is not None
            boxes = sorted(model.players[seat].legal(model.now.dice))
            number = data.draw(st.integers(0, 12))  # and not a box: what is drawn must not depend on unknown dice
            self.table.command(seat, "score", {"box": boxes[number % len(boxes)]})

    def teardown(self) -> None:
        if hasattr(self, "table"):
            self.table.check_whole()


def test_games_follow_the_rules(database_url: str) -> None:
    with world(database_url) as shared:

        class Here(Games):
            world = shared

        run_state_machine_as_test(
            Here,
            settings=settings(
                max_examples=GAMES,
                stateful_step_count=STEPS,
                deadline=None,
                suppress_health_check=list(HealthCheck),
                print_blob=True,
            ),
        )
        print(f"{shared.games} games, {shared.finished} finished")
        assert shared.games >= 250
        assert shared.finished >= shared.games // 10
