"""Whole games over HTTP."""

from engine.evolve import replay
from tests.client import Api, ok, total


async def test_a_solo_game_to_its_end(api: Api) -> None:
    player = await api.solo()
    game = await player.game()
    while game["status"] == "active":
        for _ in range(3):
            game = ok(await player.roll())
        best = max(game["turn"]["options"], key=lambda option: option["points"])
        game = ok(await player.score(best["box"]))
    assert game["status"] == "finished"
    card = game["players"][0]["card"]
    assert None not in card["boxes"].values()
    assert card["total"] == total(card)
    assert game["result"] == {"winners": [0], "ranking": [{"seat": 0, "rank": 1, "total": card["total"]}]}
    stored = await api.record(player.game_id)
    assert replay(await api.stored_events(player.game_id)) == stored.game
