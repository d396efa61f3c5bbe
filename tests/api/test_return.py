"""POST /v1/games/{id}/return."""

import pytest

from tests.api.kit import COMPUTER, presences, rolled, score_somewhere, types, unchanged
from tests.client import Api, Json, Seat, ok, refused

pytestmark = pytest.mark.asyncio(loop_scope="module")

LIMIT = 5000


async def let_turns_pass(api: Api, seat: Seat, turns: int = 2) -> Json:
    """The game after its turn limit has ended some turns."""
    for _ in range(turns):
        api.clock.advance(LIMIT)
        game = await seat.game()
    return game


class TestReturn:
    async def test_a_player_who_is_there_cannot_come_back(self, api: Api) -> None:
        (seat,) = await api.seats(players=[{}])
        async with unchanged(api, seat.game_id):
            refused(await seat.post("return"), 409, "not_away")

    async def test_the_seat_is_played_from_its_next_turn(self, api: Api) -> None:
        first, second = await api.seats(players=[{}, {}], turn_limit_ms=LIMIT, auto_score_ms=None)
        for _ in range(2):
            await let_turns_pass(api, first, 1)  # of the first player
            await rolled(second)
            await score_somewhere(second)
        game = await second.game()
        assert presences(game) == ["away", "playing"]
        assert (game["turn"]["seat"], game["turn"]["round"]) == (1, 3)  # the computer has moved at once

        back = ok(await first.post("return", {}))
        assert presences(back) == ["playing", "playing"]
        assert back["turn"] == game["turn"]
        assert types(await first.events())[-1] == "player_back"
        refused(await first.post("return"), 409, "not_away")

        ok(await second.roll())
        game = ok(await second.score("chance"))
        assert (game["turn"]["seat"], game["turn"]["rolls_used"]) == (0, 0)
        assert ok(await first.roll())["turn"]["rolls_used"] == 1

    async def test_a_game_that_stood_still_goes_on(self, api: Api) -> None:
        (seat,) = await api.seats(players=[{}], turn_limit_ms=LIMIT)
        await let_turns_pass(api, seat)
        api.clock.advance(60_000)
        game = ok(await seat.post("return"))
        assert presences(game) == ["playing"]
        assert game["turn"]["turn_limit_at"] == "2026-09-21T14:14:35.000Z"  # five seconds from now
        assert ok(await seat.roll())["turn"]["rolls_used"] == 1

    async def test_the_count_of_turns_begins_anew(self, api: Api) -> None:
        (seat,) = await api.seats(players=[{}], turn_limit_ms=LIMIT)
        await let_turns_pass(api, seat)
        ok(await seat.post("return"))
        assert presences(await let_turns_pass(api, seat, 1)) == ["playing"]
        assert presences(await let_turns_pass(api, seat, 1)) == ["away"]

    async def test_the_first_to_return_meets_the_others_turns_played(self, api: Api) -> None:
        """Both were away, and the game stood at the first player's turn: it is the computer's now."""
        first, second = await api.seats(players=[{}, {}, COMPUTER], turn_limit_ms=LIMIT)
        game = await let_turns_pass(api, first, 4)
        assert presences(game) == ["away", "away", "playing"]
        assert (game["turn"]["seat"], game["turn"]["turn_limit_at"]) == (2, None)
        game = ok(await second.post("return"))
        assert presences(game) == ["away", "playing", "playing"]
        assert (game["turn"]["seat"], game["turn"]["round"]) == (1, 3)
        assert [event["actor"] for event in await first.events() if event["type"] == "scored"] == [
            *("turn_limit", "turn_limit", "computer"),
            *("turn_limit", "turn_limit", "computer", "computer"),
        ]
