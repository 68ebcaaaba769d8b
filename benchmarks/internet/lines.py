"""Lines of an emulated Internet as TCP finds them, compared with their description.

Each home measures its line to the rented server, all homes at the same time: the backbone has no limit of its own.
Rates are in Mbit/s of data, so headers of TCP and IP take 1 to 4 % of them; where packets are lost, TCP itself takes
less than there is. Round trips are those of the idle line, in milliseconds.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from benchmarks.internet.emulation import EmulatedInternet, exit_on_termination
from benchmarks.internet.measured_lines import measure
from benchmarks.internet.topology_options import add_topology_options, topology_of
from benchmarks.measuring.report import RESULTS, BenchmarkReport, reporting_errors


def parser() -> argparse.ArgumentParser:
    """Return the parser of this benchmark's options."""
    made = argparse.ArgumentParser("python -m benchmarks.internet.lines", description=__doc__)
    add_topology_options(made, count=8)
    made.add_argument("--seconds", type=float, default=5.0, help="seconds of each measurement, each way")
    made.add_argument("--out", type=Path, default=RESULTS)
    return made


def main(words: Sequence[str] | None = None) -> None:
    """Measure the lines, print them, and save them as ``internet_lines.json``."""
    given = parser().parse_args(words)
    exit_on_termination()
    report = BenchmarkReport("internet_lines", __doc__ or "")
    with reporting_errors():
        topology = topology_of(given)
        with EmulatedInternet(topology) as internet:
            rows = [line.row() for line in measure(internet, given.seconds)]
    report.write(rows, folder=given.out, seconds=given.seconds, topology=topology.model_dump(mode="json"))


if __name__ == "__main__":
    main()
