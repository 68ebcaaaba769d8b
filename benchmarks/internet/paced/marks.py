"""What homes tell of themselves at the edges of rounds, and what it comes to."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import mean
from typing import Any, Literal

from benchmarks.measuring.report import rounded
from core.messages.lines import Message
from core.run.control_traffic import OVERHEAD

_MBIT = 1_000_000 / 8
MarkCause = Literal["joined", "recovering", "recovered", "landed", "ended"]
"""Cause of a mark; a peer recovers while it fetches a state or a round from others."""


class HomeMark(Message):
    """Everything that a home has done so far, at a moment of a round."""

    type: Literal["home_mark"] = "home_mark"
    cause: MarkCause
    epoch: int
    """Number of epochs whose updates the peer has."""
    at: float
    """Monotonic seconds of this machine."""
    computed: float
    """Seconds of the GPU in micro-steps so far."""
    stalled: dict[str, float]
    """Seconds so far between micro-steps, by the peer's phase then; "waiting" where it may not compute."""
    stalled_cpu: dict[str, float]
    """Seconds of the processor that the training loop took in them."""
    cpu: float
    """Seconds of the processor that all processes of the home took so far, less those of the stand-in."""
    down: int
    """Bytes that the computer's interface received so far, with all headers."""
    up: int
    told_down: int = 0
    """Bytes that the client would show as received so far, and count for a quota."""
    told_up: int = 0
    messages_down: int = 0
    """Bytes of the exchange's messages received so far, without headers."""
    messages_up: int = 0
    busiest_down: int = 0
    """Most bytes that the interface received in any ten seconds so far."""
    busiest_up: int = 0
    memory: int
    """Bytes of memory that the processes hold; what they share with those of other homes counts in part."""
    own_samples: int = 0
    """Samples of this home in the epoch."""
    samples: float = 0.0
    """Samples of all homes in it."""
    included_parts: int = 0
    """Parts of the epoch's aggregate that have values of this home."""
    digest: str = ""
    """Fingerprint of the committed parameters."""
    matchmaking_seconds: float | None = None
    exchange_seconds: float | None = None


def landed(marks: Sequence[HomeMark]) -> list[HomeMark]:
    """Return those of ``marks`` at which an epoch landed."""
    return [mark for mark in marks if mark.cause == "landed"]


def rounds_of(marks: Sequence[HomeMark], skip: int) -> list[HomeMark]:
    """Return the marks between which whole rounds lie, without the first ``skip`` of them.

    Where no epoch landed after these, all of the time counts as one.
    """
    edges = [mark for mark in marks if mark.cause in ("joined", "landed")]
    return edges[skip:] if len(edges) > skip + 1 else [edges[0], marks[-1]]


def row_of(name: str, marks: Sequence[HomeMark], skip: int) -> dict[str, Any]:
    """Return what a home did in its whole rounds."""
    edges = rounds_of(marks, skip)
    first, last = edges[0], edges[-1]
    wall, rounds = last.at - first.at, len(edges) - 1
    exchanges = [mark.exchange_seconds for mark in edges[1:] if mark.exchange_seconds is not None]
    stalled, cpu = _since(first.stalled, last.stalled), _since(first.stalled_cpu, last.stalled_cpu)
    waiting = stalled.pop("waiting", 0.0)
    cpu.pop("waiting", None)
    return {
        "home": name,
        "epochs": len([mark for mark in edges[1:] if mark.cause == "landed"]),
        "computing": rounded((last.computed - first.computed) / wall, 4),
        "round_seconds": rounded(wall / rounds, 4),
        "waiting": rounded(waiting / rounds, 3),
        "stalled": rounded(sum(stalled.values()) / rounds, 3),
        "stalled_cpu": rounded(sum(cpu.values()) / rounds, 3),
        "exchange_seconds": rounded(mean(exchanges), 3) if exchanges else None,
        "exchange_cpu": rounded((last.cpu - first.cpu) / rounds, 3),
        "down_mbit": rounded((last.down - first.down) / wall / _MBIT, 3),
        "up_mbit": rounded((last.up - first.up) / wall / _MBIT, 3),
        "down_mb_a_round": rounded((last.down - first.down) / rounds / 1e6, 3),
        "up_mb_a_round": rounded((last.up - first.up) / rounds / 1e6, 3),
        "told_of_down": rounded((last.told_down - first.told_down) / max(1, last.down - first.down), 3),
        "told_of_up": rounded((last.told_up - first.told_up) / max(1, last.up - first.up), 3),
        "beside_down": rounded(
            _beside(last.down - first.down, last.messages_down - first.messages_down) / wall, 3
        ),
        "beside_up": rounded(_beside(last.up - first.up, last.messages_up - first.messages_up) / wall, 3),
        "busiest_down_mbit": rounded(last.busiest_down / 10 / _MBIT, 3),
        "busiest_up_mbit": rounded(last.busiest_up / 10 / _MBIT, 3),
        "own_samples": sum(mark.own_samples for mark in edges[1:]),
        "included_parts": [mark.included_parts for mark in edges[1:] if mark.cause == "landed"],
        "memory_mb": rounded(max(mark.memory for mark in marks) / 1e6, 4),
    }


def _beside(passed: int, messages: int) -> float:
    """Return the bytes of the ``passed`` ones that are not of the exchange's ``messages``, headers included."""
    return passed - OVERHEAD * messages


def _since(first: Mapping[str, float], last: Mapping[str, float]) -> dict[str, float]:
    return {phase: value - first.get(phase, 0.0) for phase, value in last.items()}


def of_caps(marks: Sequence[HomeMark], down: float | None, up: float | None) -> dict[str, float]:
    """Return the busiest ten seconds as shares of the caps ``down`` and ``up``, in kB/s; None: there is no cap."""
    most = marks[-1]
    shares = (("down", most.busiest_down, down), ("up", most.busiest_up, up))
    return {f"busiest_of_cap_{way}": rounded(passed / 10_000 / cap, 3) for way, passed, cap in shares if cap}


def download_of(marks: Sequence[HomeMark], down: float | None) -> dict[str, Any] | None:
    """Return what a home passed while it took the swarm's first state, or round, from others; None if it did not.

    ``down`` is the cap of what it receives, in kB/s; None: there is none.
    """
    first = next((mark for mark in marks if mark.cause == "recovering"), None)
    taken = (mark for mark in marks if first and mark.cause == "recovered" and mark.epoch > first.epoch)
    if first is None or (last := next(taken, None)) is None:
        return None
    seconds, received = last.at - first.at, last.down - first.down
    return {
        "epoch": last.epoch,
        "seconds": rounded(seconds, 4),
        "down_mb": rounded(received / 1e6, 4),
        "messages_down_mb": rounded((last.messages_down - first.messages_down) / 1e6, 4),
        "up_mb": rounded((last.up - first.up) / 1e6, 4),
        "down_kb_a_second": rounded(received / 1e3 / seconds, 4),
        **({"of_cap_down": rounded(received / 1e3 / seconds / down, 3)} if down else {}),
        **({"busiest_of_cap_down": rounded(last.busiest_down / 10_000 / down, 3)} if down else {}),
        "told_of_down": rounded((last.told_down - first.told_down) / max(1, received), 3),
    }


def summary_of(homes: Mapping[str, Sequence[HomeMark]]) -> dict[str, Any]:
    """Return what the swarm did: each epoch with the homes whose samples are in it, and if all were equal then."""
    epochs: dict[int, list[HomeMark]] = {}
    for marks in homes.values():
        for mark in landed(marks):
            epochs.setdefault(mark.epoch, []).append(mark)
    times = [min(mark.at for mark in marks) for _, marks in sorted(epochs.items())]
    contributed = [sum(mark.own_samples > 0 for mark in marks) for _, marks in sorted(epochs.items())]
    return {
        "epochs": len(epochs),
        "homes_an_epoch": rounded(mean(contributed), 3) if contributed else 0,
        "contributed": contributed,
        "samples": [max(mark.samples for mark in marks) for _, marks in sorted(epochs.items())],
        "seconds_between": [rounded(later - earlier, 4) for earlier, later in pairwise(times)],
        "one_head": all(len({mark.digest for mark in marks}) == 1 for marks in epochs.values()),
    }
