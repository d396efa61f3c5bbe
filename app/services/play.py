"""The commands of a seated player."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from app.db.records import Decision, Record
from app.problems import ApiCode, ProblemError
from app.services.caller import Caller
from app.services.settling import Progress, advance, dice_source, settle
from engine.actions import Action, Hold, Leave, Roll, Score, Select
from engine.errors import ErrorCode, RuleError
from engine.game import Game, Seat
from engine.step import apply

ANSWERED_LATE: Final = (Hold, Select, Score)
"""Actions that mean the turn the player last saw; `Roll` always means the present one."""


def decide(record: Record, caller: Caller, action: Callable[[Seat], Action]) -> Decision:
    """Settles the clocks, then plays the action of the caller's seat, or refuses it; what was settled stays."""
    seat = caller.seat(record)
    settled = settle(record)
    game = settled.record.game
    wanted = action(seat)
    try:
        _check_in_time(game, seat, wanted)
        check_version(game, caller)
        _check_present(game, wanted)
        played = perform(settled, wanted)
    except (RuleError, ProblemError) as refused:
        return refuse(settled, caller, refused)
    if isinstance(wanted, Leave):
        played = replace(played, record=_without_token(played.record, seat))
    return Decision(played.change, caller.success(played.record))


def perform(progress: Progress, action: Action) -> Progress:
    """Plays one action of a person, and the computers' turns that follow from it; raises RuleError."""
    record = progress.record
    game, now = record.game, record.now
    dice = dice_source(record)(game, game.rolls + 1) if isinstance(action, Roll) else None
    played = progress.then(apply(game, action, now, dice), commanded=True)
    return played.then(advance(played.record))


def refuse(progress: Progress, caller: Caller, refused: RuleError | ProblemError) -> Decision:
    """Keeps what the clocks did and tells why the command was not carried out."""
    replayable = refused.code is ApiCode.DEADLINE_PASSED
    return Decision(progress.change, caller.refusal(refused, progress.record), replayable)


def check_version(game: Game, caller: Caller) -> None:
    if caller.versions is not None and str(game.version) not in caller.versions:
        raise ProblemError(ApiCode.VERSION_MISMATCH)


def _check_in_time(game: Game, seat: Seat, action: Action) -> None:
    auto = game.player(seat).auto_scored
    if auto is not None and isinstance(action, ANSWERED_LATE):
        scored = {"box": auto.box, "points": auto.points, "penta_bonus": auto.penta_bonus}
        raise ProblemError(ApiCode.DEADLINE_PASSED, facts={"auto_scored": scored})


def _check_present(game: Game, action: Action) -> None:
    """While a player is away, the computer moves for the seat, or nobody does: `return` comes first."""
    if isinstance(action, Roll | Hold | Select | Score) and game.turn and not game.player(action.seat).is_present:
        raise RuleError(ErrorCode.NOT_YOUR_TURN)


def _without_token(record: Record, seat: Seat) -> Record:
    return replace(record, tokens={token: held for token, held in record.tokens.items() if held != seat})
