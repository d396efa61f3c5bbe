"""Whole turns played by the computer, as transitions of a game."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import TypeAlias

from engine.actions import Roll, Score
from engine.dice import Dice
from engine.game import Actor, Due, Game, Level, Millis, Player, computer_to_move
from engine.step import Transition, apply
from engine.strategy.beginner import Beginner
from engine.strategy.casual import Casual
from engine.strategy.optimal import Optimal
from engine.strategy.policy import Fill, Keep, Strategy
from engine.strategy.table import shipped

DiceSource: TypeAlias = Callable[[Game, int], Dice]
"""The five faces of a game's r-th roll, r from 1; a pure function of the game and r."""


@cache
def strategies() -> Mapping[Level, Strategy]:
    """How each level plays; loads the table of optimal play. Raises TableError."""
    return {Level.OPTIMAL: Optimal(shipped()), Level.CASUAL: Casual(), Level.BEGINNER: Beginner()}


def play_computers(game: Game, at: Millis, dice: DiceSource) -> Transition:
    """Plays on until it is a present human's turn, the game is over, or nobody is there to play with."""
    whole = Transition(game)
    while computer_to_move(whole.game):
        whole = whole.follow(_finish_turn(whole.game, at, dice))
    return whole


def act_for_clock(game: Game, due: Due, at: Millis, dice: DiceSource) -> Transition:
    """Ends the turn for the clock that is due: the referee plays it out, confirming a selected box."""
    return _finish_turn(game, at, dice, due)


def _finish_turn(game: Game, at: Millis, dice: DiceSource, due: Due | None = None) -> Transition:
    """Plays the turn to its score, for a computer's seat or, with `due`, for a clock."""
    seat = game.current_turn.seat
    strategy = _strategy(game.player(seat))
    actor, due_at = (due.actor, due.at) if due else (Actor.COMPUTER, None)
    if due and game.current_turn.selected is not None:
        return apply(game, Score(seat, None, actor, due_at), at)
    whole = Transition(game)
    while True:
        match _decide(whole.game, strategy):
            case Keep(held):
                roll = Roll(seat, held)
                whole = whole.follow(apply(whole.game, roll, at, dice(whole.game, whole.game.rolls + 1)))
            case Fill(box, policy):
                return whole.follow(apply(whole.game, Score(seat, box, actor, due_at, policy), at))


def _decide(game: Game, strategy: Strategy) -> Keep | Fill:
    turn = game.current_turn
    if turn.dice is None:
        return Keep(())
    return strategy.decide(game.rules, game.player(turn.seat).card, turn.dice, turn.rolls_left)


def _strategy(player: Player) -> Strategy:
    """The referee, which plays optimally, chooses for the clocks and for humans who are away or have left."""
    return strategies()[player.level or Level.OPTIMAL]
