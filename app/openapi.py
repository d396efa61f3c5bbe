"""The contract file: FastAPI's description, with errors under their own media type."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from app.problems import MEDIA_TYPE

SECURITY = {"seatToken": {"type": "http", "scheme": "bearer", "description": "The token of a seat"}}


def describe(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI description of `app`; made once."""
    if app.openapi_schema is None:
        schema = get_openapi(
            title=app.title, version=app.version, summary=app.summary, description=app.description, routes=app.routes
        )
        schema["components"]["securitySchemes"] = SECURITY
        for path in schema["paths"].values():
            for operation in path.values():
                _errors_as_problems(operation["responses"])
        app.openapi_schema = schema
    return app.openapi_schema


def _errors_as_problems(responses: dict[str, Any]) -> None:
    for status, response in responses.items():
        if int(status) >= 400:
            response["content"] = {MEDIA_TYPE: response["content"]["application/json"]}
        elif int(status) == 304:
            response.pop("content", None)
