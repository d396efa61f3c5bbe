"""What boxes are worth, over HTTP: the examples of the rules, and faults that other servers had (by their ids)."""

import pytest

from tests.api.kit import BOXES, PLAIN, Turn, card, options, played, rolled, solo, unchanged
from tests.client import Api, ok, refused, total

pytestmark = pytest.mark.asyncio(loop_scope="module")

PENTA_50: Turn = ("penta", "11111")
PENTA_0: Turn = ("penta", PLAIN)
FOURS: Turn = ("fours", PLAIN)
LOWER: list[Turn] = [(box, PLAIN) for box in BOXES[6:12]]
UPPER_63: list[Turn] = [
    *(("ones", "11123"), ("twos", "22213"), ("threes", "33312")),
    *(("fours", "44412"), ("fives", "55512"), ("sixes", "66612")),
]
WITH_A_ZERO: list[Turn] = [
    *(("twos", "22134"), ("threes", "33312"), ("fours", "44412")),
    *(("fives", "55551"), ("sixes", "66612")),
]
WITHOUT_ONES: list[Turn] = [
    *(("twos", "22221"), ("threes", "33312"), ("fours", "44412")),
    *(("fives", "55123"), ("sixes", "66661")),
]
SACRIFICE = {
    "hr": "Nijedno otvoreno polje ne donosi bodove: morate jedno žrtvovati",
    "en": "No open box brings points: you must sacrifice one",
}


class TestWorth:
    @pytest.mark.parametrize(
        ("rolled_dice", "worth"),
        [
            pytest.param("34466", {"small_straight": 0, "large_straight": 0}, id="A01-runs-of-two"),
            pytest.param("12456", {"small_straight": 0}, id="A01-gap"),
            pytest.param("12334", {"small_straight": 30, "large_straight": 0}, id="A02-double-three"),
            pytest.param("12343", {"small_straight": 30, "large_straight": 0}, id="A02-unsorted"),
            pytest.param("23453", {"small_straight": 30, "large_straight": 0}, id="A02-from-two"),
            pytest.param("53142", {"small_straight": 30, "large_straight": 40}, id="large-straight"),
            pytest.param("22225", {"full_house": 0, "four_of_a_kind": 13, "three_of_a_kind": 13}, id="A05-four"),
            pytest.param("52222", {"full_house": 0, "four_of_a_kind": 13, "three_of_a_kind": 13}, id="A05-turned"),
            pytest.param("22555", {"full_house": 25, "four_of_a_kind": 0}, id="A05-control"),
            pytest.param("44425", {"three_of_a_kind": 19, "four_of_a_kind": 0}, id="three-of-a-kind"),
            pytest.param("33333", {"full_house": 0, "penta": 50, "threes": 15, "chance": 15}, id="A06-penta-open"),
        ],
    )
    async def test_what_is_offered_is_what_is_scored(self, api: Api, rolled_dice: str, worth: dict[str, int]) -> None:
        for box, points in worth.items():
            seat = await solo(api, rolled_dice)
            assert options(await rolled(seat))[box] == (points, 0)
            scored = card(ok(await seat.score(box)))
            assert (scored["boxes"][box], scored["total"]) == (points, points)

    @pytest.mark.parametrize(
        ("before", "rolled_dice", "legal"),
        [
            pytest.param([PENTA_50], "33333", {"threes": 15}, id="A06-threes-open"),
            pytest.param([PENTA_50], "44444", {"fours": 20}, id="fours-open"),
            pytest.param(
                [PENTA_50, FOURS],
                "44444",
                {"three_of_a_kind": 20, "four_of_a_kind": 20, "full_house": 25}
                | {"small_straight": 30, "large_straight": 40, "chance": 20},
                id="A06-upper-filled",
            ),
            pytest.param(
                [PENTA_50, FOURS, *LOWER],
                "44444",
                {"ones": 0, "twos": 0, "threes": 0, "fives": 0, "sixes": 0},
                id="lower-filled",
            ),
        ],
    )
    async def test_a_joker(self, api: Api, before: list[Turn], rolled_dice: str, legal: dict[str, int]) -> None:
        """Exactly the legal boxes are offered, each with the bonus of 100; any other box is refused."""
        for box, points in legal.items():
            seat = await played(api, before, rolled_dice)
            game = await rolled(seat)
            assert options(game) == {name: (value, 100) for name, value in legal.items()}
            assert game["turn"]["must_sacrifice"] == (max(legal.values()) == 0)
            async with unchanged(api, seat.game_id):
                for other in set(BOXES) - set(legal):
                    filled = card(game)["boxes"][other] is not None
                    problem = refused(await seat.score(other), 409, "box_filled" if filled else "box_not_allowed")
                    assert problem["legal_boxes"] == list(legal)
            scored = card(ok(await seat.score(box)))
            assert (scored["boxes"][box], scored["penta_bonuses"], scored["penta_bonus_total"]) == (points, 1, 100)
            assert scored["total"] == total(scored)

    async def test_a_sacrificed_penta_gives_no_joker(self, api: Api) -> None:
        seat = await played(api, [PENTA_0], "44444")
        offered = options(await rolled(seat))
        assert set(offered) == set(BOXES) - {"penta"}
        assert (offered["large_straight"], offered["full_house"], offered["fours"]) == ((0, 0), (0, 0), (20, 0))
        assert card(ok(await seat.score("large_straight")))["total"] == 0

    @pytest.mark.parametrize(("rolled_dice", "code"), [(PLAIN, "box_filled"), ("22222", "box_filled")])
    async def test_penta_is_scored_once(self, api: Api, rolled_dice: str, code: str) -> None:
        """A08: the refused call brings no bonus either."""
        seat = await played(api, [PENTA_50], rolled_dice)
        before = await rolled(seat)
        async with unchanged(api, seat.game_id):
            refused(await seat.score("penta"), 409, code)
        game = await seat.game()
        assert (game["players"], game["turn"]) == (before["players"], before["turn"])
        assert card(game)["penta_bonus_total"] == 0

    @pytest.mark.parametrize("language", ["hr", "en"])
    @pytest.mark.parametrize("box", ["full_house", "large_straight"])
    async def test_a_sacrifice_is_announced(self, api: Api, box: str, language: str) -> None:
        others = [(name, PLAIN) for name in BOXES if name not in ("full_house", "large_straight")]
        seat = await played(api, others, "11346")
        turn = ok(await seat.roll(Accept_Language=language))["turn"]
        assert turn["options"] == [
            {"box": "full_house", "points": 0, "penta_bonus": 0},
            {"box": "large_straight", "points": 0, "penta_bonus": 0},
        ]
        assert (turn["must_sacrifice"], turn["notice"]) == (True, SACRIFICE[language])
        assert card(ok(await seat.score(box)))["boxes"][box] == 0

    async def test_where_a_box_brings_points_nothing_is_announced(self, api: Api) -> None:
        turn = (await rolled(await solo(api, "11346")))["turn"]
        assert (turn["must_sacrifice"], turn["notice"]) == (False, None)


class TestUpperBonus:
    """A12."""

    @pytest.mark.parametrize(
        ("turns", "subtotal", "bonus"),
        [
            pytest.param(UPPER_63, 63, 35, id="A12-63"),
            pytest.param([("ones", "11234"), *UPPER_63[1:]], 62, 0, id="A12-62"),
            pytest.param([("ones", "23456"), *WITH_A_ZERO], 63, 35, id="A12-with-a-zero"),
            pytest.param(WITHOUT_ONES, 63, 35, id="A12-ones-open"),
        ],
    )
    async def test_from_63(self, api: Api, turns: list[Turn], subtotal: int, bonus: int) -> None:
        seat = await played(api, turns)
        shown = card(await seat.game())
        assert (shown["upper_subtotal"], shown["upper_bonus"]) == (subtotal, bonus)
        assert shown["upper_total"] == shown["total"] == subtotal + bonus

    async def test_it_counts_once(self, api: Api) -> None:
        seat = await played(api, [*UPPER_63, ("chance", PLAIN), ("penta", "66666")])
        shown = card(await seat.game())
        assert (shown["upper_bonus"], shown["lower_total"], shown["total"]) == (35, 66, 63 + 35 + 16 + 50)

    async def test_penta_bonuses_stand_apart(self, api: Api) -> None:
        seat = await played(api, [("penta", "66666"), ("sixes", "66666"), ("chance", "66666"), ("fives", "55555")])
        shown = card(await seat.game())
        assert (shown["penta_bonuses"], shown["penta_bonus_total"]) == (3, 300)
        assert (shown["upper_subtotal"], shown["lower_total"], shown["total"]) == (55, 80, 435)
