"""Output of every benchmark: a table for people, and a JSON file that says where and how it was measured."""

import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import psutil
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from core.errors import CoreError
from core.trainer.machines import processor_name

RESULTS = Path(__file__).parents[1] / "results"
_PACKAGES = ("torch", "numpy", "hivemind", "bitsandbytes")
_TABLE_WIDTH = 160
_ROOT = Path(__file__).parents[2]


class BenchmarkReport:
    """One benchmark's results; make it before measuring, as it notes the commit and the machine's load."""

    def __init__(self, name: str, notes: str) -> None:
        self.name, self._notes = name, notes
        self._load_before, self.commit, self._machine = os.getloadavg(), _commit(), _machine()

    def write(self, rows: Sequence[Mapping[str, Any]], *, folder: Path, **settings: Any) -> Path:
        """Print the rows as a table and save them as ``folder/NAME.json``; return that path."""
        self.show(rows)
        return self.save(rows, folder=folder, **settings)

    def show(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Print the rows as a table."""
        _print_table(self.name, rows)

    def save(self, rows: Sequence[Mapping[str, Any]], *, folder: Path, **settings: Any) -> Path:
        """Save the rows as ``folder/NAME.json`` atomically; return that path."""
        content = {
            "benchmark": self.name,
            "notes": self._notes,
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "command": shlex.join(["python", *sys.orig_argv[1:]]),
            "commit": self.commit,
            "machine": self._machine,
            "load_average": {"before": self._load_before, "after": os.getloadavg()},
            "settings": settings,
            "results": rows,
        }
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.name}.json"
        new = path.with_suffix(".new")
        new.write_text(json.dumps(content, indent=2, default=float) + "\n")
        return new.replace(path)


def known_rows(path: Path) -> list[dict[str, Any]]:
    """Return the rows that a file of results has; none if it is missing."""
    return list(json.loads(path.read_text())["results"]) if path.exists() else []


def measure_missing(
    name: str,
    notes: str,
    cases: Iterable[str],
    measure: Callable[[str], dict[str, Any]],
    *,
    folder: Path,
    **settings: Any,
) -> None:
    """Measure those of the ``cases`` that ``folder/NAME.json`` lacks, and add each row as soon as it is measured."""
    for case in cases:
        rows = known_rows(folder / f"{name}.json")
        if any(row["case"] == case for row in rows):
            continue
        report = BenchmarkReport(name, notes)
        row = {**measure(case), "commit": report.commit}
        report.show([{key: value for key, value in row.items() if not isinstance(value, list)}])
        report.save([*rows, row], folder=folder, **settings)


def rounded(value: float, digits: int = 4) -> float:
    """Round to that many significant digits: more would only be noise."""
    return float(f"{value:.{digits}g}")


def _print_table(title: str, rows: Sequence[Mapping[str, Any]]) -> None:
    table = Table(title=title)
    for column in rows[0]:
        numeric = isinstance(rows[0][column], int | float)
        table.add_column(column.replace("_", " "), justify="right" if numeric else "left")
    for row in rows:
        table.add_row(*(_cell(value) for value in row.values()))
    console = Console()
    console.width = max(console.width, _TABLE_WIDTH)  # a log file has no width of its own
    console.print(table)


def _cell(value: object) -> str:
    return f"{value:,}" if isinstance(value, int | float) else escape(str(value))


def _machine() -> dict[str, Any]:
    return {
        "cpu": processor_name(),
        "cores": psutil.cpu_count(logical=False),
        "threads": psutil.cpu_count(),
        "memory_bytes": psutil.virtual_memory().total,
        "system": platform.platform(),
        "python": platform.python_version(),
        **{package: _version(package) for package in _PACKAGES},
    }


def _version(package: str) -> str | None:
    """Return the version, or None if the package is not installed, as on a machine with its own PyTorch."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _commit() -> str:
    """Return the commit, marked if files other than results differ from it; empty outside a repository."""
    commit = _git("rev-parse", "--short", "HEAD")
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!benchmarks/results")
    return f"{commit}-dirty" if changed else commit


def _git(*arguments: str) -> str:
    if shutil.which("git") is None:
        return ""
    done = subprocess.run(["git", *arguments], cwd=_ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()


@contextmanager
def reporting_errors() -> Iterator[None]:
    """End the program with the message of an error of ours."""
    try:
        yield
    except CoreError as error:
        raise SystemExit(f"{error.what}\n{error.remedy}") from error
