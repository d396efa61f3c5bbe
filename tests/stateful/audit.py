"""What must be true of a game as a whole, whoever played it."""

import hashlib
import hmac

from engine.evolve import replay
from tests.client import total
from tests.stateful.card import Json
from tests.stateful.table import Table


def audit(table: Table) -> None:
    """Ends the game, so that its dice are disclosed, and checks its log, its totals and its dice."""
    finished = table.model.status == "finished"
    for token in list(table.model.tokens):
        table.command(token, "leave")
    table.sync()
    _log(table)
    _totals(table)
    fairness = table.fairness()
    if fairness["server_seed"] is not None:
        _dice(fairness, given=len(table.model.given))
    _count(table, finished)


def _log(table: Table) -> None:
    """The events are numbered without gaps, and lead to the state that is stored."""
    server = table.server
    stored = server.run(server.api.stored_events(table.id))
    assert [event.seq for event in stored] == [event["seq"] for event in table.seen] == [*range(1, len(stored) + 1)]
    assert replay(stored) == server.run(server.api.record(table.id)).game


def _totals(table: Table) -> None:
    """Each total is what the events of the seat brought, and the upper bonus."""
    game = table.server.send("GET", table.url).json()
    for player in game["players"]:
        scored = [e for e in table.seen if e["type"] == "scored" and e["seat"] == player["seat"]]
        brought = sum(event["points"] + event["penta_bonus"] for event in scored)
        assert player["card"]["total"] == total(player["card"]) == brought + player["card"]["upper_bonus"]
        assert len({event["box"] for event in scored}) == len(scored)


def _dice(fairness: Json, given: int) -> None:
    """Every die was drawn as the scheme says, from the seed that was committed to."""
    seed = bytes.fromhex(fairness["server_seed"])
    assert hashlib.sha256(seed).hexdigest() == fairness["commitment"]
    text = f"{fairness['game_id']}|{','.join(fairness['client_seeds'])}"
    for roll in fairness["rolls"][given:]:
        for position in set(range(5)) - (set(roll["held"])):
            assert roll["dice"][position] == _die(seed, f"{text}|{roll['r']}|{position}"), roll


def _die(seed: bytes, text: str) -> int:
    for counter in range(1000):
        digest = hmac.new(seed, f"{text}|{counter}".encode(), hashlib.sha256).digest()
        fair = [byte for byte in digest if byte < 252]
        if fair:
            return fair[0] % 6 + 1
    raise AssertionError("no byte is ever fair")


def _count(table: Table, finished: bool) -> None:
    """A game was played if somebody has rolled."""
    seen, types = table.server.seen, {event["type"] for event in table.seen}
    seen["created"] += 1
    seen["played"] += "rolled" in types
    seen["finished"] += finished
    seen["verified"] += "rolled" in types and table.model.rolls > len(table.model.given)
    for event in table.seen:
        seen[event["type"]] += 1
        if event["type"] == "scored":
            seen[f"scored by {event['actor']}"] += 1
            seen["jokers"] += event["penta_bonus"] > 0
