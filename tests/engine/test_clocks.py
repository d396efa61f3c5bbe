"""The automatic score and the turn limit: when they run, when they act, and what is remembered."""

import pytest

from engine.actions import Leave, Start
from engine.boxes import Box
from engine.events import Rolled, Scored
from engine.game import Actor, AutoScore, Due, Millis, Options, next_due, turn_limit_at
from tests.engine.kit import FIRST, PLAIN, SECOND, T0, Table, only_open

BOTH = Options(auto_score_ms=3000, turn_limit_ms=10_000)


def after(milliseconds: int) -> Millis:
    return Millis(T0 + milliseconds)


@pytest.mark.parametrize("auto_score_ms", [3000, 500, None])
def test_the_deadline_starts_with_the_third_roll(auto_score_ms: int | None) -> None:
    table = Table("H", options=Options(auto_score_ms=auto_score_ms))
    deadlines = [table.turn.deadline_at]
    for _ in range(3):
        table.wait(1000)
        table.roll()
        deadlines.append(table.turn.deadline_at)
    assert deadlines == [None, None, None, after(3000 + auto_score_ms) if auto_score_ms else None]


def test_a_mark_stops_the_deadline_and_clearing_it_gives_a_fresh_one() -> None:
    """With nothing marked, null leaves the clock alone."""
    table = Table("H")
    table.roll(PLAIN, PLAIN, PLAIN)
    deadlines = []
    for box in (None, Box.ONES, Box.CHANCE, None, None):
        table.wait(1000)
        table.select(box)
        deadlines.append(table.turn.deadline_at)
    assert deadlines == [after(3000), None, None, after(7000), after(7000)]


def test_clearing_a_mark_starts_no_deadline_while_rolls_are_left() -> None:
    table = Table("H")
    table.roll(PLAIN, PLAIN)
    table.select(Box.ONES)
    table.select(None)
    assert table.turn.deadline_at is None


def test_a_score_ends_the_deadline() -> None:
    table = Table("HH")
    table.roll(PLAIN, PLAIN, PLAIN)
    table.score(Box.ONES)
    assert next_due(table.game) is None


def test_the_turn_limit_counts_from_the_start_of_the_turn() -> None:
    table = Table("HH", options=Options(turn_limit_ms=10_000))
    assert turn_limit_at(table.game) == after(10_000)
    table.wait(4000)
    table.roll()
    table.select(Box.ONES)
    assert turn_limit_at(table.game) == after(10_000)
    table.score()
    assert turn_limit_at(table.game) == after(14_000)


@pytest.mark.parametrize(
    ("kinds", "open_seats", "turn_limit_ms", "due"),
    [
        pytest.param("H", 0, 10_000, Due(after(10_000), Actor.TURN_LIMIT), id="human"),
        pytest.param("H", 0, None, None, id="no-limit"),
        pytest.param("H", 1, 10_000, None, id="not-started"),
        pytest.param("CH", 1, 10_000, None, id="computer"),
    ],
)
def test_only_a_human_in_a_started_game_has_a_turn_limit(
    kinds: str, open_seats: int, turn_limit_ms: int | None, due: Due | None
) -> None:
    table = Table(kinds, open_seats, Options(turn_limit_ms=turn_limit_ms))
    if kinds == "CH":
        table.do(Start())
    assert next_due(table.game) == due
    assert turn_limit_at(table.game) == (due.at if due else None)


@pytest.mark.parametrize(
    ("third_roll", "due"),
    [
        (6999, Due(after(9999), Actor.DEADLINE)),
        (7000, Due(after(10_000), Actor.DEADLINE)),
        (7001, Due(after(10_000), Actor.TURN_LIMIT)),
    ],
)
def test_the_clock_that_is_due_first_acts_and_of_two_the_deadline(third_roll: int, due: Due) -> None:
    table = Table("H", options=BOTH)
    table.roll(PLAIN, PLAIN)
    table.wait(third_roll)
    table.roll()
    assert next_due(table.game) == due


@pytest.mark.parametrize("actor", [Actor.DEADLINE, Actor.TURN_LIMIT])
def test_what_a_clock_scored_is_remembered_until_that_seat_rolls(actor: Actor) -> None:
    table = Table("HH")
    table.set_card(only_open("threes ones", penta=50))
    table.roll("33333")
    table.score(Box.THREES, actor)
    told = AutoScore(Box.THREES, 15, 100)
    assert table.player(FIRST).auto_scored == told
    table.play_turn()
    assert table.player(FIRST).auto_scored == told, "another seat's turn changes nothing"
    assert table.player(SECOND).auto_scored is None
    table.roll()
    assert table.player(FIRST).auto_scored is None


@pytest.mark.parametrize("actor", [Actor.PLAYER, Actor.COMPUTER])
def test_other_scores_leave_no_such_mark(actor: Actor) -> None:
    table = Table("H")
    table.play_turn(actor=actor)
    assert table.player().auto_scored is None


def test_a_turn_that_a_clock_opens_counts_from_then() -> None:
    """A server that was down settles late; nobody's clock may start in the past."""
    table = Table("HH", options=BOTH)
    table.wait(60_000)
    table.play_turn(actor=Actor.TURN_LIMIT)
    assert table.turn.started_at == after(60_000)
    assert turn_limit_at(table.game) == after(70_000)


def test_each_expiry_is_one_score_in_one_turn() -> None:
    table = Table("HH", options=BOTH)
    table.roll(PLAIN, PLAIN, PLAIN)
    events = table.expire()
    assert [type(event) for event in events if isinstance(event, Rolled | Scored)] == [Scored]
    assert (table.turn.seat, table.turn.rolls_used, table.turn.deadline_at) == (SECOND, 0, None)
    assert next_due(table.game) == Due(after(13_000), Actor.TURN_LIMIT)


def test_clocks_stop_when_the_player_leaves() -> None:
    table = Table("HH", options=BOTH)
    table.roll(PLAIN, PLAIN, PLAIN)
    table.do(Leave(FIRST))
    assert next_due(table.game) is None


def test_clocks_run_on_when_another_player_leaves() -> None:
    table = Table("HH", options=BOTH)
    table.roll(PLAIN, PLAIN, PLAIN)
    table.do(Leave(SECOND))
    assert next_due(table.game) == Due(after(3000), Actor.DEADLINE)
