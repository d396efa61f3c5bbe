"""Servers for the tests: two on PostgreSQL, one on SQLite, kept for all tests that do not end them."""

import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from tests.databases import KINDS, Postgres, sqlite_copy, sqlite_template
from tests.db.storage import Storage, storage
from tests.faults.servers import Servers, clients
from tests.servers import Server


@dataclass(frozen=True)
class Cluster:
    """Servers that share a database; SQLite allows one."""

    servers: list[Server]
    database_url: str
    logs: Servers


@dataclass(frozen=True)
class Running:
    """A cluster with clients for its servers, and its database."""

    cluster: Cluster
    https: list[httpx.AsyncClient]
    stored: Storage

    def http(self, number: int) -> httpx.AsyncClient:
        """One client after the other."""
        return self.https[number % len(self.https)]


@asynccontextmanager
async def opened(cluster: Cluster) -> AsyncIterator[Running]:
    async with clients(cluster.servers) as https, storage(cluster.database_url) as stored:
        yield Running(cluster, https, stored)


@pytest.fixture(scope="session")
def sqlite_cluster(shared_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    folder = tmp_path_factory.mktemp("sqlite_cluster")
    url = sqlite_copy(sqlite_template(shared_folder), folder)
    servers = Servers(folder)
    try:
        yield Cluster(servers.start(url), url, servers)
    finally:
        servers.stop()


@pytest.fixture(scope="session")
def postgres_cluster(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    name = f"cluster_{uuid.uuid4().hex}"
    url = postgres.create(name)
    servers = Servers(tmp_path_factory.mktemp("postgres_cluster"))
    try:
        yield Cluster(servers.start(url, count=2), url, servers)
    finally:
        servers.stop()
        postgres.drop(name)


@pytest.fixture(params=KINDS)
def cluster(request: pytest.FixtureRequest) -> Cluster:
    """A test that asks for it runs on both kinds."""
    name = "sqlite_cluster" if request.param == "sqlite" else "postgres_cluster"
    found: Cluster = request.getfixturevalue(name)
    return found


@pytest.fixture
async def running(cluster: Cluster) -> AsyncIterator[Running]:
    async with opened(cluster) as found:
        yield found


@pytest.fixture
async def on_postgres(postgres_cluster: Cluster) -> AsyncIterator[Running]:
    async with opened(postgres_cluster) as found:
        yield found


@pytest.fixture
async def on_sqlite(sqlite_cluster: Cluster) -> AsyncIterator[Running]:
    async with opened(sqlite_cluster) as found:
        yield found


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Servers]:
    """For servers of the test's own."""
    own = Servers(tmp_path)
    yield own
    own.stop()
