"""Predicts what a peer sends and receives beside what is exchanged: looks at the others, look-ups, calls of libp2p.

The constants were measured on the wire, headers included (docs/measured.md, "What a peer sends beside its rounds").
"""

import math
from dataclasses import dataclass

from core.run.look_schedule import period

RECORD_BYTES = 1_430
"""Bytes of a progress record with its owner's key and signature."""
FURTHER_RECORD_BYTES = 640
"""Bytes of each further one in the same answer, which is compressed: peers of one place have most of it in common.

So it was with answers of 2 to 15 records with keys of their own.
"""
SIGNED_BYTES = 750
"""Bytes of a record's signature and of its owner's key, beside its content: 0.36 and 0.39 kB."""
CALL_BYTES = 520
"""Bytes of a call each way, without what it carries."""
ROUND_BYTES = 20_000
"""Bytes each way of what comes once a round: its group, its commit, the calls that begin its streams."""
BEAT_BYTES = 70
"""Bytes each way of a sign of life in a call that waits, and of the packet that acknowledges it.

By opened routers (QUIC) these were packets of 61 to 85 bytes, with headers, at the router of a home whose group
combined with another one (docs/measured.md, "Simulated swarms beside real ones").
"""
OTHER_RATE = 500
"""Bytes a second each way of all that does not depend on rounds: look-ups of other keys, signs of life."""
TYPICAL_RATE = 3_000
"""Bytes a second each way that are assumed where the system does not tell what passes."""
OVERHEAD = 1.07
"""Bytes on the wire for each byte of a message: libp2p's encryption and framing, headers of TCP and IP."""
SWARM_OF_COMPARISON = 16
"""Peers that a swarm is imagined to have, before one is joined."""
NODES_KEEPING = 5
"""Nodes that keep a record in a swarm that has at least this number."""
_LEAST_KEEPING = 2
"""Nodes that keep a record at least, where a trainer does: itself, and the bootstrap peer at which it entered."""
_NEW_SHARE = 0.7
"""Share of the others' records that are new at a look: some have not looked themselves since the last one."""
_LOOKS_A_ROUND = 3
"""Looks that are made at once, whatever the period: at a new place, and around a round."""
_MOST_LOOKS = 10_000
_DAY = 86_400.0


@dataclass(frozen=True)
class ControlTraffic:
    """Bytes of one epoch, or of one look."""

    up: float
    """Bytes that a peer sends."""
    down: float
    """Bytes that a peer receives."""


def look_traffic(new_records: float, keeping: int) -> ControlTraffic:
    """Return what a peer passes at a look, by which it also stores its own record.

    Args:
        new_records: number of the others' records that are new to it.
        keeping: number of nodes that keep a record, of which a look asks a majority.
    """
    calls = keeping // 2 + 1
    return ControlTraffic(
        up=calls * (CALL_BYTES + RECORD_BYTES), down=calls * CALL_BYTES + answer_bytes(new_records)
    )


def answer_bytes(records: float) -> float:
    """Return the bytes of an answer with that number of ``records``, which may be a mean."""
    return min(records, 1.0) * RECORD_BYTES + max(0.0, records - 1.0) * FURTHER_RECORD_BYTES


def control_traffic(epoch_seconds: float, peers: int, keeping: int = NODES_KEEPING) -> ControlTraffic:
    """Return what a peer that accepts no connections sends and receives in an epoch beside what is exchanged.

    Args:
        epoch_seconds: seconds from one update to the next.
        peers: number of peers in the swarm.
        keeping: number of nodes that keep a record, of which a look asks a majority.
    """
    looks = _LOOKS_A_ROUND + looks_in(epoch_seconds, peers - 1)
    look = look_traffic(_NEW_SHARE * (peers - 1), keeping)
    beside = ROUND_BYTES + OTHER_RATE * epoch_seconds
    return ControlTraffic(up=beside + looks * look.up, down=beside + looks * look.down)


def keeper_traffic(epoch_seconds: float, peers: int, keeping: int = _LEAST_KEEPING) -> ControlTraffic:
    """Return what a peer that others can connect to passes at most in an epoch beside what is exchanged.

    It keeps records, which the others store with it and ask it for, and begins a stream with each of them in a round.

    Args:
        epoch_seconds: seconds from one update to the next.
        peers: number of peers in the swarm.
        keeping: number of nodes that keep a record: the fewer there are, the more each has to answer.
    """
    own, others = control_traffic(epoch_seconds, peers, keeping), peers - 1
    looks = others * (_LOOKS_A_ROUND + looks_in(epoch_seconds, others))
    calls = looks * (keeping // 2 + 1) / keeping
    rounds = others * ROUND_BYTES
    answers = looks * answer_bytes(_NEW_SHARE * others) / keeping
    return ControlTraffic(
        up=own.up + rounds + calls * CALL_BYTES + answers,
        down=own.down + rounds + calls * (CALL_BYTES + RECORD_BYTES),
    )


def control_bytes_a_day(epoch_seconds: float) -> int:
    """Return the bytes of a day in a swarm of `SWARM_OF_COMPARISON`, of the way that has more of them.

    ``epoch_seconds`` are the seconds from one update to the next.
    """
    epoch = control_traffic(epoch_seconds, SWARM_OF_COMPARISON)
    return round(max(epoch.up, epoch.down) / epoch_seconds * _DAY)


def looks_in(epoch_seconds: float, others: int) -> int:
    """Return how often a peer looks at ``others`` in an epoch of ``epoch_seconds``, by the schedule of looks."""
    passed, looks = 0.0, 0
    while passed < epoch_seconds and looks < _MOST_LOOKS and math.isfinite(epoch_seconds):
        passed += period(epoch_seconds - passed, epoch_seconds=epoch_seconds, others=others)
        looks += 1
    return looks
