"""Migrations lead to what the code describes, and take every row along, up and down."""

import asyncio
import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from app.db import migrate
from app.db.tables import metadata
from app.settings import Settings
from tests.client import ok, serving
from tests.databases import Postgres
from tests.db.schema import BASE, SCRIPTS, Rows, connected, go_down, go_up, revisions, rows, shape
from tests.db.storage import kind

_REBUILD = '''
"""Rebuilds the games, and gives them a child that would go with them."""
import sqlalchemy as sa
from alembic import op

revision, down_revision, branch_labels, depends_on = "test1", "{head}", None, None


def upgrade() -> None:
    op.create_table(
        "children",
        sa.Column("game_id", sa.Text(), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    )
    op.execute("INSERT INTO children SELECT id FROM games")
    with op.batch_alter_table("games", recreate="{recreate}") as games:
        games.add_column(sa.Column("extra", sa.Integer()))


def downgrade() -> None:
    with op.batch_alter_table("games", recreate="{recreate}") as games:
        games.drop_column("extra")
    op.drop_table("children")
'''

_FAILING = '''
"""Fails half way."""
import sqlalchemy as sa
from alembic import op

revision, down_revision, branch_labels, depends_on = "test1", "{head}", None, None


def upgrade() -> None:
    op.create_table("half", sa.Column("id", sa.Integer(), primary_key=True))
    op.execute("UPDATE games SET version = 0")
    op.execute("INSERT INTO nowhere VALUES (1)")
'''


@pytest.fixture
def empty_url(request: pytest.FixtureRequest, database_url: str, tmp_path: Path) -> Iterator[str]:
    """A database without tables, of the kind of `database_url`."""
    if kind(database_url) == "sqlite":
        yield f"sqlite:///{tmp_path / 'empty.db'}"
        return
    postgres: Postgres = request.getfixturevalue("postgres")
    name = f"empty_{uuid.uuid4().hex}"
    yield postgres.create(name, "template0")
    postgres.drop(name)


def test_the_tables_are_what_the_migrations_make(empty_url: str) -> None:
    migrate.upgrade(Settings(database_url=empty_url))
    difference = connected(
        empty_url, lambda connection: compare_metadata(MigrationContext.configure(connection), metadata)
    )
    assert difference == []


def test_what_the_comparison_overlooks_is_equal_too(empty_url: str, database_url: str) -> None:
    """Primary keys, their names, conditions of indexes and the like."""

    def create(connection: sa.Connection) -> dict[str, object]:
        metadata.create_all(connection)
        return shape(connection)

    assert connected(database_url, shape) == connected(empty_url, create)


def test_each_step_down_and_up_keeps_every_row(database_url: str) -> None:
    steps = revisions()
    filled = _fill(database_url)
    states = [filled]
    for revision in [*steps[-2::-1], BASE]:
        go_down(database_url, revision)
        states.append(rows(database_url))
        _same_counts(states[-2], states[-1])
    for revision in steps:
        states.append(rows(database_url))
        go_up(database_url, revision)
        _same_counts(states[-1], rows(database_url))
    assert connected(database_url, shape).keys() == metadata.tables.keys()
    survivors = set(filled).intersection(*states)
    assert {name: filled[name] for name in survivors} == {name: rows(database_url)[name] for name in survivors}


def test_a_step_down_and_up_again_brings_the_content_back(database_url: str) -> None:
    """Of the tables that both levels have; for each step from a filled database."""
    steps = revisions()
    filled = _fill(database_url)
    for revision, lower in zip(steps[:0:-1], steps[-2::-1], strict=True):
        go_down(database_url, lower)
        kept = filled.keys() & rows(database_url).keys()
        go_up(database_url, revision)
        again = rows(database_url)
        assert {name: again[name] for name in kept} == {name: filled[name] for name in kept}
        go_down(database_url, lower)
        filled = rows(database_url)


def test_a_database_taken_down_and_up_can_be_played_on(database_url: str) -> None:
    _fill(database_url)
    go_down(database_url, BASE)
    assert rows(database_url) == {}
    go_up(database_url, "head")
    _fill(database_url)


def test_a_rebuilt_table_does_not_empty_its_children(database_url: str, tmp_path: Path) -> None:
    """SQLite rebuilds a table to change it; dropping the old one with foreign keys on deletes what refers to it."""
    recreate = "always" if kind(database_url) == "sqlite" else "auto"
    scripts = _scripts_with(tmp_path, _REBUILD, recreate=recreate)
    before = _fill(database_url)
    go_up(database_url, "test1", scripts)
    up = rows(database_url)
    assert {row["game_id"] for row in up["children"]} == {row["id"] for row in before["games"]}
    _same_counts(before, up)
    go_down(database_url, revisions()[-1], scripts)
    assert rows(database_url) == before


def test_a_migration_that_fails_leaves_no_trace(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the half of it that was done is in the way of every later attempt."""
    before = _fill(database_url)
    settings = Settings(database_url=database_url)
    monkeypatch.setattr(migrate, "_SCRIPTS", _scripts_with(tmp_path, _FAILING))
    for _ in range(2):
        with pytest.raises(Exception, match="nowhere"):
            migrate.upgrade(settings)
        assert rows(database_url) == before
        assert migrate.level(settings) == revisions()[-1]


def _scripts_with(folder: Path, text: str, **values: str) -> Path:
    """The migrations with one more, written for the test."""
    scripts = folder / "migrations"
    shutil.copytree(SCRIPTS, scripts, ignore=shutil.ignore_patterns("__pycache__"))
    (scripts / "versions" / "test1.py").write_text(text.format(head=revisions()[-1], **values))
    return scripts


def _same_counts(before: Rows, after: Rows) -> None:
    """Tables on both sides of a step have kept their rows."""
    common = before.keys() & after.keys()
    assert {name: len(before[name]) for name in common} == {name: len(after[name]) for name in common}


def _fill(database_url: str) -> Rows:
    """Plays until every table has rows; returns them."""
    asyncio.run(_play(database_url))
    filled = rows(database_url)
    assert all(filled.values()), "a table is not filled: play what fills it"
    return filled


async def _play(database_url: str) -> None:
    async with serving(database_url) as api:
        solo = await api.solo()
        for _ in range(3):
            ok(await solo.roll(Idempotency_Key=str(uuid.uuid4())))
        ok(await solo.score("chance"))
        computers = await api.solo([1, 1, 1, 1, 1], players=[{}, {"kind": "computer"}])
        ok(await computers.roll())
        ok(await computers.score("ones"))
        waiting = ok(await api.create({"open_seats": 2}, Idempotency_Key=str(uuid.uuid4())), 201)
        join = {"join_code": waiting["join_code"], "client_seed": "s"}
        ok(await api.http.post("/v1/join", json=join, headers={"Idempotency-Key": str(uuid.uuid4())}), 201)
