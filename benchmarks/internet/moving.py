"""A volunteer's computer is carried to another home in the middle of a round: what it and the others lose by that.

Its interface is gone for some seconds, as if a laptop were closed and opened elsewhere. It comes back with an address
of the other home's network, behind a router that knows none of its connections. `round_seconds` passed from the move
to the commit of the round that it was in, which counts `round_peers`. From when it had a network again it took
`reach_seconds` until it knew from which address others see it now, and `in_step_seconds` until the commit of the
first epoch after that round that holds its samples; `missed_epochs` lie between these two. `epochs_alone` are those
that it committed on a branch of its own. A gap is that between two commits. The run, its coordinator and its
volunteers are those of `benchmarks.internet.swarm`. `lines` are what was measured of each line just before.
"""

import argparse
import re
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.internet.emulation import EmulatedInternet, EmulationError, exit_on_termination
from benchmarks.internet.line_options import add_line_options, line_of
from benchmarks.internet.measured_lines import measured_lines
from benchmarks.internet.organised_run import OrganisedRun, SeenEpoch, VolunteerHome
from benchmarks.internet.swarm import draft, rules_of_rounds
from benchmarks.internet.topology import EmulatedSite, Ip6, Router, Topology, homes
from benchmarks.measuring.report import RESULTS, BenchmarkReport, reporting_errors, rounded

_SERVER, _AWAY = "server", "away"
_START_SECONDS = 900.0
_LOOK_SECONDS = 2.0
_ROUND_SECONDS = 300.0
_GLANCE_SECONDS = 0.02
_GROUP = re.compile(r"Epoch (\d+): group [0-9a-f]+ of (\d+) peers")
"""Line that a trainer logs as soon as it has found a group, whose exchange begins then."""


@dataclass(frozen=True)
class HomeMove:
    """The move of a volunteer's computer."""

    epoch: int
    """Epochs that were done when the round began that it left."""
    began: datetime
    ended: datetime
    """Time at which the computer had a network again."""
    address: str
    """Public address of the home where it is now."""


@dataclass
class MovingSwarm:
    """A run of homes, of which the first one's computer moves."""

    internet: EmulatedInternet
    run: OrganisedRun
    homes: Sequence[VolunteerHome]
    headlines: dict[str, list[str]] = field(default_factory=dict)
    found_at: datetime | None = None
    """Time at which the computer that moved was first seen to know its new address."""

    def start(self, manifest: Path, log: Path, share: float) -> None:
        """Serve the run, and have each volunteer join it; returns once an epoch of all of them is committed."""
        link = self.run.make(manifest)
        self.run.serve(log)
        self.until(lambda: self.run.asked("/api/history") is not None, "the website does not answer")
        for home in self.homes:
            home.join(link, share)
            home.share_cores()
        self.until(self._trained_together, "the homes do not train together")

    def _trained_together(self) -> bool:
        return any(epoch["peers"] == len(self.homes) for epoch in self.run.history()[-10:])

    def move(self, offline: float) -> HomeMove:
        """Carry the first volunteer's computer to the other home, once it has begun a round with all others."""
        moving = self.homes[0]
        epoch = _next_round(moving.paths.log("trainer"), len(self.homes))
        began = datetime.now(UTC)
        address = self.internet.carry(moving.computer, _AWAY, offline)
        return HomeMove(epoch, began, datetime.now(UTC), address)

    def is_back(self, moved: HomeMove) -> bool:
        """Return true if an epoch after the round of the move holds samples of the computer that moved."""
        snapshot = self.homes[0].snapshot()
        if self.found_at is None and snapshot is not None and snapshot.reach is not None:
            self.found_at = datetime.now(UTC) if snapshot.reach.address == moved.address else None
        own, others = self.homes[0].epochs(), self.homes[-1].epochs()
        later = [number for number in own if number > moved.epoch + 1]
        return self.found_at is not None and any(_is_in_step(number, own, others) for number in later)

    def until(self, holds: Callable[[], bool], otherwise: str, patience: float = _START_SECONDS) -> None:
        """Wait until that holds, and note headlines meanwhile; raises EmulationError after ``patience`` seconds."""
        deadline = time.monotonic() + patience
        while not holds():
            if time.monotonic() > deadline:
                raise EmulationError(f"After {patience:.0f} s {otherwise}.", "Keep the logs with --keep.")
            for home in self.homes:
                home.share_cores()
                if (snapshot := home.snapshot()) is not None:
                    noted = self.headlines.setdefault(home.name, [])
                    noted += [snapshot.headline] if snapshot.headline not in noted else []
            time.sleep(_LOOK_SECONDS)


def _next_round(log: Path, peers: int) -> int:
    """Wait until the trainer with that ``log`` has found a group of ``peers`` peers, and return its epoch."""
    deadline = time.monotonic() + _ROUND_SECONDS
    with log.open(errors="replace") as lines:
        lines.seek(0, 2)
        while time.monotonic() < deadline:
            for line in lines:
                if (found := _GROUP.search(line)) and int(found[2]) >= peers:
                    return int(found[1])
            time.sleep(_GLANCE_SECONDS)
    raise EmulationError(
        "The computer to be moved began no round of all homes.", "Look at its trainer's log."
    )


def outcome_of(
    moved: HomeMove,
    history: Sequence[Mapping[str, Any]],
    own: Mapping[int, SeenEpoch],
    others: Mapping[int, SeenEpoch],
    found_at: datetime | None,
) -> dict[str, Any]:
    """Return what the move cost, in seconds and epochs.

    Args:
        moved: the move.
        history: the committed epochs, as the coordinator's recorder saw them.
        own: the epochs that the computer which moved has seen.
        others: those that another one has seen.
        found_at: when it was first seen to know the address from which others see it now; None: never.
    """
    times = {epoch["epoch"]: datetime.fromisoformat(epoch["time"]) for epoch in history}
    peers = {epoch["epoch"]: epoch["peers"] for epoch in history}
    struck, *later = [number for number in sorted(times) if number > moved.epoch] or [None]
    back = next((number for number in later if _is_in_step(number, own, others)), None)
    alone = [number for number in own if number in others and own[number].loss != others[number].loss]
    before = [gap for gap, at in _gaps(times.values()) if at <= moved.began]
    after = [gap for gap, at in _gaps(times.values()) if at > moved.began]
    return {
        "offline_seconds": _between(moved.began, moved.ended),
        "round_seconds": _between(moved.began, times.get(struck)),
        "round_peers": peers.get(struck),
        "usual_gap_seconds": rounded(median(before), 3) if before else None,
        "longest_gap_after_seconds": rounded(max(after), 3) if after else None,
        "reach_seconds": _between(moved.ended, found_at),
        "in_step_seconds": _between(moved.ended, times.get(back)),
        "missed_epochs": None if back is None else later.index(back),
        "epochs_alone": len(alone),
    }


def _is_in_step(number: int, own: Mapping[int, SeenEpoch], others: Mapping[int, SeenEpoch]) -> bool:
    """Return true if an epoch that both have seen holds samples of the computer that moved."""
    both = number in own and number in others
    return both and own[number].own_samples > 0 and own[number].loss == others[number].loss


def _gaps(times: Iterable[datetime]) -> list[tuple[float, datetime]]:
    """Return the seconds between each two of ``times``, with the later one."""
    return [((later - earlier).total_seconds(), later) for earlier, later in pairwise(sorted(times))]


def _between(begin: datetime, end: datetime | None) -> float | None:
    return None if end is None else rounded((end - begin).total_seconds(), 3)


def _topology(given: argparse.Namespace) -> Topology:
    line = line_of(given)
    there = homes(given.homes, line, router=Router(given.router), ip6=Ip6(given.ip6)).sites
    return Topology(sites=(*there, EmulatedSite(name=_AWAY, line=line, ip6=Ip6(given.ip6))))


def _parsed(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m benchmarks.internet.moving", description=__doc__)
    parser.add_argument("--homes", type=int, default=3)
    add_line_options(parser)
    parser.add_argument("--router", choices=list(Router), default=Router.NAT)
    parser.add_argument("--ip6", choices=list(Ip6), default=Ip6.NONE)
    parser.add_argument("--offline", type=float, default=10.0, help="seconds without a network")
    parser.add_argument("--before", type=float, default=60.0, help="seconds of training before the move")
    parser.add_argument("--after", type=float, default=30.0, help="seconds of training once it is back")
    parser.add_argument("--run", choices=("tiny", "embedded"), default="tiny")
    parser.add_argument("--batch", type=int, default=1024, help="samples of a round")
    parser.add_argument("--gradients", action="store_true", help="gradients in place of local steps")
    parser.add_argument(
        "--share", type=float, default=0.25, help="share of the time in which a home computes"
    )
    parser.add_argument("--keep", type=Path, help="an empty folder that keeps everything, logs included")
    parser.add_argument("--out", type=Path, default=RESULTS)
    return parser.parse_args(words)


def _moved(given: argparse.Namespace, folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what the move cost, and as settings the lines, and the headlines of each home from the move on."""
    manifest = draft(folder / "draft", given.run, rules_of_rounds(not given.gradients, given.batch))
    with EmulatedInternet(_topology(given)) as internet:
        lines = measured_lines(internet)
        names = [site.name for site in internet.topology.sites if site.name not in (_SERVER, _AWAY)]
        there = [VolunteerHome(internet.computer(name), folder / name) for name in names]
        swarm = MovingSwarm(internet, OrganisedRun(internet.computer(_SERVER), folder / "coordinator"), there)
        swarm.start(manifest, folder / "serve.log", given.share)
        time.sleep(given.before)
        swarm.headlines.clear()
        moved = swarm.move(given.offline)
        swarm.until(lambda: swarm.is_back(moved), "the computer that moved is not in step again")
        time.sleep(given.after)
        own, others = there[0].epochs(), there[-1].epochs()
        found = outcome_of(moved, swarm.run.history(), own, others, swarm.found_at)
    return found, {"headlines": swarm.headlines, "lines": lines}


def main(words: Sequence[str] | None = None) -> None:
    """Run the swarm, move a computer, print what that cost, and save it as ``home_moves_RUN_PROCEDURE.json``."""
    given = _parsed(words)
    exit_on_termination()
    procedure = "gradients" if given.gradients else "local_steps"
    report = BenchmarkReport(f"home_moves_{given.run}_{procedure}", __doc__ or "")
    with reporting_errors(), ExitStack() as stack:
        folder = given.keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ib")))
        row, seen = _moved(given, folder)
    options = {name: value for name, value in vars(given).items() if name not in ("out", "keep")}
    report.show([row])
    report.write([row], folder=given.out, options=options, **seen)


if __name__ == "__main__":
    main()
