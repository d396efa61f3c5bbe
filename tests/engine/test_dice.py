"""Dice and positions as plain data."""

import pytest

from engine.dice import Held, five_equal, is_dice, is_held, rolled
from tests.engine.kit import dice


@pytest.mark.parametrize(
    ("positions", "valid"),
    [
        pytest.param([], True, id="none"),
        pytest.param([0, 1, 2, 3, 4], True, id="all"),
        pytest.param([4, 0], True, id="any-order"),
        pytest.param([-1], False, id="A16-negative"),
        pytest.param([5], False, id="A16-too-large"),
        pytest.param([0, 0], False, id="A16-twice"),
        pytest.param([0, 1, 2, 3, 4, 0], False, id="A16-six"),
        pytest.param([True], False, id="boolean"),
        pytest.param([1.0], False, id="fraction"),
        pytest.param(["2"], False, id="text"),
    ],
)
def test_is_held(positions: list[object], valid: bool) -> None:
    assert is_held(positions) is valid


@pytest.mark.parametrize(
    ("faces", "valid"),
    [
        pytest.param([1, 6, 3, 3, 2], True, id="five-faces"),
        pytest.param([1, 2, 3, 4], False, id="four"),
        pytest.param([1, 2, 3, 4, 5, 6], False, id="six"),
        pytest.param([0, 2, 3, 4, 5], False, id="zero"),
        pytest.param([7, 2, 3, 4, 5], False, id="seven"),
        pytest.param([True, 2, 3, 4, 5], False, id="boolean"),
        pytest.param([1.0, 2, 3, 4, 5], False, id="fraction"),
        pytest.param(["1", 2, 3, 4, 5], False, id="text"),
    ],
)
def test_is_dice(faces: list[object], valid: bool) -> None:
    assert is_dice(faces) is valid


@pytest.mark.parametrize(("faces", "face"), [("44444", 4), ("11111", 1), ("44443", None), ("34444", None)])
def test_five_equal(faces: str, face: int | None) -> None:
    assert five_equal(dice(faces)) == face


@pytest.mark.parametrize(
    ("before", "held", "after"),
    [
        pytest.param(None, (), "66666", id="first-roll"),
        pytest.param("12345", (), "66666", id="all-again"),
        pytest.param("12345", (0, 4), "16665", id="ends-kept"),
        pytest.param("12345", (1, 2, 3), "62346", id="middle-kept"),
        pytest.param("12345", (0, 1, 2, 3, 4), "12345", id="S02-all-kept"),
    ],
)
def test_a_roll_draws_only_positions_that_are_not_held(before: str | None, held: Held, after: str) -> None:
    assert rolled(dice(before) if before else None, held, dice("66666")) == dice(after)
