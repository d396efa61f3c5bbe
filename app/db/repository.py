"""All SQL. Functions take the connection of the transaction they belong to."""

from collections.abc import Sequence
from typing import Any, Final

import orjson
from sqlalchemy import Select, Table, and_, bindparam, func, insert, select, tuple_, update
from sqlalchemy.dialects.postgresql import Insert as Upsert  # SQLite's dialect knows it too
from sqlalchemy.sql.elements import ClauseElement

from app.db.database import Connection, Row, clock_ms
from app.db.errors import UnavailableError
from app.db.records import Answer, AnswerKey, Record, StoredAnswer
from app.db.tables import answers, events, games, join_codes, open_answers
from engine.codec import Plain, event_from_plain, event_to_plain, game_from_plain, game_to_plain
from engine.dice import Dice
from engine.events import Event
from engine.game import Millis, Seat

KEYS_KEPT_MS: Final = 24 * 60 * 60 * 1000
"""How long an answer is replayed to its idempotency key."""


def _lock_game(*, skip_locked: bool) -> Select[Any]:
    """The clock stands outside the locking query: it is read once the lock is held."""
    locked = select(games).where(games.c.id == bindparam("game_id")).with_for_update(skip_locked=skip_locked)
    return select(locked.cte("locked").prefix_with("MATERIALIZED", dialect="postgresql"), clock_ms().label("now"))


def _kept(table: Table) -> Upsert:
    """Inserts an answer, in the place of one past its time; no row is touched where another answer stands."""
    statement = Upsert(table)
    return statement.on_conflict_do_update(
        index_elements=table.primary_key.columns.keys(),
        set_={column.name: statement.excluded[column.name] for column in table.columns if not column.primary_key},
        where=table.c.created_at < bindparam("kept_from"),
    )


LOCK_GAME: Final = _lock_game(skip_locked=False)
_LOCK_GAME_IF_FREE: Final = _lock_game(skip_locked=True)
_READ_GAME: Final = select(games, clock_ms().label("now")).where(games.c.id == bindparam("game_id"))
_INSERT_GAME: Final = insert(games)
UPDATE_GAME: Final = (
    update(games)
    .where(and_(games.c.id == bindparam("game_id"), games.c.version == bindparam("old_version")))
    .values(
        version=bindparam("version"),
        state=bindparam("state"),
        tokens=bindparam("tokens"),
        updated_at=bindparam("updated_at"),
        commanded_at=bindparam("commanded_at"),
        due_at=bindparam("due_at"),
    )
)
INSERT_EVENT: Final = insert(events)
_READ_EVENTS: Final = (
    select(events.c.seq, events.c.at, events.c.body)
    .where(and_(events.c.game_id == bindparam("game_id"), events.c.seq > bindparam("after")))
    .order_by(events.c.seq)
    .limit(bindparam("limit"))
)
_THIS_ANSWER = and_(
    answers.c.game_id == bindparam("game_id"),
    answers.c.scope == bindparam("scope"),
    answers.c.key_hash == bindparam("key_hash"),
)
_FIND_ANSWER: Final = select(answers).where(_THIS_ANSWER)
_FIND_OPEN_ANSWER: Final = select(open_answers).where(open_answers.c.key_hash == bindparam("key_hash"))
_KEEP_ANSWER: Final = _kept(answers)
_KEEP_OPEN_ANSWER: Final = _kept(open_answers)
_INSERT_JOIN_CODE: Final = insert(join_codes)
_FIND_JOIN_CODE: Final = select(join_codes.c.game_id).where(join_codes.c.code == bindparam("code"))
_CLOCK: Final = select(clock_ms().label("now"))
_DUE: Final = (
    select(games.c.id, games.c.due_at)
    .where(
        and_(
            games.c.due_at.is_not(None),
            games.c.due_at <= bindparam("now"),
            tuple_(games.c.due_at, games.c.id) > tuple_(bindparam("after_due_at"), bindparam("after_id")),
        )
    )
    .order_by(games.c.due_at, games.c.id)
    .limit(bindparam("limit"))
)
_NEXT_DUE: Final = select(func.min(games.c.due_at).label("due_at")).where(
    and_(games.c.due_at.is_not(None), games.c.due_at > bindparam("after"))
)


async def lock_game(connection: Connection, game_id: str, *, wait: bool = True) -> Record | None:
    """The game, locked until the transaction ends, with the clock read after that.

    Without `wait`, None also where another transaction holds it.
    """
    statement = LOCK_GAME if wait else _LOCK_GAME_IF_FREE
    return _record(await connection.one(statement, {"game_id": game_id}))


async def read_game(connection: Connection, game_id: str) -> Record | None:
    """The game as last committed; nothing is locked."""
    return _record(await connection.one(_READ_GAME, {"game_id": game_id}))


async def insert_game(connection: Connection, record: Record, due_at: Millis | None) -> None:
    rolls = record.sandbox_rolls
    await connection.run(
        _INSERT_GAME,
        {
            **_written(record, due_at),
            "id": record.id,
            "server_seed": record.server_seed,
            "sandbox_rolls": _dump(rolls) if rolls is not None else None,
            "created_at": record.created_at,
        },
    )


async def update_game(connection: Connection, old_version: int, record: Record, due_at: Millis | None) -> bool:
    """Stores the game over `old_version`; False when that is not the stored version any more."""
    values = {**_written(record, due_at), "game_id": record.id, "old_version": old_version}
    return await connection.run(UPDATE_GAME, values) == 1


async def insert_events(connection: Connection, game_id: str, new: Sequence[Event]) -> None:
    await connection.run_many(INSERT_EVENT, [_event_row(game_id, event) for event in new])


async def read_events(connection: Connection, game_id: str, after: int, limit: int) -> list[Event]:
    """Events with a seq greater than `after`, in order."""
    rows = await connection.all(_READ_EVENTS, {"game_id": game_id, "after": after, "limit": limit})
    return [event_from_plain(_plain_event(row)) for row in rows]


async def find_answer(connection: Connection, game_id: str, key: AnswerKey, now: Millis) -> StoredAnswer | None:
    """What was answered under `key`; None for an answer past its time."""
    if key.scope is None:
        row = await connection.one(_FIND_OPEN_ANSWER, {"key_hash": key.key_hash})
    else:
        where: Plain = {"game_id": game_id, "scope": key.scope, "key_hash": key.key_hash}
        row = await connection.one(_FIND_ANSWER, where)
    if row is None or row["created_at"] < now - KEYS_KEPT_MS:
        return None
    answer = Answer(row["status"], row["version"], row["body"], replayed=True)
    return StoredAnswer(row["game_id"], row["operation"], row["body_hash"], answer)


async def keep_answer(connection: Connection, game_id: str, key: AnswerKey, answer: Answer, now: Millis) -> bool:
    """Stores what is answered under `key`; False when another answer stands there."""
    values = {
        "game_id": game_id,
        "key_hash": key.key_hash,
        "operation": key.operation,
        "body_hash": key.body_hash,
        "created_at": now,
        "status": answer.status,
        "version": answer.version,
        "body": answer.body,
        "kept_from": now - KEYS_KEPT_MS,
    }
    if key.scope is None:
        return await connection.run(_KEEP_OPEN_ANSWER, values) == 1
    return await connection.run(_KEEP_ANSWER, {**values, "scope": key.scope}) == 1


async def insert_join_code(connection: Connection, code: str, game_id: str) -> None:
    await connection.run(_INSERT_JOIN_CODE, {"code": code, "game_id": game_id})


async def find_join_code(connection: Connection, code: str) -> str | None:
    """The id of the game that `code` opens."""
    row = await connection.one(_FIND_JOIN_CODE, {"code": code})
    return row["game_id"] if row else None


async def read_clock(connection: Connection) -> Millis:
    return Millis((await _only(connection, _CLOCK, {}))["now"])


async def due_games(
    connection: Connection, now: Millis, after: tuple[Millis, str], limit: int
) -> list[tuple[Millis, str]]:
    """Due time and id of games due at `now`, in that order, from the one that follows `after`."""
    after_due_at, after_id = after
    values = {"now": now, "after_due_at": after_due_at, "after_id": after_id, "limit": limit}
    return [(Millis(row["due_at"]), row["id"]) for row in await connection.all(_DUE, values)]


async def next_due(connection: Connection, after: Millis) -> Millis | None:
    """The earliest due time later than `after`."""
    due: Millis | None = (await _only(connection, _NEXT_DUE, {"after": after}))["due_at"]
    return due


async def _only(connection: Connection, statement: ClauseElement, values: Plain) -> Row:
    """The row of a query that always has one."""
    row = await connection.one(statement, values)
    if row is None:
        raise UnavailableError("a query without conditions gave no row")
    return row


def _dump(value: Any) -> str:
    return orjson.dumps(value).decode()


def _record(row: Row | None) -> Record | None:
    if row is None:
        return None
    rolls = row["sandbox_rolls"]
    return Record(
        id=row["id"],
        game=game_from_plain(orjson.loads(row["state"])),
        server_seed=row["server_seed"],
        tokens={token: Seat(seat) for token, seat in orjson.loads(row["tokens"]).items()},
        sandbox_rolls=tuple(_dice(roll) for roll in orjson.loads(rolls)) if rolls is not None else None,
        created_at=Millis(row["created_at"]),
        updated_at=Millis(row["updated_at"]),
        commanded_at=Millis(row["commanded_at"]),
        now=Millis(row["now"]),
    )


def _dice(values: list[int]) -> Dice:
    return tuple(values)


def _written(record: Record, due_at: Millis | None) -> Plain:
    """The columns that every change writes."""
    return {
        "version": record.game.version,
        "state": _dump(game_to_plain(record.game)),
        "tokens": _dump(record.tokens),
        "updated_at": record.updated_at,
        "commanded_at": record.commanded_at,
        "due_at": due_at,
    }


def _event_row(game_id: str, event: Event) -> Plain:
    body = event_to_plain(event)
    return {"game_id": game_id, "seq": body.pop("seq"), "at": body.pop("at"), "body": _dump(body)}


def _plain_event(row: Row) -> Plain:
    return {"seq": row["seq"], "at": row["at"], **orjson.loads(row["body"])}
