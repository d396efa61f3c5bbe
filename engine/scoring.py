"""What dice are worth in a box, by themselves: jokers and bonuses are decided in `rules`."""

from functools import cache
from typing import Final

from engine.boxes import FACE, Box
from engine.dice import Dice, five_equal

FULL_HOUSE_POINTS: Final = 25
SMALL_STRAIGHT_POINTS: Final = 30
LARGE_STRAIGHT_POINTS: Final = 40
PENTA_POINTS: Final = 50

_SMALL_STRAIGHTS: Final = tuple(frozenset(range(low, low + 4)) for low in (1, 2, 3))
_LARGE_STRAIGHTS: Final = tuple(frozenset(range(low, low + 5)) for low in (1, 2))


@cache
def points(box: Box, dice: Dice, joker: bool = False) -> int:
    """Points of five dice in `box`; a joker makes a full house or straight of any dice.

    Answers are remembered by the dice as given: whoever asks for many boxes sorts them first.
    """
    if box in FACE:
        return FACE[box] * dice.count(FACE[box])
    faces = frozenset(dice)
    most = max(dice.count(face) for face in faces)
    match box:
        case Box.THREE_OF_A_KIND:
            return sum(dice) if most >= 3 else 0
        case Box.FOUR_OF_A_KIND:
            return sum(dice) if most >= 4 else 0
        case Box.FULL_HOUSE:
            return FULL_HOUSE_POINTS if joker or (most == 3 and len(faces) == 2) else 0
        case Box.SMALL_STRAIGHT:
            return SMALL_STRAIGHT_POINTS if joker or any(s <= faces for s in _SMALL_STRAIGHTS) else 0
        case Box.LARGE_STRAIGHT:
            return LARGE_STRAIGHT_POINTS if joker or faces in _LARGE_STRAIGHTS else 0
        case Box.PENTA:
            return PENTA_POINTS if five_equal(dice) else 0
        case _:
            return sum(dice)
