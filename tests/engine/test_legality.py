"""Which actions are refused, with what code, and what is left to do."""

from dataclasses import replace
from itertools import combinations

import pytest

from engine.actions import Abandon, Action, AddClientSeed, Hold, Join, Leave, Return, Roll, Score, Select, Start
from engine.boxes import Box
from engine.card import Card
from engine.errors import ErrorCode, RuleError
from engine.game import MAX_CHANGES, Game
from engine.legality import legal, refusal
from engine.step import apply
from tests.engine.kit import FIRST, PLAIN, SECOND, T0, THIRD, Table, card, dice, only_open, refused

HELD = [held for size in range(6) for held in combinations(range(5), size)]


def scene(name: str) -> Game:
    """Two humans; in the course of the game the first is to move and has filled Chance."""
    table = Table("HH", open_seats=name == "waiting")
    if name == "abandoned":
        table.do(Abandon())
    elif name == "finished":
        for seat in (FIRST, SECOND):
            table.set_card(only_open("ones"), seat)
        table.play_turn()
        table.play_turn()
    elif name != "waiting":
        table.set_card(card(chance=20))
        rolls = {"no dice": 0, "third roll": 3, "used up, third roll": 3}
        for _ in range(rolls.get(name, 1)):
            table.roll(hold=())
        if name == "marked":
            table.select(Box.ONES)
        if name.startswith("used up"):
            table.game = replace(table.game, turn=replace(table.turn, changes=MAX_CHANGES))
    return table.game


@pytest.mark.parametrize(
    ("name", "action", "code"),
    [
        # The status of the game comes first, ...
        ("waiting", Roll(FIRST, (0,)), "game_not_active"),
        ("waiting", Score(SECOND), "game_not_active"),
        ("waiting", Return(FIRST), "game_not_active"),
        ("finished", Roll(FIRST), "game_not_active"),
        ("finished", Hold(SECOND, (0,)), "game_not_active"),
        ("finished", Select(SECOND, None), "game_not_active"),
        ("finished", Score(FIRST, Box.ONES), "game_not_active"),
        ("finished", AddClientSeed(FIRST, "late"), "game_not_active"),
        ("finished", Return(FIRST), "game_not_active"),
        ("finished", Leave(FIRST), "game_not_active"),
        ("finished", Abandon(), "game_not_active"),
        ("finished", Join("Player 1"), "game_already_started"),
        ("finished", Start(), "game_already_started"),
        ("abandoned", Join("Ana"), "game_not_active"),
        ("abandoned", Start(), "game_not_active"),
        ("abandoned", Leave(FIRST), "game_not_active"),
        ("abandoned", Abandon(), "game_not_active"),
        ("no dice", Join("Player 1"), "game_already_started"),
        ("no dice", Start(), "game_already_started"),
        ("no dice", Return(FIRST), "not_away"),
        # ... then whose turn it is, ...
        ("no dice", Roll(SECOND, (0,)), "not_your_turn"),
        ("no dice", Score(SECOND), "not_your_turn"),
        ("third roll", Roll(SECOND), "not_your_turn"),
        ("rolled", Select(SECOND, Box.CHANCE), "not_your_turn"),
        # ... then the rolls, ...
        ("no dice", Roll(FIRST, (0,)), "roll_first"),
        ("no dice", Hold(FIRST, ()), "roll_first"),
        ("no dice", Select(FIRST, Box.CHANCE), "roll_first"),
        ("no dice", Select(FIRST, None), "roll_first"),
        ("no dice", Score(FIRST, Box.CHANCE), "roll_first"),
        ("no dice", Score(FIRST), "roll_first"),
        ("third roll", Roll(FIRST), "no_rolls_left"),
        ("third roll", Roll(FIRST, (0, 1, 2, 3, 4)), "no_rolls_left"),
        ("third roll", Hold(FIRST, ()), "no_rolls_left"),
        # ... then the box, ...
        ("rolled", Select(FIRST, Box.CHANCE), "box_filled"),
        ("rolled", Score(FIRST, Box.CHANCE), "box_filled"),
        ("marked", Score(FIRST, Box.CHANCE), "box_filled"),
        ("rolled", Score(FIRST), "nothing_selected"),
        # ... and last how much was changed.
        ("used up", Hold(FIRST, (0,)), "rate_limited"),
        ("used up", Select(FIRST, Box.ONES), "rate_limited"),
        ("used up", Select(FIRST, Box.CHANCE), "box_filled"),
        ("used up, third roll", Hold(FIRST, (0,)), "no_rolls_left"),
    ],
    ids=str,
)
def test_the_first_reason_is_told(name: str, action: Action, code: str) -> None:
    assert refused(scene(name), action).code == code


@pytest.mark.parametrize("name", ["waiting", "finished", "abandoned"])
def test_nothing_is_legal_unless_the_game_is_active(name: str) -> None:
    assert legal(scene(name)) == ()


@pytest.mark.parametrize(
    ("name", "taken"),
    [
        pytest.param("Ana", False, id="free"),
        pytest.param("Player 1", True, id="same"),
        pytest.param("PLAYER 1", True, id="case"),
        pytest.param("Ｐlayer １", True, id="wide-letters"),
        pytest.param("Stra\N{LATIN SMALL LETTER SHARP S}e", True, id="sharp-s"),
        pytest.param("Zoe\N{COMBINING DIAERESIS}", True, id="combining"),
    ],
)
def test_names_are_unique_however_they_are_written(name: str, taken: bool) -> None:
    table = Table("H", open_seats=4)
    table.do(Join("STRASSE"))
    table.do(Join("ZO\N{LATIN CAPITAL LETTER E WITH DIAERESIS}"))
    found = refusal(table.game, Join(name))
    assert (found.code if found else None) == ("name_taken" if taken else None)


def test_a_full_game_is_told_before_a_taken_name() -> None:
    assert refused(Table("CH").game, Join("Player 1")).code is ErrorCode.GAME_FULL


@pytest.mark.parametrize(
    ("given", "rolled", "box", "code", "legal_boxes"),
    [
        pytest.param(card(penta=50), "33333", "chance", "box_not_allowed", "threes", id="A06-3-own-box-open"),
        pytest.param(card(penta=50), "33333", "full_house", "box_not_allowed", "threes", id="A06-3-full-house"),
        pytest.param(card(penta=50), "33333", "penta", "box_filled", "threes", id="A08-five-equal-own-box-open"),
        pytest.param(
            only_open("ones chance", penta=50), "22222", "penta", "box_filled", "chance", id="A08-five-equal-joker"
        ),
        pytest.param(
            only_open("ones chance", penta=50), "22222", "ones", "box_not_allowed", "chance", id="upper-before-lower"
        ),
        pytest.param(
            only_open("ones chance", penta=50), "12346", "penta", "box_filled", "ones chance", id="A08-other-dice"
        ),
        pytest.param(only_open("ones chance"), "22222", "penta", "box_filled", "ones chance", id="penta-sacrificed"),
    ],
)
@pytest.mark.parametrize("action", [Select, Score])
def test_refused_boxes(
    given: Card, rolled: str, box: str, code: str, legal_boxes: str, action: type[Select] | type[Score]
) -> None:
    table = Table("H")
    table.set_card(given)
    table.roll(rolled)
    error = refused(table.game, action(FIRST, Box(box)))
    assert (error.code, error.legal_boxes) == (code, tuple(Box(name) for name in legal_boxes.split()))
    assert table.player().card == given


def accepted(game: Game) -> set[Action]:
    """The actions of any seat that `apply` takes; Roll(seat) is only short for a roll that keeps what is held."""
    universe: list[Action] = []
    for seat in (FIRST, SECOND, THIRD):
        universe += [kind(seat, held) for kind in (Roll, Hold) for held in HELD]
        universe += [kind(seat, box) for kind in (Select, Score) for box in (*Box, None)]
    taken = set()
    for action in universe:
        try:
            apply(game, action, T0, dice(PLAIN))
        except RuleError:
            continue
        taken.add(action)
    return taken


@pytest.mark.parametrize(
    ("name", "rolls", "holds", "marks", "scores"),
    [
        ("waiting", 0, 0, 0, 0),
        ("finished", 0, 0, 0, 0),
        ("no dice", 1, 0, 0, 0),
        ("rolled", 32, 32, 13, 12),
        ("marked", 32, 32, 13, 13),
        ("third roll", 0, 0, 13, 12),
        ("used up", 32, 1, 1, 12),
        ("used up, third roll", 0, 0, 1, 12),
    ],
)
def test_legal_lists_what_apply_accepts(name: str, rolls: int, holds: int, marks: int, scores: int) -> None:
    game = scene(name)
    listed = legal(game)
    assert set(listed) == accepted(game)
    assert [sum(isinstance(action, kind) for action in listed) for kind in (Roll, Hold, Select, Score)] == [
        rolls,
        holds,
        marks,
        scores,
    ]


def test_a_turn_has_a_hundred_changes_over_all_its_rolls() -> None:
    table = Table("H")
    for changes in (60, 40):
        table.roll(hold=())
        for number in range(changes):
            table.hold(number % 5)
    assert refused(table.game, Hold(FIRST, ())).code is ErrorCode.TOO_MANY_CHANGES
    assert refused(table.game, Select(FIRST, Box.ONES)).code is ErrorCode.TOO_MANY_CHANGES
    assert table.hold(*table.turn.held) == []
    table.roll()
    table.score(Box.ONES)
    table.roll()
    assert table.hold(4), "the next turn begins at nought"
