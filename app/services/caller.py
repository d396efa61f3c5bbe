"""Who asks, and how he wants to be answered: what a command takes from a request beside its body."""

from dataclasses import dataclass
from typing import Final

from app.db.records import Answer, AnswerKey, Record
from app.present import Json, dump, game_view
from app.problems import ApiCode, ProblemError
from app.tokens import digest
from engine.errors import RuleError
from engine.game import Seat

NOBODY: Final = ""
"""The token id of whoever sent a token that cannot be read: no seat has it."""


@dataclass(frozen=True, slots=True)
class Caller:
    """`token_id` is None where no token was sent.

    `versions`: those that If-Match names, None for any. `operation` and `body_hash` tell requests under one key apart.
    """

    operation: str
    body_hash: bytes
    token_id: str | None
    key: str | None
    versions: frozenset[str] | None
    language: str
    request_id: str

    def seat(self, record: Record) -> Seat:
        """The seat that the token holds; raises `unauthorized`."""
        seat = record.tokens.get(self.token_id) if self.token_id is not None else None
        if seat is None:
            raise ProblemError(ApiCode.UNAUTHORIZED)
        return seat

    def admit(self, record: Record) -> None:
        self.seat(record)

    def admit_reader(self, record: Record) -> None:
        """A read needs no token, but one that is sent must be valid."""
        if self.token_id is not None:
            self.seat(record)

    def scoped_key(self) -> AnswerKey | None:
        """The idempotency key in the scope of the caller's token."""
        if self.key is None:
            return None
        return AnswerKey(bytes.fromhex(self.token_id or NOBODY), digest(self.key), self.operation, self.body_hash)

    def open_key(self) -> AnswerKey | None:
        """The idempotency key of a request that no token scopes."""
        if self.key is None:
            return None
        return AnswerKey(None, digest(self.key), self.operation, self.body_hash)

    def refusal(self, error: RuleError | ProblemError, record: Record) -> Answer:
        """The answer to a refused command: state errors show the game as it is."""
        facts: Json = {"game": game_view(record, self.language)}
        if isinstance(error, RuleError):
            if error.legal_boxes is not None:
                facts["legal_boxes"] = list(error.legal_boxes)
            error = ProblemError(error.code)
        problem = ProblemError(error.code, values=error.values, facts={**error.facts, **facts})
        return Answer(problem.status, record.game.version, dump(problem.body(self.language, self.request_id)))

    def success(self, record: Record) -> Answer:
        return Answer(200, record.game.version, dump(game_view(record, self.language)))
