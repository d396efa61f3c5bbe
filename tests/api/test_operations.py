"""GET /livez and /readyz."""

from typing import Any

import pytest

from tests.client import Api, ok, refused

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def awake(api: Api) -> Any:
    """The sleeper, which the tests' server does not start, after its first look at the database."""
    sleeper = api.app.state.sleeper
    sleeper.start()
    await sleeper.sweep()
    return sleeper


class TestLive:
    async def test_while_the_process_answers(self, own: Api) -> None:
        response = await own.http.get("/livez")
        assert ok(response) == {"status": "ok"}
        await own.uow.database.close()
        ok(await own.http.get("/livez"))

    async def test_head(self, own: Api) -> None:
        response = await own.http.head("/livez")
        assert (response.status_code, response.content) == (200, b"")


class TestReady:
    async def test_while_database_and_sleeper_work(self, own: Api) -> None:
        sleeper = await awake(own)
        assert ok(await own.http.get("/readyz")) == {"status": "ok"}
        await sleeper.stop()
        response = await own.http.get("/readyz")
        refused(response, 503, "unavailable")
        assert response.headers["retry-after"].isdigit()

    async def test_not_before_the_sleeper_is_started(self, own: Api) -> None:
        refused(await own.http.get("/readyz"), 503, "unavailable")

    async def test_not_without_a_database(self, own: Api) -> None:
        sleeper = await awake(own)
        await own.uow.database.close()
        response = await own.http.get("/readyz")
        refused(response, 503, "unavailable")
        assert response.headers["retry-after"].isdigit()
        await sleeper.stop()


class TestUnavailable:
    async def test_commands_and_reads_say_so(self, own: Api) -> None:
        (seat,) = await own.seats(players=[{}])
        await own.uow.database.close()
        for response in (await seat.roll(), await own.create(), await own.http.get(f"/v1/games/{seat.game_id}")):
            refused(response, 503, "unavailable")
            assert response.headers["retry-after"].isdigit()
