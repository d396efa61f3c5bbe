"""From the dice that are kept to the positions that are held."""

from engine.dice import POSITIONS, Dice, Held


def lowest_positions(dice: Dice, keep: Dice) -> Held:
    """The lowest positions at which `dice` show `keep`, which is part of them."""
    missing, held = list(keep), []
    for p in POSITIONS:
        if dice[p] in missing:
            missing.remove(dice[p])
            held.append(p)
    return tuple(held)
