"""POST /v1/games/{id}/leave."""

import pytest

from tests.api.kit import (
    COMPUTER,
    PLAIN,
    errors,
    joined,
    presences,
    read,
    rolled,
    sandbox,
    types,
    unchanged,
    waiting,
)
from tests.client import Api, ok, refused

pytestmark = pytest.mark.asyncio(loop_scope="module")


class TestLeave:
    async def test_it_frees_the_seat_of_a_waiting_game(self, api: Api) -> None:
        creator, code = await waiting(api, open_seats=2)
        other = await joined(api, code, name="Ivo")
        game = ok(await other.post("leave"))
        assert (game["status"], game["open_seats"]) == ("waiting", 2)
        assert [player["name"] for player in game["players"]] == ["Igrač 1"]
        assert types(await creator.events())[-1] == "player_left"
        assert (await joined(api, code, name="Ivo")).seat == 1

    async def test_nobody_is_left_to_wait(self, api: Api) -> None:
        created = ok(await api.create({"players": [{}, COMPUTER], "open_seats": 1}), 201)
        (held,) = created["seats"]
        path = f"/v1/games/{created['game']['id']}/leave"
        game = ok(await api.http.post(path, headers={"Authorization": f"Bearer {held['token']}"}))
        assert (game["status"], game["turn"], game["result"]) == ("abandoned", None, None)

    @pytest.mark.parametrize("rolls", [0, 1, 3])
    async def test_the_computer_takes_over_from_this_very_turn(self, api: Api, rolls: int) -> None:
        first, second = await api.seats(players=[{}, {}], **sandbox(*[PLAIN] * 13))
        await rolled(first, rolls)
        game = ok(await first.post("leave"))
        assert (game["status"], game["turn"]["seat"], game["turn"]["round"]) == ("active", 1, 1)
        assert presences(game) == ["left", "playing"]
        scored = next(event for event in await second.events() if event["type"] == "scored")
        assert (scored["seat"], scored["actor"], scored["policy"]["id"]) == (0, "computer", "optimal")
        ok(await second.roll())
        game = ok(await second.score("chance"))  # the seat goes on being played
        assert (game["turn"]["seat"], game["turn"]["round"]) == (1, 2)

    async def test_out_of_turn_it_changes_no_turn(self, api: Api) -> None:
        first, second = await api.seats(players=[{}, {}])
        before = await rolled(first)
        game = ok(await second.post("leave"))
        assert game["turn"] == before["turn"]
        assert presences(game) == ["playing", "left"]

    @pytest.mark.parametrize("players", [[{}], [{}, COMPUTER]])
    async def test_the_last_human_abandons_the_game(self, api: Api, players: list[object]) -> None:
        (seat,) = await api.seats(players=players)
        game = ok(await seat.post("leave"))
        assert (game["status"], game["turn"], game["result"]) == ("abandoned", None, None)
        assert types(await seat.events())[-2:] == ["player_left", "game_abandoned"]

    @pytest.mark.parametrize("path", ["", "/events", "/fairness"])
    async def test_the_token_reads_no_more(self, api: Api, path: str) -> None:
        """B08."""
        _, code = await waiting(api, open_seats=2)
        gone = await joined(api, code)
        ok(await read(gone, path, gone.token))
        ok(await gone.post("leave"))
        successor = await joined(api, code)
        assert successor.seat == gone.seat
        refused(await read(gone, path, gone.token), 401, "unauthorized")
        ok(await read(gone, path, successor.token))

    @pytest.mark.parametrize("command", ["roll", "score", "leave", "return"])
    async def test_the_token_moves_no_more(self, api: Api, command: str) -> None:
        """B08: not for the successor either."""
        _, code = await waiting(api, open_seats=2)
        gone = await joined(api, code)
        ok(await gone.post("leave"))
        await joined(api, code)
        await joined(api, code)
        async with unchanged(api, gone.game_id):
            refused(await gone.post(command), 401, "unauthorized")

    async def test_it_takes_no_arguments(self, api: Api) -> None:
        first, _ = await api.seats(players=[{}, {}])
        async with unchanged(api, first.game_id):
            problem = refused(await first.post("leave", {"seat": 1}), 422, "invalid_request")
        assert errors(problem) == [(["body", "seat"], "extra_forbidden")]
