"""The rule presets, and the one place that says which boxes a roll may fill and what they bring."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from engine.boxes import LOWER, UPPER, Box
from engine.card import PENTA_BONUS, Card
from engine.dice import Dice, five_equal
from engine.scoring import PENTA_POINTS, points


class RulesName(StrEnum):
    PENTA = "penta"
    NO_BONUS = "no_bonus"
    FREE_JOKER = "free_joker"
    FORCED_JOKER = "forced_joker"


class Joker(StrEnum):
    """When five equal dice are a joker, beside what the Penta box must hold."""

    NONE = "none"
    FREE = "free"  # own upper box filled: full house and straights pay, any open box may be chosen
    FORCED = "forced"  # own upper box first, then the lower boxes, then the other upper boxes


@dataclass(frozen=True, slots=True)
class Rules:
    """Options of a rule preset.

    `joker_after_zero`: a Penta box that holds 0 gives jokers too.
    `penta_bonus`: five equal dice earn 100 when the Penta box holds 50.
    """

    name: RulesName
    joker: Joker
    joker_after_zero: bool
    penta_bonus: bool


PRESETS: Final = {
    rules.name: rules
    for rules in (
        Rules(RulesName.PENTA, Joker.FORCED, joker_after_zero=False, penta_bonus=True),
        Rules(RulesName.NO_BONUS, Joker.NONE, joker_after_zero=False, penta_bonus=False),
        Rules(RulesName.FREE_JOKER, Joker.FREE, joker_after_zero=True, penta_bonus=True),
        Rules(RulesName.FORCED_JOKER, Joker.FORCED, joker_after_zero=True, penta_bonus=True),
    )
}


class Option(NamedTuple):
    """A box that may be filled with the dice at hand, and what that brings."""

    box: Box
    points: int
    penta_bonus: int


def options(rules: Rules, card: Card, dice: Dice) -> tuple[Option, ...]:
    """The legal boxes for `dice` on `card`, in card order; empty only when the card is full."""
    face = five_equal(dice)
    penta = card[Box.PENTA]
    bonus = PENTA_BONUS if face and rules.penta_bonus and penta == PENTA_POINTS else 0
    boxes, joker = card.open_boxes, False
    if face and penta is not None and (penta or rules.joker_after_zero):
        boxes, joker = _joker(rules.joker, boxes, UPPER[face - 1])
    ascending = tuple(sorted(dice))
    return tuple([Option(box, points(box, ascending, joker), bonus) for box in boxes])


def _joker(kind: Joker, boxes: tuple[Box, ...], own: Box) -> tuple[tuple[Box, ...], bool]:
    """Which of the open `boxes` a joker may fill, and whether full house and straights pay."""
    if kind is Joker.NONE:
        return boxes, False
    if own in boxes:
        return (boxes if kind is Joker.FREE else (own,)), False
    lower = tuple(box for box in boxes if box in LOWER)
    return (lower if kind is Joker.FORCED and lower else boxes), True
