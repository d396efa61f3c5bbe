"""Settings from the environment, prefix `PENTA_`, checked at start."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field
from pydantic_settings import BaseSettings, SettingsConfigDict
from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError


def normal_url(text: str) -> str:
    """A database URL with the scheme `sqlite` or `postgresql`, whichever of their spellings was given."""
    try:
        url = make_url(text)
    except ArgumentError:
        raise ValueError("not a database URL, such as sqlite:///penta.db or postgresql://user@host/name") from None
    scheme = url.drivername.partition("+")[0]
    if scheme in ("postgres", "postgresql"):
        return url.set(drivername="postgresql").render_as_string(hide_password=False)
    if scheme != "sqlite":
        raise ValueError("the database must be sqlite or postgresql")
    if url.database in (None, "", ":memory:"):
        raise ValueError("SQLite needs a file, such as sqlite:///penta.db")
    return url.set(drivername="sqlite").render_as_string(hide_password=False)


class Settings(BaseSettings):
    """One field a setting; the environment variable is its name in capitals with the prefix `PENTA_`."""

    model_config = SettingsConfigDict(env_prefix="PENTA_", frozen=True, hide_input_in_errors=True)

    database_url: Annotated[str, AfterValidator(normal_url)] = Field(default="sqlite:///penta.db", repr=False)
    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8000
    sandbox: bool = False
    locale: Literal["hr", "en"] = "hr"
    pool_size: Annotated[int, Field(ge=1, le=1000)] = 10
    sqlite_synchronous: Literal["FULL", "NORMAL"] = "FULL"
    shutdown_grace_s: Annotated[int, Field(ge=1, le=300)] = 10
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    log_format: Literal["json", "console"] = "json"

    @property
    def url(self) -> URL:
        return make_url(self.database_url)

    @property
    def is_sqlite(self) -> bool:
        return self.url.drivername == "sqlite"
