"""Players' names: what is taken, in which form, and which two are the same."""

import pytest

from tests.api.kit import COMPUTER, errors, joined, unchanged, waiting
from tests.client import Api, Json, ok, refused

pytestmark = pytest.mark.asyncio(loop_scope="module")

KEPT = {
    "one": ("x", "x"),
    "forty": ("x" * 40, "x" * 40),
    "trimmed": ("  Ana\t\n", "Ana"),
    "unicode-blanks": ("\u2003Ana\u00a0", "Ana"),
    "blank-inside": ("Ana  Marija", "Ana  Marija"),
    "nfc": ("C\u030caca", "Čaca"),
    "nfc-makes-it-fit": ("C\u030c" * 40, "Č" * 40),
    "not-nfkc": ("\ufb01le", "\ufb01le"),
    "markup": ("<b>&amp;\"'", "<b>&amp;\"'"),
    "emoji-joined": ("👩\u200d🚀", "👩\u200d🚀"),
    "right-to-left": ("דן", "דן"),
    "persian": ("می\u200cخواهم", "می\u200cخواهم"),
    "combining": ("e\u20dd", "e\u20dd"),
    "digits": ("0", "0"),
}
REFUSED = {
    "empty": ("", "name_length"),
    "blanks": ("  \t\u2003 ", "name_length"),
    "forty-one": ("x" * 41, "name_length"),
    "forty-one-emoji": ("🎲" * 41, "name_length"),
    "newline": ("a\nb", "name_control_characters"),
    "tab": ("a\tb", "name_control_characters"),
    "escape": ("\x1b[31mred", "name_control_characters"),
    "delete": ("a\x7f", "name_control_characters"),
    "c1": ("a\x85b", "name_control_characters"),
    "line-separator": ("a\u2028b", "name_control_characters"),
    "bidi-override": ("\u202eanA", "name_control_characters"),
    "bidi-isolate": ("a\u2066b", "name_control_characters"),
    "unassigned": ("a\u0378", "name_control_characters"),
    "noncharacter": ("a\uffff", "name_control_characters"),
    "private-use": ("a\ue000", "name_control_characters"),
    "zero-width": ("\u200b", "name_invisible"),
    "zero-widths": ("\u200d\u2060\ufeff", "name_invisible"),
    "soft-hyphen": ("\u00ad", "name_invisible"),
    "hangul-filler": ("\u3164", "name_invisible"),
    "braille-blank": ("\u2800", "name_invisible"),
    "variation-selector": ("\ufe0f", "name_invisible"),
    "combining-only": ("\u0301", "name_invisible"),
    "tags": ("\U000e0041\U000e0042", "name_invisible"),
    "ogham-blank-inside": ("\u200b\u1680\u200b", "name_invisible"),
}
SAME = {
    "case": ("Ana", "ANA"),
    "ligature": ("\ufb01", "FI"),
    "sharp-s": ("ß", "SS"),
    "roman": ("Ⅳ", "iv"),
    "full-width": ("Ａna", "ana"),
    "nfc": ("Č", "c\u030c"),
    "final-sigma": ("ΟΔΟΣ", "οδος"),
    "kelvin": ("K", "k"),
    "dz": ("Ǆ", "dž"),
    "superscript": ("x²", "X2"),
    "blanks": ("Ana", "  ana "),
    "iota": ("\u0345a", "ιA"),
}
DIFFERENT = {"accent": ("Ana", "Aná"), "dotless": ("ı", "i"), "inside-blank": ("A na", "Ana"), "order": ("ab", "ba")}


def player(name: str) -> Json:
    return {"players": [{"name": name}]}


class TestNames:
    @pytest.mark.parametrize(("name", "shown"), KEPT.values(), ids=KEPT)
    async def test_kept(self, api: Api, name: str, shown: str) -> None:
        game = ok(await api.create(player(name)), 201)["game"]
        assert game["players"][0]["name"] == shown
        _, code = await waiting(api)
        seat = await joined(api, code, name=name)
        assert (await seat.game())["players"][1]["name"] == shown

    @pytest.mark.parametrize(("name", "code"), REFUSED.values(), ids=REFUSED)
    async def test_refused(self, api: Api, name: str, code: str) -> None:
        problem = refused(await api.create(player(name)), 422, "invalid_request")
        assert errors(problem) == [(["body", "players", 0, "name"], code)]
        creator, join_code = await waiting(api)
        async with unchanged(api, creator.game_id):
            response = await api.http.post("/v1/join", json={"join_code": join_code, "name": name})
            assert errors(refused(response, 422, "invalid_request")) == [(["body", "name"], code)]

    @pytest.mark.parametrize(("one", "other"), SAME.values(), ids=SAME)
    async def test_the_same(self, api: Api, one: str, other: str) -> None:
        players = {"players": [{"name": one}, {"name": other, **COMPUTER}]}
        assert errors(refused(await api.create(players), 422, "invalid_request")) == [(["body"], "name_twice")]
        creator, code = await waiting(api, **player(one))
        async with unchanged(api, creator.game_id):
            refused(await api.http.post("/v1/join", json={"join_code": code, "name": other}), 409, "name_taken")

    @pytest.mark.parametrize(("one", "other"), DIFFERENT.values(), ids=DIFFERENT)
    async def test_different(self, api: Api, one: str, other: str) -> None:
        _, code = await waiting(api, **player(one))
        await joined(api, code, name=other)


class TestUnnamed:
    @pytest.mark.parametrize(
        ("players", "language", "shown"),
        [
            pytest.param([{}, COMPUTER], "hr", ["Igrač 1", "Igrač 2"], id="hr"),
            pytest.param([{}, COMPUTER], "en", ["Player 1", "Player 2"], id="en"),
            pytest.param([{"name": "Igrač 2"}, {}, {}], "hr", ["Igrač 2", "Igrač 3", "Igrač 4"], id="next-free"),
            pytest.param([{}, {"name": "igrač 1"}], "hr", ["Igrač 2", "igrač 1"], id="taken-by-a-later-one"),
            pytest.param(
                [{}, {}, {"name": "ＰＬＡＹＥＲ 2"}], "en", ["Player 1", "Player 3", "ＰＬＡＹＥＲ 2"], id="same"
            ),
            pytest.param([{"name": "Player 1"}, {}], "hr", ["Player 1", "Igrač 2"], id="other-language"),
        ],
    )
    async def test_at_creation(self, api: Api, players: list[Json], language: str, shown: list[str]) -> None:
        game = ok(await api.create({"players": players}, accept_language=language), 201)["game"]
        assert [player["name"] for player in game["players"]] == shown

    async def test_when_joining_by_each_ones_language(self, api: Api) -> None:
        creator, code = await waiting(api, players=[{"name": "Player 3"}], open_seats=3)
        for language in ("en", "en", "hr"):
            response = await api.http.post("/v1/join", json={"join_code": code}, headers={"Accept-Language": language})
            ok(response, 201)
        names = [player["name"] for player in (await creator.game())["players"]]
        assert names == ["Player 3", "Player 2", "Player 4", "Igrač 4"]
