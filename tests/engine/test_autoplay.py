"""The turns that the computer plays: for computers, absent players and clocks."""

import pytest

from engine.actions import Start
from engine.boxes import Box
from engine.dice import Dice
from engine.events import BoxSelected, DiceHeld, Rolled, Scored, TurnStarted
from engine.evolve import evolve
from engine.game import Actor, Game, Level, Options, Status, next_due
from engine.strategy.autoplay import play_computers, strategies
from engine.strategy.policy import Fill, Keep
from tests.engine.kit import FIRST, PLAIN, SECOND, Table, dice, fair_dice

REFEREE = strategies()[Level.OPTIMAL]
LIMITED = Options(turn_limit_ms=10_000)


def test_computers_play_whole_turns_until_a_human_is_to_move() -> None:
    table = Table("HCC")
    table.play_turn()
    drawn: list[int] = []

    def source(game: Game, number: int) -> Dice:
        drawn.append(number)
        return fair_dice(game, number)

    events = table.take(play_computers(table.game, table.at, source))
    scored = [event for event in events if isinstance(event, Scored)]
    assert [(event.seat, event.actor, event.due_at) for event in scored] == [
        (seat, Actor.COMPUTER, None) for seat in (1, 2)
    ]
    assert all(event.policy for event in scored)
    assert (table.turn.seat, table.turn.round) == (FIRST, 2)
    assert not [event for event in events if isinstance(event, DiceHeld | BoxSelected)]
    assert drawn == list(range(2, 2 + sum(isinstance(event, Rolled) for event in events))), "each roll its own dice"


def test_computers_do_what_their_strategy_decides() -> None:
    table = Table("HC")
    table.play_turn()
    game = table.game
    rolls = 0
    for event in table.computers():
        turn = game.turn
        if turn and turn.dice and isinstance(event, Rolled | Scored):
            decision = REFEREE.decide(game.rules, game.player(SECOND).card, turn.dice, turn.rolls_left)
            match event:
                case Rolled(held=held):
                    assert decision == Keep(held)
                case Scored(box=box, policy=policy):
                    assert policy
                    assert decision == Fill(box, policy)
        rolls += isinstance(event, Rolled)
        game = evolve(game, event)
    assert 1 <= rolls <= 3


@pytest.mark.parametrize("kinds", ["H", "HC"])
def test_nothing_is_played_for_a_present_human(kinds: str) -> None:
    assert Table(kinds).computers() == []


def test_nothing_is_played_before_the_start() -> None:
    table = Table("CH")
    assert table.computers() == []
    table.do(Start())
    table.computers()
    assert table.turn.seat == SECOND


def test_a_game_is_finished_by_its_computers() -> None:
    table = Table("HCC")
    for _ in range(13):
        table.play_turn()
        table.computers()
    assert table.game.status is Status.FINISHED
    assert all(player.card.is_full for player in table.game.players)


# Turns ended by a clock


def ended(table: Table) -> tuple[int, Scored]:
    """How many rolls the clock took to end the turn, and its score."""
    due = next_due(table.game)
    assert due is not None
    seat = table.turn.seat
    *rolls, scored, started = table.expire()
    assert isinstance(scored, Scored)
    assert isinstance(started, TurnStarted)
    assert all(isinstance(event, Rolled) and event.seat == seat for event in rolls)
    assert (scored.seat, scored.actor, scored.due_at) == (seat, due.actor, due.at)
    return len(rolls), scored


def test_the_deadline_scores_in_the_box_that_the_computer_would_choose() -> None:
    table = Table("HC")
    table.roll("66611", "66611", "66611", hold=())
    chosen = REFEREE.fill(table.game.rules, table.player().card, dice("66611"))
    rolls, scored = ended(table)
    assert (rolls, scored.actor) == (0, Actor.DEADLINE)
    assert (scored.box, scored.policy) == (chosen.box, chosen.policy)


@pytest.mark.parametrize("rolls", [1, 3])
def test_the_turn_limit_confirms_a_marked_box(rolls: int) -> None:
    """The player chose it, so no strategy is named."""
    table = Table("HC", options=LIMITED)
    table.roll(*[PLAIN] * rolls)
    table.select(Box.SIXES)
    more, scored = ended(table)
    assert more == 0
    assert (scored.actor, scored.box, scored.points, scored.policy) == (Actor.TURN_LIMIT, Box.SIXES, 6, None)


@pytest.mark.parametrize(
    ("rolls", "least", "most"),
    [
        pytest.param(0, 1, 3, id="no-dice-yet"),
        pytest.param(1, 0, 2, id="mid-turn"),
        pytest.param(3, 0, 0, id="no-rolls-left"),
    ],
)
def test_the_turn_limit_plays_the_turn_to_its_end(rolls: int, least: int, most: int) -> None:
    table = Table("HC", options=Options(auto_score_ms=None, turn_limit_ms=10_000))
    if rolls:
        table.roll(*[PLAIN] * rolls, hold=())
    more, scored = ended(table)
    assert scored.actor is Actor.TURN_LIMIT
    assert scored.policy is not None
    assert least <= more <= most
    assert table.game.rolls == rolls + more


def test_a_clock_leaves_the_next_turn_to_whom_it_belongs() -> None:
    table = Table("HC", options=LIMITED)
    table.expire()
    assert (table.turn.seat, table.turn.dice) == (SECOND, None)
    assert table.computers()
    assert table.turn.seat == FIRST
