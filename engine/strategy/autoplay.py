"""Whole turns played by the computer, as transitions of a game."""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from engine.actions import Roll, Score
from engine.dice import Dice
from engine.game import Actor, Due, Game, Level, Millis, Player, computer_to_move
from engine.step import Transition, apply
from engine.strategy.greedy import Greedy
from engine.strategy.policy import Fill, Keep, Strategy

DiceSource: TypeAlias = Callable[[Game, int], Dice]
"""The five faces of a game's r-th roll, r from 1; a pure function of the game and r."""

REFEREE: Final[Strategy] = Greedy()
"""Chooses for the clocks and plays the seats of players who are away or have left."""

STRATEGIES: Final[Mapping[Level, Strategy]] = {Level.GREEDY: REFEREE}


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
    return STRATEGIES[player.level] if player.level else REFEREE
