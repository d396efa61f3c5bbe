"""What holds in every game, whoever plays and whatever happens in it."""

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.actions import Action, AddClientSeed, Hold, Join, Leave, Return, Roll, Score, Select, Start
from engine.boxes import LOWER, UPPER, Box
from engine.codec import game_to_plain
from engine.dice import Dice
from engine.errors import RuleError
from engine.events import Event, GameCreated, GameFinished, Rolled, Scored, TurnStarted
from engine.evolve import evolve, replay
from engine.game import Actor, Game, Kind, Millis, Options, Presence, Seat, Status, computer_to_move, next_due
from engine.legality import legal
from engine.step import Transition, apply, create
from engine.strategy.autoplay import act_for_clock, play_computers
from tests.engine.kit import PLAIN, T0, card, dice, events_again, game_again, seated

LONGEST = 8 * 13 * 200
"""More steps than any game can take."""


@dataclass
class Played:
    """A whole game: the state after each step, with the events of that step."""

    seed: int
    steps: list[Transition]

    def __repr__(self) -> str:
        created = self.steps[0].events[0]
        return f"Played(seed={self.seed}, created={created})"

    @property
    def events(self) -> list[Event]:
        return [event for step in self.steps for event in step.events]

    @property
    def end(self) -> Game:
        return self.steps[-1].game


def often_equal(game: Game, number: int) -> Dice:
    """Dice that are five equal in one roll of three, so that jokers and bonuses are met in every game."""
    source = random.Random(f"{game.seats}/{number}")
    if source.random() < 1 / 3:
        return (source.randint(1, 6),) * 5
    return tuple(source.randint(1, 6) for _ in range(5))


class RandomPlayers:
    """Humans who join, leave, dawdle and come back at random, and otherwise make any legal move."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.at = T0

    def play(self, kinds: str, open_seats: int, options: Options) -> Iterator[Transition]:
        step = create(at=self.at, options=options, players=seated(kinds), open_seats=open_seats)
        yield step
        for _ in range(LONGEST):
            if step.game.status.is_over:
                return
            self.at = Millis(self.at + self.random.randint(0, 2000))
            step = self.before_start(step.game) if step.game.turn is None else self.in_course(step.game)
            yield step
        pytest.fail("the game does not end")

    def before_start(self, game: Game) -> Transition:
        humans = [player.seat for player in game.players if player.kind is Kind.HUMAN]
        unseeded = [seat for seat in humans if game.player(seat).client_seed is None]
        choices: list[Action] = []
        if game.open_seats:
            names = {player.name for player in game.players}
            free = next(name for name in (f"Guest {n}" for n in range(9)) if name not in names)
            choices += [Join(free, self.random.choice([None, "lucky"]))] * 4
        if humans:
            choices += [Start(), Leave(self.random.choice(humans))]
        if unseeded:
            choices.append(AddClientSeed(self.random.choice(unseeded), "seed"))
        return apply(game, self.random.choice(choices), self.at)

    def in_course(self, game: Game) -> Transition:
        if computer_to_move(game):
            return play_computers(game, self.at, often_equal)
        away = [player.seat for player in game.players if player.presence is Presence.AWAY]
        here = [player.seat for player in game.players if player.is_present]
        if away and (not here or self.random.random() < 0.1):
            return apply(game, Return(self.random.choice(away)), self.at)
        if self.random.random() < 0.004:
            return apply(game, Leave(self.random.choice(here)), self.at)
        due = next_due(game)
        if due and (self.at >= due.at or self.random.random() < 0.1):
            self.at = max(self.at, due.at)
            return act_for_clock(game, due, self.at, often_equal)
        kind = self.random.choice([Roll, Roll, Hold, Select, Score])
        moves = [action for action in legal(game) if isinstance(action, kind)] or list(legal(game))
        return apply(game, self.random.choice(moves), self.at, often_equal(game, game.rolls + 1))


@st.composite
def games(draw: st.DrawFn) -> Played:
    size = draw(st.integers(1, 8))
    open_seats = draw(st.integers(0, size))
    kinds = draw(st.text("HC", min_size=size - open_seats, max_size=size - open_seats))
    if not open_seats and "H" not in kinds:
        kinds = kinds[:-1] + "H"
    options = Options(
        auto_score_ms=draw(st.sampled_from([None, 500, 3000])),
        turn_limit_ms=draw(st.sampled_from([None, 5000, 20_000])),
    )
    seed = draw(st.integers(0, 2**32))
    return Played(seed, list(RandomPlayers(seed).play(kinds, open_seats, options)))


some_games = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@some_games
@given(games())
def test_events_are_the_whole_truth(played: Played) -> None:
    """At every step the events, written as JSON and read back, lead to the very state; so does the state itself."""
    told: Game | None = None
    for step in played.steps:
        for event in events_again(step.events):
            told = evolve(told, event)
        assert told == step.game
        assert game_again(step.game) == step.game
    assert replay(played.events) == played.end


@some_games
@given(games())
def test_every_game_ends_with_a_gapless_log(played: Played) -> None:
    assert played.end.status.is_over
    assert played.end.turn is None
    assert [event.seq for event in played.events] == list(range(1, played.end.version + 1))
    assert isinstance(played.events[0], GameCreated)
    times = [event.at for event in played.events]
    assert times == sorted(times)


@some_games
@given(games())
def test_turns_go_round_and_each_fills_one_box(played: Played) -> None:
    turns = [event for event in played.events if isinstance(event, TurnStarted)]
    scores = [event for event in played.events if isinstance(event, Scored)]
    seats = [player.seat for player in played.end.players]
    expected = [(number, seat) for number in range(1, 14) for seat in seats]
    assert [(turn.round, turn.seat) for turn in turns] == expected[: len(turns)]
    finished = played.end.status is Status.FINISHED
    assert len(turns) == len(expected) or not finished
    assert [score.seat for score in scores] == [turn.seat for turn in turns[: len(turns) if finished else -1]]
    assert len({(score.seat, score.box) for score in scores}) == len(scores), "a box is used once"


@some_games
@given(games())
def test_dice_that_are_held_stay(played: Played) -> None:
    before: Dice = ()
    number = 0
    for event in played.events:
        if isinstance(event, TurnStarted):
            before, number = (), 0
        elif isinstance(event, Rolled):
            number += 1
            assert event.roll_number == number <= 3
            assert all(event.dice[position] == before[position] for position in event.held)
            before = event.dice


def due_bonus(boxes: dict[Box, int], rolled: Dice) -> int:
    return 100 if len(set(rolled)) == 1 and boxes.get(Box.PENTA) == 50 else 0


@some_games
@given(games())
def test_totals_follow_from_the_scores(played: Played) -> None:
    cards: defaultdict[Seat, dict[Box, int]] = defaultdict(dict)
    bonuses: defaultdict[Seat, int] = defaultdict(int)
    rolled: Dice = ()
    told: Game | None = None
    for event in played.events:
        told = evolve(told, event)
        if isinstance(event, Rolled):
            rolled = event.dice
        if isinstance(event, Scored):
            assert event.penta_bonus == due_bonus(cards[event.seat], rolled)
            cards[event.seat][event.box] = event.points
            bonuses[event.seat] += event.penta_bonus
            now = told.player(event.seat).card
            assert now == card(bonuses[event.seat] // 100, **cards[event.seat]), "no box changes once it is filled"
    totals = {}
    for player in played.end.players:
        boxes, seat = cards[player.seat], player.seat
        upper = sum(boxes.get(box, 0) for box in UPPER)
        bonus = 35 if upper >= 63 else 0
        totals[seat] = upper + bonus + sum(boxes.get(box, 0) for box in LOWER) + bonuses[seat]
        assert (player.card.upper_bonus, player.card.total) == (bonus, totals[seat])
    if played.end.status is Status.FINISHED:
        result = played.end.result
        assert result is not None
        assert isinstance(played.events[-1], GameFinished)
        assert {place.seat: place.rank for place in result.ranking} == {
            seat: 1 + sum(other > total for other in totals.values()) for seat, total in totals.items()
        }
        assert set(result.winners) == {seat for seat, total in totals.items() if total == max(totals.values())}
    else:
        assert played.end.result is None


@some_games
@given(games())
def test_clocks_run_only_for_a_present_player_to_move(played: Played) -> None:
    for step in played.steps:
        game = step.game
        due = next_due(game)
        if game.turn is None or not game.player(game.turn.seat).is_present:
            assert due is None
        for event in step.events:
            if isinstance(event, Scored):
                assert (event.due_at is not None) == event.actor.is_clock
                assert event.due_at is None or event.due_at <= event.at
                assert event.policy is not None or event.actor in (Actor.PLAYER, Actor.TURN_LIMIT)


def any_action(seats: range) -> Iterator[Action]:
    """Every action on a turn, good or bad, of seats taken or not."""
    held = [positions for size in range(6) for positions in combinations(range(5), size)]
    for seat in map(Seat, seats):
        for positions in held:
            yield Roll(seat, positions)
            yield Hold(seat, positions)
        for box in (*Box, None):
            yield Select(seat, box)
            yield Score(seat, box)


@settings(some_games, max_examples=10)
@given(games(), st.randoms(use_true_random=False))
def test_legal_is_what_apply_accepts_and_refusals_leave_no_trace(played: Played, choice: random.Random) -> None:
    for step in choice.sample(played.steps, min(12, len(played.steps))):
        game = step.game
        before = game_to_plain(game)
        listed = set(legal(game))
        for action in any_action(range(game.seats + 1)):
            try:
                after = apply(game, action, T0, dice(PLAIN))
            except RuleError:
                assert action not in listed
            else:
                assert action in listed
                assert after.game.version == game.version + len(after.events)
        assert game_to_plain(game) == before
