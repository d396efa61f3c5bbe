"""The clock that tests inject; without one, the database's own clock is the authority."""

from typing import Protocol

from engine.game import Millis


class Clock(Protocol):
    def now(self) -> Millis: ...
