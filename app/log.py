"""Structured logs on standard error, one event a line, each with the id of its request."""

import logging
import re
import sys
from contextvars import ContextVar
from typing import Any, Final, TextIO
from uuid import uuid4

import orjson
import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

request_id: Final[ContextVar[str]] = ContextVar("request_id", default="")
"""The id of the request that is being answered."""

_KEPT_ID: Final = re.compile(r"[0-9A-Fa-f-]{32,36}")
_QUIET: Final = ("uvicorn", "uvicorn.error", "alembic")

# Without local variables: those hold tokens and seeds.
_TRACEBACKS: Final = structlog.processors.ExceptionRenderer(
    structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
)


def configure(level: str, form: str, stream: TextIO | None = None) -> None:
    """Sends structlog's and the standard library's records the same way; `form` is `json` or `console`."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        _request_id,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    last: list[Processor] = (
        [_TRACEBACKS, structlog.processors.JSONRenderer(_dump)]
        if form == "json"
        else [structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)]
    )
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level]),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, structlog.stdlib.ExtraAdder()],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _drop_color, *last],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level)
    for name in _QUIET:
        logging.getLogger(name).handlers = []
        logging.getLogger(name).propagate = True


def begin_request(wanted: str | None) -> str:
    """Names the request that begins: as the client `wanted`, if that is a UUID, or by chance."""
    name = wanted if wanted is not None and _KEPT_ID.fullmatch(wanted) else uuid4().hex
    request_id.set(name)
    return name


def _request_id(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    if current := request_id.get():
        event["request_id"] = current
    return event


def _drop_color(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    event.pop("color_message", None)  # uvicorn's second copy of its message
    return event


def _dump(event: Any, **_options: Any) -> str:
    return orjson.dumps(event, default=repr).decode()
