"""Creating and joining games: commands that no token scopes, and whose answers carry new tokens."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import orjson
from uuid_utils.compat import uuid7

from app.db.records import Answer, Decision, Record
from app.db.uow import NewGame
from app.present import Json, dump, game_view
from app.problems import ApiCode, ProblemError
from app.services.caller import Caller
from app.services.play import check_version, perform, refuse
from app.services.settling import Progress, advance, settle
from app.texts import text
from app.tokens import new_join_code, seat_token, token_id
from engine.actions import Join
from engine.dice import Dice
from engine.errors import RuleError
from engine.fairness import SEED_BYTES
from engine.game import Kind, Level, Millis, Options, Seat, SeatedPlayer, Visibility
from engine.names import name_key
from engine.step import create

FIRST_LEVEL: Final = Level.OPTIMAL


@dataclass(frozen=True, slots=True)
class WantedPlayer:
    """A player as the creator named him; the server names those without a name."""

    kind: Kind = Kind.HUMAN
    name: str | None = None
    level: Level | None = None


@dataclass(frozen=True, slots=True)
class WantedGame:
    """What the creator asked for, with every default filled in."""

    players: tuple[WantedPlayer, ...]
    open_seats: int
    visibility: Visibility
    options: Options
    sandbox_rolls: tuple[Dice, ...] | None


def new_game(wanted: WantedGame, caller: Caller, secret: str, now: Millis) -> NewGame:
    """A new game with tokens for the human seats that were named."""
    game_id = str(uuid7())
    players = _seated(wanted.players, caller.language)
    transition = create(
        at=now,
        options=wanted.options,
        players=players,
        open_seats=wanted.open_seats,
        visibility=wanted.visibility,
    )
    humans = [player.seat for player in players if player.kind is Kind.HUMAN]
    record = Record(
        id=game_id,
        game=transition.game,
        server_seed=secrets.token_bytes(SEED_BYTES),
        tokens={token_id(seat_token(secret, game_id, seat)): seat for seat in humans},
        sandbox_rolls=wanted.sandbox_rolls,
        created_at=now,
        updated_at=now,
        commanded_at=now,
        now=now,
    )
    started = Progress(record, transition.events)
    progress = started.then(advance(started.record))
    code = new_join_code() if wanted.open_seats else None
    body: Json = {
        "game": game_view(progress.record, caller.language),
        "seats": [{"seat": seat, "token": None} for seat in humans],
        "join_code": code,
    }
    answer = Answer(201, progress.record.game.version, dump(body))
    return NewGame(Decision(progress.change, answer), code)


def join(record: Record, caller: Caller, secret: str, name: str | None, client_seed: str | None) -> Decision:
    """Takes an open seat, or refuses; the last open seat starts the game."""
    settled = settle(record)
    game = settled.record.game
    try:
        check_version(game, caller)
        seat = game.lowest_open_seat or Seat(0)  # without an open seat, the rules refuse to join
        taken = [player.name for player in game.players]
        joined = perform(settled, Join(name or unnamed(seat + 1, taken, caller.language), client_seed))
    except (RuleError, ProblemError) as refused:
        return refuse(settled, caller, refused)
    tokens = {**record.tokens, token_id(seat_token(secret, record.id, seat)): seat}
    joined = replace(joined, record=replace(joined.record, tokens=tokens))
    body: Json = {"game": game_view(joined.record, caller.language), "seat": seat, "token": None}
    return Decision(joined.change, Answer(201, joined.record.game.version, dump(body)))


def with_tokens(answer: Answer, secret: str) -> tuple[Answer, str]:
    """The answer as the caller gets it, and the game's id: tokens are derived again each time and never stored."""
    body = orjson.loads(answer.body)
    game_id: str = body["game"]["id"]
    for holder in body.get("seats", (body,)):
        holder["token"] = seat_token(secret, game_id, holder["seat"])
    return replace(answer, body=dump(body)), game_id


def require_public(record: Record) -> None:
    """A private game is entered by its code alone, and is not there for anyone who asks by id."""
    if record.game.visibility is not Visibility.PUBLIC:
        raise ProblemError(ApiCode.GAME_NOT_FOUND)


def unnamed(number: int, taken: Sequence[str], language: str) -> str:
    """A name for a player who gave none: by seat number from 1, or the next number that is free."""
    keys = {name_key(name) for name in taken}
    while name_key(name := text(language, "player.unnamed", number=number)) in keys:
        number += 1
    return name


def _seated(wanted: Sequence[WantedPlayer], language: str) -> tuple[SeatedPlayer, ...]:
    names = [player.name for player in wanted if player.name is not None]
    seated = []
    for index, player in enumerate(wanted):
        name = player.name
        if name is None:
            name = unnamed(index + 1, names, language)
            names.append(name)
        level = (player.level or FIRST_LEVEL) if player.kind is Kind.COMPUTER else None
        seated.append(SeatedPlayer(Seat(index), name, player.kind, level))
    return tuple(seated)
