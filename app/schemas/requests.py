"""Request bodies."""

from typing import Annotated, Final, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from app.schemas.base import BoxId, ClientSeed, DiceList, Input, Name, Optional, Positions, absent, drop_default
from app.services.opening import WantedGame, WantedPlayer
from engine.game import MAX_SEATS, Kind, Level, Options, Visibility
from engine.names import name_key

MAX_SANDBOX_ROLLS: Final = 312
AUTO_SCORE_MS: Final = 3000
TURN_LIMIT_MS: Final = 24 * 60 * 60 * 1000


class NoBody(Input):
    """Commands that take no body accept an empty object."""


class NewPlayer(Input):
    """A player as named at creation."""

    name: Optional[Name] = absent()
    kind: Annotated[Kind, Field(strict=False)] = Kind.HUMAN
    level: Optional[Annotated[Level, Field(strict=False)]] = absent()

    @model_validator(mode="after")
    def _level_of_a_computer(self) -> Self:
        if self.level is not None and self.kind is Kind.HUMAN:
            raise PydanticCustomError("level_of_human", "Only a computer has a level")
        return self


class Sandbox(Input):
    """Given rolls: the game's r-th roll takes entry r, in the positions that are not held."""

    rolls: Annotated[list[DiceList], Field(max_length=MAX_SANDBOX_ROLLS)]


class NewGame(Input):
    """A game to be created; everything has a default."""

    players: Annotated[list[NewPlayer], Field(max_length=MAX_SEATS)] = Field(default_factory=lambda: [NewPlayer()])
    open_seats: Annotated[int, Field(ge=0, le=MAX_SEATS - 1)] = 0
    visibility: Annotated[Visibility, Field(strict=False)] = Visibility.PRIVATE
    auto_score_ms: Annotated[int, Field(ge=500, le=3_600_000)] | None = Field(
        default=AUTO_SCORE_MS, description="After the last roll, the time until the server scores; null: never"
    )
    turn_limit_ms: Annotated[int, Field(ge=5000, le=604_800_000)] | None = Field(
        default=None,
        description="The longest turn; null: no limit. Left out: no limit for one human, 86400000 for more",
        json_schema_extra=drop_default,
    )
    hints: bool = True
    sandbox: Optional[Sandbox] = absent()

    @model_validator(mode="after")
    def _seats(self) -> Self:
        if not 1 <= len(self.players) + self.open_seats <= MAX_SEATS:
            raise PydanticCustomError("number_of_seats", "A game has 1 to 8 seats")
        if self._people() == 0:
            raise PydanticCustomError("no_human", "A game needs a human or an open seat")
        names = [name_key(player.name) for player in self.players if player.name is not None]
        if len(set(names)) != len(names):
            raise PydanticCustomError("name_twice", "Two players have the same name")
        if self.sandbox is not None and self.visibility is Visibility.PUBLIC:
            raise PydanticCustomError("public_sandbox", "Sandbox games are private")
        return self

    def wanted(self) -> WantedGame:
        """The game asked for, defaults filled in."""
        limit = self.turn_limit_ms
        if "turn_limit_ms" not in self.model_fields_set and self._people() > 1:
            limit = TURN_LIMIT_MS
        return WantedGame(
            players=tuple(WantedPlayer(player.kind, player.name, player.level) for player in self.players),
            open_seats=self.open_seats,
            visibility=self.visibility,
            options=Options(self.auto_score_ms, limit, self.hints, self.sandbox is not None),
            sandbox_rolls=tuple(tuple(roll) for roll in self.sandbox.rolls) if self.sandbox else None,
        )

    def _people(self) -> int:
        return self.open_seats + sum(player.kind is Kind.HUMAN for player in self.players)


class JoinGame(Input):
    """Who takes a seat of a public game."""

    name: Optional[Name] = absent()
    client_seed: Optional[ClientSeed] = absent()


class JoinByCode(JoinGame):
    """Who takes a seat of the game that a code opens."""

    join_code: Annotated[str, Field(min_length=1, max_length=64, examples=["7K3QZ-9XW2M"])]


class AddSeed(Input):
    client_seed: ClientSeed


class RollDice(Input):
    hold: Optional[Positions] = absent()


class HoldDice(Input):
    hold: Positions


class SelectBox(Input):
    box: BoxId | None = Field(description="The box to mark; null clears the mark")


class ScoreBox(Input):
    box: Optional[BoxId] = absent()
