"""What is said in which language."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest

from app.db.database import Connection
from app.db.errors import ConflictError
from app.texts import LANGUAGES, catalogue
from tests.api.kit import PLAIN, rolled, solo
from tests.api.provoke import PROVOKED, WITH_GAME, Provoke
from tests.client import Api, FakeClock, refused, serving

pytestmark = pytest.mark.asyncio(loop_scope="module")

NOT_PROVOKED = {"conflict", "internal"}
"""What a client meets only when something fails: provoked here by a server that does."""

UNKNOWN_PATH = "/v1/nothing"
HR, EN = "Nema takve adrese", "Not found"


async def title(api: Api, accept_language: str | None) -> str:
    headers = {} if accept_language is None else {"Accept-Language": accept_language}
    said: str = (await api.http.get(UNKNOWN_PATH, headers=headers)).json()["title"]
    return said


class TestErrors:
    @pytest.mark.parametrize(("code", "status", "provoke"), [(c, s, p) for c, (s, p) in PROVOKED.items()], ids=PROVOKED)
    async def test_every_code_in_both_languages(self, api: Api, code: str, status: int, provoke: Provoke) -> None:
        """D01: one shape for all; the client holds each against the description."""
        said = {language: refused(await provoke(api, language), status, code) for language in ("hr", "en")}
        for part in ("title", "detail"):
            assert said["hr"][part] != said["en"][part]
            assert all(text[part].strip() for text in said.values())
            assert not any("{" in text[part] for text in said.values())
        assert ("game" in said["hr"]) == (code in WITH_GAME or code == "rate_limited")
        assert ("legal_boxes" in said["hr"]) == (code in ("box_filled", "box_not_allowed"))
        assert ("errors" in said["hr"]) == (code in ("malformed_json", "invalid_request"))
        assert ("auto_scored" in said["hr"]) == (code == "deadline_passed")

    async def test_all_codes_are_provoked(self, api: Api) -> None:
        declared = api.app.openapi()["components"]["schemas"]["Problem"]["properties"]["code"]["enum"]
        assert set(declared) == set(PROVOKED) | NOT_PROVOKED

    async def test_a_conflict(self, own: Api, monkeypatch: pytest.MonkeyPatch) -> None:
        """Another process is always first."""
        monkeypatch.setattr("app.db.uow.ATTEMPTS", 2)
        seat = await solo(own, PLAIN)
        own.uow.database = _AlwaysSecond(own)
        for language, said in (("hr", "Sukob"), ("en", "Conflict")):
            problem = refused(await seat.roll(Accept_Language=language), 409, "conflict")
            assert (problem["title"], problem["game"]["version"]) == (said, 3)

    async def test_a_failure(self, api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
        seat = await solo(api, PLAIN)
        monkeypatch.setattr("app.services.play.apply", _broken)
        monkeypatch.setattr("app.edge._log.exception", lambda *_, **__: None)
        for language, said in (("hr", "Greška poslužitelja"), ("en", "Server error")):
            problem = refused(await seat.roll(Accept_Language=language), 500, "internal")
            assert problem["title"] == said
            assert "secret" not in str(problem)
            assert set(problem) == {"type", "title", "status", "detail", "code", "request_id"}

    async def test_both_catalogues_have_the_same_texts(self) -> None:
        assert catalogue("hr").keys() == catalogue("en").keys()
        assert set(LANGUAGES) == {"hr", "en"}


class TestLanguage:
    @pytest.mark.parametrize(
        ("accept_language", "said"),
        [
            *((None, HR), ("", HR), ("hr", HR), ("en", EN), ("EN", EN), ("en-GB", EN), ("hr-HR", HR)),
            *(("de", HR), ("de, fr", HR), ("de, en", EN), ("*", HR), ("de, *;q=0.1", HR)),
            *(("hr, en", HR), ("en, hr", EN), ("hr;q=0.5, en", EN), ("hr;q=0.5, en;q=0.7", EN)),
            *(("en;q=0.5,hr;q=0.5", EN), ("en;q=0.3, hr;q=0.9", HR), ("en;q=0", HR), ("hr;q=0, en;q=0.001", EN)),
            *(("en ; q=1.0", EN), ("en;q=2", HR), ("en;q=-1", HR), ("en;q=nan", HR), ("en;q=x, hr", HR), ("e n", HR)),
            *(("hr;q=0, *", EN), ("*;q=0.5, hr;q=0.1", EN), ("en;q=0, *", HR), ("english", HR)),
        ],
    )
    async def test_is_chosen_by_the_header(self, api: Api, accept_language: str | None, said: str) -> None:
        assert await title(api, accept_language) == said

    async def test_without_one_it_is_the_servers(self, sqlite_url: str) -> None:
        async with serving(sqlite_url, FakeClock(), locale="en") as english:
            assert await title(english, None) == EN
            assert await title(english, "de") == EN
            assert await title(english, "hr") == HR

    async def test_the_answer_varies_by_it(self, api: Api) -> None:
        seat = await solo(api, PLAIN)
        for response in (await api.http.get(UNKNOWN_PATH), await seat.roll(), await api.create(), await seat.roll([9])):
            assert "Accept-Language" in response.headers["vary"].split(", ")

    async def test_codes_and_names_do_not(self, api: Api) -> None:
        seat = await solo(api, PLAIN)
        await rolled(seat)
        one, other = [await seat.score(Accept_Language=language) for language in ("hr", "en")]
        assert one.json()["game"]["players"] == other.json()["game"]["players"]


def _broken(*_: object) -> None:
    raise RuntimeError("a secret detail")


class _AlwaysSecond:
    """A database in which every transaction finds that another one was first."""

    def __init__(self, api: Api) -> None:
        self._inner = api.uow.database

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        async with self._inner.transaction() as connection:
            yield connection
            raise ConflictError("another was first")

    def reading(self) -> AbstractAsyncContextManager[Connection]:
        return self._inner.reading()

    async def open(self) -> None:
        await self._inner.open()

    async def close(self) -> None:
        await self._inner.close()
