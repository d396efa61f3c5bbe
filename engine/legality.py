"""The one legality check. `step.apply` refuses exactly what `refusal` names, and `legal` lists the rest."""

from itertools import combinations
from typing import Final

from engine.actions import (
    Abandon,
    Action,
    AddClientSeed,
    Hold,
    Join,
    Leave,
    Return,
    Roll,
    Score,
    Select,
    Start,
    TurnAction,
)
from engine.boxes import Box
from engine.dice import POSITIONS, Held
from engine.errors import ErrorCode, RuleError
from engine.game import MAX_CHANGES, Game, Presence, Status, Turn, has_human, turn_options
from engine.names import name_key

ALL_HELD: Final[tuple[Held, ...]] = tuple(
    held for size in range(len(POSITIONS) + 1) for held in combinations(POSITIONS, size)
)
"""The 32 sets of positions that can be held."""


def refusal(game: Game, action: Action) -> RuleError | None:
    """Why `action` is refused in `game` now, or None when it is legal."""
    match action:
        case Join() | Start():
            return _before_start(game, action)
        case Abandon() | Leave():
            return RuleError(ErrorCode.GAME_NOT_ACTIVE) if game.status.is_over else None
        case AddClientSeed():
            return _client_seed(game, action)
        case Return(seat):
            if game.status is not Status.ACTIVE:
                return RuleError(ErrorCode.GAME_NOT_ACTIVE)
            away = game.player(seat).presence is Presence.AWAY
            return None if away else RuleError(ErrorCode.NOT_AWAY)
        case _:
            return _turn_action(game, action)


def legal(game: Game) -> tuple[TurnAction, ...]:
    """Every action of the seat to move, holds by position included; empty unless the game is active."""
    turn = game.turn
    if turn is None:
        return ()
    seat = turn.seat
    boxes = tuple(Box)
    candidates: tuple[TurnAction, ...] = (
        *(Roll(seat, held) for held in ALL_HELD),
        *(Hold(seat, held) for held in ALL_HELD),
        *(Select(seat, box) for box in (*boxes, None)),
        *(Score(seat, box) for box in (*boxes, None)),
    )
    return tuple(action for action in candidates if refusal(game, action) is None)


def _before_start(game: Game, action: Join | Start) -> RuleError | None:
    if game.status is Status.ABANDONED:
        return RuleError(ErrorCode.GAME_NOT_ACTIVE)
    if game.status is not Status.WAITING:
        return RuleError(ErrorCode.GAME_ALREADY_STARTED)
    if isinstance(action, Start):
        return None if has_human(game) else RuleError(ErrorCode.GAME_NOT_ACTIVE)
    if game.open_seats == 0:
        return RuleError(ErrorCode.GAME_FULL)
    taken = name_key(action.name) in {name_key(player.name) for player in game.players}
    return RuleError(ErrorCode.NAME_TAKEN) if taken else None


def _client_seed(game: Game, action: AddClientSeed) -> RuleError | None:
    if game.status.is_over:
        return RuleError(ErrorCode.GAME_NOT_ACTIVE)
    late = game.rolls > 0 or game.player(action.seat).client_seed is not None
    return RuleError(ErrorCode.SEED_TOO_LATE) if late else None


def _turn_action(game: Game, action: TurnAction) -> RuleError | None:
    turn = game.turn
    if turn is None:
        return RuleError(ErrorCode.GAME_NOT_ACTIVE)
    if action.seat != turn.seat:
        return RuleError(ErrorCode.NOT_YOUR_TURN)
    if isinstance(action, Roll):
        return _roll(turn, action)
    if turn.dice is None:
        return RuleError(ErrorCode.ROLL_FIRST)
    match action:
        case Hold(_, hold):
            if turn.rolls_left == 0:
                return RuleError(ErrorCode.NO_ROLLS_LEFT)
            return _change(turn, hold != turn.held)
        case Select(_, box):
            return (_box(game, box) if box else None) or _change(turn, box is not turn.selected)
        case Score(_, box):
            chosen = box or turn.selected
            return _box(game, chosen) if chosen else RuleError(ErrorCode.NOTHING_SELECTED)


def _roll(turn: Turn, action: Roll) -> RuleError | None:
    if turn.rolls_left == 0:
        return RuleError(ErrorCode.NO_ROLLS_LEFT)
    if turn.dice is None and action.hold:
        return RuleError(ErrorCode.ROLL_FIRST)
    return None


def _change(turn: Turn, changed: bool) -> RuleError | None:
    too_many = changed and turn.changes >= MAX_CHANGES
    return RuleError(ErrorCode.TOO_MANY_CHANGES) if too_many else None


def _box(game: Game, box: Box) -> RuleError | None:
    allowed = tuple(option.box for option in turn_options(game))
    if box in allowed:
        return None
    filled = game.player(game.current_turn.seat).card[box] is not None
    return RuleError(ErrorCode.BOX_FILLED if filled else ErrorCode.BOX_NOT_ALLOWED, allowed)
