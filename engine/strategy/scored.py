"""What a roll is worth that is scored: the best box by its points and by what the rest of the game then brings."""

from collections.abc import Iterable
from functools import cache
from typing import Final

import numpy as np

from engine.boxes import BOXES, FACE, INDEX, LOWER, UPPER
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

_POINTS: Final[Floats] = np.array([[points(box, roll) for roll in ROLLS] for box in BOXES], dtype=np.float64)
_UPPER_ENDS: Final = len(UPPER) * COUNTS
_ENTRY: Final[Ints] = np.array(
    [[UPPER.index(box) * COUNTS + roll.count(face) for roll in ROLLS] for box, face in FACE.items()]
    + [[_UPPER_ENDS + n] * len(ROLLS) for n in range(len(LOWER))]
)
"""By box and roll, the row of `_after` that says what follows."""
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
    after = _after(values, upper, lower)
    chosen = list(boxes)
    by_box = after.take(_ENTRY[chosen], axis=0)
    by_box += _POINTS[chosen][:, :, None]
    np.max(by_box, axis=0, out=best[: len(ROLLS)])
    best[_FIVE_ROWS] = _five_equal(values, fives, upper, lower, after[:_UPPER_ENDS])
    return best


def _after(values: Floats, upper: Ints, lower: Ints) -> Floats:
    """What follows when a box is filled, with its upper bonus, (43, n): upper boxes by count, then the lower ones."""
    after = np.empty((_UPPER_ENDS + len(LOWER), len(upper)))
    of_upper = UPPER_BONUS_EARNED[upper] + values[lower[:, None, None], UPPER_NEXT[upper]]
    after[:_UPPER_ENDS] = of_upper.reshape(len(upper), _UPPER_ENDS).T
    after[_UPPER_ENDS:] = values[LOWER_NEXT[lower].T, upper]
    return after


def _five_equal(values: Floats, fives: Floats, upper: Ints, lower: Ints, after_upper: Floats) -> Floats:
    """The rows of five equal dice, (6 faces, n): there the rules decide by the card which boxes are legal."""
    without, with_all = after_upper[::COUNTS], after_upper[DICE::COUNTS]  # dice of another face, or five of the box's
    lower_after = values[LOWER_NEXT_FIVE[lower].T, upper]
    rows = np.empty((len(UPPER), len(upper)))
    for face in range(len(UPPER)):
        following = np.concatenate([without, lower_after])
        following[face] = with_all[face]
        rows[face] = np.max(fives[:, face].T + following, axis=0)
    return rows
