"""Volunteers at homes behind routers train one run together, by the commands that an organiser and they type.

A rented server runs `idlebrush coordinator serve`, each home `idlebrush join LINK` and its daemon. Traffic is that
of the router's interface towards the Internet, headers of IP included, from when all homes train together; `shown`
is what the volunteer's client counts of it. `one_head` is true if every epoch that two
homes have seen has the same mean loss at both, decoded from the committed bytes. `credited` is the share of the
committed samples that the homes count as their own, `included` the share of the samples that a home computed and
that are in a committed epoch: what was computed last is not, and with local steps a micro-step may have fewer
samples than is counted here. `computing` is the share of the wall time in which the
trainer was in micro-steps; on cores that others use, too, it says little of the line. `late_seconds` passed from the
command of a home that joins late to its first epoch with all others. The run is that of the project's tests, a model
of some thousand weights, or the embedded one. Computers behind one router have its traffic in common.
`lines` are what was measured of each line just before. `epochs` are whole ones within the `seconds` of watching: with
few of them, `epochs_a_minute` says less of the time between two than `median_gap_seconds` does. An update took
`landing_seconds` after its round, on the cores that all homes share.

`kills` has for each kill of the bootstrap peer, by the logs of the homes, the seconds since the exchange of the round
began that was under way, the seconds after which it ended and how, and those until the home's next commit. `outage`
has how many epochs each home landed while none of the coordinator's processes ran. `home_lost` has the longest
seconds between two epochs, from the last before a home lost its power to the third after it.
"""

import argparse
import math
import shutil
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import psutil

from benchmarks.internet.emulation import EmulatedInternet, exit_on_termination
from benchmarks.internet.home_rounds import HomeRounds
from benchmarks.internet.home_swarm import CoordinatorOutage, HomeSwarm, SwarmWatch, kill_row
from benchmarks.internet.measured_lines import measured_lines
from benchmarks.internet.organised_run import SeenEpoch
from benchmarks.internet.topology import Router, Topology
from benchmarks.internet.topology_options import SERVER, add_topology_options, topology_of
from benchmarks.measuring.report import RESULTS, BenchmarkReport, reporting_errors, rounded
from client.joining.embedded import MANIFESTS, NAMES, embedded_run
from core.run.encodings import Encoding
from core.run.manifest import RunManifest
from core.run.rules import LocalStepRules, Overlap
from core.signing import SigningKey
from tests.swarms.tiny_run import write_tiny_run

_MBIT = 1_000_000 / 8
_PEAK_LR = 0.004
"""Learning rate at which the held-out loss of the run falls for as long as it is watched."""
STEPS = 8
"""Local steps of each peer between two rounds."""
_FORMS: dict[str, Any] = {"drift_encoding": Encoding.BLOCKWISE4, "mean_encoding": Encoding.BLOCKWISE4}
"""Forms of drifts that a new run of this size gets; results before 2026-11-28 have 128 of 4,096 values in 2 bits."""
_PATIENCE = {"matchmaking_seconds": 15.0, "allreduce_seconds": 60.0, "averaging_seconds": 180.0}
"""Limits of the embedded run for homes, the paper's: its own are for processes of one machine."""
_ROUND_SECONDS = 30.0
_SHORT_ROUNDS = {"matchmaking_seconds": 10.0, "allreduce_seconds": 20.0, "averaging_seconds": 90.0}
"""Limits with which groups that combine have an epoch twice a minute."""
_MOST_GROUPS = 32
_USUAL_HOMES = 3
_APART = ("out", "keep", "topology", "lines_only")
"""Options that results do not have: the topology itself is beside them."""
_LEAST_SHARE = 0.01
"""Smallest share of the time that a volunteer can choose."""
_BATCHES = {"tiny": 4096, "embedded": 384}


def draft(folder: Path, run: str, rules: dict[str, Any]) -> Path:
    """Write the manifest that the organiser begins with, with the ``rules`` of rounds, beside its files."""
    if run == "tiny":
        return write_tiny_run(folder, epochs=100_000, peak_lr=_PEAK_LR, **rules)
    shutil.copytree(embedded_run(), folder)
    manifest = RunManifest.load(folder / MANIFESTS[NAMES["embedded"]])
    swarm = manifest.training.swarm.model_copy(update={**rules, **_PATIENCE})
    training = manifest.training.model_copy(update={"swarm": swarm})
    path = folder / "own.toml"
    RunManifest.create(training, manifest.contact, SigningKey.generate()).save(path)
    return path


def rules_of_rounds(local_steps: bool, batch: int, group_size: int | None = None) -> dict[str, Any]:
    """Return the rules of rounds, with local steps or gradients, and ``batch`` samples of an epoch.

    Where groups of a ``group_size`` combine, rounds of local steps come by the clock.
    """
    rules: dict[str, Any] = {"target_batch_size": batch, "overlap": Overlap.FULL}
    if local_steps:
        seconds = _ROUND_SECONDS if group_size else None
        rules["local_steps"] = LocalStepRules(steps=min(batch, STEPS), round_seconds=seconds, **_FORMS)
    if group_size:
        rules |= {"group_size": group_size, "most_groups": _MOST_GROUPS, **_SHORT_ROUNDS}
    return rules


def rows_of(swarm: HomeSwarm, seen: SwarmWatch) -> list[dict[str, Any]]:
    """Return a row for each home, of what happened since ``seen`` began."""
    after, last = swarm.traffic(), swarm.snapshots()
    wall = time.monotonic() - seen.began
    rows = []
    for home in swarm.homes:
        if home.name not in last:  # it has lost its power
            continue
        passed = after[home.name] - seen.traffic[home.name]
        first, now = seen.first[home.name].contribution, last[home.name].contribution
        reach = last[home.name].reach
        trainer, steps = last[home.name].trainer, home.micro_steps() - seen.micro_steps[home.name]
        assert first is not None
        assert now is not None
        assert trainer is not None
        samples = now.samples - first.samples
        rows.append(
            {
                "home": home.name,
                "reach": reach.code if reach else "",
                "headline": last[home.name].headline,
                "samples": samples,
                "included": rounded(samples / max(1, steps * trainer.micro_batch), 3),
                "computing": rounded((now.compute_seconds - first.compute_seconds) / wall, 2),
                "down_bytes": passed.down,
                "up_bytes": passed.up,
                "shown_down": now.bytes_received - first.bytes_received,
                "shown_up": now.bytes_sent - first.bytes_sent,
                "down_mbit": rounded(passed.down / wall / _MBIT, 3),
                "up_mbit": rounded(passed.up / wall / _MBIT, 3),
            }
        )
    return rows


def summary_of(swarm: HomeSwarm, seen: SwarmWatch) -> dict[str, Any]:
    """Return what the swarm as a whole did since ``seen`` began."""
    history = [epoch for epoch in swarm.run.history() if epoch["epoch"] > seen.first_epoch]
    homes_saw = [home.epochs() for home in swarm.homes]
    numbers = [epoch["epoch"] for epoch in history]
    own = sum(epochs[number].own_samples for epochs in homes_saw for number in numbers if number in epochs)
    samples = sum(epoch["samples"] for epoch in history)
    wall = time.monotonic() - seen.began
    peers = [epoch["peers"] for epoch in history]
    return {
        "seconds": rounded(wall, 4),
        "epochs": len(history),
        "epochs_a_minute": rounded(60 * len(history) / wall, 3),
        "peers_an_epoch": rounded(sum(peers) / len(peers), 3) if peers else 0,
        "epochs_of_all": rounded(peers.count(len(swarm.homes)) / len(peers), 3) if peers else 0,
        "samples": samples,
        "credited": rounded(own / samples, 4) if samples else 0,
        "last_loss": history[-1]["loss"] if history else None,
        "one_head": has_one_head(homes_saw),
        "least_in_step": min(seen.in_step, default=0),
        "median_gap_seconds": rounded(median(gaps_of(history) or [wall]), 3),
        "longest_gap_seconds": rounded(max(gaps_of(history), default=wall), 2),
        "recovered": all(any(_moment(epoch) > kill.at for epoch in history) for kill in seen.kills),
        "landing_seconds": landing_seconds(swarm),
        "home_lost": lost_home_row(history, seen.home_lost) if seen.home_lost else None,
        "kills": [kill_row(kill, swarm) for kill in seen.kills],
    }


def landing_seconds(swarm: HomeSwarm) -> float | None:
    """Return the median seconds of an update from the end of its round, by all homes' logs; None if there is none."""
    rounds = [item for home in swarm.homes for item in HomeRounds(home.paths.log("trainer")).look().rounds]
    found = [item.landing_seconds for item in rounds if item.landing_seconds is not None]
    return rounded(median(found), 3) if found else None


def lost_home_row(history: Sequence[Mapping[str, Any]], lost: datetime) -> dict[str, Any]:
    """Return the longest seconds between two epochs of ``history`` around the time ``lost`` of a home, and its peers.

    They are from the last epoch before the loss to the third after it.
    """
    before = [epoch for epoch in history if _moment(epoch) <= lost]
    after = [epoch for epoch in history if _moment(epoch) > lost]
    return {
        "at": lost.isoformat(),
        "seconds_without_epoch": rounded(max(gaps_of([*before[-1:], *after[:3]]), default=math.inf), 2),
        "peers_before": [epoch["peers"] for epoch in before[-3:]],
        "peers_after": [epoch["peers"] for epoch in after[:5]],
    }


def gaps_of(history: Sequence[Mapping[str, Any]]) -> list[float]:
    """Return the seconds between each two commits of ``history``, as the recorder saw them."""
    return [(_moment(later) - _moment(earlier)).total_seconds() for earlier, later in pairwise(history)]


def _moment(epoch: Mapping[str, Any]) -> datetime:
    return datetime.fromisoformat(epoch["time"])


def has_one_head(seen: Sequence[Mapping[int, SeenEpoch]]) -> bool:
    """Return true if no two homes have ``seen`` another mean loss of the same epoch."""
    losses: dict[int, set[float]] = {}
    for epochs in seen:
        for number, epoch in epochs.items():
            losses.setdefault(number, set()).add(epoch.loss)
    return all(len(each) == 1 for each in losses.values())


def suitable_share(homes: int, cores: int) -> float:
    """Return the share of the time in which each of the ``homes`` may compute on one of the ``cores``.

    They take half of the cores then: the rest is for the daemons, the exchange and the packets of all homes.
    """
    return max(_LEAST_SHARE, min(1.0, round(cores / (2 * homes), 2)))


def parser() -> argparse.ArgumentParser:
    """Return the parser of this benchmark's options."""
    parser = argparse.ArgumentParser("python -m benchmarks.internet.swarm", description=__doc__)
    add_topology_options(parser, count=_USUAL_HOMES)
    parser.add_argument(
        "--minutes", type=float, default=3.0, help="minutes of watching, once all train together"
    )
    parser.add_argument(
        "--local-steps",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="local steps with dense drifts in 4 bits, instead of the paper's gradients",
    )
    parser.add_argument(
        "--group-size",
        type=int,
        help="homes of a group, of which as many combine as form; rounds come every 30 s then, with --local-steps",
    )
    parser.add_argument(
        "--run", choices=list(_BATCHES), default="tiny", help="that of the tests, or Idlebrush's own"
    )
    parser.add_argument("--batch", type=int, help="samples of an epoch")
    parser.add_argument(
        "--kill-bootstrap",
        nargs="?",
        type=int,
        const=1,
        default=0,
        help="how often the bootstrap peer is killed in the middle of a round, evenly spread",
    )
    parser.add_argument(
        "--lose-home",
        action="store_true",
        help="have the last home lose its power in the middle of the watching",
    )
    parser.add_argument(
        "--late", action="store_true", help="have the last home join once the others train together"
    )
    parser.add_argument(
        "--outage",
        type=float,
        default=0.0,
        help="minutes without any of the coordinator's processes, before a late home joins",
    )
    parser.add_argument(
        "--share", type=float, default=1.0, help="share of the time in which a home computes, 0.01 to 1"
    )
    parser.add_argument("--keep", type=Path, help="an empty folder that keeps everything, logs included")
    parser.add_argument("--out", type=Path, default=RESULTS)
    return parser


def main(words: Sequence[str] | None = None) -> None:
    """Run the swarm that the command line describes."""
    measure(parser().parse_args(words))


def measure(given: argparse.Namespace) -> None:
    """Run the swarm, print what it did, and save it under its options, as ``home_swarm_RUN_PROCEDURE.json``."""
    exit_on_termination()
    with reporting_errors(), ExitStack() as stack:
        topology = _completed(given)
        report = BenchmarkReport(_name_of(given), __doc__ or "")
        folder = given.keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ib")))
        rules = rules_of_rounds(given.local_steps, given.batch, given.group_size)
        manifest = draft(folder / "draft", given.run, rules)
        with EmulatedInternet(topology) as internet:
            lines = measured_lines(internet)
            report.show(lines)
            swarm = HomeSwarm(internet, folder, given.share)
            swarm.start(manifest, given.late)
            outage = swarm.outage(60 * given.outage) if given.outage else None
            late_seconds = rounded(swarm.join_late()) if given.late else None
            seen = swarm.watch(60 * given.minutes, given.kill_bootstrap, loses_home=given.lose_home)
            summary = {**summary_of(swarm, seen), "late_seconds": late_seconds}
            rows = rows_of(swarm, seen)
    report.show([summary])
    report.write(
        rows,
        folder=given.out,
        swarm=summary,
        headlines=seen.headlines,
        outage=_outage_row(outage) if outage else None,
        lines=lines,
        options=_options(given),
        topology=topology.model_dump(mode="json"),
    )


def _completed(given: argparse.Namespace) -> Topology:
    """Return the topology, and complete the options that depend on it; raises TopologyError if it makes no sense."""
    topology = topology_of(given)
    given.homes = sum(site.computers for site in topology.sites if site.name != SERVER)
    given.batch = given.batch or _BATCHES[given.run]
    if given.share is None:
        given.share = suitable_share(given.homes, psutil.cpu_count() or 1)
    return topology


def _name_of(given: argparse.Namespace) -> str:
    words = ["home_swarm", given.run, "local_steps" if given.local_steps else "gradients"]
    words += [given.topology.stem] if given.topology else []
    words += [given.router] if given.router != Router.NAT else []
    words += [f"of_{given.homes}"] if given.homes > _USUAL_HOMES else []
    words += [f"in_groups_of_{given.group_size}"] if given.group_size else []
    words += ["outage"] if given.outage else []
    return "_".join([*words, "late"] if given.late else words)


def _outage_row(outage: CoordinatorOutage) -> dict[str, Any]:
    return {
        "seconds": rounded((outage.ended - outage.began).total_seconds()),
        "epochs": dict(outage.epochs),
        "headlines": dict(outage.headlines),
    }


def _options(given: argparse.Namespace) -> dict[str, Any]:
    return {name: value for name, value in vars(given).items() if name not in _APART}


if __name__ == "__main__":
    main()
