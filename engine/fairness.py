"""Dice that anyone can check: a committed server seed, client seeds, and HMAC-SHA256.

Standard library only. The scheme: the die at position p of a game's r-th roll (from 1, over all players) is drawn
from HMAC-SHA256(key = server seed, message = "game id|client seeds joined by ,|r|p|counter"). Its 32 bytes are
scanned in order; a byte of 252 or more is skipped, any other gives 1 + byte mod 6. If all are skipped, the counter,
which starts at 0, goes up by one.
"""

import hashlib
import hmac
from collections.abc import Sequence
from typing import Final

SEED_BYTES: Final = 32
CLIENT_SEED_PATTERN: Final = r"^[A-Za-z0-9_-]{1,64}$"

_DICE: Final = 5
_FACES: Final = 6
_BYTES_USED: Final = 252  # the largest multiple of six that a byte can count to: no face is favoured


def commitment(server_seed: bytes) -> str:
    """What is published before the game: the SHA-256 of the seed, in hex."""
    return hashlib.sha256(server_seed).hexdigest()


def die(server_seed: bytes, game_id: str, client_seeds: Sequence[str], roll: int, position: int) -> int:
    """The face 1-6 at `position` 0-4 of the game's `roll`, counted from 1."""
    return _die(server_seed, _roll_prefix(game_id, client_seeds, roll), position)


def draw(server_seed: bytes, game_id: str, client_seeds: Sequence[str], roll: int) -> tuple[int, ...]:
    """The five faces of the game's `roll`; a roll takes those of the positions it does not hold."""
    prefix = _roll_prefix(game_id, client_seeds, roll)
    return tuple([_die(server_seed, prefix, position) for position in range(_DICE)])


def _roll_prefix(game_id: str, client_seeds: Sequence[str], roll: int) -> str:
    return f"{game_id}|{','.join(client_seeds)}|{roll}"


def _die(server_seed: bytes, roll_prefix: str, position: int) -> int:
    counter = 0
    while True:
        message = f"{roll_prefix}|{position}|{counter}".encode("ascii")
        for byte in hmac.digest(server_seed, message, "sha256"):
            if byte < _BYTES_USED:
                return 1 + byte % _FACES
        counter += 1
