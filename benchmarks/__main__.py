"""Runs every benchmark in a process of its own: ``python -m benchmarks [--out FOLDER]``."""

import argparse
import subprocess
import sys
from pathlib import Path

from benchmarks.measuring.report import RESULTS

BENCHMARKS = (
    "micro_steps",
    "optimizer",
    "exchange",
    "drifts.encodings",
    "bandwidth",
    "codes",
    "streaming",
    "training",
    "generation",
    "published",
    "memory_truth",
    "control_fuzz",
    "coordinator.silent_connections",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder for the JSON files")
    out = parser.parse_args().out
    for name in BENCHMARKS:
        subprocess.run([sys.executable, "-m", f"benchmarks.{name}", "--out", str(out)], check=True)


if __name__ == "__main__":
    main()
