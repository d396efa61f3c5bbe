"""What a roll is worth that is scored: the best box by its points and by what the rest of the game then brings."""

from collections.abc import Iterable
from functools import cache
from typing import Final

import numpy as np

from engine.boxes import BOXES, FACE, INDEX, UPPER
from engine.dice import DICE
from engine.rules import PRESETS, RulesName, options
from engine.scoring import points
from engine.strategy.positions import (
    COUNTS,
    LOWER_NEXT,
    LOWER_NEXT_FIVE,
    LOWERS,
    UPPER_BONUS_EARNED,
    UPPER_MASKS,
    UPPER_NEXT,
    Floats,
    Ints,
    like,
)
from engine.strategy.turn import KEEP_NUMBER, KEEPS, ROLLS

_COUNT: Final[Ints] = np.array([[roll.count(face) for roll in ROLLS] for face in FACE.values()])
_POINTS: Final[Floats] = np.array([[points(box, roll) for roll in ROLLS] for box in BOXES], dtype=np.float64)
_UPPER_POINTS: Final[Floats] = np.array([[face * count for count in range(COUNTS)] for face in FACE.values()]) * 1.0
_FIVES: Final = tuple((face,) * DICE for face in FACE.values())
_FIVE_ROWS: Final = [KEEP_NUMBER[dice] for dice in _FIVES]
_ILLEGAL: Final = -np.inf


@cache
def five_equal_points(rules: RulesName, mask: int, lower: int) -> Floats:
    """Points and Penta bonus of five equal dice, (6 faces, 13 boxes); minus infinity where the box is not legal."""
    card = like(mask, lower)
    rows = []
    for dice in _FIVES:
        row = [_ILLEGAL] * len(BOXES)
        for box, gained, bonus in options(PRESETS[rules], card, dice):
            row[INDEX[box]] = gained + bonus
        rows.append(row)
    return np.array(rows)


@cache
def all_five_equal_points(rules: RulesName) -> Floats:
    """`five_equal_points` of every card, (64 upper masks, 192 lower numbers, 6 faces, 13 boxes)."""
    return np.array([[five_equal_points(rules, m, n) for n in range(LOWERS)] for m in range(UPPER_MASKS)])


def scored(values: Floats, fives: Floats, upper: Ints, lower: Ints, boxes: Iterable[int] = range(len(BOXES))) -> Floats:
    """The best value of scoring each roll: points, bonuses, and the value of what follows.

    `upper` and `lower` (n) are positions, `values` the table of their values (see `positions.empty_values`), `fives`
    (n, 6, 13) what `five_equal_points` says of them; `boxes` are the numbers of boxes that some of them have open.
    The result has the rows of `turn`; those of keeps that are no rolls are not filled in.
    """
    best = np.empty((len(KEEPS), len(upper)))
    rolls = best[: len(ROLLS)]
    rolls[:] = _ILLEGAL
    for box in boxes:
        if box < len(UPPER):
            by_count = _UPPER_POINTS[box][:, None] + _after_upper(values, upper, lower, box, slice(None))
            np.maximum(rolls, by_count.take(_COUNT[box], axis=0), out=rolls)
        else:
            after = values[LOWER_NEXT[lower, box - len(UPPER)], upper]
            np.maximum(rolls, _POINTS[box][:, None] + after, out=rolls)
    rolls[_FIVE_ROWS] = _five_equal(values, fives, upper, lower)
    return best


def _after_upper(values: Floats, upper: Ints, lower: Ints, box: int, counts: slice) -> Floats:
    """Value of what follows when an upper box is filled with so many dice, its bonus included, (counts, n)."""
    following = UPPER_NEXT[upper, box, counts]
    return np.ascontiguousarray((UPPER_BONUS_EARNED[upper, box, counts] + values[lower[:, None], following]).T)


def _five_equal(values: Floats, fives: Floats, upper: Ints, lower: Ints) -> Floats:
    """The rows of five equal dice, (6 faces, n): there the rules decide by the card which boxes are legal."""
    ends = slice(None, None, COUNTS - 1)  # none of five equal dice show the box's face, or all do
    upper_after = np.array([_after_upper(values, upper, lower, box, ends) for box in range(len(UPPER))])
    lower_after = values[LOWER_NEXT_FIVE[lower].T, upper]
    rows = np.empty((len(UPPER), len(upper)))
    for face in range(len(UPPER)):
        after = np.concatenate([upper_after[:, 0], lower_after])
        after[face] = upper_after[face, -1]
        rows[face] = np.max(fives[:, face].T + after, axis=0)
    return rows
