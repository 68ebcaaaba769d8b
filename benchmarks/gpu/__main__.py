"""Tests and measures on one NVIDIA GPU, in eight minutes: ``make gpu PYTHON=python3``.

The machine brings its own PyTorch; nothing is installed. Each part runs in a process of its own within its share of
the time and leaves ``results/gpu_PART.json``, with what it left out and why. Without hivemind, bitsandbytes or Qt all
of it runs; without dalle-pytorch, transformers or pytest, what needs these is left out.
"""

import argparse
import json
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from benchmarks.gpu.needs import GpuError, check_python, find_gpu
from benchmarks.gpu.parts import PARTS, GpuPart, Omission, PartEnding, PartOutcome, run_all, summary

_ROOT = Path(__file__).parents[2]
_GRACE = 0.1
"""Share of its time by which a part may be late to end its current work, before it is killed."""
_FOR_STARTING = 10.0
"""Seconds of the total that finding the GPU and writing the summary take."""


def run_part(part: GpuPart, limit: float, options: argparse.Namespace) -> PartOutcome:
    """Run a part, and read its outcome from its results."""
    results = options.out / f"gpu_{part.name}.json"
    results.unlink(missing_ok=True)
    command = [sys.executable, "-m", part.module, "--device", options.device, "--out", str(options.out)]
    command += ["--seconds", str(limit / (1 + _GRACE)), "--reference", str(options.reference or "")]
    print(f"\n{part.name}: {part.does} (up to {limit:.0f} s)", flush=True)
    began = time.monotonic()
    status = _finish(subprocess.Popen(command, cwd=_ROOT, start_new_session=True), limit)
    outcome = outcome_of(part, status, json.loads(results.read_text()) if results.exists() else None)
    return replace(outcome, seconds=time.monotonic() - began, limit=limit)


def _finish(process: subprocess.Popen[bytes], seconds: float) -> int | None:
    """Return the exit status; None if the process had to be killed with all its children."""
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def outcome_of(part: GpuPart, status: int | None, results: dict[str, Any] | None) -> PartOutcome:
    """Return the outcome of a part, from its exit status and the results that it has written."""
    settings = results["settings"] if results else {}
    left_out = tuple(Omission(**item) for item in settings.get("left_out", ()))
    failed = [f"{item['what']}: {item['why']}" for item in settings.get("failed", ())]
    if status is None:
        left_out += (Omission("what it had not begun", "its time was over, and it was killed"),)
    if failed or status:
        why = "; ".join(failed) or f"it ended with status {status}: see what it printed above"
        return PartOutcome(part, PartEnding.FAILED, why=why, left_out=left_out)
    if not results or not results["results"]:
        why = "; ".join(item.why for item in left_out) or "it measured nothing"
        return PartOutcome(part, PartEnding.LEFT_OUT, why=why, left_out=left_out)
    return PartOutcome(part, PartEnding.RAN, left_out=left_out)


def _positive(text: str) -> float:
    number = float(text)
    if not (math.isfinite(number) and number > 0):
        raise argparse.ArgumentTypeError(f"{text} is not a number of minutes above 0")
    return number


def _parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.gpu",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    names = [part.name for part in PARTS]
    parser.add_argument("--out", type=Path, default=_ROOT / "benchmarks" / "results", help="for the results")
    parser.add_argument("--minutes", type=_positive, default=8.0, help="for all parts together (8)")
    parser.add_argument("--only", default=",".join(names), help=f"of {', '.join(names)}; by commas")
    parser.add_argument("--reference", type=Path, help="Python that has dalle-pytorch; none: ours alone")
    parser.add_argument(
        "--device",
        choices=("cuda", "cpu"),
        default="cuda",
        help="cpu: the same code with tiny models, as a test",
    )
    options = parser.parse_args(arguments)
    options.out = options.out.absolute()
    if unknown := set(options.only.split(",")) - set(names):
        parser.error(f"--only knows no {', '.join(sorted(unknown))}; choose of {', '.join(names)}")
    return options


def main(arguments: list[str] | None = None, clock: Callable[[], float] = time.monotonic) -> int:
    """Run the chosen parts; return the exit status, 1 if a part failed."""
    options = _parsed(arguments)
    try:
        check_python()
        gpu = find_gpu() if options.device == "cuda" else None
    except GpuError as error:
        print(f"{error.what}\n{error.remedy}", file=sys.stderr)
        return 1
    print(
        f"{gpu.name}, {gpu.memory_bytes / 2**30:.0f} GiB" if gpu else "The processor, with tiny models",
        flush=True,
    )
    from benchmarks.measuring.report import BenchmarkReport  # by now what it imports is known to be there

    report = BenchmarkReport("gpu", __doc__ or "")
    chosen = [part for part in PARTS if part.name in options.only.split(",")]
    seconds = 60 * options.minutes - _FOR_STARTING
    outcomes = list(run_all(chosen, seconds, lambda part, limit: run_part(part, limit, options), clock))
    report.save(
        [{"part": item.part.name, **_columns(item)} for item in outcomes],
        folder=options.out,
        gpu=asdict(gpu) if gpu else None,
        minutes=options.minutes,
    )
    print("\n" + "\n".join(summary(outcomes)) + f"\nResults are in {options.out}.", flush=True)
    return int(any(item.ending is PartEnding.FAILED for item in outcomes))


def _columns(outcome: PartOutcome) -> dict[str, Any]:
    found = asdict(outcome)
    del found["part"]
    return {**found, "seconds": round(outcome.seconds, 1), "limit": round(outcome.limit, 1)}


if __name__ == "__main__":
    sys.exit(main())
