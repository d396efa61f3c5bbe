"""Whole games over HTTP."""

from collections.abc import Sequence

import pytest

from engine.evolve import replay
from tests.api.kit import (
    BOXES,
    COMPUTER,
    PLAIN,
    card,
    dice,
    joined,
    options,
    presences,
    rolled,
    score_somewhere,
    waiting,
)
from tests.client import Api, Json, Seat, ok, total

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def best(seat: Seat) -> Json:
    """The game after the most points were taken."""
    worth = options(await seat.game())
    return ok(await seat.score(max(worth, key=lambda box: sum(worth[box]))))


async def check(api: Api, seat: Seat) -> Json:
    """A finished game whose state is what its events lead to, and whose totals add up."""
    game = await seat.game()
    stored = await api.stored_events(seat.game_id)
    assert replay(stored) == (await api.record(seat.game_id)).game
    events = await seat.events()
    assert [event["seq"] for event in events] == list(range(1, game["version"] + 1))
    for player in game["players"]:
        scored = [event for event in events if event["type"] == "scored" and event["seat"] == player["seat"]]
        shown = player["card"]
        assert {event["box"]: event["points"] for event in scored} == shown["boxes"]
        assert sorted(shown["boxes"]) == sorted(event["box"] for event in scored) == sorted(BOXES)
        assert sum(event["penta_bonus"] for event in scored) == shown["penta_bonus_total"]
        assert shown["total"] == total(shown)
        assert shown["total"] == shown["upper_total"] + shown["lower_total"] + shown["penta_bonus_total"]
    ranking = game["result"]["ranking"]
    totals = {player["seat"]: player["card"]["total"] for player in game["players"]}
    assert ranking == [
        {"seat": seat, "rank": 1 + sum(other > totals[seat] for other in totals.values()), "total": totals[seat]}
        for seat in sorted(totals, key=lambda seat: (-totals[seat], seat))
    ]
    assert game["result"]["winners"] == [place["seat"] for place in ranking if place["rank"] == 1]
    return game


async def same_dice(api: Api, players: Sequence[Json], rounds: Sequence[Sequence[str]]) -> list[Seat]:
    """A game in which every turn has one given roll: `rounds` name it for each seat."""
    rolls = [dice(roll) for turn in rounds for roll in turn]
    return await api.seats(players=list(players), sandbox={"rolls": rolls})


class TestWholeGame:
    async def test_alone(self, api: Api) -> None:
        player = await api.solo()
        for _ in range(13):
            await rolled(player, 3)
            game = await best(player)
        assert game["status"] == "finished"
        await check(api, player)

    async def test_two_people_and_a_computer(self, api: Api) -> None:
        first, code = await waiting(api, players=[{"name": "Ana"}, COMPUTER], open_seats=1)
        second = await joined(api, code, name="Ivo", client_seed="abc")
        for number in range(1, 14):
            for seat in (first, second):
                game = await rolled(seat)
                assert (game["turn"]["seat"], game["turn"]["round"]) == (seat.seat, number)
                ok(await seat.roll([0, 1]))
                game = await best(seat)
        assert game["status"] == "finished"
        game = await check(api, first)
        assert [player["name"] for player in game["players"]] == ["Ana", "Igrač 2", "Ivo"]
        turns = [event["seat"] for event in await first.events() if event["type"] == "turn_started"]
        assert turns == [0, 1, 2] * 13

    async def test_eight(self, api: Api) -> None:
        seats = await api.seats(players=[{}, *[COMPUTER] * 6, {}])
        for _ in range(13):
            for seat in seats:
                await rolled(seat)
                await score_somewhere(seat)
        assert len((await check(api, seats[0]))["players"]) == 8

    async def test_one_leaves_and_the_computer_plays_on(self, api: Api) -> None:
        first, second, third = await api.seats(players=[{}, {}, {}])
        for number in range(13):
            if number == 5:
                game = ok(await second.post("leave"))
                assert game["turn"]["seat"] == 0
            for seat in (first, second, third) if number < 5 else (first, third):
                await rolled(seat)
                await score_somewhere(seat)
        game = await check(api, first)
        assert presences(game) == ["playing", "left", "playing"]
        actors = [event["actor"] for event in await first.events() if event["type"] == "scored" and event["seat"] == 1]
        assert actors == ["player"] * 5 + ["computer"] * 8

    @pytest.mark.parametrize(
        ("chances", "ranks", "winners"),
        [
            pytest.param(["66665", "66665"], [(0, 1), (1, 1)], [0, 1], id="two-winners"),
            pytest.param(["66665", PLAIN, "66665"], [(0, 1), (2, 1), (1, 3)], [0, 2], id="1-1-3"),
            pytest.param([PLAIN, "66665", PLAIN], [(1, 1), (0, 2), (2, 2)], [1], id="1-2-2"),
            pytest.param([PLAIN] * 3, [(0, 1), (1, 1), (2, 1)], [0, 1, 2], id="all"),
        ],
    )
    async def test_shared_places(
        self, api: Api, chances: list[str], ranks: list[tuple[int, int]], winners: list[int]
    ) -> None:
        """The same dice for all in every box but one."""
        rounds = [chances if box == "chance" else [PLAIN] * len(chances) for box in BOXES]
        seats = await same_dice(api, [{}] * len(chances), rounds)
        for box in BOXES:
            for seat in seats:
                await rolled(seat)
                ok(await seat.score(box))
        game = await check(api, seats[0])
        assert [(place["seat"], place["rank"]) for place in game["result"]["ranking"]] == ranks
        assert game["result"]["winners"] == winners
        assert card(game, 0)["boxes"]["ones"] == 1
