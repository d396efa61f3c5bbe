"""The README's commands, run as they stand there against a server of their own."""

import json
import re
import subprocess
from pathlib import Path

from app.settings import Settings
from tests.servers import running

ROOT = Path(__file__).parent.parent
ADDRESS = "http://127.0.0.1:8000"
TIMEOUT_S = 60


def commands() -> str:
    """The shell blocks in order, without those that call make: the tests run in what those set up."""
    blocks = re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    script = "".join(block for block in blocks if not block.startswith("make "))
    assert ADDRESS in script
    return script


def test_the_commands_of_the_readme_play_a_whole_game(tmp_path: Path, sqlite_url: str) -> None:
    with running(sqlite_url) as server:
        script = "set -euo pipefail\n" + commands().replace(ADDRESS, server.url)
        ran = subprocess.run(
            ["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
        )
    assert ran.returncode == 0, ran.stderr
    lines = ran.stdout.splitlines()
    first, second = (json.loads(line) for line in lines[:2])
    assert (first[0], first[4]) == (second[0], second[4])
    filled = [json.loads(line)["filled"] for line in lines if '"filled"' in line]
    assert filled == list(range(2, 14))
    (result,) = (json.loads(line) for line in lines if '"ranking"' in line)
    assert result["winners"] == [0]
    assert '"server_seed": "' in ran.stdout
    assert lines[-1] == '"active"'


def test_every_setting_is_in_the_readme() -> None:
    text = (ROOT / "README.md").read_text()
    assert [name for name in Settings.model_fields if f"PENTA_{name.upper()}`" not in text] == []
