"""A beginner: sees the points of the present dice, and no further."""

from functools import cache
from itertools import product
from typing import Final

from engine.boxes import Box
from engine.card import Card
from engine.dice import DICE, FACES, POSITIONS, Dice
from engine.events import Policy
from engine.rules import Rules, options
from engine.scoring import FULL_HOUSE_POINTS, points
from engine.strategy.policy import Decision, Fill, Keep

ENOUGH: Final = FULL_HOUSE_POINTS
"""Points for which dice are scored without rolling on."""


@cache
def average_points(box: Box) -> float:
    """Mean points of one roll of five dice in `box`, over all 7,776 rolls."""
    rolls = [tuple(sorted(dice)) for dice in product(range(1, FACES + 1), repeat=DICE)]
    return sum(points(box, dice) for dice in rolls) / len(rolls)


class Beginner:
    """Collects the face of which there is most, the highest of equals, until something brings ENOUGH points.

    Fills the box with the most points; of equal ones, that which can score least on average, then card order.
    """

    policy: Final = Policy("beginner", "1")

    def fill(self, rules: Rules, card: Card, dice: Dice) -> Fill:
        best = max(options(rules, card, dice), key=lambda option: (option.points, -average_points(option.box)))
        return Fill(best.box, self.policy)

    def decide(self, rules: Rules, card: Card, dice: Dice, rolls_left: int) -> Decision:
        most = max(option.points for option in options(rules, card, dice))
        if rolls_left == 0 or most >= ENOUGH:
            return self.fill(rules, card, dice)
        face = max(dice, key=lambda face: (dice.count(face), face))
        return Keep(tuple(p for p in POSITIONS if dice[p] == face))
