"""What holds for every command of a seated player."""

import pytest

from tests.api.kit import COMPUTER, PLAIN, UNKNOWN, finished, rolled, sandbox, solo, unchanged, waiting
from tests.client import Api, Json, Seat, ok, refused

pytestmark = pytest.mark.asyncio(loop_scope="module")

COMMANDS: dict[str, Json | None] = {
    "start": None,
    "leave": None,
    "return": None,
    "client-seed": {"client_seed": "abc"},
    "roll": None,
    "hold": {"hold": [0]},
    "select": {"box": "chance"},
    "score": {"box": "chance"},
}
TURN = ("roll", "hold", "select", "score")

every_command = pytest.mark.parametrize("command", COMMANDS)


async def own(api: Api) -> Seat:
    return await solo(api, PLAIN)


class TestEveryCommand:
    @every_command
    @pytest.mark.parametrize(
        "authorization",
        [
            pytest.param(None, id="S21-none"),
            pytest.param("", id="S21-empty"),
            pytest.param("Basic x", id="S21-basic"),
            pytest.param("Bearer", id="S21-bearer-with-nothing"),
            pytest.param("Bearer ", id="S21-bearer-with-blank"),
            pytest.param("Bearer a b", id="S21-two-words"),
            pytest.param("Bearer " + "x" * 43, id="unknown-token"),
            pytest.param("Bearer " + "x" * 10_000, id="long-token"),
            pytest.param("Bearer %00", id="C03-percent"),
            pytest.param("Bearer a\x00b", id="C03-nul"),
            pytest.param("Bearer ž", id="non-ascii"),
        ],
    )
    async def test_unauthorized(self, api: Api, command: str, authorization: str | None) -> None:
        seat = await own(api)
        headers = [] if authorization is None else [(b"Authorization", authorization.encode())]
        async with unchanged(api, seat.game_id):
            response = await api.http.post(
                f"/v1/games/{seat.game_id}/{command}", json=COMMANDS[command], headers=headers
            )
            problem = refused(response, 401, "unauthorized")
        assert response.headers["www-authenticate"] == "Bearer"
        assert "game" not in problem

    @every_command
    async def test_the_token_of_another_game(self, api: Api, command: str) -> None:
        seat, other = await own(api), await own(api)
        async with unchanged(api, seat.game_id):
            foreign = Seat(api.http, seat.game_id, 0, other.token)
            refused(await foreign.post(command, COMMANDS[command]), 401, "unauthorized")

    @every_command
    @pytest.mark.parametrize("form", ["bearer {}", "BEARER  {}"])
    async def test_the_scheme_is_written_in_any_case(self, api: Api, command: str, form: str) -> None:
        seat = await own(api)
        response = await seat.post(command, COMMANDS[command], Authorization=form.format(seat.token))
        assert response.status_code != 401

    @every_command
    @pytest.mark.parametrize("game_id", [UNKNOWN, "nonsense", "0" * 36, "a%00b", "<script>alert(1)"])
    async def test_no_such_game(self, api: Api, command: str, game_id: str) -> None:
        """B08, C03: whatever stands in its place, the answer is JSON."""
        seat = Seat(api.http, game_id, 0, (await own(api)).token)
        problem = refused(await seat.post(command, COMMANDS[command]), 404, "game_not_found")
        assert game_id not in problem["detail"]

    @every_command
    async def test_ids_are_read_in_any_case(self, api: Api, command: str) -> None:
        seat = await own(api)
        upper = Seat(api.http, seat.game_id.upper(), 0, seat.token)
        assert (await upper.post(command, COMMANDS[command])).status_code != 404

    @every_command
    @pytest.mark.parametrize("header", ['"99"', 'W/"99"', '"1", "2"', '"03"', '""', '"3x"'])
    async def test_if_match_names_another_version(self, api: Api, command: str, header: str) -> None:
        seat = await own(api)
        async with unchanged(api, seat.game_id):
            problem = refused(await seat.post(command, COMMANDS[command], If_Match=header), 412, "version_mismatch")
        assert problem["game"] == await seat.game()

    @every_command
    @pytest.mark.parametrize("header", ["3", '"3', "W/3", 'w/"3"', '"3" "4"', "", ",", '"3",', '"*" *', "*, *"])
    async def test_if_match_is_malformed(self, api: Api, command: str, header: str) -> None:
        seat = await own(api)
        async with unchanged(api, seat.game_id):
            problem = refused(await seat.post(command, COMMANDS[command], If_Match=header), 422, "invalid_request")
        assert problem["errors"][0]["location"] == ["header", "If-Match"]

    @pytest.mark.parametrize("header", ['"3"', 'W/"3"', '"1", W/"3"', "*", ' "3" ', '"2" , "3"', '"x","3"'])
    async def test_if_match_names_this_version(self, api: Api, header: str) -> None:
        seat = await own(api)
        assert ok(await seat.roll(If_Match=header))["version"] == 4

    @every_command
    async def test_a_finished_game(self, api: Api, command: str) -> None:
        seat = await finished(api)
        async with unchanged(api, seat.game_id):
            code = "game_already_started" if command == "start" else "game_not_active"
            problem = refused(await seat.post(command, COMMANDS[command]), 409, code)
        assert problem["game"] == await seat.game()
        assert problem["game"]["status"] == "finished"

    @pytest.mark.parametrize("command", [*TURN, "return"])
    async def test_a_waiting_game(self, api: Api, command: str) -> None:
        seat, _ = await waiting(api)
        async with unchanged(api, seat.game_id):
            refused(await seat.post(command, COMMANDS[command]), 409, "game_not_active")

    @pytest.mark.parametrize("command", TURN)
    @pytest.mark.parametrize("rolls", [0, 1, 3])
    async def test_it_is_another_players_turn(self, api: Api, command: str, rolls: int) -> None:
        first, second = await api.seats(players=[{}, {}, COMPUTER], **sandbox(PLAIN))
        for _ in range(rolls):
            ok(await first.roll())
        async with unchanged(api, first.game_id):
            problem = refused(await second.post(command, COMMANDS[command]), 409, "not_your_turn")
        assert problem["game"]["turn"]["seat"] == 0

    @pytest.mark.parametrize("command", [*TURN, "leave", "client-seed"])
    async def test_a_success_shows_the_game(self, api: Api, command: str) -> None:
        (seat,) = await api.seats(players=[{}])
        before = await rolled(seat, 0 if command == "client-seed" else 1)
        response = await seat.post(command, COMMANDS[command])
        game = ok(response)
        assert game["version"] > before["version"]
        assert response.headers["etag"] == f'W/"{game["version"]}"'
        assert game == await seat.game()
