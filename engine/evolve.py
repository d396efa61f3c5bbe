"""Events to state: what each event changes. The only code that builds a `Game`."""

from collections.abc import Iterable
from dataclasses import replace

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
    Seat,
    Status,
    Turn,
    has_present_human,
)


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
    return replace(_change(game, event), version=event.seq)


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


def _change(game: Game, event: Event) -> Game:
    match event:
        case Rolled():
            return _rolled(game, event)
        case DiceHeld():
            turn = game.current_turn
            return replace(game, turn=replace(turn, held=event.held, changes=turn.changes + 1))
        case BoxSelected():
            return _selected(game, event)
        case Scored():
            return _scored(game, event)
        case TurnStarted():
            return replace(game, turn=Turn(event.seat, event.round, event.at))
        case GameFinished():
            return replace(game, status=Status.FINISHED, turn=None, result=event.result)
        case GameAbandoned():
            return replace(game, status=Status.ABANDONED, turn=None)
        case GameStarted():
            return replace(game, status=Status.ACTIVE)
        case PlayerJoined():
            joined = Player(event.seat, event.name, Kind.HUMAN)
            players = tuple(sorted((*game.players, joined), key=lambda player: player.seat))
            return replace(game, players=players)
        case PlayerLeft():
            return _left(game, event)
        case PlayerAway():
            return _with_player(game, replace(game.player(event.seat), presence=Presence.AWAY))
        case PlayerBack():
            return _back(game, event)
        case ClientSeedAdded():
            player = replace(game.player(event.seat), client_seed=event.client_seed)
            return _with_player(game, player)
        case GameCreated():
            raise ValueError("a game is created once")


def _rolled(game: Game, event: Rolled) -> Game:
    turn = replace(
        game.current_turn,
        rolls_used=event.roll_number,
        dice=event.dice,
        held=event.held,
        selected=None,
        deadline_at=_deadline(game, event.seat, event.at) if event.roll_number == ROLLS_PER_TURN else None,
    )
    player = game.player(event.seat)
    if player.auto_scored is not None:
        game = _with_player(game, replace(player, auto_scored=None))
    return replace(game, turn=turn, rolls=game.rolls + 1)


def _selected(game: Game, event: BoxSelected) -> Game:
    turn = game.current_turn
    runs = event.box is None and turn.rolls_left == 0
    return replace(
        game,
        turn=replace(
            turn,
            selected=event.box,
            deadline_at=_deadline(game, event.seat, event.at) if runs else None,
            changes=turn.changes + 1,
        ),
    )


def _deadline(game: Game, seat: Seat, at: Millis) -> Millis | None:
    """The instant of the automatic score for a clock that starts at `at`; computers' seats have none."""
    delay = game.options.auto_score_ms
    return Millis(at + delay) if delay is not None and game.player(seat).is_present else None


def _scored(game: Game, event: Scored) -> Game:
    player = game.player(event.seat)
    auto = AutoScore(event.box, event.points, event.penta_bonus) if event.actor.is_clock else None
    scorer = replace(
        player,
        card=player.card.fill(event.box, event.points, event.penta_bonus),
        turn_limits=player.turn_limits + 1 if event.actor is Actor.TURN_LIMIT else 0,
        auto_scored=auto,
    )
    return replace(_with_player(game, scorer), turn=None)


def _left(game: Game, event: PlayerLeft) -> Game:
    if game.status is Status.WAITING:
        return replace(game, players=tuple(p for p in game.players if p.seat != event.seat))
    game = _with_player(game, replace(game.player(event.seat), presence=Presence.LEFT))
    turn = game.turn
    if turn is not None and turn.seat == event.seat:
        return replace(game, turn=replace(turn, deadline_at=None))
    return game


def _back(game: Game, event: PlayerBack) -> Game:
    waited = not has_present_human(game)
    player = replace(game.player(event.seat), presence=Presence.PLAYING, turn_limits=0)
    game = _with_player(game, player)
    if waited and game.turn is not None:
        # The game stood still without clocks; its turn begins to count now.
        return replace(game, turn=replace(game.turn, started_at=event.at))
    return game


def _with_player(game: Game, player: Player) -> Game:
    players = tuple(player if p.seat == player.seat else p for p in game.players)
    return replace(game, players=players)
