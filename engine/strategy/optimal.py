"""Optimal play from the table of exact values: every hold and every box with the expected final total it leads to."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import inf
from typing import Final, TypeVar

import numpy as np

from engine.boxes import FACE, INDEX, UPPER, Box
from engine.card import Card
from engine.dice import DICE, Dice, Held, five_equal
from engine.events import Policy
from engine.rules import PRESETS, Option, Rules, options
from engine.strategy.holds import lowest_positions
from engine.strategy.policy import Decision, Fill, Keep
from engine.strategy.positions import (
    LOWER_NEXT,
    LOWER_NEXT_FIVE,
    MASK_OF_UPPER,
    UPPER_BONUS_EARNED,
    UPPER_NEXT,
    Floats,
    position,
)
from engine.strategy.scored import five_equal_points, scored
from engine.strategy.table import Table
from engine.strategy.turn import KEEP_NUMBER, KEEPS, choose, expect

TIE: Final = 1e-9
"""Expected totals that differ by no more are equal."""


@dataclass(frozen=True, slots=True)
class HoldValue:
    """Rolling on with these positions held, the lowest ones that show `dice`."""

    held: Held
    dice: Dice
    expected_total: float


@dataclass(frozen=True, slots=True)
class BoxValue:
    """Scoring in this box now."""

    box: Box
    points: int
    penta_bonus: int
    expected_total: float


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What each choice is worth: the expected final total of the card when play goes on optimally after it.

    `holds` are distinct by the dice held, `boxes` are the legal ones, both best first. Before the first roll of a
    turn both are empty and `best` is None: there is nothing to choose.
    """

    expected_total: float
    best: HoldValue | BoxValue | None = None
    holds: tuple[HoldValue, ...] = ()
    boxes: tuple[BoxValue, ...] = ()


_Choice = TypeVar("_Choice", HoldValue, BoxValue)


class Optimal:
    """Plays for the highest expected total, by the table of a rule preset.

    Of choices within TIE of the best, scoring comes before holding, boxes go in card order, and holds by most dice,
    then most faces, then lowest faces. So equal states are decided alike, in whatever order the dice lie.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._rules = PRESETS[table.rules]

    def fill(self, rules: Rules, card: Card, dice: Dice) -> Fill:
        """The best box; ValueError where `rules` are not the table's."""
        self._check(rules)
        return self._fill(_best(self._boxes(card, position(card), dice)))

    def decide(self, rules: Rules, card: Card, dice: Dice, rolls_left: int) -> Decision:
        """The best choice; ValueError where `rules` are not the table's."""
        self._check(rules)
        where = position(card)
        box = _best(self._boxes(card, where, dice))
        if not rolls_left:
            return self._fill(box)
        parts = _parts(tuple(sorted(dice)))
        values = self._keep_values(where, rolls_left)[parts]
        first = int(np.argmax(values >= values.max() - TIE))
        hold = _hold(dice, parts[first], card.total + float(values[first]))
        return self._fill(box) if _is_scored(box, hold) else Keep(hold.held)

    def evaluate(self, card: Card, dice: Dice | None, rolls_left: int) -> Evaluation:
        """All choices for `dice` that may be rolled `rolls_left` more times or, without dice, for a turn that starts.

        The card has an open box.
        """
        where = position(card)
        if dice is None:
            return Evaluation(card.total + self._value(*where))
        boxes, holds = self._boxes(card, where, dice), self._holds(card, where, dice, rolls_left)
        box, hold = _best(boxes), _best(holds) if holds else None
        best = box if hold is None or _is_scored(box, hold) else hold
        return Evaluation(best.expected_total, best, _best_first(holds), _best_first(boxes))

    def _check(self, rules: Rules) -> None:
        if rules != self._rules:
            raise ValueError(f"the table is for the rules {self._rules.name}, not {rules.name}")

    def _fill(self, box: BoxValue) -> Fill:
        return Fill(box.box, Policy("optimal", self._table.version, box.expected_total))

    def _value(self, upper: int, lower: int) -> float:
        return float(self._table.values[lower, upper])

    def _boxes(self, card: Card, where: tuple[int, int], dice: Dice) -> list[BoxValue]:
        """The legal boxes, in card order."""
        total, is_five = card.total, five_equal(dice) is not None
        return [
            BoxValue(*option, total + option.points + option.penta_bonus + self._value_after(where, option, is_five))
            for option in options(self._rules, card, dice)
        ]

    def _value_after(self, where: tuple[int, int], option: Option, is_five: bool) -> float:
        """What comes after scoring, with an upper bonus that it earns."""
        upper, lower = where
        index = INDEX[option.box]
        if option.box in FACE:
            entry = upper, index, option.points // FACE[option.box]
            return float(UPPER_BONUS_EARNED[entry]) + self._value(int(UPPER_NEXT[entry]), lower)
        following = LOWER_NEXT_FIVE if is_five else LOWER_NEXT
        return self._value(upper, int(following[lower, index - len(UPPER)]))

    def _holds(self, card: Card, where: tuple[int, int], dice: Dice, rolls_left: int) -> list[HoldValue]:
        """The distinct holds, in the order of their keeps; none without a roll left."""
        if not rolls_left:
            return []
        parts = _parts(tuple(sorted(dice)))
        totals = (card.total + self._keep_values(where, rolls_left)[parts]).tolist()
        return [_hold(dice, keep, total) for keep, total in zip(parts, totals, strict=True)]

    def _keep_values(self, where: tuple[int, int], rolls_left: int) -> Floats:
        """Points still to come for each keep (462) when the other dice are rolled, 1 or 2 rolls being left."""
        upper, lower = where
        fives = five_equal_points(self._rules.name, int(MASK_OF_UPPER[upper]), lower)[None]
        values = scored(self._table.values, fives, np.array([upper]), np.array([lower]))
        expect(values)
        for _ in range(rolls_left - 1):
            choose(values)
            expect(values)
        return values[:, 0]


@cache
def _parts(ascending: Dice) -> list[int]:
    """The keeps that are part of a roll: most dice first, then most faces, then lowest faces."""
    return sorted({KEEP_NUMBER[keep] for size in range(DICE + 1) for keep in combinations(ascending, size)})


def _hold(dice: Dice, keep: int, expected_total: float) -> HoldValue:
    return HoldValue(lowest_positions(dice, KEEPS[keep]), KEEPS[keep], expected_total)


def _best(choices: Sequence[_Choice]) -> _Choice:
    """The first choice that is within TIE of the best."""
    enough = max(choice.expected_total for choice in choices) - TIE
    return next(choice for choice in choices if choice.expected_total >= enough)


def _best_first(choices: Sequence[_Choice]) -> tuple[_Choice, ...]:
    """Best first; those within TIE of the best of the rest keep their order."""
    ranked, top = [], inf
    for number, choice in sorted(enumerate(choices), key=lambda entry: -entry[1].expected_total):
        if choice.expected_total < top - TIE:
            top = choice.expected_total
        ranked.append((-top, number, choice))
    return tuple(choice for _, _, choice in sorted(ranked, key=lambda entry: entry[:2]))


def _is_scored(box: BoxValue, hold: HoldValue) -> bool:
    """Whether scoring in the best box comes before the best hold."""
    return box.expected_total >= hold.expected_total - TIE
