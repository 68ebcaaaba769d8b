"""Simulates many homes that train the paper's model: ``python -m benchmarks.simulation.large``.

The homes have lines of 20/5 Mbit/s and compute 2.5 samples a second, with a spread. Their owners are at their desks
from nine to five, with half an interruption and a tenth of a death an hour; rounds come every 240 s. A row has what
`idlebrush simulate` reports: the share of the time in which homes computed, the homes that an epoch has on average,
the epochs, and the shares of the computed samples that were lost, by cause. `cpu_seconds` are those of this process.
"""

import argparse
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.internet.paced.run import write_run
from benchmarks.measuring.report import BenchmarkReport, reporting_errors, rounded
from core.model.config import preset
from core.run.encodings import TopK
from core.run.manifest import RunManifest
from core.run.rules import LocalStepRules, Overlap, SwarmRules
from core.simulation.report import summary_of
from core.simulation.swarm import SimulatedSwarmRun
from core.simulation.topology import MachineGroup, SimulatedTopology

_MODEL = preset("dalle")


def main() -> None:
    """Simulate one set-up, print its row, and save it as ``simulation_large.json`` where a folder is named."""
    parser = argparse.ArgumentParser("python -m benchmarks.simulation.large", description=__doc__)
    parser.add_argument("--homes", type=int, default=100)
    parser.add_argument("--hours", type=float, default=24.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kept", type=int, default=128, help="values of 4,096 that a drift keeps")
    parser.add_argument(
        "--reachable", type=float, default=0.3, help="share of homes that others can connect to"
    )
    parser.add_argument("--group-size", type=int, default=64)
    parser.add_argument("--allreduce-seconds", type=float, default=60.0)
    parser.add_argument("--out", type=Path, help="folder for a JSON file; none is written without it")
    given = parser.parse_args()
    report = BenchmarkReport("simulation_large", __doc__ or "")
    with reporting_errors(), TemporaryDirectory() as folder:
        row = _row(given, Path(folder))
        report.show([{"what": name, "value": value} for name, value in row.items()])
        if given.out is not None:
            report.save([row], folder=given.out)


def _row(given: argparse.Namespace, folder: Path) -> dict[str, Any]:
    began = time.process_time()
    run = SimulatedSwarmRun(
        _topology(given), RunManifest.load(write_run(folder, _MODEL, _rules(given))).training
    )
    run.run()
    found = summary_of(run)
    return {
        **{name: value for name, value in vars(given).items() if name != "out"},
        "computing": rounded(found.computing, 3),
        "homes_an_epoch": rounded(found.peers_an_epoch, 3),
        "epochs": found.epochs,
        "longest_branch": found.longest_branch,
        "lost": rounded(found.samples_lost, 3),
        **{cause.value: rounded(share, 3) for cause, share in found.lost_by_cause.items()},
        "cpu_seconds": rounded(time.process_time() - began, 3),
    }


def _rules(given: argparse.Namespace) -> SwarmRules:
    form = TopK(kept=given.kept)
    return SwarmRules(
        overlap=Overlap.FULL,
        group_size=given.group_size,
        allreduce_seconds=given.allreduce_seconds,
        averaging_seconds=given.allreduce_seconds + 120.0,
        local_steps=LocalStepRules(round_seconds=240.0, drift_encoding=form, mean_encoding=form),
    )


def _topology(given: argparse.Namespace) -> SimulatedTopology:
    homes = MachineGroup(
        name="desks",
        count=given.homes,
        samples_per_second=2.5,
        spread=0.4,
        down=20.0,
        up=5.0,
        reachable=given.reachable,
        processor_seconds=5.0,
        in_use=("09:00-17:00",),
        use_shift_minutes=120.0,
        interruptions_an_hour=0.5,
        deaths_an_hour=0.1,
    )
    return SimulatedTopology(
        run="run.toml", duration_hours=given.hours, seed=given.seed, begins_at="18:00", groups=(homes,)
    )


if __name__ == "__main__":
    main()
