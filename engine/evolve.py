"""Events to state: what each event changes. The only code that builds a `Game`."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TypedDict

from engine.dice import ROLLS_PER_TURN
from engine.events import (
    BoxSelected,
    ClientSeedAdded,
    DiceHeld,
    Event,
    GameAbandoned,
    GameCreated,
    GameFinished,
    GameStarted,
    PlayerAway,
    PlayerBack,
    PlayerJoined,
    PlayerLeft,
    Rolled,
    Scored,
    TurnStarted,
)
from engine.game import (
    Actor,
    AutoScore,
    Game,
    Kind,
    Millis,
    Player,
    Presence,
    Result,
    Seat,
    Status,
    Turn,
    has_present_human,
)


class Changes(TypedDict, total=False):
    """Fields of a `Game` that an event sets."""

    status: Status
    players: tuple[Player, ...]
    rolls: int
    turn: Turn | None
    result: Result


def replay(events: Iterable[Event]) -> Game:
    """The state after all `events` of one game, in order of seq; ValueError for an empty or broken sequence."""
    game: Game | None = None
    for event in events:
        game = evolve(game, event)
    if game is None:
        raise ValueError("no events")
    return game


def evolve(game: Game | None, event: Event) -> Game:
    """The state after one more event; ValueError unless it is the next one."""
    if event.seq != (game.version if game else 0) + 1:
        raise ValueError(f"event {event.seq} does not follow version {game.version if game else 0}")
    if game is None:
        if not isinstance(event, GameCreated):
            raise ValueError("the first event must create the game")
        return _create(event)
    return replace(game, version=event.seq, **_changes(game, event))


def _create(event: GameCreated) -> Game:
    players = tuple(Player(p.seat, p.name, p.kind, p.level) for p in event.players)
    return Game(
        version=event.seq,
        status=Status.WAITING,
        visibility=event.visibility,
        rules_name=event.rules,
        options=event.options,
        seats=len(players) + event.open_seats,
        players=players,
    )


def _changes(game: Game, event: Event) -> Changes:
    match event:
        case Rolled():
            return _rolled(game, event)
        case DiceHeld():
            turn = game.current_turn
            return {"turn": replace(turn, held=event.held, changes=turn.changes + 1)}
        case BoxSelected():
            return _selected(game, event)
        case Scored():
            return _scored(game, event)
        case TurnStarted():
            return {"turn": Turn(event.seat, event.round, event.at)}
        case GameFinished():
            return {"status": Status.FINISHED, "turn": None, "result": event.result}
        case GameAbandoned():
            return {"status": Status.ABANDONED, "turn": None}
        case GameStarted():
            return {"status": Status.ACTIVE}
        case PlayerJoined():
            joined = Player(event.seat, event.name, Kind.HUMAN)
            return {"players": tuple(sorted((*game.players, joined), key=lambda player: player.seat))}
        case PlayerLeft():
            return _left(game, event)
        case PlayerAway():
            return _with_player(game, replace(game.player(event.seat), presence=Presence.AWAY))
        case PlayerBack():
            return _back(game, event)
        case ClientSeedAdded():
            return _with_player(game, replace(game.player(event.seat), client_seed=event.client_seed))
        case GameCreated():
            raise ValueError("a game is created once")


def _rolled(game: Game, event: Rolled) -> Changes:
    turn = replace(
        game.current_turn,
        rolls_used=event.roll_number,
        dice=event.dice,
        held=event.held,
        selected=None,
        deadline_at=_deadline(game, event.seat, event.at) if event.roll_number == ROLLS_PER_TURN else None,
    )
    player = game.player(event.seat)
    seen: Changes = {} if player.auto_scored is None else _with_player(game, replace(player, auto_scored=None))
    return {**seen, "turn": turn, "rolls": game.rolls + 1}


def _selected(game: Game, event: BoxSelected) -> Changes:
    turn = game.current_turn
    runs = event.box is None and turn.rolls_left == 0
    deadline = _deadline(game, event.seat, event.at) if runs else None
    return {"turn": replace(turn, selected=event.box, deadline_at=deadline, changes=turn.changes + 1)}


def _deadline(game: Game, seat: Seat, at: Millis) -> Millis | None:
    """The instant of the automatic score for a clock that starts at `at`; computers' seats have none."""
    delay = game.options.auto_score_ms
    return Millis(at + delay) if delay is not None and game.player(seat).is_present else None


def _scored(game: Game, event: Scored) -> Changes:
    player = game.player(event.seat)
    auto = AutoScore(event.box, event.points, event.penta_bonus) if event.actor.is_clock else None
    scorer = replace(
        player,
        card=player.card.fill(event.box, event.points, event.penta_bonus),
        turn_limits=player.turn_limits + 1 if event.actor is Actor.TURN_LIMIT else 0,
        auto_scored=auto,
    )
    return {**_with_player(game, scorer), "turn": None}


def _left(game: Game, event: PlayerLeft) -> Changes:
    if game.status is Status.WAITING:
        return {"players": tuple(p for p in game.players if p.seat != event.seat)}
    left = _with_player(game, replace(game.player(event.seat), presence=Presence.LEFT))
    turn = game.turn
    if turn is None or turn.seat != event.seat:
        return left
    return {**left, "turn": replace(turn, deadline_at=None)}


def _back(game: Game, event: PlayerBack) -> Changes:
    player = replace(game.player(event.seat), presence=Presence.PLAYING, turn_limits=0)
    back = _with_player(game, player)
    if has_present_human(game) or game.turn is None:
        return back
    # The game stood still without clocks; its turn begins to count now.
    return {**back, "turn": replace(game.turn, started_at=event.at)}


def _with_player(game: Game, player: Player) -> Changes:
    return {"players": tuple(player if p.seat == player.seat else p for p in game.players)}
