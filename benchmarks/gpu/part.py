"""Shared code of the parts of `make gpu`: options, time limits, and results that are saved at once."""

import argparse
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import torch

from benchmarks.measuring.report import RESULTS, BenchmarkReport
from benchmarks.measuring.tensor_memory import free_memory
from core.model.micro_steps import is_out_of_memory

MeasuredRow = Mapping[str, Any]


class TimeBudget:
    """A part's remaining seconds."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._until = clock, clock() + seconds

    @property
    def left(self) -> float:
        return self._until - self._clock()


class PartReport:
    """One part's results: every row is saved as soon as it is measured, so that a part can be killed."""

    def __init__(
        self,
        name: str,
        notes: str,
        options: argparse.Namespace,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin the part ``name`` with the ``options`` of `parsed`; ``notes`` explain its report."""
        self.device, self.reference = torch.device(options.device), options.reference
        self.budget = TimeBudget(options.seconds, clock)
        self.rows: list[MeasuredRow] = []
        self.left_out: list[dict[str, str]] = []
        self.failed: list[dict[str, str]] = []
        self._report, self._folder, self._settings = (
            BenchmarkReport(f"gpu_{name}", notes),
            options.out,
            dict[str, Any](),
        )
        self.note(gpu=_gpu(self.device))

    @property
    def on_gpu(self) -> bool:
        """True if there is a GPU; without one, tiny models show that the code runs."""
        return self.device.type == "cuda"

    def add(self, row: MeasuredRow) -> None:
        self.rows.append(row)
        self._save()

    def note(self, **settings: Any) -> None:
        """Save settings that hold for all rows, beside the rows."""
        self._settings |= settings
        self._save()

    def leave_out(self, what: str, why: str) -> None:
        self.left_out.append({"what": what, "why": why})
        self._save()

    def fail(self, what: str, why: str) -> None:
        """Record an error, which makes the part fail once it is over."""
        self.failed.append({"what": what, "why": why})
        print(f"{what}: {why}", flush=True)
        self._save()

    def attempt(self, what: str, measure: Callable[[], Iterable[MeasuredRow]], seconds: float = 0.0) -> None:
        """Add the rows of a measurement of about ``seconds`` seconds; its errors do not end the part."""
        if self.budget.left < max(seconds, 1.0):
            self.leave_out(what, "no time was left")
            return
        try:
            for row in measure():
                self.add(row)
        except Exception as error:  # noqa: BLE001 - the others are still worth measuring
            if is_out_of_memory(error):
                self.leave_out(what, "it needs more memory than the GPU has")
            else:
                self.fail(what, f"{type(error).__name__}: {error}")
        free_memory()

    def finish(self) -> int:
        """Print the rows; return the exit status."""
        if self.rows:
            self._report.show(self.rows)
        return int(bool(self.failed))

    def _save(self) -> None:
        settings = {**self._settings, "left_out": self.left_out, "failed": self.failed}
        self._report.save(self.rows, folder=self._folder, **settings)


def parsed(description: str, arguments: list[str] | None = None) -> argparse.Namespace:
    """Return the options of a part."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda", help="cpu: with tiny models")
    parser.add_argument("--seconds", type=float, default=120.0, help="when to stop")
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--reference", default="", help="Python that has dalle-pytorch; none: ours alone")
    return parser.parse_args(arguments)


def run_part(
    name: str, notes: str, measure: Callable[[PartReport], None], arguments: list[str] | None = None
) -> int:
    """Measure with the options of the command line; return the exit status."""
    torch.set_num_threads(1)
    report = PartReport(name, notes, parsed(notes, arguments))
    measure(report)
    return report.finish()


def sixteen_bit(device: torch.device) -> torch.dtype:
    """Return bfloat16 if the device computes with it, else float16."""
    if device.type == "cuda" and torch.cuda.get_device_capability(device) < (8, 0):
        return torch.float16
    return torch.bfloat16


def wait(device: torch.device) -> None:
    """Wait until a GPU has done all its queued work."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def _gpu(device: torch.device) -> dict[str, Any] | None:
    if device.type != "cuda":
        return None
    found = torch.cuda.get_device_properties(device)
    return {
        "name": found.name,
        "memory_bytes": found.total_memory,
        "capability": [found.major, found.minor],
        "multiprocessors": found.multi_processor_count,
        "cuda": torch.version.cuda,
    }
