"""How Alembic reaches the database: over the connection it is given, each migration in a transaction of its own."""

from alembic import context
from sqlalchemy import Connection, event

from app.db.tables import metadata


def _prepare_sqlite(connection: Connection) -> None:
    """Makes SQLite's migrations atomic, and safe for tables that others refer to.

    The driver would commit before each DDL statement; and a table is changed by building it anew, which with foreign
    keys on would delete the rows that refer to the old one.
    """
    connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
    connection.commit()
    driver = connection.connection.driver_connection
    if driver is not None:
        driver.isolation_level = None
    event.listen(connection, "begin", lambda begun: begun.exec_driver_sql("BEGIN"))


given: Connection = context.config.attributes["connection"]
if given.dialect.name == "sqlite":
    _prepare_sqlite(given)
context.configure(
    connection=given,
    target_metadata=metadata,
    render_as_batch=True,
    transaction_per_migration=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
