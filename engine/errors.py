"""Why the rules refuse an action. Texts and HTTP statuses are looked up by code elsewhere."""

from enum import StrEnum

from engine.boxes import Box


class ErrorCode(StrEnum):
    """The closed set of refusals."""

    NOT_YOUR_TURN = "not_your_turn"
    ROLL_FIRST = "roll_first"
    NO_ROLLS_LEFT = "no_rolls_left"
    BOX_FILLED = "box_filled"
    BOX_NOT_ALLOWED = "box_not_allowed"
    NOTHING_SELECTED = "nothing_selected"
    GAME_NOT_ACTIVE = "game_not_active"
    GAME_ALREADY_STARTED = "game_already_started"
    GAME_FULL = "game_full"
    NAME_TAKEN = "name_taken"
    SEED_TOO_LATE = "seed_too_late"
    NOT_AWAY = "not_away"
    TOO_MANY_CHANGES = "rate_limited"


class RuleError(Exception):
    """A refused action; the state is untouched.

    `legal_boxes` is set when a box was refused.
    """

    def __init__(self, code: ErrorCode, legal_boxes: tuple[Box, ...] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.legal_boxes = legal_boxes
