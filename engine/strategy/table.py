"""The solver's values as a file: built once, shipped with the package, verified and shared when loaded."""

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from engine.rules import RulesName
from engine.strategy.positions import LOWERS, UPPERS, Floats, empty_values

FORMAT: Final = 1

_MAGIC: Final = b"penta table"
_DTYPE: Final = np.dtype("<f8")
_SHIPPED: Final = Path(__file__).parent / "data" / "penta.table"


class TableError(Exception):
    """A file is no table that this code can use; the message says why."""


@dataclass(frozen=True, slots=True)
class Table:
    """Expected points still to come, by position, read-only; laid out as `positions.empty_values` says.

    `version` names the format and the content: equal versions decide alike.
    """

    rules: RulesName
    values: Floats
    version: str

    @property
    def start_value(self) -> float:
        """The expected total of a game that is played optimally from its start."""
        return float(self.values[0, 0])


def table_of(rules: RulesName, values: Floats) -> Table:
    """A table of the solver's values."""
    values.flags.writeable = False
    return Table(rules, values, f"{FORMAT}-{_digest(_body(values))[:8]}")


def encode(table: Table) -> bytes:
    """The table as a file: a line that names format, rules and SHA-256, then 192 x 2,794 float64, little endian."""
    body = _body(table.values)
    return b"%s %d %s %s\n" % (_MAGIC, FORMAT, table.rules.encode(), _digest(body).encode()) + body


def decode(data: bytes) -> Table:
    """The table in a file that `encode` wrote; raises TableError."""
    head, _, body = data.partition(b"\n")
    if not head.startswith(_MAGIC + b" "):
        raise TableError("not a table of Penta")
    form, rules, digest = (head[len(_MAGIC) :].decode("ascii", "replace").split() + [""] * 3)[:3]
    if form != str(FORMAT):
        raise TableError(f"a table of format {form}, not {FORMAT}")
    if rules not in list(RulesName):
        raise TableError(f"a table for unknown rules: {rules}")
    if _digest(body) != digest or len(body) != LOWERS * UPPERS * _DTYPE.itemsize:
        raise TableError("the table is damaged: its checksum is wrong")
    values = empty_values()
    values[:-1, :-1] = np.frombuffer(body, _DTYPE).reshape(LOWERS, UPPERS)
    return table_of(RulesName(rules), values)


@cache
def shipped() -> Table:
    """The table for the rules `penta` that comes with the package; raises TableError."""
    try:
        data = _SHIPPED.read_bytes()
    except OSError as error:
        raise TableError(f"the table cannot be read: {error}") from error
    return decode(data)


def _body(values: Floats) -> bytes:
    return np.ascontiguousarray(values[:-1, :-1], _DTYPE).tobytes()


def _digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()
