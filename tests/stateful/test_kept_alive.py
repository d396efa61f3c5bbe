"""Found by the random games: an accepted command keeps a game alive, also one that changes nothing."""

from tests.client import Api, ok

DAY = 24 * 60 * 60 * 1000


async def test_a_hold_that_changes_nothing_is_an_accepted_command(api: Api) -> None:
    seat = await api.solo()
    ok(await seat.roll())
    api.clock.advance(29 * DAY)
    ok(await seat.hold([]))
    api.clock.advance(29 * DAY)
    assert (await seat.game())["status"] == "active"
    api.clock.advance(DAY)
    assert (await seat.game())["status"] == "abandoned"
