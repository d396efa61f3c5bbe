"""What a roll is measured against: a bare FastAPI endpoint that runs the same SQLAlchemy Core statements.

No rules, no tokens, no dice, no checks: load the locked game, store it with the next version, insert an event, answer
with a text of the size of a game. Run as `python -m tests.bench.bare`, with the settings of the server.
"""

from typing import Any

import uvicorn
from fastapi import FastAPI, Response
from sqlalchemy import Connection, Engine, RowMapping, create_engine, event
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import StaticPool

from app.db.repository import INSERT_EVENT, LOCK_GAME, UPDATE_GAME
from app.schemas.requests import RollDice
from app.settings import Settings

ANSWER = b"x" * 1900
"""About the size of a game for one after a roll."""
EVENT = '{"type":"rolled","seat":0,"roll_number":1,"held":[],"dice":[1,2,3,4,5]}'


def bare_app(settings: Settings) -> FastAPI:
    return _on_sqlite(settings) if settings.is_sqlite else _on_postgres(settings)


def _on_sqlite(settings: Settings) -> FastAPI:
    """One synchronous connection, used on the event loop."""
    app = FastAPI()
    connection = _sqlite_engine(settings).connect()

    @app.post("/v1/games/{game_id}/roll")
    async def roll(game_id: str, body: RollDice | None = None) -> Response:
        with connection.begin():
            row = connection.execute(LOCK_GAME, {"game_id": game_id}).mappings().one()
            changed = connection.execute(UPDATE_GAME, _changed(row)).rowcount
            connection.execute(INSERT_EVENT, _event(row))
        return _answer(changed)

    return app


def _on_postgres(settings: Settings) -> FastAPI:
    """An async engine with the server's pool size."""
    app = FastAPI()
    url = settings.url.set(drivername="postgresql+asyncpg")
    engine = create_async_engine(url, pool_size=settings.pool_size, max_overflow=0)

    @app.post("/v1/games/{game_id}/roll")
    async def roll(game_id: str, body: RollDice | None = None) -> Response:
        async with engine.begin() as connection:
            row = (await connection.execute(LOCK_GAME, {"game_id": game_id})).mappings().one()
            changed = (await connection.execute(UPDATE_GAME, _changed(row))).rowcount
            await connection.execute(INSERT_EVENT, _event(row))
        return _answer(changed)

    return app


def _sqlite_engine(settings: Settings) -> Engine:
    engine = create_engine(settings.url, poolclass=StaticPool, connect_args={"check_same_thread": False})

    @event.listens_for(engine, "connect")
    def connected(driver: Any, _record: Any) -> None:
        driver.isolation_level = None
        driver.execute("PRAGMA journal_mode=WAL")
        driver.execute(f"PRAGMA synchronous={settings.sqlite_synchronous}")

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _changed(row: RowMapping) -> dict[str, Any]:
    return {
        "game_id": row["id"],
        "old_version": row["version"],
        "version": row["version"] + 1,
        "state": row["state"],
        "tokens": row["tokens"],
        "updated_at": row["now"],
        "commanded_at": row["now"],
        "due_at": row["due_at"],
    }


def _event(row: RowMapping) -> dict[str, Any]:
    return {"game_id": row["id"], "seq": row["version"] + 1, "at": row["now"], "body": EVENT}


def _answer(changed: int) -> Response:
    return Response(ANSWER, 200 if changed == 1 else 500, media_type="application/json")


if __name__ == "__main__":
    chosen = Settings()
    uvicorn.run(bare_app(chosen), host=chosen.host, port=chosen.port, log_config=None, access_log=False)
