"""The tables. Times are whole milliseconds since the Unix epoch, UTC.

Every key begins with the game's id, apart from what is looked up before the game is known (join codes and the keys
of requests without a token) and the index of due times: so the tables can be split by game.
"""

from typing import Final

from sqlalchemy import BigInteger, Column, Index, Integer, LargeBinary, MetaData, Table, Text

metadata: Final = MetaData(
    naming_convention={"pk": "pk_%(table_name)s", "ix": "ix_%(table_name)s_%(column_0_N_name)s"},
)

games: Final = Table(
    "games",
    metadata,
    Column("id", Text, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("state", Text, nullable=False),  # JSON of the engine's state
    Column("tokens", Text, nullable=False),  # JSON: SHA-256 of a seat's token in hex -> seat
    Column("server_seed", LargeBinary, nullable=False),
    Column("sandbox_rolls", Text),  # JSON, for sandbox games only
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Column("commanded_at", BigInteger, nullable=False),  # the last accepted command of a person
    Column("due_at", BigInteger),  # when the server must act by itself
)
Index(
    "ix_games_due_at",
    games.c.due_at,
    postgresql_where=games.c.due_at.is_not(None),
    sqlite_where=games.c.due_at.is_not(None),
)

events: Final = Table(
    "events",
    metadata,
    Column("game_id", Text, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("body", Text, nullable=False),  # JSON of the event without seq and at
    sqlite_with_rowid=False,
)

answers: Final = Table(
    "answers",
    metadata,
    Column("game_id", Text, primary_key=True),
    Column("scope", LargeBinary, primary_key=True),  # SHA-256 of the caller's token
    Column("key_hash", LargeBinary, primary_key=True),
    Column("operation", Text, nullable=False),
    Column("body_hash", LargeBinary, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("status", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("body", Text, nullable=False),
)
"""What was answered to commands with an idempotency key."""

open_answers: Final = Table(
    "open_answers",
    metadata,
    Column("key_hash", LargeBinary, primary_key=True),
    Column("game_id", Text, nullable=False),
    Column("operation", Text, nullable=False),
    Column("body_hash", LargeBinary, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("status", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("body", Text, nullable=False),  # with seat numbers where the tokens go
)
"""The same for creation and joining, where no token scopes the key."""

join_codes: Final = Table(
    "join_codes",
    metadata,
    Column("code", Text, primary_key=True),
    Column("game_id", Text, nullable=False),
)
