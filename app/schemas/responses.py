"""Response bodies, for the description of the API. Commands send what `app.present` builds; a test holds them equal."""

from typing import Annotated, Literal

from pydantic import AwareDatetime, Field, JsonValue

from app.problems import STATUS
from app.schemas.base import Optional, Output, absent
from engine.boxes import Box
from engine.game import Actor, Kind, Level, Presence, Status, Visibility
from engine.rules import RulesName

Points = Annotated[int, Field(ge=0)]
SeatNumber = Annotated[int, Field(ge=0, le=7)]
Faces = Annotated[list[Annotated[int, Field(ge=1, le=6)]], Field(min_length=5, max_length=5)]
HeldPositions = Annotated[list[Annotated[int, Field(ge=0, le=4)]], Field(max_length=5)]
PentaBonus = Literal[0, 100]
_CODES: list[JsonValue] = [*sorted(STATUS)]


class GameOptions(Output):
    auto_score_ms: int | None
    turn_limit_ms: int | None
    hints: bool
    sandbox: bool


class CardBoxes(Output):
    """Points by box; null while a box is open."""

    ones: Points | None
    twos: Points | None
    threes: Points | None
    fours: Points | None
    fives: Points | None
    sixes: Points | None
    three_of_a_kind: Points | None
    four_of_a_kind: Points | None
    full_house: Points | None
    small_straight: Points | None
    large_straight: Points | None
    chance: Points | None
    penta: Points | None


class ScoreCard(Output):
    boxes: CardBoxes
    upper_subtotal: Points
    upper_bonus: Points
    upper_total: Points
    lower_total: Points = Field(description="The seven lower boxes, without Penta bonuses")
    penta_bonuses: Points = Field(description="How many Penta bonuses")
    penta_bonus_total: Points
    total: Points


class GamePlayer(Output):
    seat: SeatNumber
    name: str
    kind: Kind
    level: Level | None
    presence: Presence
    card: ScoreCard


class BoxOption(Output):
    box: Box
    points: Points
    penta_bonus: PentaBonus


class GameTurn(Output):
    seat: SeatNumber
    round: Annotated[int, Field(ge=1, le=13)]
    rolls_used: Annotated[int, Field(ge=0, le=3)]
    rolls_left: Annotated[int, Field(ge=0, le=3)]
    dice: Faces | None
    held: HeldPositions
    selected: Box | None
    deadline_at: AwareDatetime | None = Field(description="When the server scores by itself")
    remaining_ms: Annotated[int, Field(ge=0)] | None
    turn_limit_at: AwareDatetime | None
    options: list[BoxOption] = Field(description="The legal boxes in card order; empty before the first roll")
    must_sacrifice: bool
    notice: str | None


class RankedPlayer(Output):
    seat: SeatNumber
    rank: Annotated[int, Field(ge=1, le=8)]
    total: Points


class GameResult(Output):
    winners: list[SeatNumber]
    ranking: list[RankedPlayer]


class Game(Output):
    id: str
    version: Annotated[int, Field(ge=1)]
    status: Status
    visibility: Visibility
    rules: RulesName
    options: GameOptions
    open_seats: int
    players: list[GamePlayer]
    turn: GameTurn | None
    result: GameResult | None
    commitment: str = Field(description="SHA-256 of the server seed, in hex")
    created_at: AwareDatetime
    updated_at: AwareDatetime
    server_time: AwareDatetime


class SeatToken(Output):
    seat: SeatNumber
    token: str


class CreatedGame(Output):
    game: Game
    seats: list[SeatToken]
    join_code: str | None


class JoinedGame(SeatToken):
    game: Game


class PolicyUsed(Output):
    """The strategy that chose a box for the player, and the expected final total it acted on."""

    id: str
    version: str
    expected_total: float | None


class EventBase(Output):
    seq: Annotated[int, Field(ge=1)]
    at: AwareDatetime


class GameEvent(EventBase):
    seat: None


class SeatEvent(EventBase):
    seat: SeatNumber


class CreatedPlayer(Output):
    seat: SeatNumber
    name: str
    kind: Kind
    level: Level | None


class GameCreatedEvent(GameEvent):
    type: Literal["game_created"]
    rules: RulesName
    visibility: Visibility
    options: GameOptions
    players: list[CreatedPlayer]
    open_seats: int


class PlayerJoinedEvent(SeatEvent):
    type: Literal["player_joined"]
    name: str


class PlayerLeftEvent(SeatEvent):
    type: Literal["player_left"]


class PlayerAwayEvent(SeatEvent):
    type: Literal["player_away"]


class PlayerBackEvent(SeatEvent):
    type: Literal["player_back"]


class ClientSeedAddedEvent(SeatEvent):
    type: Literal["client_seed_added"]
    client_seed: str


class GameStartedEvent(GameEvent):
    type: Literal["game_started"]


class TurnStartedEvent(SeatEvent):
    type: Literal["turn_started"]
    round: Annotated[int, Field(ge=1, le=13)]


class RolledEvent(SeatEvent):
    type: Literal["rolled"]
    roll_number: Annotated[int, Field(ge=1, le=3)]
    held: HeldPositions
    dice: Faces


class HeldEvent(SeatEvent):
    type: Literal["held"]
    held: HeldPositions


class BoxSelectedEvent(SeatEvent):
    type: Literal["box_selected"]
    box: Box | None


class ScoredEvent(SeatEvent):
    type: Literal["scored"]
    box: Box
    points: Points
    penta_bonus: PentaBonus
    actor: Actor
    due_at: AwareDatetime | None
    policy: PolicyUsed | None


class GameFinishedEvent(GameEvent):
    type: Literal["game_finished"]
    result: GameResult


class GameAbandonedEvent(GameEvent):
    type: Literal["game_abandoned"]


AnyEvent = Annotated[
    GameCreatedEvent
    | PlayerJoinedEvent
    | PlayerLeftEvent
    | PlayerAwayEvent
    | PlayerBackEvent
    | ClientSeedAddedEvent
    | GameStartedEvent
    | TurnStartedEvent
    | RolledEvent
    | HeldEvent
    | BoxSelectedEvent
    | ScoredEvent
    | GameFinishedEvent
    | GameAbandonedEvent,
    Field(discriminator="type"),
]


class EventPage(Output):
    events: list[AnyEvent]
    next_after: int


class FairRoll(Output):
    r: Annotated[int, Field(ge=1)] = Field(description="The roll's number in the game, over all players")
    seat: SeatNumber
    held: HeldPositions
    dice: Faces


class Fairness(Output):
    game_id: str
    commitment: str
    client_seeds: list[str]
    server_seed: str | None = Field(description="In hex, once the game is over")
    rolls: list[FairRoll]
    verifiable: bool


class InvalidPart(Output):
    location: list[str | int]
    message: str
    code: str


class AutoScored(Output):
    box: Box
    points: Points
    penta_bonus: PentaBonus


class Problem(Output):
    """RFC 9457. State errors carry the game, box errors the legal boxes, validation errors the list of errors."""

    type: str
    title: str
    status: int
    detail: str
    code: str = Field(json_schema_extra={"enum": _CODES})
    request_id: str
    game: Optional[Game] = absent()
    legal_boxes: Optional[list[Box]] = absent()
    auto_scored: Optional[AutoScored] = absent()
    errors: Optional[list[InvalidPart]] = absent()


class Health(Output):
    status: Literal["ok"]
