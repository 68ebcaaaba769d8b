"""Carries a volunteer's computer to another home in the middle of a round, and tells what it and the others lost.

Its interface is gone for some seconds, as if a laptop were closed and opened elsewhere. It comes back with an address
of the other home's network, behind a router that knows none of its connections. `round_seconds` passed from then to
the commit of the round that it was in, which counts `round_peers`; from when it had a network again, `reach_seconds`
until it knew from which address others see it now, and `in_step_seconds` until the commit of the first epoch after
that round that holds its samples. `missed_epochs` lie between these two. The gaps are those between two commits.
"""

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.internet.emulation import EmulatedInternet, EmulationError
from benchmarks.internet.organised_run import SeenEpoch, VolunteerHome
from benchmarks.internet.topology import EmulatedSite, SiteLine, Topology
from benchmarks.measuring.report import rounded

AWAY = "away"
"""Name of the home to which the computer is carried."""
_OFFLINE_SECONDS = 10.0
_ROUND_SECONDS = 300.0
_GLANCE_SECONDS = 0.02
_GROUP = re.compile(r"Epoch (\d+): group [0-9a-f]+ of (\d+) peers")
"""What a trainer logs as soon as it has found a group, whose exchange begins then."""


def with_elsewhere(topology: Topology, line: SiteLine) -> Topology:
    """Return ``topology`` with a home on that ``line`` to which a computer can be carried."""
    return topology.model_copy(update={"sites": (*topology.sites, EmulatedSite(name=AWAY, line=line))})


@dataclass(frozen=True)
class Move:
    """The move of a volunteer's computer."""

    home: str
    epoch: int
    """Epochs that were done when the round began that it left."""
    began: datetime
    ended: datetime
    """Time at which the computer had a network again."""
    address: str
    """Public address of the home where it is now."""


def move(internet: EmulatedInternet, home: VolunteerHome, peers: int) -> Move:
    """Carry the computer of ``home`` away once it has begun a round of so many ``peers``.

    Raises EmulationError if it begins none within minutes.
    """
    epoch = _next_round(home.paths.log("trainer"), peers)
    began = datetime.now(UTC)
    address = internet.carry(home.computer, AWAY, _OFFLINE_SECONDS)
    return Move(home.name, epoch, began, datetime.now(UTC), address)


def _next_round(log: Path, peers: int) -> int:
    """Wait until the trainer with that ``log`` has found a group of so many ``peers``, and return its epoch."""
    deadline = time.monotonic() + _ROUND_SECONDS
    with log.open(errors="replace") as lines:
        lines.seek(0, 2)
        while time.monotonic() < deadline:
            for line in lines:
                if (found := _GROUP.search(line)) and int(found[2]) == peers:
                    return int(found[1])
            time.sleep(_GLANCE_SECONDS)
    raise EmulationError(
        "The computer to be moved began no round of all homes.", "Look at its trainer's log."
    )


def outcome_of(
    moved: Move,
    history: Sequence[Mapping[str, Any]],
    own: Mapping[int, SeenEpoch],
    found_at: datetime | None,
) -> dict[str, Any]:
    """Return what the move cost, in seconds and epochs.

    Args:
        moved: the move.
        history: the committed epochs, as the coordinator's recorder saw them.
        own: the epochs that the computer which moved has seen.
        found_at: when it was first seen to know the address from which others see it now; None: never.
    """
    times = {epoch["epoch"]: datetime.fromisoformat(epoch["time"]) for epoch in history}
    later = [number for number in sorted(times) if number > moved.epoch]
    back = next((number for number in later[1:] if number in own and own[number].own_samples), None)
    before = [gap for gap, at in _gaps(times.values()) if at <= moved.began]
    after = [gap for gap, at in _gaps(times.values()) if at > moved.began]
    return {
        "moved": moved.home,
        "round_seconds": _between(moved.began, times[later[0]] if later else None),
        "round_peers": next(
            (epoch["peers"] for epoch in history if later and epoch["epoch"] == later[0]), None
        ),
        "usual_gap_seconds": rounded(median(before), 3) if before else None,
        "longest_gap_after_seconds": rounded(max(after), 3) if after else None,
        "reach_seconds": _between(moved.ended, found_at),
        "in_step_seconds": _between(moved.ended, times[back] if back is not None else None),
        "missed_epochs": later.index(back) - 1 if back is not None else None,
    }


def _gaps(times: Iterable[datetime]) -> list[tuple[float, datetime]]:
    """Return the seconds between each two of ``times``, with the later one."""
    return [((later - earlier).total_seconds(), later) for earlier, later in pairwise(sorted(times))]


def _between(begin: datetime, end: datetime | None) -> float | None:
    return None if end is None else rounded((end - begin).total_seconds(), 3)
