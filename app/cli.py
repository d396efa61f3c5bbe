"""The `penta` command."""

import signal
import sys
from pathlib import Path
from typing import NoReturn

import click
import orjson
import uvicorn
from pydantic import ValidationError

from app import log
from app.db import migrate as levels
from app.main import create_app
from app.settings import Settings
from engine.strategy.table import TableError


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="penta-server")
def main() -> None:
    """The Penta game server. Settings come from the environment, prefix PENTA_."""


@main.command()
def serve() -> None:
    """Serve the API. An SQLite file is migrated first; PostgreSQL must be at the right level (penta migrate)."""
    settings = _settings()
    log.configure(settings.log_level, settings.log_format)
    try:
        if settings.is_sqlite:
            levels.upgrade(settings)
        levels.require_head(settings)
    except levels.WrongLevelError as error:
        _fail(f"{error}; run: penta migrate")
    except Exception as error:
        _fail(f"the database cannot be used: {error}")
    try:
        app = create_app(settings)
    except TableError as error:
        _fail(f"the computer cannot play: {error}")
    # Having stopped, uvicorn raises the signal again: the process then ends well, and not by the signal.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    uvicorn.run(
        app,
        host=settings.host,
        port=settings.port,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=settings.shutdown_grace_s,
    )


@main.command()
@click.option("--to", "revision", default="head", show_default=True, help="The migration to go up to.")
def migrate(revision: str) -> None:
    """Bring the database to the level this server needs."""
    settings = _settings()
    log.configure(settings.log_level, settings.log_format)
    try:
        levels.upgrade(settings, revision)
        click.echo(f"the database is at migration {levels.level(settings)}")
    except Exception as error:
        _fail(f"the database was not migrated: {error}")


@main.command()
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path), required=False)
def openapi(path: Path | None) -> None:
    """Write the API's description (OpenAPI 3.1) to PATH, or to standard output."""
    description = create_app(Settings()).openapi()
    text = orjson.dumps(description, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    if path is None:
        sys.stdout.buffer.write(text)
    else:
        path.write_bytes(text)


def _settings() -> Settings:
    try:
        return Settings()
    except ValidationError as error:
        lines = [f"PENTA_{'.'.join(map(str, e['loc'])).upper()}: {e['msg']}" for e in error.errors()]
        _fail("wrong settings\n" + "\n".join(lines))


def _fail(message: str) -> NoReturn:
    click.echo(f"penta: {message}", err=True)
    raise SystemExit(2)


if __name__ == "__main__":
    main()
