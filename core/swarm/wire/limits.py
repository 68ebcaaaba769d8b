"""Time limits for other peers, derived from earlier rounds: pure functions."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import median

from core.run.rules import SwarmRules

_REMEMBERED = 16
_SLOWEST_LOOKUP = 4.0
"""Seconds of a lookup that meets a DHT node which does not answer; hivemind waits 3 s for a node.

The node of a computer that sleeps, or whose owner pauses, does not answer. Earlier rounds do not foretell that.
"""
_DELIVERED_BY = 0.9
"""Share of an exchange's limit by which a sender must deliver its last part: its aggregate still has to be sent."""
_MOST_DOUBLINGS = 16
"""Most doublings after failures: no run allows that much, and a thousand would overflow."""


@dataclass(frozen=True)
class TimeLimits:
    """The patience of one round, in seconds."""

    matchmaking_seconds: float
    """Seconds that a leader waits for a group to fill."""
    sender_seconds: float
    """Silence after which a sender is left out of the parts it has not delivered."""
    reducer_seconds: float
    """Silence after which a reducer counts as lost; longer than for senders, because it waits for them."""
    allreduce_seconds: float
    """Seconds after which an exchange ends with the parts it has."""
    settle_seconds: float
    """Seconds that a commit stands alone in the DHT before it is believed; longer than a store takes."""

    @property
    def half_way_seconds(self) -> float:
        """Seconds of an exchange after which a reducer begins to look for senders that hold the others up."""
        return self.allreduce_seconds / 2


@dataclass
class Observations:
    """Durations of the last rounds on this peer, in seconds, and its failures since."""

    matchmaking: deque[float] = field(default_factory=lambda: deque(maxlen=_REMEMBERED))
    """Seconds in which the groups of the last rounds formed."""
    exchange: deque[float] = field(default_factory=lambda: deque(maxlen=_REMEMBERED))
    """Seconds in which the groups of the last rounds exchanged gradients."""
    store: deque[float] = field(default_factory=lambda: deque(maxlen=_REMEMBERED))
    """Seconds that the last stores of commit records took."""
    failures: int = 0
    """Rounds that failed in a row since the last one that did not."""
    exchanges_failed: int = 0
    """Number of these in which the exchange had begun."""


def derive(rules: SwarmRules, seen: Observations) -> TimeLimits:
    """Return limits for the next round: generous multiples of the durations in ``seen``, within ``rules``.

    Before anything was observed the bounds of the run's rules hold themselves. Each round that failed doubles the
    time to find a group, and the time to exchange if it had come to that: the earlier durations did not foretell it.
    """
    longest = rules.matchmaking_seconds
    window = _patience(seen.matchmaking, factor=4, least=_SLOWEST_LOOKUP, most=longest)
    window = min(window * _doubled(seen.failures), longest)
    exchange = _patience(seen.exchange, factor=6, least=6.0, most=rules.allreduce_seconds)
    exchange = min(exchange * _doubled(seen.exchanges_failed), rules.allreduce_seconds)
    sender = exchange / 3
    return TimeLimits(
        matchmaking_seconds=window,
        sender_seconds=sender,
        reducer_seconds=2 * sender,
        allreduce_seconds=exchange,
        settle_seconds=_patience(seen.store, factor=4, least=0.1, most=rules.matchmaking_seconds / 3),
    )


def window_of_auxiliary(rules: SwarmRules, failures: int) -> float:
    """Return the seconds for which an auxiliary peer waits for a group to fill, after ``failures`` in a row.

    It is the shortest window that a trainer under ``rules`` may have, and grows with failures as theirs do. hivemind
    refuses a peer that gives up before its leader would: with a longer window of its own, an auxiliary peer refused
    the trainers that began after it, and those accept no connections to lead instead.
    """
    longest = rules.matchmaking_seconds
    return min(_SLOWEST_LOOKUP * _doubled(failures), longest)


def allow_for(limits: TimeLimits, seconds: float, rules: SwarmRules) -> TimeLimits:
    """Return ``limits`` for a group whose exchange takes ``seconds`` by the bandwidths that its members announced.

    A whole part may take a slow line most of that time, so the limits of silence grow with it as well. A
    member's claim never stretches a round beyond the bound in ``rules``.
    """
    exchange = min(max(limits.allreduce_seconds, 2 * seconds), rules.allreduce_seconds)
    sender = min(max(limits.sender_seconds, 1.5 * seconds), exchange)
    return replace(
        limits,
        sender_seconds=max(limits.sender_seconds, sender),
        reducer_seconds=max(limits.reducer_seconds, min(2 * sender, exchange)),
        allreduce_seconds=max(limits.allreduce_seconds, exchange),
    )


def delivers_in_time(
    delivered: int, lacking: int, seconds: float, elapsed: float, limits: TimeLimits
) -> bool:
    """Return true if a sender delivers its last part before its exchange ends, at the pace that it has had.

    Args:
        delivered: parts that it has delivered in the time that counts.
        lacking: parts that it still has to deliver.
        seconds: seconds of the time that counts.
        elapsed: seconds since the exchange began.
        limits: the limits of the exchange.
    """
    left = _DELIVERED_BY * limits.allreduce_seconds - elapsed
    return delivered * left >= lacking * seconds


def _doubled(failures: int) -> float:
    return 2.0 ** min(failures, _MOST_DOUBLINGS)


def _patience(observed: Sequence[float], *, factor: float, least: float, most: float) -> float:
    if not observed:
        return most
    typical, worst = median(observed), max(observed)
    return min(max(factor * typical, 1.5 * worst, least), most)
