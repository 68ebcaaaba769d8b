"""The warnings that trainers are there and make no epochs, or not together: pure functions over progress records."""

from collections import Counter
from collections.abc import Hashable, Sequence
from datetime import datetime

from coordinator.run_now import WAITED_FOR
from core.run.rules import SwarmRules
from core.swarm.membership.swarm_view import peers_of, seconds_until
from core.swarm.wire.records import ProgressRecord

_EPOCH_TIMES = 5
"""Multiple of the time in which the trainers gather a batch, or after which a round is due, to wait for an epoch."""
_LEAST_SECONDS, _UNKNOWN_SECONDS = 120.0, 600.0
"""Seconds after which an epoch is overdue at the earliest, and for trainers that state no speed."""
_APART_SECONDS = 120.0
"""Seconds for which most trainers may be out of step, as when several join at once."""


def warning_of(peers: Sequence[ProgressRecord], rules: SwarmRules, *, seconds: float) -> str | None:
    """Return a warning for the organiser, in a sentence or two; None if nothing is wrong.

    Args:
        peers: the records of the peers that are there.
        rules: the run's rules: the samples of an epoch, and the seconds between rounds where the clock decides.
        seconds: seconds since the last epoch was committed, or since trainers have been there, if that is shorter.
    """
    trainers = [record for record in peers if record.computes]
    if not trainers:
        return None
    if not any(record.reducing and not (record.paused or record.leaving) for record in peers):
        many = (
            "1 computer cannot train"
            if peers_of(trainers) == 1
            else f"{peers_of(trainers)} computers cannot reach each other"
        )
        return (
            f"{many}: no peer of this run accepts connections. Set swarm.auxiliary = true in coordinator.toml and "
            "restart `serve`, or ask a volunteer to open a port."
        )
    if seconds <= _patience(trainers, rules):
        return None
    number = peers_of(trainers)
    many = "1 computer trains" if number == 1 else f"{number} computers train"
    return (
        f"{many}, and no epoch was committed for {seconds / 60:.0f} minutes. Check that the bootstrap peer's port is "
        "open to the outside; the trainers' logs say why rounds fail."
    )


def _patience(trainers: Sequence[ProgressRecord], rules: SwarmRules) -> float:
    """Return the seconds after which the next epoch of the ``trainers`` is overdue."""
    rate = sum(record.samples_per_second for record in trainers)
    by_clock = _EPOCH_TIMES * (rules.round_seconds or 0.0)
    if rate <= 0:
        return max(by_clock, _UNKNOWN_SECONDS)
    if rules.round_seconds is not None:
        return max(by_clock, _LEAST_SECONDS)
    return max(_EPOCH_TIMES * seconds_until(rules.target_batch_size, 0.0, rate), _LEAST_SECONDS)


def in_step(peers: Sequence[ProgressRecord], place: tuple[int, bytes] | None) -> int:
    """Return the number of the trainers at work among ``peers`` that are at ``place``, the leading epoch and head."""
    return peers_of(
        record
        for record in peers
        if record.computes and record.synchronised and (record.epoch, record.head) == place
    )


def are_apart(peers: Sequence[ProgressRecord], place: tuple[int, bytes] | None) -> bool:
    """Return true if fewer than half of the trainers at work among ``peers`` are in step at ``place``."""
    return 2 * in_step(peers, place) < peers_of(record for record in peers if record.computes)


def by_wait(peers: Sequence[ProgressRecord]) -> dict[str, int]:
    """Count the trainers at work that wait for others, by the reason that each states."""
    counts = Counter[str]()
    for record in peers:
        if record.computes and record.waiting:
            counts[record.waiting.value] += record.peers
    return dict(counts)


def half_wait(peers: Sequence[ProgressRecord]) -> bool:
    """Return true if there are trainers at work that wait for others, and at least half of all do."""
    waiting = sum(by_wait(peers).values())
    return 2 * waiting >= max(1, peers_of(record for record in peers if record.computes))


def have_batch(peers: Sequence[ProgressRecord], place: tuple[int, bytes] | None, target: int) -> bool:
    """Return true if those of ``peers`` that are in step at ``place`` have the ``target`` samples of its epoch."""
    here = (record for record in peers if in_step([record], place))
    return sum(record.samples for record in here) >= target


def holdup_of(
    peers: Sequence[ProgressRecord],
    place: tuple[int, bytes] | None,
    *,
    apart_seconds: float,
    batch_seconds: float,
    wait_seconds: float,
    round_seconds: float,
) -> str | None:
    """Return a warning for the organiser that the trainers cannot get together; None if they can, or none reduces.

    It shows in what the trainers have (states of different places, or the samples of an epoch that no round makes),
    and in what they state: that they wait, and for what. A swarm without a reducer has a warning of its own.

    Args:
        peers: the records of the peers that are there.
        place: the leading epoch and head.
        apart_seconds: seconds since which most trainers are not in step (`are_apart`).
        batch_seconds: seconds since which those in step have the samples of this epoch (`have_batch`).
        wait_seconds: seconds since which half of the trainers wait for others (`half_wait`).
        round_seconds: the most seconds that a round may take.
    """
    if not any(record.reducing and not (record.paused or record.leaving) for record in peers):
        return None
    here, trainers = in_step(peers, place), peers_of(record for record in peers if record.computes)
    if apart_seconds > _APART_SECONDS:
        return _apart(here, trainers, apart_seconds) + _waits(peers)
    if batch_seconds > max(round_seconds, _LEAST_SECONDS):
        return _without_round(here, batch_seconds) + _waits(peers)
    if wait_seconds > max(round_seconds, _LEAST_SECONDS):
        return _waiting(trainers, wait_seconds) + _waits(peers)
    return None


def _waits(peers: Sequence[ProgressRecord]) -> str:
    """Return what those that wait are waiting for, in a sentence with a space before it; empty if none waits."""
    told = [
        f"{count} {'waits' if count == 1 else 'wait'} for {WAITED_FOR[reason]}"
        for reason, count in sorted(by_wait(peers).items())
    ]
    return f" They state why: {', '.join(told)}." if told else ""


def _waiting(trainers: int, seconds: float) -> str:
    many = "The only computer has" if trainers == 1 else f"Half of {trainers} computers or more have"
    return (
        f"{many} waited for others for {seconds / 60:.0f} minutes. Check that the ports of the bootstrap peer and "
        "the publisher are open to the outside."
    )


def _apart(here: int, trainers: int, seconds: float) -> str:
    many = f"Only {here} of {trainers} computers {'is' if here == 1 else 'are'}"
    if not here:
        many = "The only computer is not" if trainers == 1 else f"None of {trainers} computers is"
    return (
        f"{many} in step with the newest epoch, for {seconds / 60:.0f} minutes now. One that is not in step fetches "
        "the model's state, waits for a peer that can give it, or trains on a branch of its own. Check that the "
        "ports of the bootstrap peer and the publisher are open to the outside, and that swarm.follow is true in "
        "coordinator.toml."
    )


def _without_round(trainers: int, seconds: float) -> str:
    many = "1 computer has" if trainers == 1 else f"{trainers} computers have"
    return (
        f"{many} the samples of the next epoch, and no round has succeeded for {seconds / 60:.0f} minutes. Peers may "
        "state that they accept connections, and be out of the others' reach. Check that the bootstrap peer's port "
        "is open to the outside, and that swarm.auxiliary is true in coordinator.toml."
    )


class ConditionTimer:
    """Measures for how long something has held."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._what: Hashable | None = None
        self._since: datetime | None = None

    def seconds(self, what: Hashable | None, now: datetime) -> float:
        """Return the seconds since which ``what`` has held without a break, at ``now``; 0 for None."""
        if what != self._what or self._since is None:
            self._what, self._since = what, now
        return (now - self._since).total_seconds() if what is not None else 0.0
