"""The description of the API, and that the tests' client holds every response against it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from app.main import create_app
from app.settings import Settings
from tests.api.contract import PROBLEM, Contract
from tests.api.kit import UNKNOWN
from tests.client import Json

ROOT = Path(__file__).parents[2]
GAME = f"/v1/games/{UNKNOWN}"
REQUEST_ID = "0" * 32


@pytest.fixture(scope="module")
def description() -> Json:
    return create_app(Settings(database_url="sqlite:///unused.db")).openapi()


@pytest.fixture(scope="module")
def contract(description: Json) -> Contract:
    return Contract(description)


def operations(description: Json) -> Iterator[Json]:
    for methods in description["paths"].values():
        yield from methods.values()


class TestDescription:
    def test_no_schema_is_named_for_a_direction(self, description: Json) -> None:
        """D05."""
        names = description["components"]["schemas"]
        assert not [name for name in names if name.endswith(("-Input", "-Output"))]
        assert "HTTPValidationError" not in names

    @pytest.mark.parametrize("seed", ["0", "4711"])
    def test_the_file_is_up_to_date(self, seed: str) -> None:
        """D05: the same bytes, whatever the order of sets and dictionaries."""
        env = {**os.environ, "PYTHONHASHSEED": seed}
        written = subprocess.run([sys.executable, "-m", "app.cli", "openapi"], cwd=ROOT, env=env, capture_output=True)
        assert written.returncode == 0, written.stderr
        assert written.stdout == (ROOT / "openapi" / "openapi.json").read_bytes()

    def test_schemas_are_schemas(self, description: Json) -> None:
        assert description["openapi"].startswith("3.1.")
        for schema in description["components"]["schemas"].values():
            Draft202012Validator.check_schema(schema)

    def test_operations_have_names(self, description: Json) -> None:
        ids = [operation["operationId"] for operation in operations(description)]
        assert len(set(ids)) == len(ids)
        assert all(operation["summary"] for operation in operations(description))

    def test_errors_have_one_shape(self, description: Json) -> None:
        for operation in operations(description):
            for status, response in operation["responses"].items():
                if int(status) >= 400:
                    schema = response["content"][PROBLEM]["schema"]
                    assert schema == {"$ref": "#/components/schemas/Problem"}

    def test_commands_need_a_token_and_reads_take_one(self, description: Json) -> None:
        for path, methods in description["paths"].items():
            for method, operation in methods.items():
                security = operation.get("security")
                if method == "get" and path.startswith("/v1/games/"):
                    assert security == [{}, {"seatToken": []}]
                elif method == "post" and path.startswith("/v1/games/{id}/") and not path.endswith("/players"):
                    assert security == [{"seatToken": []}]
                else:
                    assert security is None

    def test_examples_are_valid(self, description: Json) -> None:
        """Those of request fields, with which people begin."""
        schemas = description["components"]["schemas"]
        seen = 0
        for schema in schemas.values():
            for part in schema.get("properties", {}).values():
                for example in part.get("examples", []):
                    Draft202012Validator({**part, "components": {"schemas": schemas}}).validate(example)
                    seen += 1
        assert seen > 3


def problem(code: str, status: int, /, **changes: Any) -> httpx.Response:
    body = {"type": f"/problems/{code}", "title": "t", "status": status, "detail": "d", "code": code}
    return httpx.Response(status, json={**body, "request_id": REQUEST_ID, **changes}, headers={"Content-Type": PROBLEM})


EVENT: Json = {"seq": 1, "at": "2026-09-21T14:13:20.000Z", "type": "player_left", "seat": 0}


def events(**changes: Any) -> httpx.Response:
    return httpx.Response(200, json={"events": [{**EVENT, **changes}], "next_after": 1})


OK = httpx.Response(200, json={"status": "ok"})
GOOD = {
    "success": ("GET", "/livez", OK),
    "events": ("GET", f"{GAME}/events", events()),
    "microseconds": ("GET", f"{GAME}/events", events(at="2026-09-21T14:13:20.000001Z")),
    "problem": ("GET", GAME, problem("game_not_found", 404)),
    "not-modified": ("GET", GAME, httpx.Response(304)),
    "head": ("HEAD", "/livez", httpx.Response(200, headers={"Content-Type": "application/json"})),
    "options": ("OPTIONS", GAME, httpx.Response(204)),
    "no-address": ("GET", "/v1/nothing", problem("not_found", 404)),
    "no-method": ("DELETE", GAME, problem("method_not_allowed", 405)),
    "preflight-of-no-address": ("OPTIONS", "/v1/nothing", httpx.Response(204)),
}
BAD = {
    "undeclared-status": ("GET", "/livez", problem("game_not_found", 404)),
    "undeclared-success": ("GET", "/livez", httpx.Response(201, json={"status": "ok"})),
    "undeclared-code": ("GET", GAME, problem("wrong_join_code", 404)),
    "unknown-code": ("GET", GAME, problem("nonsense", 404)),
    "problem-as-json": ("GET", GAME, httpx.Response(404, json=problem("game_not_found", 404).json())),
    "text": ("GET", "/livez", httpx.Response(200, text="ok")),
    "other-status-in-the-body": ("GET", GAME, problem("game_not_found", 404, status=400)),
    "other-type-in-the-body": ("GET", GAME, problem("game_not_found", 404, type="/problems/other")),
    "field-missing": ("GET", "/livez", httpx.Response(200, json={})),
    "field-too-many": ("GET", "/livez", httpx.Response(200, json={"status": "ok", "up": 1})),
    "field-too-many-inside": ("GET", f"{GAME}/events", events(name="x")),
    "wrong-value": ("GET", "/livez", httpx.Response(200, json={"status": "fine"})),
    "wrong-type": ("GET", f"{GAME}/events", events(seat="0")),
    "unknown-event": ("GET", f"{GAME}/events", events(type="player_danced")),
    "time-with-an-offset": ("GET", f"{GAME}/events", events(at="2026-09-21T14:13:20.000+00:00")),
    "time-in-seconds": ("GET", f"{GAME}/events", events(at="2026-09-21T14:13:20Z")),
    "null-where-nothing-is-null": ("GET", GAME, problem("game_not_found", 404, game=None)),
    "head-with-a-body": ("HEAD", "/livez", OK),
    "not-modified-with-a-body": ("GET", GAME, httpx.Response(304, json={})),
    "options-with-a-body": ("OPTIONS", GAME, httpx.Response(204, json={})),
    "success-at-no-address": ("GET", "/v1/nothing", OK),
    "success-with-no-method": ("DELETE", "/livez", OK),
    "other-code-at-no-address": ("GET", "/v1/nothing", problem("game_not_found", 404)),
    "text-at-no-address": ("GET", "/v1/nothing", httpx.Response(404, text="Not Found")),
}


class TestChecker:
    @pytest.mark.parametrize(("method", "path", "response"), GOOD.values(), ids=GOOD)
    def test_lets_pass(self, contract: Contract, method: str, path: str, response: httpx.Response) -> None:
        response.request = httpx.Request(method, f"http://penta{path}")
        contract.check(response.request, response)

    @pytest.mark.parametrize(("method", "path", "response"), BAD.values(), ids=BAD)
    def test_stops(self, contract: Contract, method: str, path: str, response: httpx.Response) -> None:
        response.request = httpx.Request(method, f"http://penta{path}")
        with pytest.raises(AssertionError, match=path):
            contract.check(response.request, response)
