"""Games that nobody starts or plays any more."""

import pytest

from tests.api.kit import rolled, types, unchanged, waiting
from tests.client import Api, Seat, ok, refused

pytestmark = pytest.mark.asyncio(loop_scope="module")

DAY = 86_400_000
MONTH = 30 * DAY
COMMANDS = {"start": None, "roll": None, "hold": {"hold": [0]}, "score": None, "leave": None, "return": None}


async def status(seat: Seat) -> str:
    found: str = (await seat.game())["status"]
    return found


class TestWaiting:
    async def test_for_24_hours_after_its_creation(self, api: Api) -> None:
        seat, code = await waiting(api, open_seats=2)
        api.clock.advance(DAY - 1)
        ok(await api.http.post("/v1/join", json={"join_code": code}), 201)  # prolongs nothing
        assert await status(seat) == "waiting"
        api.clock.advance(1)
        assert await status(seat) == "abandoned"
        assert types(await seat.events())[-1] == "game_abandoned"
        refused(await api.http.post("/v1/join", json={"join_code": code}), 409, "game_not_active")

    @pytest.mark.parametrize("command", ["start", "leave", "roll"])
    async def test_a_command_settles_it_too(self, api: Api, command: str) -> None:
        seat, _ = await waiting(api)
        api.clock.advance(DAY)
        problem = refused(await seat.post(command), 409, "game_not_active")
        assert problem["game"]["status"] == "abandoned"

    async def test_joining_does_so_as_well(self, api: Api) -> None:
        _, code = await waiting(api)
        api.clock.advance(DAY)
        problem = refused(await api.http.post("/v1/join", json={"join_code": code}), 409, "game_not_active")
        assert problem["game"]["status"] == "abandoned"

    async def test_a_started_one_is_kept_longer(self, api: Api) -> None:
        seat, _ = await waiting(api)
        ok(await seat.post("start"))
        api.clock.advance(2 * DAY)
        assert await status(seat) == "active"


class TestActive:
    async def test_for_30_days_after_the_last_command(self, api: Api) -> None:
        (seat,) = await api.seats(players=[{}])
        for _ in range(2):
            api.clock.advance(MONTH - 1)
            await rolled(seat)
        api.clock.advance(MONTH - 1)
        assert await status(seat) == "active"
        api.clock.advance(1)
        assert await status(seat) == "abandoned"

    async def test_refused_commands_and_reads_prolong_nothing(self, api: Api) -> None:
        (seat,) = await api.seats(players=[{}])
        api.clock.advance(MONTH - 1)
        refused(await seat.score("chance"), 409, "roll_first")
        await seat.game()
        api.clock.advance(1)
        assert await status(seat) == "abandoned"

    async def test_what_the_server_does_by_itself_prolongs_nothing(self, api: Api) -> None:
        (seat,) = await api.seats(players=[{}], turn_limit_ms=5000)
        for _ in range(2):
            api.clock.advance(5000)
            await seat.game()
        api.clock.advance(MONTH - 10_000)
        assert await status(seat) == "abandoned"

    async def test_returning_prolongs_it(self, api: Api) -> None:
        (seat,) = await api.seats(players=[{}], turn_limit_ms=604_800_000)
        for _ in range(2):
            api.clock.advance(604_800_000)
            await seat.game()
        ok(await seat.post("return"))
        api.clock.advance(604_800_000 - 1)
        await rolled(seat)
        api.clock.advance(MONTH - 1)
        assert await status(seat) == "active"

    @pytest.mark.parametrize(("command", "body"), COMMANDS.items())
    async def test_nothing_can_be_done_any_more(self, api: Api, command: str, body: object) -> None:
        (seat,) = await api.seats(players=[{}])
        api.clock.advance(MONTH)
        assert await status(seat) == "abandoned"
        async with unchanged(api, seat.game_id):
            refused(await seat.post(command, body), 409, "game_not_active")
