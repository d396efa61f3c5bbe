"""What a strategy is: it decides from the rules, one card and the dice, and nothing else."""

from dataclasses import dataclass
from typing import Protocol, TypeAlias

from engine.boxes import Box
from engine.card import Card
from engine.dice import Dice, Held
from engine.events import Policy
from engine.rules import Rules


@dataclass(frozen=True, slots=True)
class Keep:
    """Roll again, keeping these positions."""

    held: Held


@dataclass(frozen=True, slots=True)
class Fill:
    """Score in this box; `policy` says by which strategy and expectation."""

    box: Box
    policy: Policy


Decision: TypeAlias = Keep | Fill


class Strategy(Protocol):
    """Deterministic: the same arguments give the same decision on every machine."""

    def fill(self, rules: Rules, card: Card, dice: Dice) -> Fill:
        """The box for dice that are not rolled again; the card has an open box."""
        ...

    def decide(self, rules: Rules, card: Card, dice: Dice, rolls_left: int) -> Decision:
        """What to do with dice that may be rolled `rolls_left` (0-2) more times."""
        ...
