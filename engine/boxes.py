"""The thirteen boxes of a card, in card order."""

from enum import StrEnum
from typing import Final


class Box(StrEnum):
    """One box; the value is the identifier the API uses."""

    ONES = "ones"
    TWOS = "twos"
    THREES = "threes"
    FOURS = "fours"
    FIVES = "fives"
    SIXES = "sixes"
    THREE_OF_A_KIND = "three_of_a_kind"
    FOUR_OF_A_KIND = "four_of_a_kind"
    FULL_HOUSE = "full_house"
    SMALL_STRAIGHT = "small_straight"
    LARGE_STRAIGHT = "large_straight"
    CHANCE = "chance"
    PENTA = "penta"


BOXES: Final = tuple(Box)
UPPER: Final = BOXES[:6]
LOWER: Final = BOXES[6:]

INDEX: Final = {box: index for index, box in enumerate(BOXES)}
"""Position of a box in card order, 0-12."""

FACE: Final = {box: face for face, box in enumerate(UPPER, start=1)}
"""The face an upper box counts, 1-6."""
