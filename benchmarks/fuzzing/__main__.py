"""Fuzzes every parser of bytes from others, guided by the branches that it takes, and reports what harms it.

Each parser (`benchmarks.fuzzing.catalogue`) begins with valid inputs that the product's own packers made. atheris
changes them, and keeps those that take new branches. A fault of the product is an error that a parser does not
document, an input that takes too long, memory beyond a limit, or a process that ends or grows. Inputs that show one
are saved in ``benchmarks/crashes``. ``executions`` counts inputs, ``edges`` branches that were taken.
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.fuzzing.campaign import fuzz
from benchmarks.fuzzing.catalogue import ROOMS, room_of
from benchmarks.fuzzing.work_folder import FuzzingLimits, FuzzingOutcome
from benchmarks.measuring.report import RESULTS, BenchmarkReport, reporting_errors

_CRASHES = RESULTS.parent / "crashes"


def _row(outcome: FuzzingOutcome) -> dict[str, object]:
    return {
        "target": outcome.name,
        "executions": outcome.executions,
        "edges": outcome.edges,
        "peak_mib": outcome.peak_mib,
        "grown_mib": outcome.grown_mib,
        "fault": outcome.fault,
        "inputs": ", ".join(path.name for path in outcome.inputs),
    }


def _rooms(names: Sequence[str] | None) -> dict[str, list[str]]:
    """Return the targets to fuzz by their rooms: those with these ``names``, or all; raises KeyError for others."""
    if names is None:
        return {room: [] for room in ROOMS}
    rooms = [room_of(name) for name in names]
    return {room: [name for name in names if room_of(name) == room] for room in dict.fromkeys(rooms)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--crashes", type=Path, default=_CRASHES, help="folder of inputs that show a fault")
    parser.add_argument("--seconds", type=int, default=3600, help="seconds for each target")
    parser.add_argument("--input-seconds", type=int, default=60, help="seconds that one input may take")
    parser.add_argument("--mebibytes", type=int, default=2048, help="memory that a parser may take, in MiB")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="names of targets; all by default")
    arguments = parser.parse_args()
    try:
        rooms = _rooms(arguments.only)
    except KeyError as error:
        parser.error(f"no such target: {error}")
    report, start = BenchmarkReport("fuzzing", __doc__ or ""), time.monotonic()
    limits = FuzzingLimits(arguments.seconds, arguments.input_seconds, arguments.mebibytes)
    with reporting_errors():
        rows = [_row(outcome) for outcome in fuzz(rooms, limits, crashes=arguments.crashes)]
    report.write(rows, folder=arguments.out, **asdict(limits), whole_seconds=round(time.monotonic() - start))
    raise SystemExit(any(row["fault"] for row in rows))


if __name__ == "__main__":
    main()
