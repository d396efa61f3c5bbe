"""What dice are worth in a box by themselves."""

from itertools import permutations, product

import pytest

from engine.boxes import BOXES, UPPER, Box
from engine.scoring import points
from tests.engine.kit import dice

ROLLS = tuple(product(range(1, 7), repeat=5))


@pytest.mark.parametrize(
    ("rolled", "expected"),
    [
        pytest.param("12334", {"small_straight": 30, "large_straight": 0}, id="A02-run-of-four-with-a-pair-inside"),
        pytest.param("12343", {"small_straight": 30, "large_straight": 0}, id="A02-run-of-four-with-a-pair-apart"),
        pytest.param("23453", {"small_straight": 30, "large_straight": 0}, id="A02-run-from-two"),
        pytest.param("34566", {"small_straight": 30, "large_straight": 0}, id="run-from-three"),
        pytest.param("53142", {"small_straight": 30, "large_straight": 40}, id="run-of-five-unsorted"),
        pytest.param("62345", {"small_straight": 30, "large_straight": 40}, id="run-of-five-from-two"),
        pytest.param("12456", {"small_straight": 0, "large_straight": 0}, id="A01-runs-of-two-and-three"),
        pytest.param("34466", {"small_straight": 0, "large_straight": 0}, id="A01-gap"),
        pytest.param("12346", {"small_straight": 30, "large_straight": 0}, id="run-of-four-and-a-gap"),
        pytest.param("22225", {"full_house": 0, "four_of_a_kind": 13, "three_of_a_kind": 13}, id="A05-four-and-one"),
        pytest.param("52222", {"full_house": 0, "four_of_a_kind": 13, "three_of_a_kind": 13}, id="A05-one-and-four"),
        pytest.param("22555", {"full_house": 25, "four_of_a_kind": 0, "three_of_a_kind": 19}, id="A05-two-and-three"),
        pytest.param("25252", {"full_house": 25, "four_of_a_kind": 0, "three_of_a_kind": 16}, id="three-and-two-mixed"),
        pytest.param("44425", {"full_house": 0, "four_of_a_kind": 0, "three_of_a_kind": 19}, id="three-equal"),
        pytest.param("22551", {"full_house": 0, "three_of_a_kind": 0, "chance": 15}, id="two-pairs"),
        pytest.param("33333", {"full_house": 0, "penta": 50, "threes": 15, "chance": 15}, id="A06-five-equal"),
        pytest.param("33333", {"small_straight": 0, "large_straight": 0, "four_of_a_kind": 15}, id="five-equal-lower"),
        pytest.param("33334", {"penta": 0, "threes": 12, "fours": 4, "fives": 0}, id="four-equal"),
        pytest.param("11346", {"full_house": 0, "large_straight": 0, "ones": 2, "sixes": 6}, id="sacrifice"),
    ],
)
def test_points(rolled: str, expected: dict[str, int]) -> None:
    assert {box: points(Box(box), dice(rolled)) for box in expected} == expected


@pytest.mark.parametrize(
    ("box", "paying", "total"),
    [
        *((box, 7776 - 5**5, 6480 * face) for face, box in enumerate(UPPER, start=1)),
        (Box.THREE_OF_A_KIND, 1656, 1656 * 17.5),
        (Box.FOUR_OF_A_KIND, 156, 156 * 17.5),
        (Box.FULL_HOUSE, 300, 300 * 25),
        (Box.SMALL_STRAIGHT, 1200, 1200 * 30),
        (Box.LARGE_STRAIGHT, 240, 240 * 40),
        (Box.CHANCE, 7776, 7776 * 17.5),
        (Box.PENTA, 6, 6 * 50),
    ],
)
def test_how_many_of_all_rolls_pay_and_what_they_bring(box: Box, paying: int, total: float) -> None:
    """By combinatorics; a sum that does not depend on the faces averages 17.5, as faces f and 7 - f are alike."""
    brought = [points(box, rolled) for rolled in ROLLS]
    assert (sum(value > 0 for value in brought), sum(brought)) == (paying, total)


@pytest.mark.parametrize("rolled", ["12334", "22255", "13456"])
def test_positions_do_not_matter(rolled: str) -> None:
    for box in BOXES:
        assert len({points(box, order) for order in permutations(dice(rolled))}) == 1


def test_a_joker_makes_a_full_house_and_straights_and_nothing_else() -> None:
    paid = {box: points(box, dice("66666"), joker=True) for box in BOXES}
    ordinary = {box: points(box, dice("66666")) for box in BOXES}
    assert paid == ordinary | {Box.FULL_HOUSE: 25, Box.SMALL_STRAIGHT: 30, Box.LARGE_STRAIGHT: 40}
