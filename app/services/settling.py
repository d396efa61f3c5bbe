"""What the clocks have done to a game by now: settled before anything else looks at it."""

from dataclasses import dataclass, replace
from typing import Final

from app.db.records import Change, Record
from engine.actions import Abandon
from engine.events import Event
from engine.fairness import draw
from engine.game import Game, Millis, Status, next_due
from engine.step import Transition, apply
from engine.strategy.autoplay import DiceSource, act_for_clock, play_computers

WAITING_KEPT_MS: Final = 24 * 60 * 60 * 1000
"""How long a game may wait for its start."""
ACTIVE_KEPT_MS: Final = 30 * 24 * 60 * 60 * 1000
"""How long a started game is kept without an accepted command."""


@dataclass(frozen=True, slots=True)
class Progress:
    """A record in the course of a transaction, with the events that have been added to it."""

    record: Record
    events: tuple[Event, ...] = ()

    def then(self, transition: Transition, *, commanded: bool = False) -> "Progress":
        """The record after `transition`, which a person `commanded` or the server made by itself."""
        if not transition.events and not commanded:
            return self
        record = replace(
            self.record,
            game=transition.game,
            updated_at=transition.events[-1].at if transition.events else self.record.updated_at,
            commanded_at=self.record.now if commanded else self.record.commanded_at,
        )
        return Progress(record, self.events + transition.events)

    @property
    def change(self) -> Change:
        return Change(self.record, self.events, due_at(self.record))


def settle(record: Record) -> Progress:
    """Lets every clock that is due act, as of now; a turn opened on the way starts its clocks now."""
    progress = Progress(record)
    while True:
        current = progress.record
        due = due_at(current)
        if due is None or due > current.now:
            return progress
        progress = progress.then(_act(current, due))


def due_at(record: Record) -> Millis | None:
    """The next instant at which the server must act by itself, None for a game that is over."""
    expiry = _expires_at(record)
    clock = next_due(record.game)
    if expiry is None or clock is None:
        return expiry
    return min(clock.at, expiry)


def advance(record: Record) -> Transition:
    """Plays the computers' turns that have come up."""
    return play_computers(record.game, record.now, dice_source(record))


def dice_source(record: Record) -> DiceSource:
    """The game's dice: given rolls while a sandbox has them, else drawn from its seeds."""
    given = record.sandbox_rolls or ()

    def dice(game: Game, roll: int) -> tuple[int, ...]:
        if roll <= len(given):
            return given[roll - 1]
        return draw(record.server_seed, record.id, game.client_seeds, roll)

    return dice


def _act(record: Record, due: Millis) -> Transition:
    clock = next_due(record.game)
    if clock is None or clock.at > due:
        return apply(record.game, Abandon(), record.now)
    acted = act_for_clock(record.game, clock, record.now, dice_source(record))
    return acted.follow(play_computers(acted.game, record.now, dice_source(record)))


def _expires_at(record: Record) -> Millis | None:
    match record.game.status:
        case Status.WAITING:
            return Millis(record.created_at + WAITING_KEPT_MS)
        case Status.ACTIVE:
            return Millis(record.commanded_at + ACTIVE_KEPT_MS)
        case _:
            return None
