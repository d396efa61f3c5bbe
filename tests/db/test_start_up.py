"""`penta serve` and `penta migrate` before they begin: the level of the database, and the settings."""

import asyncio
import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from app.cli import main
from app.db import migrate
from app.settings import Settings
from engine.strategy import table
from engine.strategy.autoplay import strategies
from tests.databases import Postgres
from tests.db.schema import BASE, go_down, revisions
from tests.db.storage import storage
from tests.servers import start

TIMEOUT_S = 30


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with none of this test run's own settings."""
    for name in list(os.environ):
        if name.startswith("PENTA_"):
            monkeypatch.delenv(name)
    return tmp_path


@pytest.fixture
def new_postgres_url(postgres: Postgres) -> Iterator[str]:
    """A database without tables."""
    name = f"new_{uuid.uuid4().hex}"
    yield postgres.create(name, "template0")
    postgres.drop(name)


def penta(folder: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Runs the command to its end."""
    environment = {**os.environ, **{f"PENTA_{name}": value for name, value in settings.items()}}
    command = [sys.executable, "-m", "app.cli", *arguments]
    return subprocess.run(
        command, env=environment, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
    )


def test_postgresql_must_be_migrated_first(folder: Path, new_postgres_url: str) -> None:
    refused = penta(folder, "serve", DATABASE_URL=new_postgres_url)
    assert refused.returncode == 2
    assert "penta migrate" in refused.stderr
    assert revisions()[-1] in refused.stderr
    migrated = penta(folder, "migrate", DATABASE_URL=new_postgres_url)
    assert migrated.returncode == 0, migrated.stderr
    assert migrate.level(Settings(database_url=new_postgres_url)) == revisions()[-1]
    server = start(new_postgres_url)
    try:
        server.wait_ready()
    finally:
        server.stop()


@pytest.mark.parametrize("level", [BASE, "unknown"])
def test_postgresql_at_another_level_is_refused(folder: Path, postgres_url: str, level: str) -> None:
    """Older than the server, or newer: a level that only a later server knows."""
    if level == BASE:
        go_down(postgres_url, BASE)
    else:
        _mark(postgres_url, level)
    refused = penta(folder, "serve", DATABASE_URL=postgres_url)
    assert refused.returncode == 2
    assert "penta migrate" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_an_sqlite_file_is_made_and_migrated_by_itself(folder: Path) -> None:
    url = f"sqlite:///{folder / 'penta.db'}"
    server = start(url)
    try:
        server.wait_ready()
        assert migrate.level(Settings(database_url=url)) == revisions()[-1]
    finally:
        server.stop()


def test_an_sqlite_file_of_an_older_server_is_migrated(sqlite_url: str) -> None:
    go_down(sqlite_url, BASE)
    server = start(sqlite_url)
    try:
        server.wait_ready()
        assert migrate.level(Settings(database_url=sqlite_url)) == revisions()[-1]
    finally:
        server.stop()


def test_an_sqlite_file_of_a_newer_server_is_refused(folder: Path, sqlite_url: str) -> None:
    _mark(sqlite_url, "unknown")
    refused = penta(folder, "serve", DATABASE_URL=sqlite_url)
    assert refused.returncode == 2
    assert "unknown" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "nonsense"),
        ("DATABASE_URL", ""),
        ("DATABASE_URL", "mysql://host/name"),
        ("DATABASE_URL", "sqlite://"),
        ("DATABASE_URL", "sqlite:///:memory:"),
        ("DATABASE_URL", "postgresql://user:secret@host:port/name"),
        ("SANDBOX", "maybe"),
        ("SANDBOX", ""),
        ("PORT", "eighty"),
        ("PORT", "65536"),
        ("PORT", "-1"),
        ("LOCALE", "de"),
        ("POOL_SIZE", "0"),
        ("SHUTDOWN_GRACE_S", "0"),
        ("SQLITE_SYNCHRONOUS", "OFF"),
        ("LOG_LEVEL", "LOUD"),
        ("LOG_FORMAT", "xml"),
    ],
)
def test_a_wrong_setting_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv(f"PENTA_{name}", value)
    refused = CliRunner().invoke(main, ["serve"])  # in this process: starting one takes longer than all that it does
    assert refused.exit_code == 2
    assert f"PENTA_{name}" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert "secret" not in refused.stderr
    assert not list(folder.iterdir())  # nothing was begun


@pytest.mark.parametrize(
    ("command", "url"),
    [
        ("serve", "sqlite:////nowhere/at/all/penta.db"),
        ("serve", "postgresql://u:secret@127.0.0.1:1/penta"),
        ("migrate", "postgresql://u:secret@127.0.0.1:1/penta"),
    ],
)
def test_a_database_that_cannot_be_reached_is_told(folder: Path, command: str, url: str) -> None:
    refused = penta(folder, command, DATABASE_URL=url)
    assert refused.returncode == 2
    assert "database" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert "secret" not in refused.stderr


def test_a_damaged_table_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "penta.table").write_bytes(b"penta table 1 penta 00\n")
    monkeypatch.setattr(table, "_SHIPPED", folder / "penta.table")
    monkeypatch.setenv("PENTA_DATABASE_URL", f"sqlite:///{folder / 'penta.db'}")
    monkeypatch.setattr("app.main.strategies", strategies.__wrapped__)
    monkeypatch.setattr("engine.strategy.autoplay.shipped", table.shipped.__wrapped__)
    refused = CliRunner().invoke(main, ["serve"])
    assert refused.exit_code == 2
    assert "the table is damaged" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize("value", ["true", "on", "1", "TRUE"])
def test_booleans_have_their_usual_spellings(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("PENTA_SANDBOX", value)
    assert Settings().sandbox
    monkeypatch.setenv("PENTA_SANDBOX", {"true": "false", "on": "off", "1": "0"}.get(value, "FALSE"))
    assert not Settings().sandbox


@pytest.mark.parametrize(
    ("given", "normal"),
    [
        ("postgres://u:p@h/n", "postgresql://u:p@h/n"),
        ("postgresql://u@h:5/n", "postgresql://u@h:5/n"),
        ("postgresql+asyncpg://h/n", "postgresql://h/n"),
        ("postgresql+psycopg://h/n", "postgresql://h/n"),
        ("sqlite:///a.db", "sqlite:///a.db"),
        ("sqlite+aiosqlite:////tmp/a.db", "sqlite:////tmp/a.db"),
        ("sqlite+pysqlite:///a.db", "sqlite:///a.db"),
    ],
)
def test_database_urls_of_every_spelling_are_understood(given: str, normal: str) -> None:
    assert Settings(database_url=given).database_url == normal


def _mark(url: str, level: str) -> None:
    """Claims that the database is at `level`."""

    async def mark() -> None:
        async with storage(url) as stored:
            await stored.all(f"UPDATE alembic_version SET version_num = '{level}'")

    asyncio.run(mark())
