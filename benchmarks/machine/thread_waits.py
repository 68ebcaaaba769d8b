"""Measures a trainer's micro-steps beside busy programs, with threads that spin long or hardly for each other.

The processes that compute have the lowest priority, as trainers have, and one thread for each core. Busy programs
have the usual priority, and leave at least one core: beside one on each, a trainer hardly begins. One process is
measured after the other, in turns, so that other load affects all alike.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.measuring.report import RESULTS, BenchmarkReport, rounded
from core.children.priority import lower, waiting_threads

_SPINNING, _HARDLY = "spinning", "hardly spinning"
_BUSY = "while True: pass"
_NOTES = """Busy: programs of the usual priority that compute without end. Threads: how a thread waits for the others
of its micro-step. Seconds: median of a micro-step (embedded run, four samples). Processor: its seconds of the
processor. Over spinning: seconds of a micro-step, relative to threads that spin beside as many busy programs."""


def environment(waits: str, threads: int) -> dict[str, str]:
    """Return the variables of a process with that many ``threads``, which wait for each other as ``waits`` says."""
    usual = {name: value for name, value in os.environ.items() if name != "GOMP_SPINCOUNT"}
    chosen = waiting_threads(threads) if waits == _HARDLY else {"OMP_NUM_THREADS": str(threads)}
    return {**usual, **chosen}


@contextmanager
def busy_programs(count: int) -> Iterator[None]:
    """Let a ``count`` of busy programs run within."""
    running = [subprocess.Popen([sys.executable, "-c", _BUSY]) for _ in range(count)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def compute(seconds: float) -> None:
    """Compute micro-steps until ``seconds`` have passed, at least two; print the median of each clock, in seconds."""
    import torch

    from core.model.config import preset
    from core.model.micro_steps import MicroSteps
    from core.model.transformer import Transformer

    config = preset("emoji")
    generator = torch.Generator().manual_seed(0)
    steps = MicroSteps(Transformer(config, generator), ())
    text = torch.randint(0, config.text_vocab, (4, config.text_length), generator=generator)
    codes = torch.randint(0, config.image_vocab, (4, config.image_length), generator=generator)
    steps.add_gradients(text, codes)
    lower()
    walls, processor = list[float](), list[float]()
    began = time.monotonic()
    while len(walls) < 2 or time.monotonic() - began < seconds:
        wall, cpu = time.perf_counter(), time.process_time()
        steps.add_gradients(text, codes)
        walls.append(time.perf_counter() - wall)
        processor.append(time.process_time() - cpu)
    print(median(walls), median(processor))


def measured(waits: str, threads: int, seconds: float) -> tuple[float, float]:
    """Return the median seconds of a micro-step by both clocks, of a process of its own."""
    command = [sys.executable, "-m", "benchmarks.machine.thread_waits", "--compute", str(seconds)]
    done = subprocess.run(
        command, env=environment(waits, threads), capture_output=True, text=True, check=True
    )
    wall, processor = done.stdout.split()[-2:]
    return float(wall), float(processor)


def rows(seconds: float, turns: int) -> list[dict[str, Any]]:
    """Return a row for each number of busy programs and way to wait; each is measured in as many ``turns``."""
    cores = os.cpu_count() or 1
    found: dict[tuple[int, str], list[tuple[float, float]]] = {}
    for _ in range(turns):
        for busy, waits in product(range(cores), (_SPINNING, _HARDLY)):
            with busy_programs(busy):
                found.setdefault((busy, waits), []).append(measured(waits, cores, seconds))
    typical = {case: [median(clock) for clock in zip(*taken, strict=True)] for case, taken in found.items()}
    return [
        {
            "busy": busy,
            "threads": waits,
            "seconds": rounded(wall),
            "processor": rounded(processor),
            "over_spinning": rounded(wall / typical[busy, _SPINNING][0]),
        }
        for (busy, waits), (wall, processor) in typical.items()
    ]


def main() -> None:
    """Measure, and write the results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--compute", type=float, metavar="SECONDS", help="compute, as one of the processes")
    parser.add_argument("--seconds", type=float, default=8.0, help="seconds for which each process computes")
    parser.add_argument("--turns", type=int, default=3, help="times that each is measured")
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder of the results")
    given = parser.parse_args()
    if given.compute is not None:
        compute(given.compute)
        return
    report = BenchmarkReport("thread_waits", _NOTES)
    report.write(rows(given.seconds, given.turns), folder=given.out, seconds=given.seconds, turns=given.turns)


if __name__ == "__main__":
    main()
