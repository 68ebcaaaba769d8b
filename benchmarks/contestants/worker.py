"""The driver's side of a worker: starts it in its environment, asks, and ends it."""

import json
import os
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from core.errors import CoreError

ROOT = Path(__file__).parents[2]


class WorkerError(CoreError):
    """A worker of a benchmark could not be started, or failed at what it was asked for."""

    code = "worker"


class Worker:
    """A module of this repository run by some environment's Python, with one thread."""

    def __init__(self, python: Path, module: str, *arguments: Path) -> None:
        if not python.exists():
            raise WorkerError(
                f"There is no Python at {python}.", "Run `make bench`, which makes what is missing."
            )
        self._name = module
        self._log = tempfile.TemporaryFile("w+")  # noqa: SIM115 - closed with the worker
        self._process = subprocess.Popen(
            [python, "-m", module, *arguments],
            cwd=ROOT,
            env={**os.environ, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )

    def ask(self, verb: str, **arguments: Any) -> Any:
        """Return the worker's answer to ``verb``; raise WorkerError with its traceback or log if it has none."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps({"verb": verb, **arguments}) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        answer = json.loads(line) if line else {"error": self._last_output()}
        if "error" in answer:
            raise WorkerError(
                f"{self._name} failed at {verb!r}: {answer['error']}", "See what it says above."
            )
        return answer["result"]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the worker, whatever it is doing: it has nothing to save."""
        self._process.kill()
        self._process.communicate()
        self._log.close()

    def _last_output(self) -> str:
        self._process.wait()
        self._log.seek(0)
        return self._log.read()[-4000:] or f"exit status {self._process.returncode}"
