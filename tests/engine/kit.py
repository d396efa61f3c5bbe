"""What the engine's tests share: short notations, and a table that plays one game and keeps its events."""

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

import pytest

from engine import fairness
from engine.actions import Action, Hold, Roll, Score, Select
from engine.boxes import BOXES, Box
from engine.card import Card
from engine.codec import event_from_plain, event_to_plain, game_from_plain, game_to_plain
from engine.dice import Dice, Held
from engine.errors import RuleError
from engine.events import Event
from engine.game import Actor, Game, Kind, Level, Millis, Options, Player, Seat, SeatedPlayer, Turn, next_due
from engine.step import Transition, apply, create
from engine.strategy.autoplay import act_for_clock, play_computers

T0: Final = Millis(1_800_000_000_000)
FIRST, SECOND, THIRD = Seat(0), Seat(1), Seat(2)
A_LEVEL: Final = next(iter(Level))
PLAIN: Final = "11346"
"""Dice that pay in number boxes and Chance only."""


def dice(text: str) -> Dice:
    return tuple(int(face) for face in text)


def card(penta_bonuses: int = 0, **values: int) -> Card:
    """A card that holds `values`; the other boxes are open."""
    return Card(tuple(values.get(box) for box in BOXES), penta_bonuses)


def only_open(open_boxes: str, **values: int) -> Card:
    """A card on which `open_boxes` are open; the others hold `values` or 0."""
    names = {Box(name) for name in open_boxes.split()}
    return Card(tuple(None if box in names else values.get(box, 0) for box in BOXES))


def seated(kinds: str) -> tuple[SeatedPlayer, ...]:
    """Players by letter: H for a human, C for a computer."""
    return tuple(
        SeatedPlayer(Seat(seat), f"Player {seat + 1}", *((Kind.HUMAN,) if kind == "H" else (Kind.COMPUTER, A_LEVEL)))
        for seat, kind in enumerate(kinds)
    )


def fair_dice(game: Game, number: int) -> Dice:
    """A source of dice that are the same on every run."""
    return fairness.draw(bytes(range(32)), "game", game.client_seeds, number)


def through_json(plain: dict[str, Any]) -> dict[str, Any]:
    restored: dict[str, Any] = json.loads(json.dumps(plain))
    return restored


def game_again(game: Game) -> Game:
    """The state written as JSON and read back."""
    return game_from_plain(through_json(game_to_plain(game)))


def events_again(events: Iterable[Event]) -> list[Event]:
    """The events written as JSON and read back."""
    return [event_from_plain(through_json(event_to_plain(event))) for event in events]


def refused(game: Game, action: Action) -> RuleError:
    """The refusal of `action`, which leaves the state as it was."""
    before = game_to_plain(game)
    with pytest.raises(RuleError) as caught:
        apply(game, action, T0, dice("12345"))
    assert game_to_plain(game) == before
    return caught.value


class Table:
    """One game and its events; moves are those of the seat to move."""

    def __init__(self, kinds: str, open_seats: int = 0, options: Options | None = None) -> None:
        self.at = T0
        self.log: list[Event] = []
        self.take(create(at=T0, options=options or Options(), players=seated(kinds), open_seats=open_seats))

    def take(self, transition: Transition) -> list[Event]:
        self.game = transition.game
        self.log.extend(transition.events)
        return list(transition.events)

    @property
    def turn(self) -> Turn:
        return self.game.current_turn

    def player(self, seat: Seat = FIRST) -> Player:
        return self.game.player(seat)

    def set_card(self, new: Card, seat: Seat = FIRST) -> None:
        """Sets the scene: from here on the events no longer tell the whole game."""
        players = tuple(replace(p, card=new) if p.seat == seat else p for p in self.game.players)
        self.game = replace(self.game, players=players)

    def wait(self, milliseconds: int) -> None:
        self.at = Millis(self.at + milliseconds)

    def do(self, action: Action, fresh: str = PLAIN) -> list[Event]:
        return self.take(apply(self.game, action, self.at, dice(fresh)))

    def roll(self, *rolls: str, hold: Held | None = None) -> None:
        for fresh in rolls or (PLAIN,):
            self.do(Roll(self.turn.seat, hold), fresh)

    def hold(self, *positions: int) -> list[Event]:
        return self.do(Hold(self.turn.seat, positions))

    def select(self, box: Box | None) -> list[Event]:
        return self.do(Select(self.turn.seat, box))

    def score(self, box: Box | None = None, actor: Actor = Actor.PLAYER) -> list[Event]:
        due_at = self.at if actor.is_clock else None
        return self.do(Score(self.turn.seat, box, actor, due_at))

    def play_turn(self, box: Box | None = None, actor: Actor = Actor.PLAYER) -> list[Event]:
        """One roll, and a score in `box` or the first open one."""
        self.roll()
        return self.score(box or self.player(self.turn.seat).card.open_boxes[0], actor)

    def expire(self) -> list[Event]:
        """Lets the next clock act, at the very instant that it is due."""
        due = next_due(self.game)
        assert due is not None
        self.at = due.at
        return self.take(act_for_clock(self.game, due, self.at, fair_dice))

    def computers(self) -> list[Event]:
        return self.take(play_computers(self.game, self.at, fair_dice))
