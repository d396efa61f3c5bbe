"""How a beginner plays."""

from itertools import combinations_with_replacement

import pytest

from engine.boxes import BOXES, UPPER, Box
from engine.card import Card
from engine.dice import Held
from engine.rules import PRESETS, RulesName, options
from engine.strategy.beginner import Beginner, average_points
from engine.strategy.policy import Fill, Keep
from tests.engine.kit import card, dice, only_open

RULES = PRESETS[RulesName.PENTA]

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
def test_fill(given: Card, rolled: str, box: str) -> None:
    assert Beginner().fill(RULES, given, dice(rolled)) == Fill(Box(box), Beginner.policy)


@pytest.mark.parametrize("given", [Card(), card(penta=50), only_open("ones twos full_house small_straight penta")])
def test_it_fills_the_box_with_most_points_whatever_the_dice(given: Card) -> None:
    for rolled in combinations_with_replacement(range(1, 7), 5):
        ranked = sorted(options(RULES, given, rolled), key=lambda o: (-o.points, AVERAGES[o.box]))
        assert Beginner().fill(RULES, given, rolled).box is ranked[0].box


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
def test_decide(rolled: str, rolls_left: int, held: Held | None) -> None:
    given = only_open("sixes three_of_a_kind full_house small_straight")
    expected = Beginner().fill(RULES, given, dice(rolled)) if held is None else Keep(held)
    assert Beginner().decide(RULES, given, dice(rolled), rolls_left) == expected
