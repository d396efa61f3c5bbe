"""State and events to plain data (dicts, lists, numbers, text, None) and back, with a version.

Names are written as the text enums they are: JSON writers take them for text.
A reader accepts what any earlier version wrote; `VERSION` goes up when a writer changes meaning.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from engine import events as ev
from engine.boxes import Box
from engine.card import Card
from engine.game import (
    Actor,
    AutoScore,
    Game,
    Kind,
    Level,
    Options,
    Place,
    Player,
    Presence,
    Result,
    SeatedPlayer,
    Status,
    Turn,
    Visibility,
)
from engine.rules import RulesName

VERSION: Final = 1

Plain: TypeAlias = dict[str, Any]


def game_to_plain(game: Game) -> Plain:
    """The whole state; `game_from_plain` gives an equal one back."""
    return {
        "v": VERSION,
        "version": game.version,
        "status": game.status,
        "visibility": game.visibility,
        "rules": game.rules_name,
        "options": options_to_plain(game.options),
        "seats": game.seats,
        "rolls": game.rolls,
        "players": [_player_to_plain(player) for player in game.players],
        "turn": _turn_to_plain(game.turn) if game.turn else None,
        "result": result_to_plain(game.result) if game.result else None,
    }


def game_from_plain(plain: Mapping[str, Any]) -> Game:
    """The state that `game_to_plain` wrote; ValueError for a version this code does not know."""
    if plain["v"] != VERSION:
        raise ValueError(f"state version {plain['v']} is not {VERSION}")
    return Game(
        version=plain["version"],
        status=Status(plain["status"]),
        visibility=Visibility(plain["visibility"]),
        rules_name=RulesName(plain["rules"]),
        options=Options(**plain["options"]),
        seats=plain["seats"],
        rolls=plain["rolls"],
        players=tuple(_player_from_plain(player) for player in plain["players"]),
        turn=_turn_from_plain(plain["turn"]) if plain["turn"] else None,
        result=_result_from_plain(plain["result"]) if plain["result"] else None,
    )


def options_to_plain(options: Options) -> Plain:
    return {
        "auto_score_ms": options.auto_score_ms,
        "turn_limit_ms": options.turn_limit_ms,
        "hints": options.hints,
        "sandbox": options.sandbox,
    }


def result_to_plain(result: Result) -> Plain:
    return {
        "winners": list(result.winners),
        "ranking": [{"seat": p.seat, "rank": p.rank, "total": p.total} for p in result.ranking],
    }


def _result_from_plain(plain: Mapping[str, Any]) -> Result:
    return Result(tuple(plain["winners"]), tuple(Place(**place) for place in plain["ranking"]))


def _player_to_plain(player: Player) -> Plain:
    auto = player.auto_scored
    return {
        "seat": player.seat,
        "name": player.name,
        "kind": player.kind,
        "level": player.level,
        "presence": player.presence,
        "boxes": list(player.card.boxes),
        "penta_bonuses": player.card.penta_bonuses,
        "client_seed": player.client_seed,
        "turn_limits": player.turn_limits,
        "auto_scored": [auto.box, auto.points, auto.penta_bonus] if auto else None,
    }


def _player_from_plain(plain: Mapping[str, Any]) -> Player:
    auto = plain["auto_scored"]
    return Player(
        seat=plain["seat"],
        name=plain["name"],
        kind=Kind(plain["kind"]),
        level=Level(plain["level"]) if plain["level"] else None,
        presence=Presence(plain["presence"]),
        card=Card(tuple(plain["boxes"]), plain["penta_bonuses"]),
        client_seed=plain["client_seed"],
        turn_limits=plain["turn_limits"],
        auto_scored=AutoScore(Box(auto[0]), auto[1], auto[2]) if auto else None,
    )


def _turn_to_plain(turn: Turn) -> Plain:
    return {
        "seat": turn.seat,
        "round": turn.round,
        "started_at": turn.started_at,
        "rolls_used": turn.rolls_used,
        "dice": list(turn.dice) if turn.dice else None,
        "held": list(turn.held),
        "selected": turn.selected,
        "deadline_at": turn.deadline_at,
        "changes": turn.changes,
    }


def _turn_from_plain(plain: Mapping[str, Any]) -> Turn:
    return Turn(
        seat=plain["seat"],
        round=plain["round"],
        started_at=plain["started_at"],
        rolls_used=plain["rolls_used"],
        dice=tuple(plain["dice"]) if plain["dice"] else None,
        held=tuple(plain["held"]),
        selected=Box(plain["selected"]) if plain["selected"] else None,
        deadline_at=plain["deadline_at"],
        changes=plain["changes"],
    )


def _created_to_plain(event: ev.GameCreated) -> Plain:
    return {
        "rules": event.rules,
        "visibility": event.visibility,
        "options": options_to_plain(event.options),
        "players": [{"seat": p.seat, "name": p.name, "kind": p.kind, "level": p.level} for p in event.players],
        "open_seats": event.open_seats,
    }


def _created_from_plain(plain: Mapping[str, Any]) -> Plain:
    return {
        "rules": RulesName(plain["rules"]),
        "visibility": Visibility(plain["visibility"]),
        "options": Options(**plain["options"]),
        "players": tuple(
            SeatedPlayer(p["seat"], p["name"], Kind(p["kind"]), Level(p["level"]) if p["level"] else None)
            for p in plain["players"]
        ),
        "open_seats": plain["open_seats"],
    }


def _scored_to_plain(event: ev.Scored) -> Plain:
    policy = event.policy
    return {
        "box": event.box,
        "points": event.points,
        "penta_bonus": event.penta_bonus,
        "actor": event.actor,
        "due_at": event.due_at,
        "policy": {"id": policy.id, "version": policy.version, "expected_total": policy.expected_total}
        if policy
        else None,
    }


def _scored_from_plain(plain: Mapping[str, Any]) -> Plain:
    return {
        "box": Box(plain["box"]),
        "points": plain["points"],
        "penta_bonus": plain["penta_bonus"],
        "actor": Actor(plain["actor"]),
        "due_at": plain["due_at"],
        "policy": ev.Policy(**plain["policy"]) if plain["policy"] else None,
    }


def _nothing(_: Any) -> Plain:
    return {}


_Kind: TypeAlias = tuple[str, type[ev.Event], Callable[[Any], Plain], Callable[[Mapping[str, Any]], Plain]]

_KINDS: Final[tuple[_Kind, ...]] = (
    ("game_created", ev.GameCreated, _created_to_plain, _created_from_plain),
    ("player_joined", ev.PlayerJoined, lambda e: {"name": e.name}, lambda p: {"name": p["name"]}),
    ("player_left", ev.PlayerLeft, _nothing, _nothing),
    ("player_away", ev.PlayerAway, _nothing, _nothing),
    ("player_back", ev.PlayerBack, _nothing, _nothing),
    (
        "client_seed_added",
        ev.ClientSeedAdded,
        lambda e: {"client_seed": e.client_seed},
        lambda p: {"client_seed": p["client_seed"]},
    ),
    ("game_started", ev.GameStarted, _nothing, _nothing),
    ("turn_started", ev.TurnStarted, lambda e: {"round": e.round}, lambda p: {"round": p["round"]}),
    (
        "rolled",
        ev.Rolled,
        lambda e: {"roll_number": e.roll_number, "held": list(e.held), "dice": list(e.dice)},
        lambda p: {"roll_number": p["roll_number"], "held": tuple(p["held"]), "dice": tuple(p["dice"])},
    ),
    ("held", ev.DiceHeld, lambda e: {"held": list(e.held)}, lambda p: {"held": tuple(p["held"])}),
    (
        "box_selected",
        ev.BoxSelected,
        lambda e: {"box": e.box},
        lambda p: {"box": Box(p["box"]) if p["box"] else None},
    ),
    ("scored", ev.Scored, _scored_to_plain, _scored_from_plain),
    (
        "game_finished",
        ev.GameFinished,
        lambda e: {"result": result_to_plain(e.result)},
        lambda p: {"result": _result_from_plain(p["result"])},
    ),
    ("game_abandoned", ev.GameAbandoned, _nothing, _nothing),
)
_WRITERS: Final = {cls: (name, write) for name, cls, write, _ in _KINDS}
_READERS: Final = {name: (cls, read) for name, cls, _, read in _KINDS}

EVENT_TYPES: Final = tuple(name for name, *_ in _KINDS)


def event_to_plain(event: ev.Event) -> Plain:
    """One event as `{seq, at, type, seat, ...}`; `seat` is None for events of the whole game."""
    name, write = _WRITERS[type(event)]
    seat = getattr(event, "seat", None)
    return {"seq": event.seq, "at": event.at, "type": name, "seat": seat, **write(event)}


def event_from_plain(plain: Mapping[str, Any]) -> ev.Event:
    """The event that `event_to_plain` wrote; KeyError for an unknown type."""
    cls, read = _READERS[plain["type"]]
    fields: Plain = {"seq": plain["seq"], "at": plain["at"], **read(plain)}
    if plain["seat"] is not None:
        fields["seat"] = plain["seat"]
    return cls(**fields)
