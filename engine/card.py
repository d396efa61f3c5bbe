"""A score card and its totals."""

from dataclasses import dataclass
from typing import Final, Self

from engine.boxes import BOXES, INDEX, UPPER, Box

UPPER_BONUS: Final = 35
UPPER_BONUS_FROM: Final = 63
PENTA_BONUS: Final = 100

_LOWER_FROM: Final = len(UPPER)


@dataclass(frozen=True, slots=True)
class Card:
    """Points by box in card order (None: open), and how many Penta bonuses were earned."""

    boxes: tuple[int | None, ...] = (None,) * len(BOXES)
    penta_bonuses: int = 0

    def __getitem__(self, box: Box) -> int | None:
        return self.boxes[INDEX[box]]

    @property
    def filled(self) -> int:
        """How many boxes are filled, 0-13."""
        return len(BOXES) - self.boxes.count(None)

    @property
    def is_full(self) -> bool:
        return None not in self.boxes

    @property
    def open_boxes(self) -> tuple[Box, ...]:
        return tuple(box for box, value in zip(BOXES, self.boxes, strict=True) if value is None)

    @property
    def upper_subtotal(self) -> int:
        return sum(value for value in self.boxes[:_LOWER_FROM] if value)

    @property
    def upper_bonus(self) -> int:
        return UPPER_BONUS if self.upper_subtotal >= UPPER_BONUS_FROM else 0

    @property
    def upper_total(self) -> int:
        return self.upper_subtotal + self.upper_bonus

    @property
    def lower_total(self) -> int:
        """The seven lower boxes, without Penta bonuses."""
        return sum(value for value in self.boxes[_LOWER_FROM:] if value)

    @property
    def penta_bonus_total(self) -> int:
        return PENTA_BONUS * self.penta_bonuses

    @property
    def total(self) -> int:
        return self.upper_total + self.lower_total + self.penta_bonus_total

    def fill(self, box: Box, points: int, penta_bonus: int) -> Self:
        """The card with `points` written into an open `box` and the bonus (0 or 100) added."""
        index = INDEX[box]
        boxes = (*self.boxes[:index], points, *self.boxes[index + 1 :])
        return type(self)(boxes, self.penta_bonuses + bool(penta_bonus))


EMPTY_CARD: Final = Card()
