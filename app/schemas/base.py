"""Strict input: no unknown fields, no coercion, and null only where it is listed."""

import unicodedata
from typing import Annotated, Any, Final, TypeVar, cast

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError
from pydantic_core.core_schema import NullableSchema

from engine.boxes import Box
from engine.fairness import CLIENT_SEED_PATTERN

T = TypeVar("T")

MAX_NAME: Final = 40

_INVISIBLE: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # blank letters: Hangul fillers, empty Braille
_BIDI_CONTROLS: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_FORBIDDEN_CATEGORIES: Final = frozenset({"Cc", "Cs", "Cn", "Co", "Zl", "Zp"})
_BLANK_CATEGORIES: Final = frozenset({"Cf", "Mn", "Me", "Zs"})


class Input(BaseModel):
    """A request body."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Output(BaseModel):
    """A part of a response; every field is always there."""

    model_config = ConfigDict(frozen=True)


class _NotNull:
    """Validates `T | None` as `T`: None is what the model holds for a field that was left out, not an input."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        nullable = cast("NullableSchema", handler(source))
        return nullable["schema"]


def drop_default(schema: dict[str, Any]) -> None:
    """Hides a default that JSON could not send, or that depends on other fields."""
    schema.pop("default", None)


def absent() -> Any:
    """The default of an optional field for which null means nothing: None in the model, no null in JSON."""
    return Field(default=None, json_schema_extra=drop_default)


Optional = Annotated[T | None, _NotNull()]
"""A field that may be left out but not be null."""


def clean_name(name: str) -> str:
    """A name NFC-normalised and trimmed; refused with control characters or nothing to see in it."""
    name = unicodedata.normalize("NFC", name).strip()
    if not 1 <= len(name) <= MAX_NAME:
        raise PydanticCustomError("name_length", "A name has 1 to 40 characters")
    if any(c in _BIDI_CONTROLS or unicodedata.category(c) in _FORBIDDEN_CATEGORIES for c in name):
        raise PydanticCustomError("name_control_characters", "A name has no control characters")
    if all(c in _INVISIBLE or unicodedata.category(c) in _BLANK_CATEGORIES for c in name):
        raise PydanticCustomError("name_invisible", "A name has something to see in it")
    return name


def _distinct(positions: list[int]) -> list[int]:
    if len(set(positions)) != len(positions):
        raise PydanticCustomError("duplicate_position", "Each position is named once")
    return positions


def _digits(value: Any) -> Any:
    if isinstance(value, str) and not (value.isascii() and value.isdecimal()):
        raise PydanticCustomError("int_parsing", "A whole number is written in digits alone")
    return value


Digits = Annotated[int, BeforeValidator(_digits)]
"""A whole number in a query: neither signs, points, underscores nor spaces."""
Name = Annotated[str, AfterValidator(clean_name), Field(description="1-40 characters", examples=["Ana"])]
ClientSeed = Annotated[
    str, Field(pattern=CLIENT_SEED_PATTERN, description="Entropy for the dice", examples=["kikiriki"])
]
Face = Annotated[int, Field(ge=1, le=6)]
DiceList = Annotated[list[Face], Field(min_length=5, max_length=5, description="Faces by position")]
Position = Annotated[int, Field(ge=0, le=4)]
Positions = Annotated[
    list[Position],
    Field(max_length=5, description="Distinct positions 0-4 to keep", examples=[[0, 2]]),
    AfterValidator(_distinct),
]
BoxId = Annotated[Box, Field(strict=False)]
"""A box by its identifier: the one way in for an enum, which strict mode would refuse as text."""
