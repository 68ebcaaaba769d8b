"""Runs the tests that are marked ``cuda`` with what the machine has: without the other tests' fixtures and plugins.

Files are found by the mark, so that nothing else of the tests is imported: those that hold it import torch, numpy,
pydantic, pytest, what the benchmarks' reports are made with, and no other package.
"""

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.gpu.needs import importable, why_missing
from benchmarks.gpu.part import PartReport, run_part
from benchmarks.measuring.tensor_memory import free_memory

if TYPE_CHECKING:
    import pytest

_ROOT = Path(__file__).parents[2]
_MARKED = re.compile(r"^pytestmark = .*\bpytest\.mark\.cuda\b", re.MULTILINE)


class OutcomeRecorder:
    """Writes down each test's outcome, and stops when the time is over: a plugin of pytest's."""

    def __init__(self, part: PartReport) -> None:
        self._part = part
        self.waiting: dict[str, None] = {}
        """Tests that have not run."""

    def pytest_collection_finish(self, session: "pytest.Session") -> None:
        self.waiting = dict.fromkeys(item.nodeid for item in session.items)

    def pytest_runtest_logreport(self, report: "pytest.TestReport") -> None:
        if report.when != "call" and report.outcome == "passed":
            return
        if report.outcome == "failed":
            self._part.fail(report.nodeid, (report.longreprtext.strip().splitlines() or [""])[-1])
        self._part.add({"test": report.nodeid, "outcome": report.outcome, "s": round(report.duration, 2)})

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self.waiting.pop(nodeid, None)
        free_memory()

    def pytest_runtest_teardown(self, item: "pytest.Item") -> None:
        if self._part.budget.left <= 0:
            item.session.shouldstop = "the time is over"


def marked_files(folder: Path = _ROOT / "tests") -> list[Path]:
    """Return the files below ``folder`` whose tests are marked cuda, in order."""
    return sorted(path for path in folder.rglob("test_*.py") if _MARKED.search(path.read_text()))


def measure(part: PartReport) -> None:
    """Run them all, one row each; those that there is no time for are left out."""
    if not importable("pytest"):
        part.leave_out("all tests", why_missing("pytest"))
        return
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.chdir(_ROOT)
    import pytest

    recorder = OutcomeRecorder(part)
    options = ["-m", "cuda", "--noconftest", "-q", "-p", "no:cacheprovider", "--tb=short"]
    status = pytest.main([*options, *map(str, marked_files())], plugins=[recorder])
    for nodeid in recorder.waiting:
        part.leave_out(nodeid, "no time was left")
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED) and not recorder.waiting:
        part.fail("pytest", f"it ended with status {int(status)}: see what it printed above")


if __name__ == "__main__":
    sys.exit(run_part("tests", __doc__ or "", measure))
