"""The application: wiring only."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Final

from fastapi import FastAPI

from app import handlers
from app.api import commands, games, operations
from app.clock import Clock
from app.db.opening import database
from app.db.uow import UnitOfWork
from app.deadlines import Sleeper
from app.edge import Edge
from app.openapi import describe
from app.settings import Settings
from app.texts import LANGUAGES, catalogue
from engine.strategy.autoplay import strategies

DESCRIPTION: Final = """\
The referee for Penta, a five-dice game: thirteen boxes, three rolls a turn, upper bonus, Penta bonus and joker.
Create a game, keep the token, roll, hold, score. The server checks every move and keeps the time.
"""

ROUTERS: Final = (commands.router, games.router, operations.router)


def create_app(settings: Settings, clock: Clock | None = None) -> FastAPI:
    """The server for `settings`; `clock` replaces the database's clock. Raises TableError."""
    for language in LANGUAGES:
        catalogue(language)  # a broken catalogue is found at start, not while answering
    strategies()  # and so is a damaged table
    uow = UnitOfWork(database(settings), clock)
    sleeper = Sleeper(uow)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        await uow.database.open()
        sleeper.start()
        try:
            yield
        finally:
            await sleeper.stop()
            await uow.database.close()

    app = FastAPI(
        title="Penta",
        summary="The referee for Penta over HTTP and JSON",
        description=DESCRIPTION,
        version=version("penta-server"),
        lifespan=lifespan,
        docs_url=None,  # the default pages load from a foreign host
        redoc_url=None,
        redirect_slashes=False,
        separate_input_output_schemas=False,
    )
    app.state.settings = settings
    app.state.uow = uow
    app.state.sleeper = sleeper
    app.openapi = lambda: describe(app)  # type: ignore[method-assign]
    # Put in as they are: an included router would match every request twice. The busiest are tried first.
    app.router.routes[:0] = [route for router in ROUTERS for route in router.routes]
    handlers.install(app)
    app.add_middleware(Edge)
    return app
