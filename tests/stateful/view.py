"""The model's game as an answer shows it."""

from typing import TYPE_CHECKING

from tests.stateful.card import Json, options

if TYPE_CHECKING:
    from tests.stateful.model import Model

NOTICE = "Nijedno otvoreno polje ne donosi bodove: morate jedno žrtvovati"
PLAYER = ("seat", "name", "kind", "level", "presence", "card")


def game_view(model: "Model", now: int) -> Json:
    return {
        **model.fixed,
        "version": len(model.events),
        "status": model.status,
        "visibility": model.visibility,
        "rules": "penta",
        "options": model.options,
        "open_seats": model.open_seats,
        "players": [{key: getattr(player, key) for key in PLAYER} for player in model.players.values()],
        "turn": _turn(model, now),
        "result": model.result,
        "created_at": model.created,
        "updated_at": model.events[-1]["at"],
        "server_time": now,
    }


def _turn(model: "Model", now: int) -> Json | None:
    turn = model.turn
    if turn is None:
        return None
    legal = options(model.players[turn.seat].boxes, turn.dice) if turn.dice else []
    sacrifice = bool(legal) and all(option["points"] == 0 for option in legal)
    return {
        "seat": turn.seat,
        "round": turn.round,
        "rolls_used": turn.rolls,
        "rolls_left": 3 - turn.rolls,
        "dice": turn.dice,
        "held": turn.held,
        "selected": turn.selected,
        "deadline_at": turn.deadline,
        "remaining_ms": max(0, turn.deadline - now) if turn.deadline is not None else None,
        "turn_limit_at": model.turn_limit_at,
        "options": legal,
        "must_sacrifice": sacrifice,
        "notice": NOTICE if sacrifice else None,
    }
