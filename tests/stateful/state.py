"""What the model keeps of a game, and what it expects of an answer. Times are milliseconds."""

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tests.stateful.card import BOXES, Boxes, Json, totals

DAY = 24 * 60 * 60 * 1000

Key: TypeAlias = tuple[str | None, str]
"""An idempotency key in its scope: a token, or None where no token scopes it."""
Feed = Callable[[int], Json]
"""The server's event with this seq."""


class Refused(Exception):  # noqa: N818 - an answer, not a fault
    """A command that changes nothing, and why."""

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code)
        self.code, self.facts = code, facts


@dataclass
class Expected:
    """The answer the server must give; `kept` is one that must be repeated to the letter."""

    status: int
    code: str | None = None
    body: Json = field(default_factory=dict)
    kept: "Kept | None" = None
    keep_as: Key | None = None


@dataclass(frozen=True)
class Kept:
    """An answer stored under an idempotency key, and to what it was given."""

    said: tuple[str, Json]
    at: int
    status: int
    text: str


@dataclass
class Player:
    seat: int
    name: str
    kind: str = "human"
    level: str | None = None
    presence: str = "playing"
    boxes: Boxes = field(default_factory=lambda: dict.fromkeys(BOXES))
    bonuses: int = 0
    client_seed: str | None = None
    limits: int = 0  # turns in a row that the turn limit ended
    late: Json | None = None  # the score of a clock, until the seat rolls again

    @property
    def moves(self) -> bool:
        return self.kind == "human" and self.presence == "playing"

    @property
    def card(self) -> Json:
        return totals(self.boxes, self.bonuses)


@dataclass
class Turn:
    seat: int
    started: int
    round: int
    rolls: int = 0
    dice: list[int] | None = None
    held: list[int] = field(default_factory=list)
    selected: str | None = None
    deadline: int | None = None
    changes: int = 0


def folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def unnamed(seat: int, taken: list[str]) -> str:
    """The name of who gave none: by seat, or the next that is free."""
    numbers = range(seat + 1, seat + 2 + len(taken))
    return next(name for n in numbers if folded(name := f"Igrač {n}") not in map(folded, taken))
