"""One turn: from what dice are worth when scored to what they are worth while they may be rolled.

An array of values has a row for each keep (462: the 252 rolls of five dice first, the empty keep last) and a column
for each of any number of cards, and is worked on in place. Adding one die to a keep gives six keeps, so expected
values pass from the rolls down to the empty keep one die at a time, and maxima pass back up. The order of every sum
is fixed: the same values come out on every machine.
"""

from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Final

import numpy as np

from engine.dice import DICE, FACES, Dice
from engine.strategy.positions import Floats, Ints

_FACES: Final = range(1, FACES + 1)
KEEPS: Final[tuple[Dice, ...]] = tuple(
    sorted(
        (keep for size in range(DICE + 1) for keep in combinations_with_replacement(_FACES, size)),
        key=lambda keep: (-len(keep), -len(set(keep)), keep),
    )
)
"""The dice that can be kept, ascending: the 252 rolls first, the empty keep last; of equal size, most faces first."""
KEEP_NUMBER: Final = {keep: number for number, keep in enumerate(KEEPS)}
ROLLS: Final = tuple(keep for keep in KEEPS if len(keep) == DICE)


def number_of(dice: Dice) -> int:
    """The number of the keep that these dice are, in any order."""
    return KEEP_NUMBER[tuple(sorted(dice))]


def _of_size(size: int) -> list[Dice]:
    return [keep for keep in KEEPS if len(keep) == size]


def _range(size: int) -> slice:
    numbers = [KEEP_NUMBER[keep] for keep in _of_size(size)]
    return slice(numbers[0], numbers[-1] + 1)


_DOWN: Final[tuple[tuple[slice, Ints], ...]] = tuple(
    (_range(size), np.array([[number_of((*keep, face)) for keep in _of_size(size)] for face in _FACES]))
    for size in range(DICE - 1, -1, -1)
)
"""By size, from four to none: where its keeps stand, and the six keeps that each becomes with one more die."""


def _with_one_less(size: int) -> tuple[Ints, ...]:
    """By number n: the keeps that show more than n faces, which come first, without one die of the nth."""
    faces = [(keep, sorted(set(keep))) for keep in _of_size(size)]
    return tuple(
        np.array([KEEP_NUMBER[_without(keep, shown[n])] for keep, shown in faces if len(shown) > n])
        for n in range(size)
    )


def _without(keep: Dice, face: int) -> Dice:
    at = keep.index(face)
    return keep[:at] + keep[at + 1 :]


_UP: Final = tuple((_range(size), _with_one_less(size)) for size in range(1, DICE + 1))
"""By size, from one to five: where its keeps stand, and the keeps that each becomes with one die less."""

CHANCES: Final[Floats] = np.array(
    [factorial(DICE) / prod(factorial(roll.count(face)) for face in _FACES) / FACES**DICE for roll in ROLLS]
)
"""The probability of each roll of five dice."""


def expect(values: Floats) -> None:
    """Fills in the expected value of every keep when the other dice are rolled, from the values of the 252 rolls."""
    for where, larger in _DOWN:
        total = values.take(larger[0], axis=0)
        for following in larger[1:]:
            total += values.take(following, axis=0)
        np.divide(total, FACES, out=values[where])


def choose(values: Floats) -> None:
    """Raises every keep, rolls among them, to the value of the best part of it that may be kept."""
    for where, smaller in _UP:
        for following in smaller:
            first = values[where.start : where.start + len(following)]
            np.maximum(first, values.take(following, axis=0), out=first)


def start_values(values: Floats) -> Floats:
    """Expected value of five fresh dice, by card, from the values of the 252 rolls."""
    terms: Floats = CHANCES[:, None] * values[: len(ROLLS)]
    while len(terms) > 1:  # in pairs, in a fixed order: that of NumPy's sums depends on the shape and the machine
        half = len(terms) // 2
        terms[:half] += terms[-half:]
        terms = terms[:-half]
    row: Floats = terms[0]
    return row
