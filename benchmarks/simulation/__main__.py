"""Simulates the swarms of earlier measurements, and puts both side by side: ``python -m benchmarks.simulation``.

Each set-up is that of a committed result: the same rules, lines, reach and rates of computing. `real` values are
those of the result, `simulated` ones of the simulator, `ratio` is the second over the first. Rates of computing are
those that the real homes had. `epoch_seconds` are those between two epochs, on average or, where the result tells
it, by the median. Bytes are those of a home each way in an epoch, with headers. In the set-ups of the paper's size,
a home's processor encodes, decodes and updates for as long as the result says, times the number of homes, over the
cores that they shared. In organised runs an update takes as long as the result says, where it does. Where a home lost
its power in the middle of the time, it does so here, and the bytes are those of the others. After a kill,
`epoch_seconds` are the longest seconds between two epochs of a survivor, from the last before the kill to the third
after it; both sides are medians of repetitions. There the rate of computing is chosen so that epochs without a death
take about as long. `after_loss` are such seconds where one of several homes in groups that combine has lost its
power: those of one measurement, and the mean of five simulations. Organised runs have a publisher, which keeps
records as the bootstrap peer does; the other set-ups have none.
"""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.internet.paced.run import swarm_rules, write_run
from benchmarks.internet.swarm import STEPS, rules_of_rounds
from benchmarks.measuring.report import RESULTS, BenchmarkReport, reporting_errors, rounded
from core.model.config import preset
from core.run.encodings import TopK
from core.run.manifest import RunManifest
from core.run.rules import LocalStepRules, Overlap, TrainingRules
from core.simulation.peer import SimulatedTrainer
from core.simulation.report import main_chain
from core.simulation.swarm import SimulatedHost, SimulatedSwarmRun
from core.simulation.topology import MachineGroup, SimulatedTopology
from core.swarm.phase import Phase
from tests.swarms.tiny_run import write_tiny_run

_PACED = ("local_steps_default", "local_steps_dalle")
_ORGANISED = ("double", "of_4_outage_late", "of_8", "of_9_late")
_IN_GROUPS = ("of_4_in_groups_of_4", "of_8_in_groups_of_4", "of_16_in_groups_of_4")
_LOSSES = 5
_LOST_AFTER, _WATCHED_AFTER = 300.0, 400.0
"""Simulated seconds before and after the loss of a home."""
_CORES = 2
_UPDATE_SECONDS = 0.1
"""Seconds of an update of the tiny model, where the result does not tell them."""
_TOPK = TopK(kept=128)
"""Form of the drifts of the tiny run in the results of organised runs."""
_KILLS = 20
_LOOPBACK_MBIT = 2.0
"""Mbit/s at which an exchange of the dying swarm takes about as long as on the machine that it shared."""
_HOURS = 1.5

_Row = dict[str, Any]


def main() -> None:
    """Simulate all set-ups, print the table, and save it as ``simulation.json``."""
    parser = argparse.ArgumentParser("python -m benchmarks.simulation", description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder for the JSON file")
    out = parser.parse_args().out
    report = BenchmarkReport("simulation", __doc__ or "")
    with reporting_errors(), TemporaryDirectory() as folder:
        made = Path(folder)
        rows = [*_paced(made), *_organised(made), *_in_groups(made), *_deaths(made)]
        report.write(rows, folder=out, hours=_HOURS, kills=_KILLS)


def _result(name: str) -> Any:
    return json.loads((RESULTS / f"{name}.json").read_text())


def _mean(rows: list[_Row], name: str) -> float:
    return fmean(float(row[name]) for row in rows)


# --- homes at the paper's size ----------------------------------------------------------------------------------


def _paced(folder: Path) -> Iterator[_Row]:
    for name in _PACED:
        found = _result(f"utilisation_{name}")
        given = argparse.Namespace(**({"kept": 128, "aggregation": "mean"} | found["settings"]["options"]))
        rules = swarm_rules(given)
        training = RunManifest.load(write_run(folder / name, preset(given.model), rules)).training
        rows = found["results"]
        homes = MachineGroup(
            name="homes",
            count=given.homes,
            samples_per_second=given.samples_per_second,
            micro_batch=given.micro_batch,
            down=given.down,
            up=given.up,
            processor_seconds=given.homes * _mean(rows, "exchange_cpu") / _CORES,
        )
        run = _swarm(training, homes, publisher=False)
        run.run()
        seconds = fmean(found["settings"]["swarm"]["seconds_between"])
        up, down = (1e6 * _mean(rows, f"{way}_mb_a_round") for way in ("up", "down"))
        yield _row(f"utilisation_{name}", run.hosts, run, seconds, up, down)


# --- homes of an organised run ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _HomeRun:
    """An organised run that was measured, as it is simulated, and what a home passed in an epoch of it."""

    name: str
    training: TrainingRules
    homes: MachineGroup
    swarm: _Row
    """Summary of the swarm as a whole, as the result has it."""
    seconds: float
    """Seconds between two epochs."""
    up: float
    """Bytes that a home sent in an epoch."""
    down: float
    """Bytes that it received."""

    def simulated(self) -> SimulatedSwarmRun:
        """Simulate it, with the loss of the last home in the middle of the time if one was lost."""
        lasting = self.homes.model_copy(update={"replaced_after_minutes": 600.0})
        run = _swarm(self.training, lasting, publisher=True)
        if self.swarm.get("home_lost"):
            run.queue.after(1800.0 * _HOURS, run.hosts[-1].kill)
        run.run()
        return run

    def row(self, run: SimulatedSwarmRun) -> _Row:
        hosts = run.hosts[:-1] if self.swarm.get("home_lost") else run.hosts
        typical = median if "median_gap_seconds" in self.swarm else fmean
        return _row(self.name, hosts, run, self.seconds, self.up, self.down, typical)


def _home_run(folder: Path, name: str, rules_of: Callable[[_Row], _Row]) -> _HomeRun:
    """Return the run of the result with that ``name``; ``rules_of`` gives the rules by its options."""
    found = _result(f"home_swarm_tiny_local_steps_{name}")
    given, swarm, rows = found["settings"]["options"], found["settings"]["swarm"], found["results"]
    watched = swarm.get("seconds", 60.0 * swarm["epochs"] / swarm["epochs_a_minute"])
    seconds = swarm.get("median_gap_seconds", watched / swarm["epochs"])
    homes = MachineGroup(
        name="homes",
        count=given.get("homes", len(rows)),
        samples_per_second=_mean(rows, "samples") / (swarm["epochs"] * seconds),
        micro_batch=32,
        down=given["down"],
        up=given["up"],
        reachable=1.0,
        reached_by="punched",
        processor_seconds=swarm.get("landing_seconds", _UPDATE_SECONDS),
    )
    up, down = (_mean(rows, f"{way}_bytes") / watched * seconds for way in ("up", "down"))
    training = RunManifest.load(write_tiny_run(folder / name, **rules_of(given))).training
    return _HomeRun(f"home_swarm_tiny_local_steps_{name}", training, homes, swarm, seconds, up, down)


def _organised(folder: Path) -> Iterator[_Row]:
    local = LocalStepRules(steps=STEPS, drift_encoding=_TOPK, mean_encoding=_TOPK)

    def rules(given: _Row) -> _Row:
        return {
            "target_batch_size": given["batch"],
            "matchmaking_seconds": 15.0,
            "allreduce_seconds": 60.0,
            "averaging_seconds": 180.0,
            "overlap": Overlap.FULL,
            "local_steps": local,
        }

    for name in _ORGANISED:
        found = _home_run(folder, name, rules)
        yield found.row(found.simulated())


# --- homes in groups that combine ---------------------------------------------------------------------------------


def _in_groups(folder: Path) -> Iterator[_Row]:
    for name in _IN_GROUPS:
        found = _home_run(
            folder, name, lambda given: rules_of_rounds(True, given["batch"], given["group_size"])
        )
        run = found.simulated()
        lost = found.swarm["home_lost"]["seconds_without_epoch"]
        simulated = fmean(_after_a_loss(found.training, found.homes, seed) for seed in range(_LOSSES))
        yield found.row(run) | {
            "peers_an_epoch_real": found.swarm["peers_an_epoch"],
            "peers_an_epoch_simulated": rounded(fmean(item.members for item in main_chain(run.commits)), 3),
            "after_loss_real": lost,
            "after_loss_simulated": rounded(simulated),
            "after_loss_ratio": rounded(simulated / lost, 3),
        }


def _after_a_loss(training: TrainingRules, homes: MachineGroup, seed: int) -> float:
    """Return the longest seconds between two epochs of the first home around the death of the last one."""
    lasting = homes.model_copy(update={"replaced_after_minutes": 600.0})
    topology = SimulatedTopology(run="run.toml", duration_hours=1.0, seed=seed, groups=(lasting,))
    run = SimulatedSwarmRun(topology, training)
    died = _LOST_AFTER + 7.0 * seed
    run.queue.run(died)
    run.hosts[-1].kill()
    run.queue.run(died + _WATCHED_AFTER)
    return _longest(run, run.hosts[0].machine.name, died)


# --- deaths ------------------------------------------------------------------------------------------------------


def _deaths(folder: Path) -> Iterator[_Row]:
    found = _result("round_deaths")
    rules = found["settings"]["rules"]
    training = RunManifest.load(write_tiny_run(folder / "deaths", **rules)).training
    real = {
        (row["role"], row["stage"], row["death"]): row["median_seconds_without_epoch"]
        for row in found["results"]
    }
    usual = real["nobody", "", "none"]
    rate = rules["target_batch_size"] / (usual - _OVERHEAD_OF_EPOCH) / 3
    for role, stage, exchanging in (
        ("member", "gathering samples", False),
        ("reducer", "gathering samples", False),
        ("member", "sending parts", True),
        ("reducer", "sending parts", True),
    ):
        seconds = median(_without_epoch(training, rate, role, exchanging, seed) for seed in range(_KILLS))
        yield {
            "set-up": f"round_deaths: {role} killed, {stage}",
            "homes": 3,
            "epoch_seconds_real": real[role, stage, "killed"],
            "epoch_seconds_simulated": rounded(seconds),
            "ratio": rounded(seconds / real[role, stage, "killed"], 3),
        }


_OVERHEAD_OF_EPOCH = 0.7
"""Seconds of an epoch of the swarm that dies which its samples do not take: chosen so that epochs take as long."""


def _without_epoch(training: TrainingRules, rate: float, role: str, exchanging: bool, seed: int) -> float:
    """Return the longest seconds between two epochs of a survivor around a death."""
    groups = (
        _loopback("reducers", 2, rate, reachable=1.0),
        _loopback("third", 1, rate, reachable=0.0 if role == "member" else 1.0),
    )
    topology = SimulatedTopology(
        run="run.toml", duration_hours=1.0, seed=seed, auxiliary=False, publisher=False, groups=groups
    )
    run = SimulatedSwarmRun(topology, training)
    victim = run.hosts[2 if role == "member" else 0]
    died = 60.0 + 0.37 * seed
    run.queue.run(died)
    while not _is_at(victim.trainer, exchanging):
        died += 0.02
        run.queue.run(died)
    victim.kill()
    run.queue.run(died + 60.0)
    survivors = [host for host in run.hosts if host is not victim]
    return max(_longest(run, host.machine.name, died) for host in survivors)


def _is_at(victim: SimulatedTrainer | None, exchanging: bool) -> bool:
    if victim is None:
        return False
    return victim.averager.is_exchanging if exchanging else victim.optimizer.phase == Phase.ACCUMULATING


def _longest(run: SimulatedSwarmRun, name: str, died: float) -> float:
    times = [event.time for event in run.history if (event.kind, event.who) == ("landed", name)]
    watched = [*[time for time in times if time <= died][-1:], *[time for time in times if time > died][:3]]
    return max(after - before for before, after in pairwise(watched))


def _loopback(name: str, count: int, rate: float, reachable: float) -> MachineGroup:
    return MachineGroup(
        name=name,
        count=count,
        samples_per_second=rate,
        micro_batch=8,
        down=_LOOPBACK_MBIT,
        up=_LOOPBACK_MBIT,
        delay=0.0,
        reachable=reachable,
        processor_seconds=0.05,
        start_seconds=1.0,
        replaced_after_minutes=10.0,
    )


# --- both sides --------------------------------------------------------------------------------------------------


def _swarm(training: TrainingRules, homes: MachineGroup, *, publisher: bool) -> SimulatedSwarmRun:
    topology = SimulatedTopology(run="run.toml", duration_hours=_HOURS, publisher=publisher, groups=(homes,))
    return SimulatedSwarmRun(topology, training)


def _row(
    name: str,
    hosts: Sequence[SimulatedHost],
    run: SimulatedSwarmRun,
    seconds: float,
    up: float,
    down: float,
    typical: Callable[[list[float]], float] = fmean,
) -> _Row:
    """Return the row of a ``run``, with what ``hosts`` passed, and the ``typical`` seconds between two epochs."""
    chain = main_chain(run.commits)
    commits = [event.time for event in run.history if event.kind == "committed"]
    between = typical([after - before for before, after in pairwise(commits[2:])])
    accounts = [host.account for host in hosts]
    passed = {
        "up": fmean(item.line.sent for item in accounts) / len(chain),
        "down": fmean(item.line.received for item in accounts) / len(chain),
    }
    real = {"up": up, "down": down}
    row: _Row = {
        "set-up": name,
        "homes": len(run.hosts),
        "epoch_seconds_real": rounded(seconds),
        "epoch_seconds_simulated": rounded(between),
        "ratio": rounded(between / seconds, 3),
    }
    for way in ("up", "down"):
        simulated = passed[way]
        row |= {
            f"{way}_kb_real": rounded(real[way] / 1000),
            f"{way}_kb_simulated": rounded(simulated / 1000),
            f"{way}_ratio": rounded(simulated / real[way], 3),
        }
    return row


if __name__ == "__main__":
    main()
