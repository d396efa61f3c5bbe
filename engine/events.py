"""What happened in a game: one frozen dataclass per kind of event, one closed set."""

from dataclasses import dataclass
from typing import TypeAlias

from engine.boxes import Box
from engine.dice import Dice, Held
from engine.game import Actor, Millis, Options, Result, Seat, SeatedPlayer, Visibility
from engine.rules import RulesName


@dataclass(frozen=True, slots=True)
class Policy:
    """The strategy that chose for the player, and the expected final total it acted on, if it knows one."""

    id: str
    version: str
    expected_total: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Event:
    """`seq` counts the game's events from 1; `at` is the authoritative clock of the transaction."""

    seq: int
    at: Millis


@dataclass(frozen=True, slots=True, kw_only=True)
class _SeatEvent(_Event):
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class GameCreated(_Event):
    rules: RulesName
    visibility: Visibility
    options: Options
    players: tuple[SeatedPlayer, ...]
    open_seats: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerJoined(_SeatEvent):
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerLeft(_SeatEvent):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerAway(_SeatEvent):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerBack(_SeatEvent):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientSeedAdded(_SeatEvent):
    client_seed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted(_Event):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStarted(_SeatEvent):
    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rolled(_SeatEvent):
    """`roll_number` 1-3 in the turn; `held` the positions kept; `dice` all five afterwards."""

    roll_number: int
    held: Held
    dice: Dice


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceHeld(_SeatEvent):
    held: Held


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxSelected(_SeatEvent):
    box: Box | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored(_SeatEvent):
    """`due_at` is the clock that acted, None otherwise; `policy` is None where the player chose the box."""

    box: Box
    points: int
    penta_bonus: int
    actor: Actor
    due_at: Millis | None = None
    policy: Policy | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFinished(_Event):
    result: Result


@dataclass(frozen=True, slots=True, kw_only=True)
class GameAbandoned(_Event):
    pass


Event: TypeAlias = (
    GameCreated
    | PlayerJoined
    | PlayerLeft
    | PlayerAway
    | PlayerBack
    | ClientSeedAdded
    | GameStarted
    | TurnStarted
    | Rolled
    | DiceHeld
    | BoxSelected
    | Scored
    | GameFinished
    | GameAbandoned
)
