"""Predicted and measured peaks of memory: BERT, T5, GPT-2, GPT-3, GPT-J and our models, under many combinations.

Each combination is trained in a process of its own (two micro-steps, one optimizer step, from the building of the
model on). Tensors are what torch's CPU allocator counted through ``torch.profiler``; resident memory is the
process's high-water mark in a run without the profiler. Sizes are in MiB; ratios are predicted / measured.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.measuring.report import RESULTS, BenchmarkReport, rounded
from benchmarks.memory.cases import CASES, MemoryCase
from core.memory.models import GPT2, GPTJ, MODELS, T5, Bert
from core.memory.parameters import count

_MIB = 2**20


def row(case: MemoryCase, measured: dict[str, int]) -> dict[str, Any]:
    """Return a row of the report."""
    predicted = case.prediction()
    return {
        **case.columns(),
        "predicted": rounded(predicted.ram_bytes / _MIB, 5),
        "measured": rounded(measured["tensors"] / _MIB, 5),
        "ratio": rounded(predicted.ram_bytes / measured["tensors"], 4),
        "predicted_resident": rounded(predicted.resident_bytes / _MIB, 5),
        "measured_resident": rounded(measured["resident"] / _MIB, 5),
        "ratio_resident": rounded(predicted.resident_bytes / measured["resident"], 4),
        "imported": rounded(measured["imported"] / _MIB, 4),
    }


def measure(index: int) -> dict[str, int]:
    """Measure the peaks of a case, in bytes, in a separate process."""
    command = [sys.executable, "-m", "benchmarks.memory.child", str(index)]
    done = subprocess.run(
        command, env={**os.environ, "OMP_NUM_THREADS": "1"}, stdout=subprocess.PIPE, text=True, check=True
    )
    found: dict[str, int] = json.loads(done.stdout.splitlines()[-1])
    return found


def measured_before(path: Path) -> dict[str, dict[str, int]]:
    """Return an earlier run's measurements by case; formulas change more often than what they describe."""
    rows = json.loads(path.read_text())["results"]
    names = {"tensors": "measured", "resident": "measured_resident", "imported": "imported"}
    return {
        case_key(found): {name: round(found[column] * _MIB) for name, column in names.items()}
        for found in rows
    }


def case_key(columns: Mapping[str, Any]) -> str:
    """Return the columns that identify the case of a row."""
    return json.dumps([columns[name] for name in CASES[0].columns()])


def checked_counts() -> dict[str, int]:
    """Return parameter counts of all public models, which must equal those of ``transformers`` exactly."""
    from benchmarks.memory.other_models import count as count_made

    counts = {name: count(known.architecture) for name, known in MODELS.items()}
    for name, known in MODELS.items():
        if isinstance(known.architecture, Bert | T5 | GPT2 | GPTJ):
            made = count_made(known.architecture)
            if made != counts[name]:
                raise SystemExit(f"{name}: {counts[name]} parameters were predicted, {made} were made.")
    return counts


def chosen(only: str | None) -> Sequence[int]:
    """Return the numbers of the cases whose model's name contains that text."""
    return [index for index, case in enumerate(CASES) if not only or only in case.model]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--only", help="models whose name contains this text")
    parser.add_argument("--measured", type=Path, help="results whose measurements are taken again")
    options = parser.parse_args()
    known = measured_before(options.measured) if options.measured else {}
    report = BenchmarkReport("memory_truth", __doc__ or "")
    rows = []
    for index in chosen(options.only):
        case = CASES[index]
        rows.append(row(case, known.get(case_key(case.columns())) or measure(index)))
        print(rows[-1], file=sys.stderr, flush=True)
    report.write(
        rows,
        folder=options.out,
        threads=1,
        measured_by_earlier_runs=sum(case_key(item) in known for item in rows),
        parameters=checked_counts(),
    )


if __name__ == "__main__":
    main()
