"""State to responses, as plain data: what is derived (options, totals, clocks, texts) is derived here only."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final, TypeAlias

import orjson

from app.db.records import Record
from app.texts import text
from engine.boxes import BOXES
from engine.card import Card
from engine.codec import event_to_plain, options_to_plain, result_to_plain
from engine.events import Event, Rolled
from engine.fairness import commitment
from engine.game import Game, Millis, Player, turn_limit_at, turn_options

Json: TypeAlias = dict[str, Any]

_BOX_IDS: Final = tuple(box.value for box in BOXES)


def dump(value: Json) -> str:
    """The JSON text that is sent and stored."""
    return orjson.dumps(value).decode()


@lru_cache(1024)
def timestamp(at: Millis) -> str:
    """RFC 3339 in UTC with milliseconds."""
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds")[:-6] + "Z"


def game_view(record: Record, language: str) -> Json:
    """The `Game` of the contract."""
    game = record.game
    return {
        "id": record.id,
        "version": game.version,
        "status": game.status,
        "visibility": game.visibility,
        "rules": game.rules_name,
        "options": options_to_plain(game.options),
        "open_seats": game.open_seats,
        "players": [_player(player) for player in game.players],
        "turn": _turn(game, record.now, language) if game.turn else None,
        "result": result_to_plain(game.result) if game.result else None,
        "commitment": commitment(record.server_seed),
        "created_at": timestamp(record.created_at),
        "updated_at": timestamp(record.updated_at),
        "server_time": timestamp(record.now),
    }


def event_view(event: Event) -> Json:
    """One event of the contract."""
    plain = event_to_plain(event)
    plain["at"] = timestamp(event.at)
    if plain.get("due_at") is not None:
        plain["due_at"] = timestamp(plain["due_at"])
    return plain


def events_view(events: Sequence[Event], after: int) -> Json:
    """A page of events; past the end `next_after` stays where it was."""
    return {
        "events": [event_view(event) for event in events],
        "next_after": events[-1].seq if events else after,
    }


def fairness_view(record: Record, rolls: Iterable[Rolled]) -> Json:
    """What lets anyone check the dice; seed and rolls only when the game is over."""
    game = record.game
    over = game.status.is_over
    return {
        "game_id": record.id,
        "commitment": commitment(record.server_seed),
        "client_seeds": list(game.client_seeds),
        "server_seed": record.server_seed.hex() if over else None,
        "rolls": [
            {"r": number, "seat": roll.seat, "held": list(roll.held), "dice": list(roll.dice)}
            for number, roll in enumerate(rolls, start=1)
        ]
        if over
        else [],
        "verifiable": not game.options.sandbox,
    }


def _player(player: Player) -> Json:
    return {
        "seat": player.seat,
        "name": player.name,
        "kind": player.kind,
        "level": player.level,
        "presence": player.presence,
        "card": _card(player.card),
    }


def _card(card: Card) -> Json:
    upper, lower = card.upper_subtotal, card.lower_total
    upper_bonus, penta_bonus_total = card.upper_bonus, card.penta_bonus_total
    return {
        "boxes": dict(zip(_BOX_IDS, card.boxes, strict=True)),
        "upper_subtotal": upper,
        "upper_bonus": upper_bonus,
        "upper_total": upper + upper_bonus,
        "lower_total": lower,
        "penta_bonuses": card.penta_bonuses,
        "penta_bonus_total": penta_bonus_total,
        "total": card.total,
    }


def _turn(game: Game, now: Millis, language: str) -> Json:
    turn = game.current_turn
    options = turn_options(game)
    must_sacrifice = bool(options) and not any(option.points for option in options)
    deadline, limit = turn.deadline_at, turn_limit_at(game)
    return {
        "seat": turn.seat,
        "round": turn.round,
        "rolls_used": turn.rolls_used,
        "rolls_left": turn.rolls_left,
        "dice": list(turn.dice) if turn.dice else None,
        "held": list(turn.held),
        "selected": turn.selected,
        "deadline_at": timestamp(deadline) if deadline is not None else None,
        "remaining_ms": max(0, deadline - now) if deadline is not None else None,
        "turn_limit_at": timestamp(limit) if limit is not None else None,
        "options": [
            {"box": option.box, "points": option.points, "penta_bonus": option.penta_bonus} for option in options
        ],
        "must_sacrifice": must_sacrifice,
        "notice": text(language, "notice.must_sacrifice") if must_sacrifice else None,
    }
