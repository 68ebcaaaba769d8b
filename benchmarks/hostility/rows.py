"""The rows of the benchmark: each attack, with what its hostile peers are told."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmarks.hostility.attackers.attacker import Attacker
from benchmarks.hostility.attackers.clocks import ShiftedClock
from benchmarks.hostility.attackers.colluders import ColludersInOneGroup, PoisonForFriends
from benchmarks.hostility.attackers.commits import CommitsAlone, RandomRoots
from benchmarks.hostility.attackers.double_votes import DoubleVotes
from benchmarks.hostility.attackers.entrances import FalseEntrance
from benchmarks.hostility.attackers.floods import FetchFlood
from benchmarks.hostility.attackers.ghosts import Ghosts, Papers, SampleClaimant
from benchmarks.hostility.attackers.gradients import (
    InnerProduct,
    LabelFlipper,
    LittleIsEnough,
    Repeater,
    SignFlip,
    SlowDrip,
    ZeroSender,
)
from benchmarks.hostility.attackers.keys import MatchmakingBlocker, StorageFiller
from benchmarks.hostility.attackers.reducers import (
    LeaderWithoutGroups,
    LyingReducer,
    MuteLiar,
    RefusingReducer,
    SeizingLeader,
    SilentInGroups,
)
from benchmarks.hostility.attackers.states import ForgedDonor, UnreadDownloads
from benchmarks.hostility.attackers.summaries import FalseSummariser
from benchmarks.hostility.seat import PeerSeat

CLEAN = "clean"
"""Name of the row without hostile peers."""


@dataclass(frozen=True)
class AttackRow:
    """One row: an attack on a swarm of its own."""

    name: str
    attacker: type[Attacker] | None = None
    """Class of the hostile peers; None for the clean row."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Arguments of the class."""
    knows_numbers: bool = False
    """True if the class is also given the numbers of all peers and of the hostile ones."""
    further_peers: int = 0
    """Number of further peers of a hostile one's user, which have identities of their own."""
    rules: Mapping[str, Any] = field(default_factory=dict)
    """Rules of the run that differ from those of the other rows."""
    late: bool = False
    """True if an honest peer joins during the attack."""
    is_entered: bool = False
    """True if that peer is told of the hostile ones as bootstrap peers, before the organiser's own."""
    further_age: float = 0.0
    """Seconds since the tokens of further peers ran out; 0 for tokens that are good."""


_SEVERAL_GROUPS: Mapping[str, Any] = {"group_size": 4, "most_groups": 4, "averaging_seconds": 30.0}

_COMBINING: Mapping[str, Any] = {"most_groups": 4, "averaging_seconds": 30.0}
"""Rules by which groups may combine, where one group has room for all."""

ROWS: Mapping[str, AttackRow] = {
    row.name: row
    for row in (
        AttackRow(CLEAN),
        AttackRow("1", CommitsAlone),
        AttackRow("2", RandomRoots),
        AttackRow("double-votes", DoubleVotes),
        AttackRow("3", Ghosts, {"ghosts": 8, "papers": Papers.NONE}, further_peers=8),
        AttackRow("4", SignFlip, {"batches": 16.0}),
        AttackRow("5", SignFlip, {"factor": 10.0}),
        AttackRow("6", LyingReducer),
        AttackRow("6-leader", SeizingLeader),
        AttackRow("6-mute", MuteLiar),
        AttackRow("refusers", RefusingReducer, rules=_COMBINING),
        AttackRow("silent-leaders", LeaderWithoutGroups),
        AttackRow("friends", PoisonForFriends, rules={"recomputed_share": 0.5}),
        AttackRow("7", SilentInGroups),
        AttackRow("8", MatchmakingBlocker),
        AttackRow("9", ForgedDonor, late=True),
        AttackRow("9-moments", ForgedDonor, {"moments": True}, late=True),
        AttackRow("10", UnreadDownloads, {"readers": 5}, further_peers=5, late=True),
        AttackRow("11", StorageFiller),
        AttackRow("12", SampleClaimant),
        AttackRow("13", FetchFlood),
        AttackRow("13-clock", ShiftedClock, {"seconds": 4.0}),
        AttackRow("little", LittleIsEnough, knows_numbers=True),
        AttackRow("inner-product", InnerProduct, {"factor": 0.5}),
        AttackRow("one-group", ColludersInOneGroup, {"factor": 3.0}, rules=_SEVERAL_GROUPS),
        AttackRow("label-flip", LabelFlipper),
        AttackRow("zeros", ZeroSender),
        AttackRow("repeats", Repeater),
        AttackRow("slow-drip", SlowDrip),
        AttackRow("clock-ahead", ShiftedClock, {"seconds": 180.0}),
        AttackRow("clock-behind", ShiftedClock, {"seconds": -180.0}),
        AttackRow("summariser", FalseSummariser),
        AttackRow("entrances", FalseEntrance, late=True, is_entered=True),
        AttackRow("sybils", Ghosts, {"ghosts": 32, "papers": Papers.OWN}, further_peers=32),
        AttackRow("replayed", Ghosts, {"ghosts": 8, "papers": Papers.REPLAYED}, further_peers=8),
        AttackRow(
            "expired", Ghosts, {"ghosts": 8, "papers": Papers.EXPIRED}, further_peers=8, further_age=60.0
        ),
    )
}
"""All rows by their names; numbers are those of the attacks that were first tried."""


def attacker_of(seat: PeerSeat) -> Attacker:
    """Return the attacker for that ``seat``."""
    made = ROWS[seat.attack].attacker
    assert made is not None, "the clean row has no hostile peer"
    return made(seat, **seat.options)
