"""GET /v1/games/{id}/fairness: the dice, computed again by code that shares nothing with the server's."""

import hashlib
import hmac

import pytest

from tests.api.kit import BOXES, COMPUTER, PLAIN, finished, joined, read, rolled, solo, waiting
from tests.client import Api, Json, Seat, ok

pytestmark = pytest.mark.asyncio(loop_scope="module")


def die(key: bytes, game_id: str, seeds: list[str], roll: int, position: int) -> int:
    counter = 0
    while True:
        message = "|".join([game_id, ",".join(seeds), str(roll), str(position), str(counter)])
        usable = [byte for byte in hmac.new(key, message.encode(), hashlib.sha256).digest() if byte < 252]
        if usable:
            return usable[0] % 6 + 1
        counter += 1


def check(fairness: Json) -> None:
    """Every die that was rolled is the one that the seeds say; every die that was held stayed."""
    key = bytes.fromhex(fairness["server_seed"])
    assert len(key) == 32
    assert hashlib.sha256(key).hexdigest() == fairness["commitment"]
    shown: list[int] = []
    for number, roll in enumerate(fairness["rolls"], start=1):
        assert roll["r"] == number
        for position in range(5):
            if position in roll["held"]:
                assert roll["dice"][position] == shown[position]
            else:
                drawn = die(key, fairness["game_id"], fairness["client_seeds"], number, position)
                assert roll["dice"][position] == drawn
        shown = roll["dice"]


async def fairness_of(seat: Seat) -> Json:
    return ok(await read(seat, "/fairness"))


async def play_on(*seats: Seat) -> None:
    """Plays to the end, holding dice on the way."""
    for box in BOXES:
        for seat in seats:
            ok(await seat.roll())
            ok(await seat.roll([0, 3]))
            ok(await seat.roll([0, 1, 2, 3, 4]))
            open_boxes = [option["box"] for option in (await seat.game())["turn"]["options"]]
            ok(await seat.score(box if box in open_boxes else open_boxes[0]))


class TestFairness:
    async def test_nothing_is_told_before_the_end(self, api: Api) -> None:
        seat, code = await waiting(api)
        ok(await seat.post("client-seed", {"client_seed": "abc"}))
        commitment = (await seat.game())["commitment"]
        secret: Json = {"server_seed": None, "rolls": [], "verifiable": True}
        known = {"game_id": seat.game_id, "commitment": commitment, **secret}
        assert await fairness_of(seat) == {**known, "client_seeds": ["abc"]}
        await joined(api, code)
        assert await fairness_of(seat) == {**known, "client_seeds": ["abc", ""]}
        await rolled(seat)
        assert await fairness_of(seat) == {**known, "client_seeds": ["abc", ""]}

    async def test_every_die_of_a_game(self, api: Api) -> None:
        first, code = await waiting(api, players=[{}, COMPUTER], open_seats=2)
        second = await joined(api, code, client_seed="kiki-riki_9")
        commitment = (await first.game())["commitment"]
        ok(await first.post("start"))
        await play_on(first, second)
        told = await fairness_of(first)
        assert told["client_seeds"] == ["", "", "kiki-riki_9"]
        assert (told["commitment"], told["verifiable"]) == (commitment, True)
        assert [roll["seat"] for roll in told["rolls"]].count(0) == 39
        assert len([roll for roll in told["rolls"] if roll["held"] == [0, 1, 2, 3, 4]]) >= 26
        rolls = [event for event in await first.events() if event["type"] == "rolled"]
        assert [(roll["seat"], roll["held"], roll["dice"]) for roll in told["rolls"]] == [
            (event["seat"], event["held"], event["dice"]) for event in rolls
        ]
        check(told)

    async def test_an_abandoned_game_tells_too(self, api: Api) -> None:
        (seat,) = await api.seats(players=[{}, COMPUTER])
        await rolled(seat, 2)
        ok(await seat.post("leave"))
        told = await fairness_of(seat)
        assert len(told["rolls"]) == 2
        check(told)

    async def test_a_game_abandoned_before_its_start(self, api: Api) -> None:
        seat, _ = await waiting(api)
        ok(await seat.post("leave"))
        told = await fairness_of(seat)
        assert (told["client_seeds"], told["rolls"]) == ([], [])
        check(told)

    async def test_given_dice_cannot_be_verified(self, api: Api) -> None:
        assert not (await fairness_of(await solo(api, PLAIN)))["verifiable"]
        told = await fairness_of(await finished(api))
        assert (told["verifiable"], len(told["rolls"])) == (False, 13)

    async def test_headers(self, api: Api) -> None:
        seat = await solo(api)
        get, head = await read(seat, "/fairness"), await api.http.head(f"/v1/games/{seat.game_id}/fairness")
        assert get.headers["cache-control"] == "no-cache"
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-length"] == get.headers["content-length"]

    async def test_bytes_that_would_favour_a_face_are_skipped(self) -> None:
        """A seed whose first usable byte is not its first one, so that the check above can fail."""
        key = bytes(32)
        first = hmac.new(key, b"g||7|0|0", hashlib.sha256).digest()
        assert first[0] >= 252
        assert die(key, "g", [""], 7, 0) == next(byte for byte in first if byte < 252) % 6 + 1
