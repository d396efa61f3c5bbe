"""Secrets that open seats and games. Only hashes of tokens and idempotency keys are stored."""

import base64
import hashlib
import hmac
import secrets
from typing import Final

from engine.game import Seat

TOKEN_BYTES: Final = 32
CODE_LENGTH: Final = 10
CODE_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32
_MISREAD: Final = str.maketrans({"O": "0", "I": "1", "L": "1", "-": None})


def token_secret(key: str | None) -> str:
    """What a request's tokens are derived from: its idempotency key, so that a repeat tells them again, or chance."""
    return key or secrets.token_urlsafe(TOKEN_BYTES)


def seat_token(secret: str, game_id: str, seat: Seat) -> str:
    """A seat's token, 256 bits."""
    derived = hmac.digest(secret.encode(), f"{game_id}|{seat}".encode(), "sha256")
    return base64.urlsafe_b64encode(derived).rstrip(b"=").decode()


def digest(secret: str) -> bytes:
    """What is stored of a secret."""
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).digest()


def token_id(token: str) -> str:
    """How a game's record names a token."""
    return digest(token).hex()


def new_join_code() -> str:
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


def canonical_join_code(code: str) -> str:
    """A code as people type it (case, hyphens, look-alike letters) in the form that is stored."""
    return code.strip().upper().translate(_MISREAD)
