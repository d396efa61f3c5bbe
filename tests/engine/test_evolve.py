"""Only a whole sequence of events is a game."""

from dataclasses import replace

import pytest

from engine.events import Event, GameStarted
from engine.evolve import replay
from tests.engine.kit import T0, Table


def log() -> list[Event]:
    table = Table("HC")
    table.play_turn()
    return table.log


@pytest.mark.parametrize(
    ("events", "message"),
    [
        pytest.param([], "no events", id="none"),
        pytest.param([GameStarted(seq=1, at=T0)], "the first event must create the game", id="no-creation"),
        pytest.param([*log(), replace(log()[0], seq=len(log()) + 1)], "a game is created once", id="two-creations"),
        pytest.param(log()[1:], "event 2 does not follow version 0", id="no-beginning"),
        pytest.param([*log()[:2], *log()[3:]], "event 4 does not follow version 2", id="gap"),
        pytest.param([*log()[:2], log()[1]], "event 2 does not follow version 2", id="twice"),
    ],
)
def test_a_broken_sequence_is_refused(events: list[Event], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        replay(events)
