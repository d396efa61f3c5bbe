"""Solo games on paper: a strategy, a card and the dice, without players or clocks."""

from collections.abc import Sequence

from engine.card import EMPTY_CARD, Card
from engine.dice import ROLLS_PER_TURN, Dice, rolled
from engine.rules import Rules, options
from engine.strategy.policy import Fill, Keep, Strategy


def play(strategy: Strategy, rules: Rules, rolls: Sequence[Sequence[Dice]]) -> Card:
    """The full card of a game; `rolls` are five faces for each of a turn's three rolls, unused where dice are held."""
    card = EMPTY_CARD
    for fresh in rolls:
        card = _turn(strategy, rules, card, fresh)
    return card


def _turn(strategy: Strategy, rules: Rules, card: Card, fresh: Sequence[Dice]) -> Card:
    dice = fresh[0]
    for number in range(1, ROLLS_PER_TURN + 1):
        match strategy.decide(rules, card, dice, ROLLS_PER_TURN - number):
            case Keep(held):
                dice = rolled(dice, held, fresh[number])
            case Fill(box):
                break
    chosen = next(option for option in options(rules, card, dice) if option.box is box)
    return card.fill(*chosen)
