"""What the database holds of a game, as loaded by a transaction, and what a command makes of it."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.dice import Dice
from engine.events import Event
from engine.game import Game, Millis, Seat


@dataclass(frozen=True, slots=True)
class Record:
    """A game with what is kept beside its state.

    `tokens` maps the SHA-256 of a seat's token, in hex, to the seat. `now` is the authoritative clock, read after
    the game was locked; `commanded_at` the last accepted command of a person.
    """

    id: str
    game: Game
    server_seed: bytes
    tokens: Mapping[str, Seat]
    sandbox_rolls: tuple[Dice, ...] | None
    created_at: Millis
    updated_at: Millis
    commanded_at: Millis
    now: Millis


@dataclass(frozen=True, slots=True)
class Answer:
    """A response to be sent: the JSON text, its status, and the version of the game it shows."""

    status: int
    version: int
    body: str
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """What is stored of a game: the record, the events that led to it, and when the server must act next by itself.

    Without events the game has not changed; at most the time of the last command has, and is stored.
    """

    record: Record
    events: tuple[Event, ...]
    due_at: Millis | None


@dataclass(frozen=True, slots=True)
class Decision:
    """What a command does to a game and what is answered; `replayable` answers are kept for their idempotency key."""

    change: Change
    answer: Answer
    replayable: bool = True


@dataclass(frozen=True, slots=True)
class AnswerKey:
    """An idempotency key as stored: only hashes.

    `scope` is the hash of the caller's token; None where no token scopes the key, on creation and joining.
    """

    scope: bytes | None
    key_hash: bytes
    operation: str
    body_hash: bytes


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """An answer that was given under a key, and for what."""

    game_id: str
    operation: str
    body_hash: bytes
    answer: Answer
