"""How the computer chooses, and the turns that it plays for computers, absent players and clocks."""

from itertools import combinations_with_replacement

import pytest

from engine.actions import Start
from engine.boxes import BOXES, UPPER, Box
from engine.card import Card
from engine.dice import Dice, Held
from engine.events import BoxSelected, DiceHeld, Rolled, Scored, TurnStarted
from engine.evolve import evolve
from engine.game import Actor, Game, Options, Status, next_due
from engine.rules import PRESETS, RulesName, options
from engine.strategy.autoplay import REFEREE, play_computers
from engine.strategy.greedy import Greedy, average_points
from engine.strategy.policy import Fill, Keep
from tests.engine.kit import FIRST, PLAIN, SECOND, Table, card, dice, fair_dice, only_open

RULES = PRESETS[RulesName.PENTA]
LIMITED = Options(turn_limit_ms=10_000)

# By combinatorics: how many of all rolls pay, times what they pay on average.
AVERAGES = {
    **{box: face * 5 / 6 for face, box in enumerate(UPPER, start=1)},
    Box.THREE_OF_A_KIND: 1656 * 17.5 / 7776,
    Box.FOUR_OF_A_KIND: 156 * 17.5 / 7776,
    Box.FULL_HOUSE: 300 * 25 / 7776,
    Box.SMALL_STRAIGHT: 1200 * 30 / 7776,
    Box.LARGE_STRAIGHT: 240 * 40 / 7776,
    Box.CHANCE: 17.5,
    Box.PENTA: 6 * 50 / 7776,
}

# Greedy


def test_average_points() -> None:
    assert {box: average_points(box) for box in BOXES} == pytest.approx(AVERAGES)


@pytest.mark.parametrize(
    ("given", "rolled", "box"),
    [
        pytest.param(Card(), "66655", "three_of_a_kind", id="full-house-beaten"),
        pytest.param(Card(), "11122", "full_house", id="best-points"),
        pytest.param(Card(), "12345", "large_straight", id="large-before-small"),
        pytest.param(Card(), "44425", "three_of_a_kind", id="equal-points-chance-is-worth-more"),
        pytest.param(Card(), "22225", "four_of_a_kind", id="equal-points-of-three-boxes"),
        pytest.param(only_open("full_house large_straight"), "11346", "full_house", id="sacrifice-the-full-house"),
        pytest.param(only_open("ones large_straight penta"), "23346", "penta", id="sacrifice-penta-first"),
        pytest.param(only_open("ones full_house"), "23346", "ones", id="sacrifice-ones"),
        pytest.param(only_open("ones chance", penta=50), "66666", "chance", id="joker-below-only"),
        pytest.param(only_open("sixes chance", penta=50), "66666", "sixes", id="joker-own-box"),
    ],
)
def test_greedy_fill(given: Card, rolled: str, box: str) -> None:
    assert Greedy().fill(RULES, given, dice(rolled)) == Fill(Box(box), Greedy.policy)


@pytest.mark.parametrize("given", [Card(), card(penta=50), only_open("ones twos full_house small_straight penta")])
def test_greedy_fill_is_the_best_option_of_all_dice(given: Card) -> None:
    for rolled in combinations_with_replacement(range(1, 7), 5):
        ranked = sorted(options(RULES, given, rolled), key=lambda o: (-o.points, AVERAGES[o.box]))
        assert Greedy().fill(RULES, given, rolled).box is ranked[0].box


@pytest.mark.parametrize(
    ("rolled", "rolls_left", "held"),
    [
        pytest.param("11346", 2, (0, 1), id="the-pair"),
        pytest.param("61641", 1, (0, 2), id="the-higher-pair"),
        pytest.param("12246", 2, (1, 2), id="in-the-middle"),
        pytest.param("13456", 2, None, id="small-straight-is-enough"),
        pytest.param("11122", 2, None, id="25-is-enough"),
        pytest.param("66653", 2, None, id="26-is-enough"),
        pytest.param("66642", 2, (0, 1, 2), id="24-is-not"),
        pytest.param("11346", 0, None, id="no-rolls-left"),
    ],
)
def test_greedy_decides(rolled: str, rolls_left: int, held: Held | None) -> None:
    given = only_open("sixes three_of_a_kind full_house small_straight")
    expected = Greedy().fill(RULES, given, dice(rolled)) if held is None else Keep(held)
    assert Greedy().decide(RULES, given, dice(rolled), rolls_left) == expected


# Turns of computers


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
            assert decision == (
                Keep(event.held) if isinstance(event, Rolled) else Fill(event.box, event.policy or Greedy.policy)
            )
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
    chosen = REFEREE.fill(RULES, table.player().card, dice("66611"))
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
