"""Actions to events: `apply` is the only way a game goes on. Dice and the clock are inputs."""

from dataclasses import dataclass
from typing import Self

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
)
from engine.dice import Dice, Held, rolled
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
from engine.evolve import evolve
from engine.game import (
    TURN_LIMITS_UNTIL_AWAY,
    Actor,
    Game,
    Kind,
    Millis,
    Options,
    Place,
    Result,
    Seat,
    SeatedPlayer,
    Visibility,
    has_human,
    turn_options,
)
from engine.legality import refusal
from engine.rules import RulesName


@dataclass(frozen=True, slots=True)
class Transition:
    """A new state and the events that led to it, in order; none when nothing changed."""

    game: Game
    events: tuple[Event, ...] = ()

    def then(self, event: Event) -> Self:
        return type(self)(evolve(self.game, event), (*self.events, event))

    def follow(self, later: "Transition") -> Self:
        """This transition with one that started from its state added."""
        return type(self)(later.game, self.events + later.events)

    @property
    def seq(self) -> int:
        """The seq of the next event."""
        return self.game.version + 1


def create(
    *,
    at: Millis,
    options: Options,
    players: tuple[SeatedPlayer, ...],
    open_seats: int,
    visibility: Visibility = Visibility.PRIVATE,
    rules: RulesName = RulesName.PENTA,
) -> Transition:
    """A new game: started at once when no seat is open, unless a computer has the first seat."""
    created = GameCreated(
        seq=1, at=at, rules=rules, visibility=visibility, options=options, players=players, open_seats=open_seats
    )
    transition = Transition(evolve(None, created), (created,))
    if open_seats == 0 and players[0].kind is Kind.HUMAN:
        return _start(transition, at)
    return transition


def apply(game: Game, action: Action, at: Millis, dice: Dice | None = None) -> Transition:
    """Plays one action.

    `dice` are the five faces a `Roll` draws from; only positions that are not held take theirs.
    Raises RuleError, with the state untouched, when the action is not legal.
    """
    refused = refusal(game, action)
    if refused is not None:
        raise refused
    before = Transition(game)
    match action:
        case Roll():
            if dice is None:
                raise ValueError("a roll needs dice")
            return _roll(before, action, at, dice)
        case Hold(seat, hold):
            if hold == game.current_turn.held:
                return before
            return before.then(DiceHeld(seq=before.seq, at=at, seat=seat, held=hold))
        case Select(seat, box):
            if box is game.current_turn.selected:
                return before
            return before.then(BoxSelected(seq=before.seq, at=at, seat=seat, box=box))
        case Score():
            return _score(before, action, at)
        case Join():
            return _join(before, action, at)
        case Start():
            return _start(before, at)
        case Leave(seat):
            left = before.then(PlayerLeft(seq=before.seq, at=at, seat=seat))
            return left if has_human(left.game) else _abandon(left, at)
        case Return(seat):
            return before.then(PlayerBack(seq=before.seq, at=at, seat=seat))
        case AddClientSeed(seat, seed):
            return before.then(ClientSeedAdded(seq=before.seq, at=at, seat=seat, client_seed=seed))
        case Abandon():
            return _abandon(before, at)


def _roll(before: Transition, action: Roll, at: Millis, fresh: Dice) -> Transition:
    turn = before.game.current_turn
    held: Held = turn.held if action.hold is None else action.hold
    return before.then(
        Rolled(
            seq=before.seq,
            at=at,
            seat=action.seat,
            roll_number=turn.rolls_used + 1,
            held=held,
            dice=rolled(turn.dice, held, fresh),
        )
    )


def _score(before: Transition, action: Score, at: Millis) -> Transition:
    turn = before.game.current_turn
    chosen = action.box or turn.selected
    option = next(option for option in turn_options(before.game) if option.box is chosen)
    after = before.then(
        Scored(
            seq=before.seq,
            at=at,
            seat=action.seat,
            box=option.box,
            points=option.points,
            penta_bonus=option.penta_bonus,
            actor=action.actor,
            due_at=action.due_at,
            policy=action.policy,
        )
    )
    limits = after.game.player(action.seat).turn_limits
    if action.actor is Actor.TURN_LIMIT and limits >= TURN_LIMITS_UNTIL_AWAY:
        after = after.then(PlayerAway(seq=after.seq, at=at, seat=action.seat))
    if all(player.card.is_full for player in after.game.players):
        return after.then(GameFinished(seq=after.seq, at=at, result=outcome(after.game)))
    return _begin_turn(after, after.game.next_seat(action.seat), at)


def _join(before: Transition, action: Join, at: Millis) -> Transition:
    seat = before.game.lowest_open_seat
    if seat is None:
        raise ValueError("no seat is open")
    after = before.then(PlayerJoined(seq=before.seq, at=at, seat=seat, name=action.name))
    if action.client_seed is not None:
        after = after.then(ClientSeedAdded(seq=after.seq, at=at, seat=seat, client_seed=action.client_seed))
    return _start(after, at) if after.game.open_seats == 0 else after


def _start(before: Transition, at: Millis) -> Transition:
    started = before.then(GameStarted(seq=before.seq, at=at))
    return _begin_turn(started, started.game.players[0].seat, at)


def _begin_turn(before: Transition, seat: Seat, at: Millis) -> Transition:
    number = before.game.player(seat).card.filled + 1
    return before.then(TurnStarted(seq=before.seq, at=at, seat=seat, round=number))


def _abandon(before: Transition, at: Millis) -> Transition:
    return before.then(GameAbandoned(seq=before.seq, at=at))


def outcome(game: Game) -> Result:
    """The ranking by totals as they stand: equal totals share a rank, and the next rank counts them (1, 1, 3)."""
    totals = sorted(((player.card.total, player.seat) for player in game.players), key=lambda t: (-t[0], t[1]))
    scores = [total for total, _ in totals]
    ranking = tuple(Place(seat, scores.index(total) + 1, total) for total, seat in totals)
    return Result(tuple(place.seat for place in ranking if place.rank == 1), ranking)
