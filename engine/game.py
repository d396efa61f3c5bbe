"""The state of a game as frozen data. All times are whole milliseconds since the Unix epoch, UTC."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NewType

from engine.boxes import Box
from engine.card import EMPTY_CARD, Card
from engine.dice import ROLLS_PER_TURN, Dice, Held
from engine.rules import PRESETS, Option, Rules, RulesName, options

Seat = NewType("Seat", int)
Millis = NewType("Millis", int)

MAX_SEATS: Final = 8
MAX_CHANGES: Final = 100
"""How many holds and selections that change something a turn may have."""
TURN_LIMITS_UNTIL_AWAY: Final = 2


class Status(StrEnum):
    WAITING = "waiting"
    ACTIVE = "active"
    FINISHED = "finished"
    ABANDONED = "abandoned"

    @property
    def is_over(self) -> bool:
        return self in (Status.FINISHED, Status.ABANDONED)


class Kind(StrEnum):
    HUMAN = "human"
    COMPUTER = "computer"


class Level(StrEnum):
    """How a computer player plays."""

    OPTIMAL = "optimal"
    CASUAL = "casual"
    BEGINNER = "beginner"


class Presence(StrEnum):
    """Who moves for a seat: the player himself, or the computer for one who is away or has left."""

    PLAYING = "playing"
    AWAY = "away"
    LEFT = "left"


class Visibility(StrEnum):
    PRIVATE = "private"
    PUBLIC = "public"


class Actor(StrEnum):
    """Who chose the box of a score."""

    PLAYER = "player"
    COMPUTER = "computer"
    DEADLINE = "deadline"
    TURN_LIMIT = "turn_limit"

    @property
    def is_clock(self) -> bool:
        return self in (Actor.DEADLINE, Actor.TURN_LIMIT)


@dataclass(frozen=True, slots=True)
class Options:
    """What the creator chose; None for a clock means never."""

    auto_score_ms: int | None = 3000
    turn_limit_ms: int | None = None
    hints: bool = True
    sandbox: bool = False


@dataclass(frozen=True, slots=True)
class SeatedPlayer:
    """A player as named at creation."""

    seat: Seat
    name: str
    kind: Kind
    level: Level | None = None


@dataclass(frozen=True, slots=True)
class AutoScore:
    """The score by which a clock ended a player's last turn."""

    box: Box
    points: int
    penta_bonus: int


@dataclass(frozen=True, slots=True)
class Player:
    """A seat that is taken.

    `turn_limits`: how many turns in a row the turn limit ended.
    `auto_scored`: set when a clock ended the last turn, until the player rolls again.
    """

    seat: Seat
    name: str
    kind: Kind
    level: Level | None = None
    presence: Presence = Presence.PLAYING
    card: Card = EMPTY_CARD
    client_seed: str | None = None
    turn_limits: int = 0
    auto_scored: AutoScore | None = None

    @property
    def is_present(self) -> bool:
        """A human who moves for himself."""
        return self.kind is Kind.HUMAN and self.presence is Presence.PLAYING

    @property
    def has_left(self) -> bool:
        return self.presence is Presence.LEFT


@dataclass(frozen=True, slots=True)
class Turn:
    """The turn being played. `deadline_at` is the instant of the automatic score, None while no such clock runs."""

    seat: Seat
    round: int
    started_at: Millis
    rolls_used: int = 0
    dice: Dice | None = None
    held: Held = ()
    selected: Box | None = None
    deadline_at: Millis | None = None
    changes: int = 0

    @property
    def rolls_left(self) -> int:
        return ROLLS_PER_TURN - self.rolls_used


@dataclass(frozen=True, slots=True)
class Place:
    """A player's place in the final ranking; equal totals share a rank."""

    seat: Seat
    rank: int
    total: int


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of a finished game: `ranking` by rank, then seat."""

    winners: tuple[Seat, ...]
    ranking: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Game:
    """A whole game.

    `version` is the seq of the last event, `seats` the number of seats while waiting,
    `rolls` how many rolls the game has seen over all players.
    """

    version: int
    status: Status
    visibility: Visibility
    rules_name: RulesName
    options: Options
    seats: int
    players: tuple[Player, ...]
    rolls: int = 0
    turn: Turn | None = None
    result: Result | None = None

    @property
    def rules(self) -> Rules:
        return PRESETS[self.rules_name]

    @property
    def open_seats(self) -> int:
        return self.seats - len(self.players) if self.status is Status.WAITING else 0

    @property
    def lowest_open_seat(self) -> Seat | None:
        """The seat that the next player to join takes."""
        if self.open_seats == 0:
            return None
        taken = {player.seat for player in self.players}
        return next((Seat(seat) for seat in range(self.seats) if seat not in taken), None)

    @property
    def client_seeds(self) -> tuple[str, ...]:
        """One text per seat, empty where no seed was given."""
        return tuple(player.client_seed or "" for player in self.players)

    @property
    def current_turn(self) -> Turn:
        """The turn being played; ValueError where there is none."""
        if self.turn is None:
            raise ValueError("no turn is being played")
        return self.turn

    def player(self, seat: Seat) -> Player:
        """The player in a taken seat; KeyError for any other."""
        for player in self.players:
            if player.seat == seat:
                return player
        raise KeyError(seat)

    def next_seat(self, seat: Seat) -> Seat:
        """The seat that moves after `seat`."""
        later = [p.seat for p in self.players if p.seat > seat]
        return later[0] if later else self.players[0].seat


def has_human(game: Game) -> bool:
    """Whether a human holds a seat, present or away."""
    return any(p.kind is Kind.HUMAN and not p.has_left for p in game.players)


def has_present_human(game: Game) -> bool:
    """Whether anybody is there to play with; without one the game waits without clocks."""
    return any(p.is_present for p in game.players)


def turn_options(game: Game) -> tuple[Option, ...]:
    """The legal boxes of the turn; empty before its first roll."""
    turn = game.turn
    if turn is None or turn.dice is None:
        return ()
    return options(game.rules, game.player(turn.seat).card, turn.dice)


def computer_to_move(game: Game) -> bool:
    """Whether the turn is one that the computer plays now."""
    turn = game.turn
    return turn is not None and not game.player(turn.seat).is_present and has_present_human(game)


@dataclass(frozen=True, slots=True)
class Due:
    """The next instant at which a clock acts by itself."""

    at: Millis
    actor: Actor


def turn_limit_at(game: Game) -> Millis | None:
    """When the turn limit ends the turn, None where no limit runs."""
    turn, limit = game.turn, game.options.turn_limit_ms
    if turn is None or limit is None or not game.player(turn.seat).is_present:
        return None
    return Millis(turn.started_at + limit)


def next_due(game: Game) -> Due | None:
    """The clock of the turn that acts first; the deadline goes before a turn limit of the same instant."""
    if game.turn is None:
        return None
    deadline, limit = game.turn.deadline_at, turn_limit_at(game)
    if deadline is not None and (limit is None or deadline <= limit):
        return Due(deadline, Actor.DEADLINE)
    return Due(limit, Actor.TURN_LIMIT) if limit is not None else None
