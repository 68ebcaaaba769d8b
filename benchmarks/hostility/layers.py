"""Measures the cost of each layer of protection in an honest swarm: time, processor time and bytes of an epoch.

Swarms of gated peers on loopback differ in one layer each. They run one after the other, and again in the next
repetition, so that a machine that becomes slower does so for all of them.
"""

import argparse
import os
import signal
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import fmean
from typing import Any

import psutil

from benchmarks.hostility.__main__ import exit_on_signal
from benchmarks.hostility.course import epoch_costs, epochs_between
from benchmarks.hostility.rows import CLEAN, ROWS
from benchmarks.hostility.run_files import write_run
from benchmarks.hostility.swarm import HostileSwarm, SwarmSize
from benchmarks.measuring.report import RESULTS, BenchmarkReport, rounded
from core.children.priority import waiting_threads
from core.run.aggregation import Aggregation

_NOTES = """Seconds, processor seconds and bytes that a peer sends, of an epoch and a peer on average. Over: by how
much they are above those of the case "none", relatively, as means over the repetitions. Admission by a gate,
votes, signed statements and audits of reducers are in all cases, since no manifest leaves them out."""
CASES: Mapping[str, Mapping[str, Any]] = {
    "none": {"aggregation": Aggregation.MEAN, "recomputed_share": None},
    "clipping": {"recomputed_share": None},
    "recomputed work": {"aggregation": Aggregation.MEAN},
    "both": {},
}
"""Rules of the swarm by the layers that they leave, beside those of a draft."""
_FIGURES = ("seconds", "processor_seconds", "bytes")
_REFERENCE = "none"


def processor_seconds(swarm: HostileSwarm) -> dict[int, float]:
    """Return the processor seconds so far of each process of the honest peers, by its id."""
    found = {}
    for seat in swarm.honest:
        for _, process in swarm.processes_of(seat):
            with suppress(psutil.Error):
                times = process.cpu_times()
                found[process.pid] = times.user + times.system
    return found


def measure(case: str, options: argparse.Namespace, folder: Path) -> dict[str, float]:
    """Run one swarm with the rules of a ``case``, and return the figures of an epoch.

    Args:
        case: name of the case.
        options: the command's.
        folder: folder of the swarm's files.
    """
    run = write_run("tiny", folder / "run", **CASES[case])
    with HostileSwarm(folder, run, ROWS[CLEAN], SwarmSize(options.peers, 0, options.share)) as swarm:
        swarm.await_training()
        begin, before = time.monotonic(), processor_seconds(swarm)
        time.sleep(60 * options.minutes)
        end, after = time.monotonic(), processor_seconds(swarm)
        courses = swarm.courses()
    spent = sum(seconds - before[pid] for pid, seconds in after.items() if pid in before)
    epochs = sum(epochs_between(course, begin, end) for course in courses)
    costs = epoch_costs(courses, begin, end)
    if costs is None:
        raise SystemExit(f"No peer made two epochs in {options.minutes:g} minutes: let it take more.")
    return {"seconds": costs[0], "processor_seconds": spent / epochs, "bytes": costs[1]}


def line(case: str, found: Mapping[str, Sequence[Mapping[str, float]]]) -> dict[str, Any]:
    """Return the row of a ``case``, whose figures of each repetition are in ``found`` beside those of the others."""
    row: dict[str, Any] = {"case": case}
    for name in _FIGURES:
        mean = fmean(item[name] for item in found[case])
        row[name] = rounded(mean, 4)
        row[f"{name}_over"] = rounded(mean / fmean(item[name] for item in found[_REFERENCE]) - 1, 2)
    return row


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command's options."""
    made = argparse.ArgumentParser(prog="python -m benchmarks.hostility.layers", description=__doc__)
    made.add_argument("--peers", type=int, default=4)
    made.add_argument("--minutes", type=float, default=2.0, help="minutes of each swarm")
    made.add_argument("--repetitions", type=int, default=2)
    made.add_argument("--share", type=float, default=0.3, help="share of the time in which a peer computes")
    made.add_argument("--out", type=Path, default=RESULTS, help="folder of the results")
    return made


def main(words: Sequence[str] | None = None) -> None:
    """Run all cases in turn, and report."""
    options = parser().parse_args(sys.argv[1:] if words is None else words)
    os.environ.update(waiting_threads(1))  # as the client does
    signal.signal(signal.SIGTERM, exit_on_signal)  # which ends the swarm
    report = BenchmarkReport("protection_cost", _NOTES)
    found: dict[str, list[dict[str, float]]] = {case: [] for case in CASES}
    for number in range(options.repetitions):
        for case in CASES:
            with tempfile.TemporaryDirectory(prefix="layers-") as folder:
                found[case].append(measure(case, options, Path(folder) / "swarm"))
            print(f"{number + 1}: {case}: {found[case][-1]}", flush=True)
    settings = {name: getattr(options, name) for name in ("peers", "minutes", "repetitions", "share")}
    rows = [line(case, found) for case in CASES]
    report.write(rows, folder=options.out, repetitions_of=found, **settings)


if __name__ == "__main__":
    main()
