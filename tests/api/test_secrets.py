"""Tokens, keys, join codes and server seeds are told to those whom they concern, and to nobody else, nor to the log."""

import base64
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import StringIO
from uuid import uuid4

import httpx
import pytest
import structlog

from app import log
from tests.api.kit import COMPUTER, read, rolled, score_somewhere
from tests.client import Api, Json, Seat, ok, refused

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(params=["json", "console"])
def logged(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[StringIO]:
    """Everything that is logged, as a server would write it."""
    root, configure = logging.getLogger(), structlog.configure
    handlers, level = root.handlers, root.level
    monkeypatch.setattr(structlog, "configure", lambda **how: configure(**{**how, "cache_logger_on_first_use": False}))
    stream = StringIO()
    log.configure("DEBUG", request.param, stream)
    yield stream
    structlog.reset_defaults()
    root.handlers = handlers
    root.setLevel(level)


@dataclass
class Witness:
    """Remembers every response in full."""

    seen: list[str] = field(default_factory=list)

    async def __call__(self, response: httpx.Response) -> None:
        await response.aread()
        self.seen.append(f"{response.status_code} {response.headers.multi_items()} {response.text}")

    def take(self) -> str:
        """What was seen since the last time."""
        taken, self.seen = "\n".join(self.seen), []
        return taken


@pytest.fixture
def witness(own: Api) -> Witness:
    found = Witness()
    own.http.event_hooks["response"].append(found)
    return found


def forms(secret: bytes) -> list[str]:
    """How bytes might be written."""
    encoded = [base64.b64encode(secret), base64.urlsafe_b64encode(secret), base64.b32encode(secret)]
    return [secret.hex(), secret.hex().upper(), repr(secret)[2:-1], *(text.decode().rstrip("=") for text in encoded)]


def hold_none(text: str, secrets: list[str]) -> None:
    assert [secret for secret in secrets if secret in text] == []


async def play(seats: list[Seat], keys: list[str]) -> None:
    """To the end, with what goes wrong on the way."""
    for number in range(13):
        for seat in seats:
            await rolled(seat)
            ok(await seat.hold([0], Idempotency_Key=keys[0]) if number == 0 else await seat.hold([0]))
            await seat.hold([1], Idempotency_Key=keys[0])
            await seat.roll([9], Idempotency_Key=keys[0])
            await seat.score(None, If_Match='"1"', Idempotency_Key=keys[0])
            await seat.post("client-seed", {"client_seed": "late"})
            for path in ("", "/events?limit=1000", "/fairness") if number in (0, 12) else ():
                await read(seat, path, seat.token)
                await read(seat, path, f"{seat.token}x")
            if number < 12 or seat is not seats[-1]:
                await score_somewhere(seat)


class TestSecrets:
    async def test_over_a_whole_game(
        self, own: Api, witness: Witness, logged: StringIO, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        keys = [str(uuid4()) for _ in range(3)]
        created = ok(await own.create({"players": [{}, COMPUTER], "open_seats": 1}, idempotency_key=keys[1]), 201)
        first = Seat(own.http, created["game"]["id"], 0, created["seats"][0]["token"])
        code = created["join_code"]
        seed = forms((await own.record(first.game_id)).server_seed)
        told = witness.take()
        assert first.token in told
        assert code in told
        hold_none(told, [*seed, *keys])

        joining: Json = {"json": {"join_code": f"{code[:5]}-{code[5:]}"}, "headers": {"Idempotency-Key": keys[2]}}
        answer = ok(await own.http.post("/v1/join", **joining), 201)
        second = Seat(own.http, first.game_id, answer["seat"], answer["token"])
        await own.http.post("/v1/join", json={"join_code": code.lower()})
        await own.http.post("/v1/join", json={"join_code": code, "name": "\n"})
        told = witness.take()
        assert second.token in told
        hold_none(told, [first.token, code, code.lower(), f"{code[:5]}-{code[5:]}", *seed, *keys])

        await play([first, second], keys)
        with monkeypatch.context() as broken:
            broken.setattr("app.services.play.apply", _fail)
            refused(await second.score("chance", Idempotency_Key=keys[0] + "x"), 500, "internal")
        others = await self._let_the_sleeper_fail(own, monkeypatch)
        secret = [first.token, second.token, code, *seed, *keys, *others[1:]]
        hold_none(witness.take(), secret)

        game = await score_somewhere(second)
        assert game["status"] == "finished"
        hold_none(witness.take(), secret)
        fairness = ok(await read(first, "/fairness"))
        assert fairness["server_seed"] == seed[0]
        hold_none(witness.take().replace(seed[0], ""), secret)

        written = logged.getvalue()
        assert written.count("RuntimeError") >= 2  # both failures, with their tracebacks
        assert "game_not_settled" in written
        assert written.count("/v1/games/{id}/hold") >= 52
        hold_none(written, [*secret, *others])

    async def _let_the_sleeper_fail(self, own: Api, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        """A game that is due and cannot be settled; returns its secrets, the token first."""
        (seat,) = await own.seats(players=[{}])
        await rolled(seat, 3)
        own.clock.advance(3000)
        with monkeypatch.context() as broken:
            broken.setattr("app.services.settling.act_for_clock", _fail)
            await own.app.state.sleeper.sweep()
        return [seat.token, *forms((await own.record(seat.game_id)).server_seed)]


def _fail(*_: object) -> None:
    raise RuntimeError("a failure that nobody foresaw")
