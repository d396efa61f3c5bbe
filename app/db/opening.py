"""The database that the settings name."""

from app.db.database import Database
from app.db.postgres import PostgresDatabase
from app.db.sqlite import SqliteDatabase
from app.settings import Settings


def database(settings: Settings) -> Database:
    if settings.is_sqlite:
        path = settings.url.database
        return SqliteDatabase(str(path), settings.sqlite_synchronous)
    return PostgresDatabase(settings.database_url, settings.pool_size)
