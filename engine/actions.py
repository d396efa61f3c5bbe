"""What may be done to a game: one frozen dataclass per action."""

from dataclasses import dataclass
from typing import TypeAlias

from engine.boxes import Box
from engine.dice import Held
from engine.events import Policy
from engine.game import Actor, Millis, Seat


@dataclass(frozen=True, slots=True)
class Join:
    """Takes the lowest open seat."""

    name: str
    client_seed: str | None = None


@dataclass(frozen=True, slots=True)
class Start:
    """Starts with the players present; open seats vanish."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Gives up the seat of a human who has not left."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Return:
    seat: Seat


@dataclass(frozen=True, slots=True)
class AddClientSeed:
    seat: Seat
    client_seed: str


@dataclass(frozen=True, slots=True)
class Roll:
    """Rolls what is not held; `hold`, if given, first replaces the held positions."""

    seat: Seat
    hold: Held | None = None


@dataclass(frozen=True, slots=True)
class Hold:
    """Replaces the held positions, which are given in ascending order."""

    seat: Seat
    hold: Held


@dataclass(frozen=True, slots=True)
class Select:
    """Marks a box without scoring, or clears the mark (None)."""

    seat: Seat
    box: Box | None


@dataclass(frozen=True, slots=True)
class Score:
    """Scores in `box`, or in the selected one (None). The rest says who chose, where not the player."""

    seat: Seat
    box: Box | None = None
    actor: Actor = Actor.PLAYER
    due_at: Millis | None = None
    policy: Policy | None = None


@dataclass(frozen=True, slots=True)
class Abandon:
    """Ends a game that nobody starts or plays any more."""


SeatAction: TypeAlias = Leave | Return | AddClientSeed | Roll | Hold | Select | Score
TurnAction: TypeAlias = Roll | Hold | Select | Score
Action: TypeAlias = SeatAction | Join | Start | Abandon
