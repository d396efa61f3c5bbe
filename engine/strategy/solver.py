"""The exact expected totals of optimal play, by backward induction from full cards to the empty one.

The method is that of Verhoeff, "Optimal Solitaire Yahtzee Strategies" (1999), and Woodward, "Yahtzee: The Solution"
(2003): a game between turns is a position, and its value is the mean over the first roll of the best that can follow.
"""

from collections.abc import Callable
from typing import Final

import numpy as np

from engine.boxes import BOXES
from engine.dice import ROLLS_PER_TURN
from engine.rules import RulesName
from engine.strategy.positions import (
    FILLED_OF_LOWER,
    FILLED_OF_UPPER,
    LOWER_NEXT,
    LOWERS,
    MASK_OF_UPPER,
    UPPER_NEXT,
    UPPERS,
    Floats,
    Ints,
    empty_values,
)
from engine.strategy.scored import all_five_equal_points, scored
from engine.strategy.turn import choose, expect, start_values

POSITIONS: Final = LOWERS * UPPERS
_CHUNK: Final = 192
"""Positions handled at a time: their arrays stay in a processor's cache."""


def solve(rules: RulesName, progress: Callable[[int], None] = lambda _: None) -> Floats:
    """Expected points still to come from every position, as `positions.empty_values` lays them out.

    Upper bonuses still to be earned are in it, what the card holds already is not. `progress` is told how many
    positions have been solved since it was last told, 536,448 in all.
    """
    values = empty_values()
    fives = all_five_equal_points(rules)
    filled = FILLED_OF_LOWER[:, None] + FILLED_OF_UPPER
    progress(int(np.count_nonzero(filled == len(BOXES))))

    for turn in range(len(BOXES) - 1, -1, -1):
        lowers, uppers = np.nonzero(filled == turn)
        for begin in range(0, len(lowers), _CHUNK):
            lower, upper = lowers[begin : begin + _CHUNK], uppers[begin : begin + _CHUNK]
            values[lower, upper] = before_turn(values, fives, upper, lower)
            progress(len(lower))
    return values


def before_turn(values: Floats, fives: Floats, upper: Ints, lower: Ints) -> Floats:
    """Value of positions (n) before a turn's first roll, from the values of those that follow."""
    turn = scored(values, fives[MASK_OF_UPPER[upper], lower], upper, lower, _open_boxes(upper, lower))
    for _ in range(ROLLS_PER_TURN - 1):
        expect(turn)
        choose(turn)
    return start_values(turn)


def _open_boxes(upper: Ints, lower: Ints) -> list[int]:
    """The boxes that are open in some of the positions."""
    is_open = np.concatenate([UPPER_NEXT[upper, :, 0] < UPPERS, LOWER_NEXT[lower] < LOWERS], axis=1)
    return [int(box) for box in np.flatnonzero(is_open.any(axis=0))]
