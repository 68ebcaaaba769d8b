"""Runs ``make test`` several times in a fresh clone, and enters each run in a table of docs/measured.md.

``make test-often RUNS=5 BESIDE=yes`` makes five runs, each beside a program on each core that computes without end.
``--machine TEXT`` says in the table what else was at work, where that was neither nothing nor those programs.
Machines differ, and one machine does from day to day, so each row tells how long additions took just before it.
The machine should run no other tests meanwhile: what those leave for a moment would be taken for left behind.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import psutil

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "docs/measured.md"
HEADING = "## Whole runs of `make test`"
CORES = os.cpu_count() or 1
SECONDS_AT_MOST = 3600
_ADDITIONS = 20_000_000
_MOST_LEFT = 5
"""Names of things left behind that a row tells, as one process may leave thousands."""
_BESIDE = "a busy program on each core"
_ERRORS = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)
_FAILED_JOB = re.compile(r"^(\S+) +\d+ s  FAILED", re.MULTILINE)
_PASSED = re.compile(r"^=+ .*?(\d+) passed", re.MULTILINE)


@dataclass(frozen=True)
class WholeRun:
    """One whole run."""

    began: datetime
    commit: str
    machine: str
    """The other work on the machine at the same time."""
    pace: float
    """Seconds that 20 million additions in Python took before the run."""
    minutes: float
    outcome: str

    def row(self) -> str:
        """Return its line of the table."""
        began, pace, minutes = f"{self.began:%Y-%m-%d %H:%M}", f"{self.pace:.2f}", f"{self.minutes:.1f}"
        return f"| {' | '.join((began, self.commit, self.machine, pace, minutes, self.outcome))} |"


@contextmanager
def fresh_clone(parent: Path) -> Iterator[Path]:
    """Clone what is committed, make its environment, and check its types once, as in a clone that is worked in."""
    with tempfile.TemporaryDirectory(prefix="whole-run-", dir=parent) as folder:
        clone = Path(folder) / "idlebrush"
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
        for target, must_pass in (("install", True), ("types", False)):
            command = ["make", "--no-print-directory", target]
            subprocess.run(command, cwd=clone, check=must_pass, env=_environment())
        yield clone


@contextmanager
def busy_programs(count: int) -> Iterator[None]:
    """Programs that compute without end, each in a session of its own as a person's would be."""
    command = [sys.executable, "-c", "while True: pass"]
    programs = [subprocess.Popen(command, start_new_session=True) for _ in range(count)]
    try:
        yield
    finally:
        for program in programs:
            program.kill()
            program.wait()


def seconds_of_additions() -> float:
    """Return the seconds that 20 million additions take: the best of three times, as other work only adds to them."""

    def measured() -> float:
        start, total = time.perf_counter(), 0
        for number in range(_ADDITIONS):
            total += number
        return time.perf_counter() - start

    return min(measured() for _ in range(3))


def make_test(clone: Path, log: Path, beside: bool, machine: str) -> WholeRun:
    """Run it once, from the state of a fresh clone whose types were checked before."""
    subprocess.run(["git", "clean", "-fdxq", "-e", ".venv", "-e", ".mypy_cache"], cwd=clone, check=True)
    commit = subprocess.check_output(["git", "rev-parse", "--short", "HEAD"], cwd=clone, text=True).strip()
    pace = seconds_of_additions()
    litter, began, start = _litter(), datetime.now(UTC), time.monotonic()
    with log.open("wb") as file, busy_programs(CORES if beside else 0):
        process = subprocess.Popen(["make", "test"], cwd=clone, stdout=file, stderr=file, env=_environment())
        try:
            status = process.wait(SECONDS_AT_MOST)
        except BaseException:
            process.terminate()  # which ends what it has started
            process.wait()
            raise
    minutes = (time.monotonic() - start) / 60
    ended = outcome(status, log.read_text(errors="replace"), _left_by(clone, litter))
    return WholeRun(began, commit, machine, pace, minutes, ended)


def _environment() -> dict[str, str]:
    """Return ours without what would have the clone take modules or options from here."""
    ours = ("PYTHONPATH", "VIRTUAL_ENV", "MAKEFLAGS", "MFLAGS", "MAKELEVEL")
    return {name: value for name, value in os.environ.items() if name not in ours}


def _litter() -> set[str]:
    """Return folders of tests, and shared memory of processes that have ended, whoever's they are."""
    shared = (path for path in Path("/dev/shm").glob("torch_*") if not psutil.pid_exists(_owner(path)))
    return {str(path) for place in (Path(tempfile.gettempdir()).glob("idle-*"), shared) for path in place}


def _owner(shared: Path) -> int:
    """Return the id of the process that made a piece of torch's shared memory, which is in its name."""
    return int(shared.name.split("_")[1])


def _left_by(clone: Path, before: set[str]) -> list[str]:
    """Return what a run has left behind: folders, files that git neither has nor ignores, and processes."""
    status = subprocess.check_output(["git", "status", "--porcelain"], cwd=clone, text=True)
    processes = [" ".join(process.info["cmdline"])[:80] for process in _processes(clone)]
    return [*status.splitlines(), *sorted(_litter() - before), *processes]


def _processes(clone: Path) -> Iterator[psutil.Process]:
    for process in psutil.process_iter(["cmdline", "cwd", "exe"]):
        paths = [process.info["cwd"] or "", process.info["exe"] or "", *(process.info["cmdline"] or [])]
        if any(path.startswith(str(clone)) for path in paths):
            yield process


def outcome(status: int, log: str, left: list[str]) -> str:
    """Return how a run ended, in a few words: green, or what failed, and what was left behind."""
    if status == 0 and not left:
        return f"green, {sum(map(int, _PASSED.findall(log)))} passed"
    failed = _ERRORS.findall(log) + _FAILED_JOB.findall(log) or [f"exit status {status}"] * (status != 0)
    more = [f"{len(left) - _MOST_LEFT} more left"] if len(left) > _MOST_LEFT else []
    told = failed + [f"left: {each}" for each in left[:_MOST_LEFT]] + more
    return "red: " + ", ".join(f"`{each}`" for each in dict.fromkeys(told))


def enter(row: str, document: str) -> str:
    """Return the document with a row more at the end of the table of whole runs."""
    before, heading, after = document.partition(HEADING)
    assert heading, f"{TABLE} has no section {HEADING!r}"
    lines = after.split("\n")
    last = max(index for index, line in enumerate(lines) if line.startswith("|"))
    return before + heading + "\n".join([*lines[: last + 1], row, *lines[last + 1 :]])


def main() -> int:
    """Make the runs; 0 if all are green."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--beside", action="store_true", help=f"beside {_BESIDE}")
    parser.add_argument(
        "--folder", type=Path, default=Path(tempfile.gettempdir()), help="for the clone and the logs"
    )
    parser.add_argument("--machine", help="other work on the machine, in words")
    given = parser.parse_args()
    # A shell has programs in the background ignore Ctrl-C; and a run that is under way is to end with this one.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    machine = given.machine or (_BESIDE if given.beside else "idle")
    green = True
    given.folder.mkdir(parents=True, exist_ok=True)
    with fresh_clone(given.folder) as clone:
        for _ in range(given.runs):
            log = clone.parent / "make-test.log"
            run = make_test(clone, log, given.beside, machine)
            TABLE.write_text(enter(run.row(), TABLE.read_text()))
            print(run.row(), flush=True)
            if not run.outcome.startswith("green"):
                green = False
                kept = given.folder / f"make-test-{run.began:%Y%m%d-%H%M%S}.log"
                shutil.copyfile(log, kept)
                print(f"Its output: {kept}", flush=True)
    return 0 if green else 1


if __name__ == "__main__":
    sys.exit(main())
