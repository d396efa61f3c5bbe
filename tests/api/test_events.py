"""GET /v1/games/{id}/events."""

import pytest

from tests.api.kit import BOXES, COMPUTER, PLAIN, finished, read, rolled, solo, types
from tests.client import Api, Json, Seat, ok, refused

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def page(seat: Seat, query: str) -> Json:
    return ok(await read(seat, f"/events{query}"))


class TestEvents:
    async def test_all_of_them_in_order(self, api: Api) -> None:
        seat = await finished(api)
        answer = await page(seat, "?limit=1000")
        assert [event["seq"] for event in answer["events"]] == list(range(1, answer["next_after"] + 1))
        assert answer["next_after"] == (await seat.game())["version"]

    async def test_a_hundred_at_a_time_by_default(self, api: Api) -> None:
        (seat,) = await api.seats(players=[{}, *[COMPUTER] * 7])
        for box in BOXES[:5]:  # at least three events a turn
            await rolled(seat)
            ok(await seat.score(box))
        answer = await page(seat, "")
        assert (len(answer["events"]), answer["next_after"]) == (100, 100)
        assert len((await page(seat, "?limit=1000"))["events"]) > 100

    @pytest.mark.parametrize(
        ("query", "seqs", "next_after"),
        [
            pytest.param("?after=0", [1, 2, 3, 4], 4, id="from-the-first"),
            pytest.param("?after=2", [3, 4], 4, id="after"),
            pytest.param("?limit=2", [1, 2], 2, id="limit"),
            pytest.param("?after=1&limit=2", [2, 3], 3, id="both"),
            pytest.param("?after=3&limit=1", [4], 4, id="last"),
            pytest.param("?after=4", [], 4, id="end"),
            pytest.param("?after=5", [], 5, id="past-the-end"),
            pytest.param("?after=2147483647", [], 2147483647, id="most"),
        ],
    )
    async def test_a_part(self, api: Api, query: str, seqs: list[int], next_after: int) -> None:
        seat = await solo(api, PLAIN)
        await rolled(seat)
        answer = await page(seat, query)
        assert [event["seq"] for event in answer["events"]] == seqs
        assert answer["next_after"] == next_after

    async def test_page_by_page(self, api: Api) -> None:
        seat = await finished(api)
        collected: list[Json] = []
        while (answer := await page(seat, f"?after={len(collected)}&limit=7"))["events"]:
            collected += answer["events"]
            assert answer["next_after"] == len(collected)
        assert collected == await seat.events()

    @pytest.mark.parametrize(
        "query",
        [
            *("after=-1", "after=abc", "after=", "after=1.5", "after=true", "after=2147483648", f"after=1{'0' * 30}"),
            *(f"after={'9' * 5000}", "after=%00", "after=NaN", "after=1%2C2", "after=null", "after=0x1"),
            *("limit=0", "limit=1001", "limit=-1", "limit=abc", "limit=1.5", "limit=", "Limit=1", "before=1"),
            *("after=1.0", "after=1_0", "after=+1", "after=%201", "after=1&after=2"),
        ],
    )
    async def test_bad_values(self, api: Api, query: str) -> None:
        seat = await solo(api)
        problem = refused(await read(seat, f"/events?{query}"), 422, "invalid_request")
        assert problem["errors"][0]["location"] == ["query", query.partition("=")[0]]

    async def test_headers(self, api: Api) -> None:
        seat = await solo(api)
        get, head = await read(seat, "/events"), await api.http.head(f"/v1/games/{seat.game_id}/events")
        assert get.headers["cache-control"] == "no-cache"
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-length"] == get.headers["content-length"]


class TestTime:
    async def test_events_bear_the_clock_of_their_transaction(self, api: Api) -> None:
        seat = await solo(api, PLAIN)
        api.clock.advance(1500)
        await rolled(seat)
        events = await seat.events()
        assert [event["at"] for event in events] == ["2026-09-21T14:13:20.000Z"] * 3 + ["2026-09-21T14:13:21.500Z"]

    async def test_one_of_each_kind(self, api: Api) -> None:
        """The set is closed; the client holds each kind against its description."""
        limit = {"turn_limit_ms": 5000, "auto_score_ms": None}
        created = ok(await api.create({"players": [{}, {}], "open_seats": 1, **limit}), 201)
        seats = [Seat(api.http, created["game"]["id"], held["seat"], held["token"]) for held in created["seats"]]
        body = {"join_code": created["join_code"], "client_seed": "abc"}
        ok(await api.http.post("/v1/join", json=body), 201)
        await rolled(seats[0])
        ok(await seats[0].hold([0]))
        ok(await seats[0].select("ones"))
        for _ in range(4):
            api.clock.advance(5000)
            await seats[0].game()
        ok(await seats[0].post("return"))
        ok(await seats[1].post("leave"))
        seen = set(types(await seats[0].events()))
        api.clock.advance(31 * 24 * 3600 * 1000)
        for other in (seats[0], await finished(api)):
            seen |= set(types(await other.events()))
        assert seen == {
            *("game_created", "player_joined", "player_left", "player_away", "player_back", "client_seed_added"),
            *("game_started", "turn_started", "rolled", "held", "box_selected", "scored"),
            *("game_finished", "game_abandoned"),
        }
