"""Seats and turns: what every action does to a game."""

from collections.abc import Callable
from dataclasses import FrozenInstanceError
from functools import partial

import pytest

from engine.actions import Abandon, AddClientSeed, Join, Leave, Roll, Score, Start
from engine.boxes import BOXES, Box
from engine.card import Card
from engine.dice import Held
from engine.errors import ErrorCode
from engine.events import (
    BoxSelected,
    ClientSeedAdded,
    DiceHeld,
    Event,
    GameAbandoned,
    GameCreated,
    GameFinished,
    GameStarted,
    PlayerJoined,
    PlayerLeft,
    Rolled,
    Scored,
    TurnStarted,
)
from engine.game import Actor, Kind, Place, Result, Seat, Status, turn_options
from engine.step import apply, outcome
from tests.engine.kit import A_LEVEL, FIRST, PLAIN, SECOND, T0, THIRD, Table, card, dice, only_open, refused


def kinds_of(events: list[Event]) -> list[type[Event]]:
    return [type(event) for event in events]


# Seats


@pytest.mark.parametrize(
    ("kinds", "open_seats", "status"),
    [
        pytest.param("H", 0, Status.ACTIVE, id="alone"),
        pytest.param("HC", 0, Status.ACTIVE, id="human-first"),
        pytest.param("CH", 0, Status.WAITING, id="computer-first"),
        pytest.param("H", 1, Status.WAITING, id="open-seat"),
        pytest.param("", 2, Status.WAITING, id="open-seats-only"),
    ],
)
def test_a_new_game_starts_at_once_when_it_can(kinds: str, open_seats: int, status: Status) -> None:
    table = Table(kinds, open_seats)
    started = [GameStarted, TurnStarted] if status is Status.ACTIVE else []
    assert kinds_of(table.log) == [GameCreated, *started]
    assert table.game.status is status
    assert table.game.open_seats == open_seats
    assert table.game.lowest_open_seat == (len(kinds) if open_seats else None)
    assert [(player.kind, player.level) for player in table.game.players] == [
        (Kind.HUMAN, None) if kind == "H" else (Kind.COMPUTER, A_LEVEL) for kind in kinds
    ]


def test_a_human_starts_a_game_that_a_computer_opens() -> None:
    table = Table("CH")
    assert refused(table.game, Join("Ana")).code is ErrorCode.GAME_FULL
    assert table.do(Start()) == [GameStarted(seq=2, at=T0), TurnStarted(seq=3, at=T0, seat=FIRST, round=1)]


def test_the_last_open_seat_starts_the_game() -> None:
    table = Table("H", open_seats=2)
    assert table.do(Join("Ana")) == [PlayerJoined(seq=2, at=T0, seat=SECOND, name="Ana")]
    assert table.do(Join("Iva", "lucky")) == [
        PlayerJoined(seq=3, at=T0, seat=THIRD, name="Iva"),
        ClientSeedAdded(seq=4, at=T0, seat=THIRD, client_seed="lucky"),
        GameStarted(seq=5, at=T0),
        TurnStarted(seq=6, at=T0, seat=FIRST, round=1),
    ]
    assert table.game.client_seeds == ("", "", "lucky")


def test_leaving_a_waiting_game_frees_the_seat_and_the_next_player_takes_the_lowest() -> None:
    table = Table("H", open_seats=3)
    table.do(Join("Ana", "lucky"))
    table.do(Join("Iva"))
    assert kinds_of(table.do(Leave(SECOND))) == [PlayerLeft]
    assert table.game.open_seats == 2
    assert [player.seat for player in table.game.players] == [FIRST, THIRD]
    table.do(Join("Eva"))
    assert [player.name for player in table.game.players] == ["Player 1", "Eva", "Iva"]
    assert table.player(SECOND).client_seed is None, "a seed leaves with its player"


def test_open_seats_vanish_at_the_start_and_seat_numbers_stay() -> None:
    table = Table("H", open_seats=3)
    for name in ("Ana", "Iva"):
        table.do(Join(name))
    table.do(Leave(SECOND))
    table.do(Start())
    assert table.game.open_seats == 0
    order = []
    for _ in range(5):
        order.append((table.turn.seat, table.turn.round))
        table.play_turn()
    assert order == [(FIRST, 1), (THIRD, 1), (FIRST, 2), (THIRD, 2), (FIRST, 3)]


def test_a_game_without_a_turn_has_nothing_to_offer() -> None:
    waiting = Table("H", open_seats=1).game
    assert turn_options(waiting) == turn_options(Table("H").game) == ()
    with pytest.raises(ValueError, match="no turn"):
        _ = waiting.current_turn
    with pytest.raises(KeyError):
        waiting.player(SECOND)


@pytest.mark.parametrize("kinds", ["H", "HHH", "HCHC", "H" * 8])
def test_turns_go_round_in_seat_order(kinds: str) -> None:
    table = Table(kinds)
    order = []
    while table.game.turn:
        order.append((table.turn.round, table.turn.seat))
        table.play_turn()
    assert order == [(number, Seat(seat)) for number in range(1, 14) for seat in range(len(kinds))]


@pytest.mark.parametrize("status", [Status.WAITING, Status.ACTIVE])
def test_a_game_is_abandoned_when_its_last_human_leaves(status: Status) -> None:
    table = Table("HCH", open_seats=status is Status.WAITING)
    assert kinds_of(table.do(Leave(FIRST))) == [PlayerLeft]
    assert table.game.status is status
    assert kinds_of(table.do(Leave(THIRD))) == [PlayerLeft, GameAbandoned]
    assert table.game.status is Status.ABANDONED
    assert table.game.turn is None


@pytest.mark.parametrize("open_seats", [0, 1])
def test_abandon_ends_a_game(open_seats: int) -> None:
    table = Table("H", open_seats)
    assert kinds_of(table.do(Abandon())) == [GameAbandoned]
    assert (table.game.status, table.game.turn, table.game.result) == (Status.ABANDONED, None, None)


def test_client_seeds_are_taken_once_a_seat_until_the_first_roll() -> None:
    table = Table("HHH")
    table.do(AddClientSeed(SECOND, "lucky"))
    assert refused(table.game, AddClientSeed(SECOND, "other")).code is ErrorCode.SEED_TOO_LATE
    table.roll()
    assert refused(table.game, AddClientSeed(FIRST, "other")).code is ErrorCode.SEED_TOO_LATE
    assert table.game.client_seeds == ("", "lucky", "")


# Rolls and holds


def test_a_turn_from_the_first_roll_to_the_next_turn() -> None:
    table = Table("HH")
    assert table.do(Roll(FIRST), "12345") == [
        Rolled(seq=4, at=T0, seat=FIRST, roll_number=1, held=(), dice=dice("12345"))
    ]
    assert table.hold(0, 4) == [DiceHeld(seq=5, at=T0, seat=FIRST, held=(0, 4))]
    assert table.do(Roll(FIRST), "66666") == [
        Rolled(seq=6, at=T0, seat=FIRST, roll_number=2, held=(0, 4), dice=dice("16665"))
    ]
    assert table.do(Roll(FIRST, (1, 2)), "33333") == [
        Rolled(seq=7, at=T0, seat=FIRST, roll_number=3, held=(1, 2), dice=dice("36633"))
    ]
    assert table.select(Box.THREES) == [BoxSelected(seq=8, at=T0, seat=FIRST, box=Box.THREES)]
    assert table.score() == [
        Scored(seq=9, at=T0, seat=FIRST, box=Box.THREES, points=9, penta_bonus=0, actor=Actor.PLAYER),
        TurnStarted(seq=10, at=T0, seat=SECOND, round=1),
    ]
    assert table.game.rolls == 3
    assert table.game.version == 10


def test_s02_keeping_all_dice_uses_up_a_roll_and_changes_nothing_else() -> None:
    table = Table("HH")
    table.roll("22456")
    for used in (2, 3):
        table.roll("11111", hold=(0, 1, 2, 3, 4))
        assert (table.turn.seat, table.turn.rolls_used, table.turn.dice) == (FIRST, used, dice("22456"))


@pytest.mark.parametrize(
    ("hold", "second", "third"),
    [
        pytest.param(None, "66645", "11145", id="what-was-held"),
        pytest.param((0, 1), "12666", "12111", id="the-new-hold"),
        pytest.param((), "66666", "11111", id="nothing"),
    ],
)
def test_what_is_held_stays_held_until_it_is_replaced(hold: Held | None, second: str, third: str) -> None:
    table = Table("H")
    table.roll("12345")
    table.hold(3, 4)
    table.roll("66666", hold=hold)
    assert table.turn.dice == dice(second)
    table.roll("11111")
    assert table.turn.dice == dice(third)


def test_a15_a_turn_begins_without_dice() -> None:
    """The seat's former turn leaves nothing behind: no dice, holds, mark or used-up changes."""
    table = Table("H")
    for _ in range(2):
        assert refused(table.game, Score(FIRST, Box.CHANCE)).code is ErrorCode.ROLL_FIRST
        assert refused(table.game, Roll(FIRST, (0, 1))).code is ErrorCode.ROLL_FIRST
        turn = table.turn
        assert (turn.rolls_used, turn.rolls_left, turn.dice, turn.held) == (0, 3, None, ())
        assert (turn.selected, turn.deadline_at, turn.changes) == (None, None, 0)
        table.roll(PLAIN, PLAIN, hold=())
        table.hold(0, 1)
        table.roll()
        table.select(Box.CHANCE if turn.round == 1 else Box.ONES)
        table.score()


def test_a_roll_needs_dice() -> None:
    with pytest.raises(ValueError, match="dice"):
        apply(Table("H").game, Roll(FIRST), T0)


# Marks and scores


def test_a_mark_is_cleared_by_null_and_by_a_roll() -> None:
    table = Table("H")
    table.roll()
    mark, clear = partial(table.select, Box.ONES), partial(table.select, None)
    moves: tuple[Callable[[], object], ...] = (mark, clear, mark, table.roll)
    marks = []
    for move in moves:
        move()
        marks.append(table.turn.selected)
    assert marks == [Box.ONES, None, Box.ONES, None]


def test_what_changes_nothing_adds_no_event() -> None:
    table = Table("H")
    table.roll()
    assert table.select(None) == []
    assert table.hold() == []
    table.hold(1)
    table.select(Box.CHANCE)
    assert table.hold(1) == []
    assert table.select(Box.CHANCE) == []
    assert table.turn.changes == 2


def test_a_named_box_goes_before_the_marked_one() -> None:
    table = Table("H")
    table.roll("22225")
    table.select(Box.CHANCE)
    table.score(Box.TWOS)
    assert table.player().card == card(twos=8)


@pytest.mark.parametrize("rolls", [1, 2, 3])
def test_scoring_is_open_after_any_roll(rolls: int) -> None:
    table = Table("H")
    table.roll(*["22225"] * rolls, hold=())
    table.score(Box.FOUR_OF_A_KIND)
    assert table.player().card == card(four_of_a_kind=13)


@pytest.mark.parametrize(
    ("before", "box", "after"),
    [
        pytest.param(only_open("threes full_house", penta=50), Box.THREES, (15, 1), id="A06-3-own-box"),
        pytest.param(only_open("ones full_house", penta=50), Box.FULL_HOUSE, (25, 1), id="A06-2-joker"),
        pytest.param(only_open("full_house penta"), Box.FULL_HOUSE, (0, 0), id="A06-1-penta-open"),
        pytest.param(only_open("ones", penta=50), Box.ONES, (0, 1), id="sacrifice-with-bonus"),
        pytest.param(only_open("full_house"), Box.FULL_HOUSE, (0, 0), id="penta-sacrificed"),
    ],
)
def test_five_threes_are_scored(before: Card, box: Box, after: tuple[int, int]) -> None:
    table = Table("HH")
    table.set_card(before)
    table.roll("33333")
    table.score(box)
    scored = table.player().card
    assert (scored[box], scored.penta_bonuses) == after


# The end


def test_the_last_score_finishes_the_game() -> None:
    table = Table("HH")
    for seat in (FIRST, SECOND):
        table.set_card(only_open("chance"), seat)
    table.roll("11111")
    assert kinds_of(table.score(Box.CHANCE)) == [Scored, TurnStarted]
    table.roll("66666")
    result = Result((SECOND,), (Place(SECOND, 1, 30), Place(FIRST, 2, 5)))
    assert table.score(Box.CHANCE)[1:] == [GameFinished(seq=table.game.version, at=T0, result=result)]
    assert (table.game.status, table.game.turn, table.game.result) == (Status.FINISHED, None, result)


@pytest.mark.parametrize(
    ("totals", "winners", "ranking"),
    [
        pytest.param((5,), [0], [(0, 1)], id="alone"),
        pytest.param((10, 30, 20), [1], [(1, 1), (2, 2), (0, 3)], id="all-differ"),
        pytest.param((20, 30, 30), [1, 2], [(1, 1), (2, 1), (0, 3)], id="shared-first-1-1-3"),
        pytest.param((10, 30, 10, 20), [1], [(1, 1), (3, 2), (0, 3), (2, 3)], id="shared-last"),
        pytest.param((0, 0, 0), [0, 1, 2], [(0, 1), (1, 1), (2, 1)], id="tie-at-0"),
        pytest.param((30, 20, 20, 10), [0], [(0, 1), (1, 2), (2, 2), (3, 4)], id="shared-second-1-2-2-4"),
    ],
)
def test_ranking(totals: tuple[int, ...], winners: list[int], ranking: list[tuple[int, int]]) -> None:
    table = Table("H" * len(totals))
    for seat, total in enumerate(totals):
        table.set_card(card(chance=total), Seat(seat))
    result = outcome(table.game)
    assert list(result.winners) == winners
    assert [(place.seat, place.rank) for place in result.ranking] == ranking
    assert all(place.total == totals[place.seat] for place in result.ranking)


def test_a_player_who_left_is_ranked_and_may_win() -> None:
    table = Table("HH")
    table.set_card(only_open("", chance=30), FIRST)
    table.set_card(only_open("chance"), SECOND)
    table.do(Leave(FIRST))
    assert outcome(table.game).winners == (FIRST,)


def test_states_cannot_be_changed() -> None:
    game = Table("H").game
    with pytest.raises(FrozenInstanceError):
        game.rolls = 1  # type: ignore[misc]


def test_all_boxes_are_filled_once_in_thirteen_turns() -> None:
    table = Table("H")
    boxes = [next(e.box for e in table.play_turn(box) if isinstance(e, Scored)) for box in reversed(BOXES)]
    assert sorted(boxes) == sorted(BOXES)
    assert table.game.status is Status.FINISHED
