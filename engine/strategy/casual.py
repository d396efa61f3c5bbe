"""A casual player: knows what each box usually brings, and thinks one roll ahead of a few natural holds."""

from functools import cache
from typing import Final

import numpy as np

from engine.boxes import BOXES, FACE, INDEX, Box
from engine.card import UPPER_BONUS, UPPER_BONUS_FROM, Card
from engine.dice import FACES, Dice, five_equal
from engine.events import Policy
from engine.rules import Option, Rules, options
from engine.scoring import points
from engine.strategy.holds import lowest_positions
from engine.strategy.policy import Decision, Fill, Keep
from engine.strategy.positions import Floats
from engine.strategy.turn import KEEP_NUMBER, KEEPS, ROLLS, expect

PAR: Final = dict(zip(BOXES, (2, 5, 8, 12, 16, 19, 22, 13, 23, 29, 33, 22, 17), strict=True))
"""What a box brings on average in optimal play, rounded; measured with `penta simulate`."""

_BONUS_SHARE: Final = UPPER_BONUS / UPPER_BONUS_FROM
"""What a point in the upper section adds towards the bonus."""
_STRAIGHTS: Final = [range(low, low + size) for size in (5, 4) for low in range(1, FACES + 2 - size)]
_RUN: Final = 3
"""Dice towards a straight that are worth holding."""


def over_par(box: Box, gained: float) -> float:
    """How much better than usual it is to gain so many points in `box`."""
    return (gained - PAR[box]) * (1 + _BONUS_SHARE * (box in FACE))


_OVER_PAR: Final[Floats] = np.array([[over_par(box, points(box, roll)) for roll in ROLLS] for box in BOXES])
_FIVES: Final = tuple(roll for roll in ROLLS if five_equal(roll))


class Casual:
    """Chooses what is most over par: the best box now, or the best natural hold with one roll more.

    Of equals, scoring comes before holding, boxes go in card order and holds as `natural_holds` names them.
    """

    policy: Final = Policy("casual", "1")

    def fill(self, rules: Rules, card: Card, dice: Dice) -> Fill:
        return Fill(_best(options(rules, card, dice)).box, self.policy)

    def decide(self, rules: Rules, card: Card, dice: Dice, rolls_left: int) -> Decision:
        box = _best(options(rules, card, dice))
        if rolls_left:
            expected = _one_roll_ahead(rules, card)
            keep = max(natural_holds(tuple(sorted(dice))), key=lambda keep: expected[KEEP_NUMBER[keep]])
            if expected[KEEP_NUMBER[keep]] > _over_par(box):
                return Keep(lowest_positions(dice, keep))
        return Fill(box.box, self.policy)


@cache
def natural_holds(ascending: Dice) -> tuple[Dice, ...]:
    """What people consider holding: one face, all pairs and more, parts of a straight, or nothing."""
    faces = sorted(set(ascending))
    equal = [(face,) * ascending.count(face) for face in faces]
    pairs = tuple(face for face in ascending if ascending.count(face) > 1)
    runs = [tuple(face for face in faces if face in straight) for straight in _STRAIGHTS]
    return (*equal, pairs, *(run for run in runs if len(run) >= _RUN), ())


def _over_par(option: Option) -> float:
    return over_par(option.box, option.points) + option.penta_bonus


def _best(legal: tuple[Option, ...]) -> Option:
    return max(legal, key=_over_par)


def _one_roll_ahead(rules: Rules, card: Card) -> Floats:
    """For each keep (462), how much over par the best box is on average once the other dice are rolled."""
    values = np.empty((len(KEEPS), 1))
    values[: len(ROLLS), 0] = _OVER_PAR[[INDEX[box] for box in card.open_boxes]].max(axis=0)
    for dice in _FIVES:
        values[KEEP_NUMBER[dice]] = _over_par(_best(options(rules, card, dice)))
    expect(values)
    return values[:, 0]
