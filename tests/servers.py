"""Real server processes for tests and measurements; each is ended by whoever started it."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

SERVER = ("-m", "app.cli", "serve")
START_TIMEOUT_S = 30.0
STOP_TIMEOUT_S = 30.0


@dataclass(frozen=True)
class Server:
    """A running process that answers on 127.0.0.1."""

    process: subprocess.Popen[bytes]
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def is_ready(self, path: str = "/readyz") -> bool:
        try:
            urllib.request.urlopen(self.url + path, timeout=5).close()
        except OSError:
            return False
        return True

    def wait_ready(self, path: str = "/readyz") -> None:
        """Waits until `path` answers 200; RuntimeError when the process ends or takes too long."""
        deadline = time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < deadline and self.process.poll() is None:
            if self.is_ready(path):
                return
            time.sleep(0.01)
        raise RuntimeError(f"the server on port {self.port} did not get ready")

    def kill(self) -> None:
        """SIGKILL: no shutdown code runs."""
        self.process.kill()
        self.process.wait(timeout=STOP_TIMEOUT_S)

    def stop(self) -> int:
        """SIGTERM; returns the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=STOP_TIMEOUT_S)


def start(
    database_url: str,
    *,
    command: tuple[str, ...] = SERVER,
    settings: Mapping[str, str] | None = None,
    log: Path | None = None,
) -> Server:
    """Starts a server process on a free port; `settings` are environment variables, `log` takes what it prints."""
    port = free_port()
    environment = {
        **os.environ,
        "PENTA_DATABASE_URL": database_url,
        "PENTA_PORT": str(port),
        "PENTA_LOG_LEVEL": "WARNING",
        **(settings or {}),
    }
    arguments = [sys.executable, *command]
    if log is None:
        return Server(subprocess.Popen(arguments, env=environment), port)
    with log.open("ab") as output:
        return Server(subprocess.Popen(arguments, env=environment, stdout=output, stderr=output), port)


@contextmanager
def running(
    database_url: str,
    *,
    command: tuple[str, ...] = SERVER,
    settings: Mapping[str, str] | None = None,
    ready: str = "/readyz",
) -> Iterator[Server]:
    """A ready server process, stopped at the end."""
    server = start(database_url, command=command, settings=settings)
    try:
        server.wait_ready(ready)
        yield server
    finally:
        server.stop()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
