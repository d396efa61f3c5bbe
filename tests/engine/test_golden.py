"""Whole games with fixed dice, event by event, as they are stored: a change of behaviour or of format shows as a diff.

When such a change is meant, write the files anew and read the diff before it is committed:

    PENTA_GOLDEN=write pytest tests/engine/test_golden.py
"""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import fairness
from engine.actions import AddClientSeed, Join, Leave, Return, Start
from engine.codec import EVENT_TYPES, event_from_plain, event_to_plain
from engine.evolve import replay
from engine.game import Options, Status, turn_options
from tests.engine.kit import FIRST, SECOND, THIRD, Table

GOLDEN = Path(__file__).parent / "golden"
SEED = b"golden games have golden dice..."


def throw(table: Table, *, hold: tuple[int, ...] | None = None) -> None:
    fresh = fairness.draw(SEED, "golden", table.game.client_seeds, table.game.rolls + 1)
    table.wait(700)
    table.roll("".join(map(str, fresh)), hold=hold)


def play_by_hand(table: Table) -> None:
    """A simple human: keeps fives and sixes, marks the first box that pays, and confirms it."""
    throw(table)
    table.hold(*(p for p, face in enumerate(table.turn.dice or ()) if face > 4))
    throw(table)
    throw(table, hold=tuple(p for p, face in enumerate(table.turn.dice or ()) if face > 4))
    offered = turn_options(table.game)
    table.select(next((option.box for option in offered if option.points), offered[-1].box))
    table.wait(900)
    table.score()


def solo() -> Table:
    table = Table("H")
    while table.game.turn:
        play_by_hand(table)
    return table


def against_the_computer() -> Table:
    table = Table("CHC", options=Options(auto_score_ms=500, turn_limit_ms=None, hints=False))
    table.do(Start())
    while table.game.turn:
        table.computers()
        play_by_hand(table)
        table.computers()
    return table


def away_and_back() -> Table:
    """Three people: one leaves before the start, one is away for a while, one goes home in round 6."""
    table = Table("H", open_seats=3, options=Options(turn_limit_ms=60_000))
    table.do(Join("Ana", "ana-2024"))
    table.do(Join("Iva"))
    table.do(Leave(SECOND))
    table.do(Join("Šime", "s_1"))
    table.do(AddClientSeed(FIRST, "first"))
    table.do(Start())
    while table.game.turn:
        turn = table.turn
        if turn.seat == THIRD and turn.round in (2, 3):
            throw(table)
            table.expire()
        elif turn.seat == SECOND and turn.round == 4:
            for _ in range(3):
                throw(table, hold=())
            table.expire()
        else:
            play_by_hand(table)
        if (turn.seat, turn.round) == (FIRST, 5):
            table.do(Return(THIRD))
        if (turn.seat, turn.round) == (SECOND, 6):
            table.do(Leave(FIRST))
        table.computers()
    return table


def abandoned() -> Table:
    """Both players let their turns pass; one comes back, and then both leave."""
    table = Table("HH", options=Options(auto_score_ms=None, turn_limit_ms=5000))
    for _ in range(4):
        table.expire()
    table.do(Return(SECOND))
    table.computers()
    table.do(Leave(SECOND))
    table.do(Leave(FIRST))
    return table


GAMES: dict[str, tuple[Callable[[], Table], Status]] = {
    "solo": (solo, Status.FINISHED),
    "against_the_computer": (against_the_computer, Status.FINISHED),
    "away_and_back": (away_and_back, Status.FINISHED),
    "abandoned": (abandoned, Status.ABANDONED),
}


@pytest.mark.parametrize("name", GAMES)
def test_a_game_goes_as_it_went(name: str) -> None:
    play, status = GAMES[name]
    table = play()
    assert table.game.status is status
    lines = [json.dumps(event_to_plain(event), ensure_ascii=False) for event in table.log]
    path = GOLDEN / f"{name}.jsonl"
    if os.environ.get("PENTA_GOLDEN") == "write":
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    stored = path.read_text(encoding="utf-8").splitlines()
    assert lines == stored
    assert replay(event_from_plain(json.loads(line)) for line in stored) == table.game


def test_every_type_of_event_is_in_some_game() -> None:
    stored = [json.loads(line) for path in GOLDEN.glob("*.jsonl") for line in path.read_text("utf-8").splitlines()]
    assert {plain["type"] for plain in stored} == set(EVENT_TYPES)
    assert sorted(path.stem for path in GOLDEN.iterdir()) == sorted(GAMES)
