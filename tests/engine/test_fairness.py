"""Dice that anyone can check: recomputed from the published description, without the code under test."""

import hashlib
import hmac
import re
from collections import Counter
from collections.abc import Iterator

import pytest

from engine.fairness import CLIENT_SEED_PATTERN, SEED_BYTES, commitment, die, draw

SEED = bytes(range(32))


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """HMAC as RFC 2104 writes it, for keys shorter than a block."""
    block = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in block) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in block) + inner).digest()


def stream(seed: bytes, game_id: str, client_seeds: str, number: int, position: int) -> Iterator[int]:
    counter = 0
    while True:
        yield from hmac_sha256(seed, f"{game_id}|{client_seeds}|{number}|{position}|{counter}".encode())
        counter += 1


def expected_die(seed: bytes, game_id: str, client_seeds: str, number: int, position: int) -> int:
    return next(byte for byte in stream(seed, game_id, client_seeds, number, position) if byte < 252) % 6 + 1


@pytest.mark.parametrize(
    ("client_seeds", "joined"),
    [
        pytest.param((), "", id="nobody"),
        pytest.param(("",), "", id="one-without"),
        pytest.param(("", ""), ",", id="two-without"),
        pytest.param(("lucky", "", "x_-9"), "lucky,,x_-9", id="three"),
    ],
)
def test_dice_follow_the_description(client_seeds: tuple[str, ...], joined: str) -> None:
    for number in range(1, 313):
        expected = tuple(expected_die(SEED, "a-game", joined, number, position) for position in range(5))
        assert draw(SEED, "a-game", client_seeds, number) == expected


@pytest.mark.parametrize(
    ("seed", "game_id", "client_seeds", "number", "expected"),
    [
        (bytes(32), "g", ("",), 1, (6, 5, 5, 3, 5)),
        (bytes(32), "g", ("",), 2, (4, 6, 4, 5, 1)),
        (SEED, "01890a5d-ac96-774b-bcce-b302099a8057", ("ana", ""), 1, (2, 2, 6, 5, 4)),
        (SEED, "01890a5d-ac96-774b-bcce-b302099a8057", ("ana", "iva_7"), 1, (4, 4, 6, 2, 6)),
        (SEED, "01890a5d-ac96-774b-bcce-b302099a8057", ("ana", "iva_7"), 312, (6, 3, 5, 4, 2)),
        (b"\xff" * 32, "g", ("", "", "z-Z"), 40, (5, 6, 1, 2, 5)),
    ],
)
def test_published_dice(
    seed: bytes, game_id: str, client_seeds: tuple[str, ...], number: int, expected: tuple[int, ...]
) -> None:
    """Computed with `openssl dgst -mac HMAC`. They never change: games that were played must stay verifiable."""
    assert draw(seed, game_id, client_seeds, number) == expected


@pytest.mark.parametrize(
    ("seed", "expected"),
    [
        (bytes(32), "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"),
        (SEED, "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"),
    ],
)
def test_commitment(seed: bytes, expected: str) -> None:
    assert len(seed) == SEED_BYTES
    assert commitment(seed) == expected


@pytest.mark.parametrize(
    ("first_bytes", "face"),
    [
        pytest.param([0], 1, id="smallest"),
        pytest.param([5], 6, id="six"),
        pytest.param([251], 6, id="251-is-the-last-used"),
        pytest.param([252, 1], 2, id="252-is-skipped"),
        pytest.param([253, 254, 255, 2], 3, id="the-rest-too"),
        pytest.param([255] * 31 + [3], 4, id="last-byte-of-the-block"),
    ],
)
def test_bytes_that_would_favour_a_face_are_skipped(
    monkeypatch: pytest.MonkeyPatch, first_bytes: list[int], face: int
) -> None:
    monkeypatch.setattr(hmac, "digest", lambda key, message, name: bytes(first_bytes).ljust(32, b"\0"))
    assert die(SEED, "g", (), 1, 0) == face


def test_the_counter_goes_up_when_all_bytes_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bytes] = []

    def digest(key: bytes, message: bytes, name: str) -> bytes:
        asked.append(message)
        return b"\xff" * 32 if len(asked) < 3 else hmac_sha256(key, message)

    monkeypatch.setattr(hmac, "digest", digest)
    assert die(SEED, "g", ("a", ""), 7, 4) == hmac_sha256(SEED, b"g|a,|7|4|2")[0] % 6 + 1
    assert asked == [b"g|a,|7|4|0", b"g|a,|7|4|1", b"g|a,|7|4|2"]


def test_dice_are_uniform() -> None:
    """Chi-square over 60,000 dice of a fixed seed; one seed in a thousand would pass 20.5 by chance."""
    counts = Counter(face for number in range(12_000) for face in draw(SEED, "uniform", ("",), number))
    assert sorted(counts) == [1, 2, 3, 4, 5, 6]
    assert sum((count - 10_000) ** 2 / 10_000 for count in counts.values()) < 20.5


@pytest.mark.parametrize(
    ("seed", "allowed"),
    [
        ("a", True),
        ("Az09_-", True),
        ("x" * 64, True),
        ("", False),
        ("x" * 65, False),
        ("a,b", False),
        ("a|b", False),
        ("a b", False),
        ("č", False),
    ],
)
def test_client_seeds_cannot_hold_a_separator(seed: str, allowed: bool) -> None:
    assert bool(re.fullmatch(CLIENT_SEED_PATTERN, seed)) is allowed
