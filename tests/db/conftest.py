"""Two servers in process on one database: one in the past, to prepare games, and one on the database's clock."""

from collections.abc import AsyncIterator

import pytest

from tests.client import Api, serving
from tests.db.faulty import FaultyDatabase
from tests.db.operations import a_minute_ago, on_time
from tests.db.storage import Storage, storage


@pytest.fixture
async def past(database_url: str) -> AsyncIterator[Api]:
    async with serving(database_url, a_minute_ago()) as running:
        yield running


@pytest.fixture
async def now(database_url: str) -> AsyncIterator[Api]:
    async with on_time(database_url) as running:
        yield running


@pytest.fixture
async def stored(database_url: str) -> AsyncIterator[Storage]:
    async with storage(database_url) as opened:
        yield opened


@pytest.fixture
def faulty(now: Api) -> FaultyDatabase:
    """The database under the server `now`, able to fail."""
    database = FaultyDatabase(now.uow.database)
    now.uow.database = database
    return database
