"""Which error wins when several apply: body and headers, game, token, stored answer, clocks, `deadline_passed`,
If-Match, status of the game, whose turn, rolls, box."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

import httpx
import pytest

from tests.api.kit import PLAIN, UNKNOWN, finished, joined, played, rolled, sandbox, third_roll, waiting
from tests.client import Api, Seat, refused

pytestmark = pytest.mark.asyncio(loop_scope="module")

Build = Callable[[Api], Awaitable[Seat]]

STALE = '"1"'
MALFORMED_TAG = "x"


async def second_player(api: Api) -> Seat:
    """Not to move; the first player has rolled three times."""
    first, second = await api.seats(players=[{}, {}], **sandbox(*[PLAIN] * 3))
    await rolled(first, 3)
    return second


async def late_player(api: Api) -> Seat:
    """His turn was scored by the server, and the other player is to move."""
    first, _ = await api.seats(players=[{}, {}], **sandbox(*[PLAIN] * 3))
    await rolled(first, 3)
    api.clock.advance(3000)
    return first


async def late_and_alone(api: Api) -> Seat:
    seat = await third_roll(api)
    api.clock.advance(3000)
    return seat


async def late_and_finished(api: Api) -> Seat:
    from tests.api.kit import BOXES

    seat = await played(api, [(box, PLAIN) for box in BOXES[:-1]], *[PLAIN] * 3)
    await rolled(seat, 3)
    api.clock.advance(3000)
    return seat


async def third_with_penta(api: Api) -> Seat:
    seat = await played(api, [("penta", "44444")], *["44444"] * 3)
    await rolled(seat, 3)
    return seat


async def waiting_seat(api: Api) -> Seat:
    _, code = await waiting(api, open_seats=2)
    return await joined(api, code)


async def fresh(api: Api) -> Seat:
    (seat,) = await api.seats(players=[{}])
    return seat


async def no_game(api: Api) -> Seat:
    return replace(await fresh(api), game_id=UNKNOWN)


async def stranger(api: Api) -> Seat:
    return replace(await second_player(api), token="x" * 43)


async def late_stranger(api: Api) -> Seat:
    return replace(await late_player(api), token="x" * 43)


class TestOrder:
    @pytest.mark.parametrize(
        ("build", "command", "body", "if_match", "status", "code"),
        [
            pytest.param(no_game, "roll", {"hold": [9]}, STALE, 422, "invalid_request", id="body-before-game"),
            pytest.param(no_game, "roll", None, MALFORMED_TAG, 422, "invalid_request", id="headers-before-game"),
            pytest.param(stranger, "hold", {"hold": [9]}, None, 422, "invalid_request", id="body-before-token"),
            pytest.param(stranger, "roll", None, MALFORMED_TAG, 422, "invalid_request", id="headers-before-token"),
            pytest.param(late_player, "score", {"box": 1}, None, 422, "invalid_request", id="body-before-deadline"),
            pytest.param(finished, "hold", {}, STALE, 422, "invalid_request", id="body-before-status"),
            pytest.param(no_game, "roll", None, STALE, 404, "game_not_found", id="game-before-token-and-version"),
            pytest.param(stranger, "roll", None, STALE, 401, "unauthorized", id="token-before-version"),
            pytest.param(late_stranger, "score", None, None, 401, "unauthorized", id="token-before-deadline"),
            pytest.param(late_player, "score", None, STALE, 409, "deadline_passed", id="deadline-before-version"),
            pytest.param(late_player, "hold", {"hold": []}, None, 409, "deadline_passed", id="deadline-before-turn"),
            pytest.param(
                late_and_alone, "hold", {"hold": []}, None, 409, "deadline_passed", id="deadline-before-rolls"
            ),
            pytest.param(late_and_alone, "score", None, None, 409, "deadline_passed", id="deadline-before-box"),
            pytest.param(late_and_finished, "score", None, STALE, 409, "deadline_passed", id="deadline-before-status"),
            pytest.param(late_player, "roll", None, '"6"', 412, "version_mismatch", id="settled-before-version"),
            pytest.param(finished, "roll", None, STALE, 412, "version_mismatch", id="version-before-status"),
            pytest.param(waiting_seat, "roll", None, STALE, 412, "version_mismatch", id="version-before-start"),
            pytest.param(second_player, "roll", None, STALE, 412, "version_mismatch", id="version-before-turn"),
            pytest.param(third_roll, "roll", None, STALE, 412, "version_mismatch", id="version-before-rolls"),
            pytest.param(fresh, "return", None, STALE, 412, "version_mismatch", id="version-before-not-away"),
            pytest.param(finished, "score", None, None, 409, "game_not_active", id="status-before-box"),
            pytest.param(waiting_seat, "score", None, None, 409, "game_not_active", id="status-before-turn"),
            pytest.param(second_player, "roll", None, None, 409, "not_your_turn", id="turn-before-rolls"),
            pytest.param(second_player, "hold", {"hold": [0]}, None, 409, "not_your_turn", id="turn-before-hold"),
            pytest.param(second_player, "score", None, None, 409, "not_your_turn", id="turn-before-box"),
            pytest.param(late_player, "roll", None, None, 409, "not_your_turn", id="roll-means-the-present-turn"),
            pytest.param(fresh, "score", None, None, 409, "roll_first", id="rolls-before-box"),
            pytest.param(fresh, "select", {"box": None}, None, 409, "roll_first", id="rolls-before-clearing"),
            pytest.param(third_roll, "roll", {"hold": [0]}, None, 409, "no_rolls_left", id="rolls-before-hold"),
            pytest.param(third_with_penta, "score", {"box": "penta"}, None, 409, "box_filled", id="filled"),
            pytest.param(third_with_penta, "score", {"box": "ones"}, None, 409, "box_not_allowed", id="joker"),
        ],
    )
    async def test_the_first_error_wins(
        self, api: Api, build: Build, command: str, body: object, if_match: str | None, status: int, code: str
    ) -> None:
        seat = await build(api)
        headers = {} if if_match is None else {"If_Match": if_match}
        refused(await seat.post(command, body, **headers), status, code)

    async def test_a_wrong_type_goes_before_all_the_rest(self, api: Api) -> None:
        seat = await stranger(api)
        path = f"/v1/games/{UNKNOWN}/roll"
        headers = {"Authorization": f"Bearer {seat.token}", "If-Match": MALFORMED_TAG, "Content-Type": "text/plain"}
        refused(await api.http.post(path, content=b"{", headers=headers), 415, "unsupported_media_type")
        headers["Content-Type"] = "application/json"
        refused(await api.http.post(path, content=b"{", headers=headers), 400, "malformed_json")

    async def test_a_stored_answer_goes_before_settling(self, api: Api) -> None:
        """The repeat itself settles nothing; the next request does."""
        seat = await third_roll(api)
        (await seat.select("ones", Idempotency_Key="k")).raise_for_status()
        (await seat.select(None)).raise_for_status()
        api.clock.advance(3000)
        again = await seat.select("ones", Idempotency_Key="k", If_Match=STALE)
        assert (again.status_code, again.headers["idempotency-replayed"]) == (200, "true")
        refused(await seat.select("ones", Idempotency_Key="l", If_Match=STALE), 409, "deadline_passed")

    async def test_a_key_for_something_else_goes_before_the_rules(self, api: Api) -> None:
        seat = await third_roll(api)
        (await seat.select("ones", Idempotency_Key="k")).raise_for_status()
        api.clock.advance(3000)
        refused(await seat.roll(Idempotency_Key="k", If_Match=STALE), 422, "idempotency_key_reused")


async def by_code(api: Api, code: str, **body: object) -> httpx.Response:
    headers = {"If-Match": STALE}
    return await api.http.post("/v1/join", json={"join_code": code, **body}, headers=headers)


class TestJoining:
    async def test_order(self, api: Api) -> None:
        creator, code = await waiting(api, players=[{"name": "Ana"}], open_seats=1)
        refused(await by_code(api, "0" * 10, name=""), 422, "invalid_request")
        refused(await by_code(api, "0" * 10), 404, "wrong_join_code")
        (await creator.post("client-seed", {"client_seed": "a"})).raise_for_status()
        refused(await by_code(api, code, name="Ana"), 412, "version_mismatch")
        (await creator.post("start")).raise_for_status()
        response = await api.http.post("/v1/join", json={"join_code": code, "name": "Ana"})
        refused(response, 409, "game_already_started")
