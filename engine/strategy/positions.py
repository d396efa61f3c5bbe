"""What of a card the future depends on, numbered: every position between two turns has an upper and a lower number.

The upper number stands for the filled upper boxes and their subtotal, capped where the bonus is sure. The lower
number stands for the other filled boxes and for what Penta holds: nothing, 0 or 50.
"""

from itertools import product
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from engine.boxes import FACE, LOWER, UPPER
from engine.card import UPPER_BONUS, UPPER_BONUS_FROM, Card
from engine.dice import DICE
from engine.scoring import PENTA_POINTS

Ints: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]

_PLAIN: Final = LOWER[:-1]  # Penta is last
_MASKS: Final = 1 << len(UPPER)
_FULL: Final = _MASKS - 1
_EMPTY, _ZERO, _FIFTY = range(3)

UPPER_MASKS: Final = _MASKS
LOWERS: Final = 3 * _MASKS
"""How many lower numbers there are; 64 x what Penta holds + the filled boxes as bits."""
COUNTS: Final = DICE + 1
"""How many dice can show a face: 0 to 5."""


def _subtotals(mask: int) -> list[int]:
    """The capped subtotals that the upper boxes in `mask` can hold, ascending."""
    faces = [face for box, face in FACE.items() if mask >> UPPER.index(box) & 1]
    sums = {sum(f * n for f, n in zip(faces, counts, strict=True)) for counts in product(range(6), repeat=len(faces))}
    return sorted({min(total, UPPER_BONUS_FROM) for total in sums})


_PAIRS: Final = [(mask, subtotal) for mask in range(_MASKS) for subtotal in _subtotals(mask)]
_NUMBERS: Final = {pair: number for number, pair in enumerate(_PAIRS)}

UPPERS: Final = len(_PAIRS)
"""How many upper numbers there are."""
MASK_OF_UPPER: Final[Ints] = np.array([mask for mask, _ in _PAIRS])
FILLED_OF_UPPER: Final[Ints] = np.array([mask.bit_count() for mask, _ in _PAIRS])
FILLED_OF_LOWER: Final[Ints] = np.array([(n % _MASKS).bit_count() + (n >= _MASKS) for n in range(LOWERS)])


def position(card: Card) -> tuple[int, int]:
    """The upper and the lower number of `card`."""
    boxes = card.boxes
    upper = lower = 0
    for bit in range(len(UPPER)):
        upper |= (boxes[bit] is not None) << bit
        lower |= (boxes[len(UPPER) + bit] is not None) << bit
    penta = boxes[-1]
    held = _EMPTY if penta is None else _FIFTY if penta else _ZERO
    return _NUMBERS[upper, min(card.upper_subtotal, UPPER_BONUS_FROM)], _MASKS * held + lower


def like(mask: int, lower: int) -> Card:
    """A card with the upper boxes in `mask` and the boxes of `lower` filled: for what depends on no subtotal."""
    held, plain = divmod(lower, _MASKS)
    filled = [0 if bits >> bit & 1 else None for bits in (mask, plain) for bit in range(len(UPPER))]
    return Card((*filled, (None, 0, PENTA_POINTS)[held]))


def _next_upper() -> tuple[Ints, Floats]:
    """By upper number, upper box and count: the upper number that follows, and the bonus that is earned."""
    following = np.full((UPPERS, len(UPPER), COUNTS), UPPERS)
    bonus = np.zeros(following.shape)
    for number, (mask, subtotal) in enumerate(_PAIRS):
        for bit, count in product(range(len(UPPER)), range(COUNTS)):
            if not mask >> bit & 1:
                after = min(subtotal + (bit + 1) * count, UPPER_BONUS_FROM)
                following[number, bit, count] = _NUMBERS[mask | 1 << bit, after]
                bonus[number, bit, count] = UPPER_BONUS * (subtotal < UPPER_BONUS_FROM <= after)
    return following, bonus


def _next_lower(penta: int) -> Ints:
    """By lower number and lower box: the lower number that follows; Penta then holds `penta`."""
    following = np.full((LOWERS, len(LOWER)), LOWERS)
    for number in range(LOWERS):
        held, plain = divmod(number, _MASKS)
        for bit in range(len(_PLAIN)):
            if not plain >> bit & 1:
                following[number, bit] = number | 1 << bit
        if held == _EMPTY:
            following[number, -1] = _MASKS * penta + plain
    return following


UPPER_NEXT, UPPER_BONUS_EARNED = _next_upper()
LOWER_NEXT: Final = _next_lower(_ZERO)
LOWER_NEXT_FIVE: Final = _next_lower(_FIFTY)
"""Where five equal dice go. Of a filled box the next number is the one past the last, whose value is minus infinity."""


def empty_values() -> Floats:
    """A table of values, (LOWERS + 1, UPPERS + 1): 0 for full cards, minus infinity past the end, NaN for the rest."""
    values = np.full((LOWERS + 1, UPPERS + 1), np.nan)
    values[-1], values[:, -1] = -np.inf, -np.inf
    full = FILLED_OF_LOWER == len(LOWER)
    values[:-1, :-1][np.ix_(full, MASK_OF_UPPER == _FULL)] = 0
    return values
