"""Simulates many homes that train the paper's model: ``python -m benchmarks.simulation.large``.

The homes have lines of 20/5 Mbit/s and compute 2.5 samples a second, with a spread. Their owners are at their desks
from nine to five, give or take two hours, and interrupt training half a time an hour; the simulation begins at six in
the evening. A killed home loses everything, and a new one joins in its place a minute later. A row has what
`idlebrush simulate` reports. `computing` is the share of the time in which owners allow it. `lost` and the causes
beside it are shares of the computed samples. `epochs_lost` are those on branches, of which the longest has
`longest_branch` epochs. Bytes are those of a home in an hour of its presence, with headers, and those that the
bootstrap peer and the publisher send. `join_seconds` do not include downloads of states. `cpu_seconds` are those of
this process.
`course` in the file has the homes at work every ten minutes, and each epoch of the chain.
"""

import argparse
import math
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
from core.simulation.report import SimulationSummary, SwarmCourse, main_chain, summary_of
from core.simulation.swarm import SimulatedSwarmRun
from core.simulation.topology import MachineGroup, SimulatedTopology

_MODEL = preset("dalle")
_COURSE_SECONDS = 600.0


def main() -> None:
    """Simulate one set-up, print its row, and save it as ``simulation_large_HOMES.json`` where a folder is named."""
    parser = argparse.ArgumentParser("python -m benchmarks.simulation.large", description=__doc__)
    _add_options(parser)
    given = parser.parse_args()
    report = BenchmarkReport(f"simulation_large_{given.homes}", __doc__ or "")
    with reporting_errors(), TemporaryDirectory() as folder:
        began = time.process_time()
        run, course = _simulated(given, Path(folder))
        row = _row(given, run) | {"cpu_seconds": rounded(time.process_time() - began, 3)}
        report.show([{"what": name, "value": value} for name, value in row.items()])
        if given.out is not None:
            report.save([row], folder=given.out, course=_course(run, course))


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--homes", type=int, default=100)
    parser.add_argument("--hours", type=float, default=24.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--joins-over-minutes", type=float, default=0.0, help="all begin at once without it")
    parser.add_argument("--kept", type=int, default=128, help="values of 4,096 that a drift keeps")
    parser.add_argument(
        "--reachable", type=float, default=0.3, help="share of homes that others can connect to"
    )
    parser.add_argument(
        "--deaths-an-hour", type=float, default=0.1, help="times an hour that a home is killed"
    )
    parser.add_argument("--most-groups", type=int, default=1, help="groups that one commit covers")
    parser.add_argument("--group-size", type=int, default=64)
    parser.add_argument("--round-seconds", type=float, default=240.0)
    parser.add_argument("--matchmaking-seconds", type=float, default=15.0)
    parser.add_argument("--allreduce-seconds", type=float, default=60.0)
    parser.add_argument(
        "--averaging-seconds", type=float, help="two minutes more than an exchange without it"
    )
    parser.add_argument(
        "--minutes", type=float, default=math.inf, help="end after so many minutes of this machine"
    )
    parser.add_argument("--out", type=Path, help="folder for a JSON file; none is written without it")


def _simulated(given: argparse.Namespace, folder: Path) -> tuple[SimulatedSwarmRun, SwarmCourse]:
    training = RunManifest.load(write_run(folder, _MODEL, _rules(given))).training
    run = SimulatedSwarmRun(_topology(given), training, most_groups=given.most_groups)
    course = SwarmCourse(run, _COURSE_SECONDS)
    began = time.monotonic()
    run.run(goes_on=lambda share: time.monotonic() - began < 60.0 * given.minutes)
    return run, course


def _row(given: argparse.Namespace, run: SimulatedSwarmRun) -> dict[str, Any]:
    found = summary_of(run)
    return {
        **{name: value for name, value in vars(given).items() if name not in ("out", "minutes")},
        "hours": rounded(found.hours, 3),
        "computing": rounded(found.computing, 3),
        "homes_an_epoch": rounded(found.peers_an_epoch, 4),
        "epochs": found.epochs,
        "epochs_lost": found.epochs_lost,
        "branches": found.branches,
        "longest_branch": found.longest_branch,
        "lost": rounded(found.samples_lost, 3),
        **{cause.value: rounded(share, 3) for cause, share in found.lost_by_cause.items()},
        **_traffic(found),
        "join_seconds_median": _seconds(found.join_seconds),
        "join_seconds_95": _seconds(found.longest_join_seconds),
        "deaths": found.deaths,
        "failures": found.failures,
    }


def _traffic(found: SimulationSummary) -> dict[str, float]:
    return {
        "up_mb_an_hour": rounded(found.up_mb_an_hour),
        "down_mb_an_hour": rounded(found.down_mb_an_hour),
        "most_up_mbit": rounded(found.most_up_mbit, 3),
        "bootstrap_up_mb_an_hour": rounded(found.bootstrap_up_mbit * 3600 / 8),
    }


def _seconds(value: float | None) -> float | None:
    return None if value is None else rounded(value, 3)


def _course(run: SimulatedSwarmRun, course: SwarmCourse) -> dict[str, Any]:
    """Return the moments of the ``course``, and of each epoch of the chain its time, its homes and its samples."""
    committed = {event.who: event.time for event in run.history if event.kind == "committed"}
    chain = main_chain(run.commits)
    return {
        "begins_at": run.topology.begins_at,
        "moments": [moment.as_row() for moment in course.moments],
        "epochs": [
            [round(committed[record.root.hex()[:16]]), record.members, round(record.samples)]
            for record in chain
        ],
    }


def _rules(given: argparse.Namespace) -> SwarmRules:
    form = TopK(kept=given.kept)
    return SwarmRules(
        overlap=Overlap.FULL,
        group_size=given.group_size,
        matchmaking_seconds=given.matchmaking_seconds,
        allreduce_seconds=given.allreduce_seconds,
        averaging_seconds=given.averaging_seconds or given.allreduce_seconds + 120.0,
        local_steps=LocalStepRules(
            round_seconds=given.round_seconds, drift_encoding=form, mean_encoding=form
        ),
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
        joins_over_minutes=given.joins_over_minutes,
        in_use=("09:00-17:00",),
        use_shift_minutes=120.0,
        interruptions_an_hour=0.5,
        deaths_an_hour=given.deaths_an_hour,
    )
    return SimulatedTopology(
        run="run.toml", duration_hours=given.hours, seed=given.seed, begins_at="18:00", groups=(homes,)
    )


if __name__ == "__main__":
    main()
