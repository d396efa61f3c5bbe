"""Players who are away, come back or leave, and who moves for them meanwhile."""

import pytest

from engine.actions import Leave, Return
from engine.boxes import Box
from engine.errors import ErrorCode
from engine.events import GameAbandoned, PlayerAway, PlayerBack, PlayerLeft, Rolled, Scored, TurnStarted
from engine.game import Actor, Options, Presence, Seat, Status, computer_to_move, next_due, turn_limit_at
from engine.strategy.autoplay import play_computers
from tests.engine.kit import FIRST, PLAIN, SECOND, THIRD, Table, fair_dice, refused

LIMIT = 10_000
LIMITED = Options(turn_limit_ms=LIMIT)


def all_away(kinds: str) -> Table:
    """A game whose humans have all let two turns pass; the first seat waits to move in round 3."""
    table = Table(kinds, options=LIMITED)
    for _ in range(2):
        for seat in kinds:
            table.expire() if seat == "H" else table.play_turn(actor=Actor.COMPUTER)
    assert table.turn.seat == FIRST
    return table


@pytest.mark.parametrize(
    ("actors", "presence"),
    [
        pytest.param("turn_limit", "playing", id="once"),
        pytest.param("turn_limit turn_limit", "away", id="twice-in-a-row"),
        pytest.param("turn_limit player turn_limit", "playing", id="own-turn-between"),
        pytest.param("turn_limit deadline turn_limit", "playing", id="deadline-between"),
        pytest.param("turn_limit player turn_limit turn_limit", "away", id="twice-after-all"),
        pytest.param("deadline deadline deadline", "playing", id="deadlines-only"),
    ],
)
@pytest.mark.parametrize("kinds", ["H", "HH"])
def test_two_turn_limits_in_a_row_make_a_seat_away(actors: str, presence: str, kinds: str) -> None:
    table = Table(kinds)
    for actor in actors.split():
        events = table.play_turn(actor=Actor(actor))
        if kinds == "HH":
            table.play_turn()
    assert table.player(FIRST).presence == presence
    assert [type(event) for event in events[1:-1]] == ([PlayerAway] if presence == "away" else [])
    assert table.player(Seat(len(kinds) - 1)).presence == ("playing" if kinds == "HH" else presence)


def test_the_computer_plays_for_a_seat_that_is_away() -> None:
    table = Table("HH", options=LIMITED)
    for _ in range(2):
        table.expire()
        table.play_turn()
    assert (table.turn.seat, computer_to_move(table.game), turn_limit_at(table.game)) == (FIRST, True, None)
    scored = [event for event in table.computers() if isinstance(event, Scored)]
    assert [(event.seat, event.actor) for event in scored] == [(FIRST, Actor.COMPUTER)]
    assert table.player(FIRST).presence is Presence.AWAY
    assert (table.turn.seat, table.turn.deadline_at) == (SECOND, None)


@pytest.mark.parametrize("kinds", ["H", "HH", "HCH"])
def test_while_all_humans_are_away_the_game_waits_without_clocks(kinds: str) -> None:
    table = all_away(kinds)
    assert next_due(table.game) is None
    assert not computer_to_move(table.game)
    assert table.computers() == []
    assert table.game.status is Status.ACTIVE


def test_return_to_the_own_waiting_turn_restarts_its_clock() -> None:
    table = all_away("HH")
    table.wait(3_600_000)
    assert [type(event) for event in table.do(Return(FIRST))] == [PlayerBack]
    assert table.computers() == []
    assert turn_limit_at(table.game) == table.at + LIMIT
    presences = []
    for _ in range(2):
        table.expire()
        table.computers()
        presences.append(table.player(FIRST).presence)
    assert presences == [Presence.PLAYING, Presence.AWAY], "the count of turn limits begins again"


def test_return_of_another_seat_lets_the_computer_play_on() -> None:
    table = all_away("HH")
    table.wait(3_600_000)
    table.do(Return(SECOND))
    assert [type(event) for event in table.computers()][-2:] == [Scored, TurnStarted]
    assert (table.turn.seat, turn_limit_at(table.game)) == (SECOND, table.at + LIMIT)


def test_return_leaves_the_running_turn_of_a_present_player_alone() -> None:
    table = Table("HH", options=LIMITED)
    for _ in range(2):
        table.expire()
        table.play_turn()
    table.computers()
    due = next_due(table.game)
    assert due is not None
    table.wait(5000)
    table.do(Return(FIRST))
    assert next_due(table.game) == due
    table.play_turn()
    assert (table.turn.seat, computer_to_move(table.game)) == (FIRST, False)


@pytest.mark.parametrize("left", [True, False])
def test_only_a_seat_that_is_away_returns(left: bool) -> None:
    table = Table("HH")
    if left:
        table.do(Leave(FIRST))
    assert refused(table.game, Return(FIRST)).code is ErrorCode.NOT_AWAY


@pytest.mark.parametrize("rolls", [0, 1, 3])
def test_leaving_hands_the_running_turn_to_the_computer_as_it_stands(rolls: int) -> None:
    table = Table("HH", options=LIMITED)
    if rolls:
        table.roll(*[PLAIN] * rolls)
        table.select(Box.ONES)
    assert [type(event) for event in table.do(Leave(FIRST))] == [PlayerLeft]
    assert (table.turn.rolls_used, next_due(table.game), computer_to_move(table.game)) == (rolls, None, True)
    *rolled, scored, started = table.computers()
    numbers = [event.roll_number for event in rolled if isinstance(event, Rolled)]
    assert numbers == list(range(rolls + 1, rolls + 1 + len(rolled)))
    assert isinstance(scored, Scored)
    assert (scored.seat, scored.actor) == (FIRST, Actor.COMPUTER)
    assert scored.policy is not None, "the computer chooses for itself and does not confirm the mark"
    assert started == TurnStarted(seq=table.game.version, at=table.at, seat=SECOND, round=1)


def test_the_computer_keeps_the_seat_of_a_player_who_left_to_the_end() -> None:
    table = Table("HH")
    table.do(Leave(SECOND))
    while table.game.turn:
        table.play_turn()
        table.computers()
    assert table.game.status is Status.FINISHED
    assert table.player(SECOND).has_left
    actors = [event.actor for event in table.log if isinstance(event, Scored) and event.seat == SECOND]
    assert actors == [Actor.COMPUTER] * 13


def test_leaving_out_of_turn_leaves_the_turn_alone() -> None:
    table = Table("HHH", options=LIMITED)
    table.roll(PLAIN, PLAIN, PLAIN)
    turn = table.turn
    table.do(Leave(THIRD))
    assert table.turn == turn


def test_when_the_last_present_player_leaves_the_game_waits_for_those_away() -> None:
    table = Table("HH", options=LIMITED)
    for _ in range(2):
        table.play_turn()
        table.expire()
    table.roll()
    assert [type(event) for event in table.do(Leave(FIRST))] == [PlayerLeft]
    assert (table.game.status, next_due(table.game), table.computers()) == (Status.ACTIVE, None, [])
    table.do(Return(SECOND))
    table.computers()
    assert table.turn.seat == SECOND
    assert [type(event) for event in table.do(Leave(SECOND))] == [PlayerLeft, GameAbandoned]


def test_a_seat_that_is_away_may_leave() -> None:
    table = all_away("H")
    assert [type(event) for event in table.do(Leave(FIRST))] == [PlayerLeft, GameAbandoned]
    assert next_due(table.game) is None


def test_the_last_turn_limit_may_send_away_and_finish() -> None:
    table = Table("H")
    for _ in range(11):
        table.play_turn()
    table.play_turn(actor=Actor.TURN_LIMIT)
    table.play_turn(actor=Actor.TURN_LIMIT)
    assert (table.game.status, table.player().presence) == (Status.FINISHED, Presence.AWAY)
    assert not play_computers(table.game, table.at, fair_dice).events


def test_rolls_for_a_seat_that_is_away_start_no_deadline() -> None:
    table = all_away("HH")
    table.do(Return(SECOND))
    table.roll(PLAIN, PLAIN, PLAIN)
    assert (table.turn.seat, table.turn.rolls_left, next_due(table.game)) == (FIRST, 0, None)
