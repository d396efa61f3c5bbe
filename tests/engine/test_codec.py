"""State and events as JSON and back."""

from dataclasses import replace
from typing import get_args

import pytest

from engine import events as ev
from engine.actions import AddClientSeed
from engine.boxes import Box
from engine.codec import EVENT_TYPES, event_from_plain, event_to_plain, game_from_plain, game_to_plain
from engine.events import Event, Policy
from engine.game import Actor, AutoScore, Millis, Options, Place, Presence, Result, Status, Visibility
from engine.rules import RulesName
from tests.engine.kit import FIRST, SECOND, T0, Table, card, dice, events_again, game_again, seated

RESULT = Result((FIRST,), (Place(FIRST, 1, 30), Place(SECOND, 2, 5)))
EVENTS: tuple[Event, ...] = (
    ev.GameCreated(
        seq=1,
        at=T0,
        rules=RulesName.FREE_JOKER,
        visibility=Visibility.PUBLIC,
        options=Options(auto_score_ms=None, turn_limit_ms=5000, hints=False, sandbox=True),
        players=seated("HC"),
        open_seats=2,
    ),
    ev.PlayerJoined(seq=2, at=T0, seat=SECOND, name="Šime"),
    ev.PlayerLeft(seq=3, at=T0, seat=FIRST),
    ev.PlayerAway(seq=4, at=T0, seat=FIRST),
    ev.PlayerBack(seq=5, at=T0, seat=FIRST),
    ev.ClientSeedAdded(seq=6, at=T0, seat=FIRST, client_seed="x_-9"),
    ev.GameStarted(seq=7, at=T0),
    ev.TurnStarted(seq=8, at=T0, seat=FIRST, round=1),
    ev.Rolled(seq=9, at=T0, seat=FIRST, roll_number=1, held=(0, 4), dice=dice("12345")),
    ev.DiceHeld(seq=10, at=T0, seat=FIRST, held=()),
    ev.BoxSelected(seq=11, at=T0, seat=FIRST, box=None),
    ev.BoxSelected(seq=12, at=T0, seat=FIRST, box=Box.PENTA),
    ev.Scored(seq=13, at=T0, seat=FIRST, box=Box.ONES, points=0, penta_bonus=100, actor=Actor.PLAYER),
    ev.Scored(
        seq=14,
        at=T0,
        seat=FIRST,
        box=Box.CHANCE,
        points=15,
        penta_bonus=0,
        actor=Actor.DEADLINE,
        due_at=Millis(T0 - 1),
        policy=Policy("casual", "1"),
    ),
    ev.Scored(
        seq=15,
        at=T0,
        seat=SECOND,
        box=Box.CHANCE,
        points=15,
        penta_bonus=0,
        actor=Actor.COMPUTER,
        policy=Policy("optimal", "2", 254.5896095),
    ),
    ev.GameFinished(seq=16, at=T0, result=RESULT),
    ev.GameAbandoned(seq=17, at=T0),
)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: f"{event.seq}-{type(event).__name__}")
def test_an_event_comes_back_equal(event: Event) -> None:
    assert events_again([event]) == [event]


def test_the_events_above_are_of_every_type() -> None:
    assert {type(event) for event in EVENTS} == set(get_args(Event))
    assert {event_to_plain(event)["type"] for event in EVENTS} == set(EVENT_TYPES)


def test_event_types_are_the_published_ones() -> None:
    assert set(EVENT_TYPES) == {
        "game_created",
        "player_joined",
        "player_left",
        "player_away",
        "player_back",
        "client_seed_added",
        "game_started",
        "turn_started",
        "rolled",
        "held",
        "box_selected",
        "scored",
        "game_finished",
        "game_abandoned",
    }


def test_a_seat_is_null_only_where_an_event_is_of_the_whole_game() -> None:
    without = {plain["type"] for plain in map(event_to_plain, EVENTS) if plain["seat"] is None}
    assert without == {"game_created", "game_started", "game_finished", "game_abandoned"}


def test_a_state_with_nothing_at_its_default_comes_back_equal() -> None:
    table = Table("HC", options=Options(auto_score_ms=500, turn_limit_ms=5000, hints=False, sandbox=True))
    table.do(AddClientSeed(FIRST, "lucky"))
    table.roll("12345", "12345", "12345", hold=())
    table.select(Box.CHANCE)
    first = replace(
        table.player(),
        presence=Presence.AWAY,
        card=card(2, ones=0, penta=50),
        turn_limits=1,
        auto_scored=AutoScore(Box.PENTA, 50, 0),
    )
    game = replace(
        table.game,
        visibility=Visibility.PUBLIC,
        rules_name=RulesName.NO_BONUS,
        players=(first, table.player(SECOND)),
        turn=replace(table.turn, held=(1, 3), deadline_at=T0, changes=7),
        result=RESULT,
    )
    assert game_again(game) == game


@pytest.mark.parametrize("status", [Status.WAITING, Status.ACTIVE])
def test_a_new_state_comes_back_equal(status: Status) -> None:
    table = Table("H", open_seats=status is Status.WAITING)
    assert table.game.status is status
    assert game_again(table.game) == table.game


def test_a_state_of_another_version_is_refused() -> None:
    plain = game_to_plain(Table("H").game)
    with pytest.raises(ValueError, match="version 2 is not 1"):
        game_from_plain({**plain, "v": 2})


def test_an_event_of_unknown_type_is_refused() -> None:
    with pytest.raises(KeyError, match="danced"):
        event_from_plain({**event_to_plain(EVENTS[0]), "type": "danced"})
