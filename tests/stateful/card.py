"""Penta's card, written from its rules alone: what dice bring, where they may go, and what a card adds up to."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]
Boxes: TypeAlias = dict[str, int | None]

UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
LOWER = ("three_of_a_kind", "four_of_a_kind", "full_house", "small_straight", "large_straight", "chance", "penta")
BOXES = UPPER + LOWER


def points(box: str, dice: Sequence[int], joker: bool = False) -> int:
    """The box points of five dice."""
    if box in UPPER:
        face = UPPER.index(box) + 1
        return sum(die for die in dice if die == face)
    counts = sorted(Counter(dice).values())
    present = "".join(str(face) if face in dice else " " for face in range(1, 7))
    runs = [len(run) for run in present.split()]
    return {
        "three_of_a_kind": sum(dice) if counts[-1] >= 3 else 0,
        "four_of_a_kind": sum(dice) if counts[-1] >= 4 else 0,
        "full_house": 25 if joker or counts == [2, 3] else 0,
        "small_straight": 30 if joker or max(runs) >= 4 else 0,
        "large_straight": 40 if joker or max(runs) >= 5 else 0,
        "chance": sum(dice),
        "penta": 50 if counts == [5] else 0,
    }[box]


def options(boxes: Boxes, dice: Sequence[int]) -> list[Json]:
    """The legal boxes in card order, and what they bring."""
    empty = [box for box in BOXES if boxes[box] is None]
    if len(set(dice)) > 1 or boxes["penta"] != 50:
        return [{"box": box, "points": points(box, dice), "penta_bonus": 0} for box in empty]
    own = UPPER[dice[0] - 1]
    legal = [own] if own in empty else [box for box in empty if box in LOWER] or empty
    return [{"box": box, "points": points(box, dice, joker=box != own), "penta_bonus": 100} for box in legal]


def totals(boxes: Boxes, bonuses: int) -> Json:
    """A card as the API shows it."""
    upper = sum(boxes[box] or 0 for box in UPPER)
    lower = sum(boxes[box] or 0 for box in LOWER)
    bonus = 35 if upper >= 63 else 0
    return {
        "boxes": dict(boxes),
        "upper_subtotal": upper,
        "upper_bonus": bonus,
        "upper_total": upper + bonus,
        "lower_total": lower,
        "penta_bonuses": bonuses,
        "penta_bonus_total": 100 * bonuses,
        "total": upper + bonus + lower + 100 * bonuses,
    }


def result(totals_by_seat: Mapping[int, int]) -> Json:
    """Who won: a rank is one more than the number of players with a higher total."""
    places = [
        {"seat": seat, "rank": 1 + sum(other > total for other in totals_by_seat.values()), "total": total}
        for seat, total in totals_by_seat.items()
    ]
    places.sort(key=lambda place: (place["rank"], place["seat"]))
    return {"winners": [place["seat"] for place in places if place["rank"] == 1], "ranking": places}
