"""Totals of a score card."""

import pytest

from engine.boxes import BOXES, UPPER, Box
from engine.card import EMPTY_CARD, Card
from tests.engine.kit import card, only_open


def uppers(*values: int | None) -> Card:
    return card(**{box: value for box, value in zip(UPPER, values, strict=True) if value is not None})


@pytest.mark.parametrize(
    ("values", "subtotal", "bonus"),
    [
        pytest.param((3, 6, 9, 12, 15, 18), 63, 35, id="A12-three-of-each"),
        pytest.param((2, 6, 9, 12, 15, 18), 62, 0, id="A12-one-short"),
        pytest.param((0, 4, 9, 12, 20, 18), 63, 35, id="A12-with-a-zero"),
        pytest.param((None, 6, 9, 12, 15, 24), 66, 35, id="A12-reached-with-ones-open"),
        pytest.param((None, 8, 6, 16, 15, 18), 63, 35, id="A12-exactly-with-ones-open"),
        pytest.param((5, 10, 15, 20, 25, 30), 105, 35, id="A12-once-only"),
        pytest.param((None,) * 6, 0, 0, id="open"),
        pytest.param((0,) * 6, 0, 0, id="sacrificed"),
    ],
)
def test_upper_section(values: tuple[int | None, ...], subtotal: int, bonus: int) -> None:
    given = uppers(*values)
    assert (given.upper_subtotal, given.upper_bonus) == (subtotal, bonus)
    assert given.upper_total == given.total == subtotal + bonus


def test_total_adds_both_sections_the_upper_bonus_and_penta_bonuses() -> None:
    """Every box holds another value, so none can be counted twice or left out unseen."""
    given = Card((3, 6, 9, 12, 15, 18, 20, 21, 25, 30, 40, 22, 50), penta_bonuses=2)
    assert given.upper_total == 98
    assert given.lower_total == 208
    assert given.penta_bonus_total == 200
    assert given.total == 506


def test_a_penta_bonus_does_not_count_for_the_upper_bonus() -> None:
    assert card(penta_bonuses=1, ones=3, penta=50).upper_bonus == 0


@pytest.mark.parametrize("box", BOXES)
def test_fill_changes_one_box(box: Box) -> None:
    filled = only_open(box).fill(box, 7, 100)
    assert filled == Card(tuple(7 if other is box else 0 for other in BOXES), 1)
    assert filled[box] == 7


def test_a_zero_fills_a_box() -> None:
    given = EMPTY_CARD.fill(Box.CHANCE, 0, 0)
    assert given.penta_bonuses == 0
    assert given.filled == 1
    assert Box.CHANCE not in given.open_boxes
    assert len(given.open_boxes) == 12


def test_a_card_is_full_when_no_box_is_open() -> None:
    assert only_open("").is_full
    assert not only_open("ones").is_full
    assert only_open("penta ones").open_boxes == (Box.ONES, Box.PENTA)
