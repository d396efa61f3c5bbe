"""Dice as plain data: five faces by position, and the set of positions that are held."""

from collections.abc import Iterable
from typing import Final, TypeAlias

DICE: Final = 5
FACES: Final = 6
ROLLS_PER_TURN: Final = 3
POSITIONS: Final = tuple(range(DICE))

Dice: TypeAlias = tuple[int, ...]
"""Five faces 1-6; the index is the position, which stays with its die for the whole turn."""

Held: TypeAlias = tuple[int, ...]
"""Distinct positions 0-4, ascending."""


def is_dice(values: Iterable[object]) -> bool:
    """Whether `values` are five faces."""
    faces = tuple(values)
    return len(faces) == DICE and all(type(face) is int and 1 <= face <= FACES for face in faces)


def is_held(positions: Iterable[object]) -> bool:
    """Whether `positions` are distinct positions of dice, in any order."""
    given = tuple(positions)
    return all(type(p) is int and 0 <= p < DICE for p in given) and len(set(given)) == len(given)


def five_equal(dice: Dice) -> int | None:
    """The face that all five dice show, or None."""
    return dice[0] if dice.count(dice[0]) == DICE else None


def rolled(dice: Dice | None, held: Held, fresh: Dice) -> Dice:
    """`dice` with every position that is not held taken from `fresh`."""
    if dice is None:
        return fresh
    return tuple(dice[p] if p in held else fresh[p] for p in POSITIONS)
