"""Which boxes a roll may fill and what they bring, under every preset."""

import pytest

from engine.boxes import BOXES
from engine.card import Card
from engine.rules import PRESETS, RulesName, options
from tests.engine.kit import card, dice, only_open

PENTA, NO_BONUS, FREE, FORCED = (
    RulesName.PENTA,
    RulesName.NO_BONUS,
    RulesName.FREE_JOKER,
    RulesName.FORCED_JOKER,
)


def offered(preset: RulesName, given: Card, rolled: str) -> tuple[str, int]:
    """The options as text, in the order they come, and the bonus that all of them share."""
    found = options(PRESETS[preset], given, dice(rolled))
    (bonus,) = {option.penta_bonus for option in found}
    return " ".join(f"{option.box}={option.points}" for option in found), bonus


@pytest.mark.parametrize(
    ("rolled", "given", "boxes", "bonus"),
    [
        pytest.param(
            "33333",
            only_open("threes full_house chance penta"),
            "threes=15 full_house=0 chance=15 penta=50",
            0,
            id="A06-1-penta-open",
        ),
        pytest.param(
            "33333",
            only_open("ones full_house chance", penta=50),
            "full_house=25 chance=15",
            100,
            id="A06-2-own-filled",
        ),
        pytest.param("33333", only_open("threes full_house", penta=50), "threes=15", 100, id="A06-3-own-open"),
        pytest.param("44444", card(penta=50), "fours=20", 100, id="own-box-is-forced"),
        pytest.param(
            "44444",
            card(penta=50, fours=0),
            "three_of_a_kind=20 four_of_a_kind=20 full_house=25 small_straight=30 large_straight=40 chance=20",
            100,
            id="lower-before-upper",
        ),
        pytest.param("44444", only_open("ones", penta=50), "ones=0", 100, id="other-upper-box-is-a-sacrifice"),
        pytest.param(
            "44444",
            only_open("ones fours large_straight"),
            "ones=0 fours=20 large_straight=0",
            0,
            id="penta-sacrificed",
        ),
        pytest.param("44444", only_open("large_straight"), "large_straight=0", 0, id="penta-sacrificed-own-filled"),
        pytest.param(
            "44445",
            only_open("fives full_house chance", penta=50),
            "fives=5 full_house=0 chance=21",
            0,
            id="four-equal-are-no-joker",
        ),
        pytest.param(
            "11346",
            only_open("full_house large_straight"),
            "full_house=0 large_straight=0",
            0,
            id="nothing-pays",
        ),
    ],
)
def test_penta_rules(rolled: str, given: Card, boxes: str, bonus: int) -> None:
    assert offered(PENTA, given, rolled) == (boxes, bonus)


# Five fours: what the presets agree on, and where they part.
OPEN = "ones fours full_house large_straight chance"
ORDINARY = "ones=0 fours=20 full_house=0 large_straight=0 chance=20"
NO_OWN = "ones full_house large_straight chance"
ORDINARY_NO_OWN = "ones=0 full_house=0 large_straight=0 chance=20"
JOKER_ANYWHERE = "ones=0 full_house=25 large_straight=40 chance=20"
JOKER_BELOW = "full_house=25 large_straight=40 chance=20"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param(
            only_open(f"{OPEN} penta"),
            dict.fromkeys(RulesName, (f"{ORDINARY} penta=50", 0)),
            id="penta-open",
        ),
        pytest.param(
            only_open(OPEN, penta=50),
            {NO_BONUS: (ORDINARY, 0), FREE: (ORDINARY, 100), FORCED: ("fours=20", 100), PENTA: ("fours=20", 100)},
            id="penta-50-own-open",
        ),
        pytest.param(
            only_open(NO_OWN, penta=50),
            {
                NO_BONUS: (ORDINARY_NO_OWN, 0),
                FREE: (JOKER_ANYWHERE, 100),
                FORCED: (JOKER_BELOW, 100),
                PENTA: (JOKER_BELOW, 100),
            },
            id="penta-50-own-filled",
        ),
        pytest.param(
            only_open("ones twos", penta=50),
            {preset: ("ones=0 twos=0", 0 if preset is NO_BONUS else 100) for preset in RulesName},
            id="penta-50-only-other-upper-open",
        ),
        pytest.param(
            only_open(OPEN),
            {NO_BONUS: (ORDINARY, 0), FREE: (ORDINARY, 0), FORCED: ("fours=20", 0), PENTA: (ORDINARY, 0)},
            id="penta-0-own-open",
        ),
        pytest.param(
            only_open(NO_OWN),
            {
                NO_BONUS: (ORDINARY_NO_OWN, 0),
                FREE: (JOKER_ANYWHERE, 0),
                FORCED: (JOKER_BELOW, 0),
                PENTA: (ORDINARY_NO_OWN, 0),
            },
            id="penta-0-own-filled",
        ),
    ],
)
def test_presets_on_five_fours(given: Card, expected: dict[RulesName, tuple[str, int]]) -> None:
    assert {preset: offered(preset, given, "44444") for preset in RulesName} == expected


@pytest.mark.parametrize("preset", RulesName)
@pytest.mark.parametrize("face", range(1, 7))
def test_every_face_is_forced_into_its_own_box_only(preset: RulesName, face: int) -> None:
    found, _ = offered(preset, card(penta=50), str(face) * 5)
    own = f"{BOXES[face - 1]}={5 * face}"
    assert found == own if preset in (FORCED, PENTA) else own in found.split()


@pytest.mark.parametrize("preset", RulesName)
def test_dice_that_are_not_five_equal_are_the_same_under_every_preset(preset: RulesName) -> None:
    given = only_open("ones sixes full_house small_straight penta")
    assert offered(preset, given, "23456") == ("ones=0 sixes=6 full_house=0 small_straight=30 penta=0", 0)


@pytest.mark.parametrize("preset", RulesName)
def test_a_full_card_has_no_options(preset: RulesName) -> None:
    assert options(PRESETS[preset], only_open("", penta=50), dice("44444")) == ()
