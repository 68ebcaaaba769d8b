"""Decides how often a peer tells of itself and looks at the others: as rounds need it, within a bound of traffic."""

import functools
import math

_LOOKS_TO_BATCH = 5
"""Looks in the time that is left until the batch is complete: the next one is after a fifth of it."""
_LOOKS_AN_EPOCH = 20
_LEAST_SECONDS = (0.4, 2.0)
"""Bounds of the shortest period, which is a share of the epoch: samples are extrapolated between two looks."""
_MOST_SECONDS = (3.0, 10.0)
"""Bounds of the longest period: a peer that comes or goes is noticed that late, unless a round is due."""
_SECONDS_A_RECORD = 0.35
"""Seconds of the period for each record that a look may bring: at 1.4 kB each, records take 4 kB/s at most."""
_LONGEST_SECONDS = 30.0
"""Longest period in a swarm of any size: with more than some 80 peers records take more than that."""
_ALIVE_SECONDS, _ALIVE_PERIODS = 12.0, 4
STORED_SECONDS = _ALIVE_PERIODS * _LONGEST_SECONDS
"""Seconds for which a record is stored: always as long, since the DHT refuses one that would end before the last."""
SHARD_RENEWAL_SECONDS = 60.0
"""Seconds between two publications of a record in a shard: one that fails is tried again at the next look."""
SUMMARY_SECONDS = 40.0
"""Seconds between two summaries of a large swarm."""
DEPUTY_SECONDS = 90.0
"""Seconds between two summaries of a deputy: half of the age at which it counts as gone, and three take turns."""
PULL_SECONDS = 15.0
"""Seconds between two calls by which a peer learns of a newer summary."""


def period(seconds_to_round: float, *, epoch_seconds: float = math.inf, others: int = 0) -> float:
    """Return the seconds between two looks.

    Args:
        seconds_to_round: seconds until the batch is complete, or the clock has it that a round is due.
        epoch_seconds: seconds that an epoch takes; infinite where none comes, as no peer computes.
        others: number of the other peers' records.
    """
    share = epoch_seconds / _LOOKS_AN_EPOCH if math.isfinite(epoch_seconds) else 0.0
    least, most = _within(share, _LEAST_SECONDS), _within(share, _MOST_SECONDS)
    wanted = _within(seconds_to_round / _LOOKS_TO_BATCH, (least, most))
    return max(wanted, min(others * _SECONDS_A_RECORD, _LONGEST_SECONDS))


@functools.lru_cache(maxsize=4096)
def alive_seconds(looks_every: float) -> float:
    """Return the seconds after which a peer is gone or frozen that said it would renew its record.

    ``looks_every`` are the seconds between two of its looks, as it says: at most the longest that there are.
    """
    return max(_ALIVE_SECONDS, _ALIVE_PERIODS * min(looks_every, _LONGEST_SECONDS))


def _within(value: float, bounds: tuple[float, float]) -> float:
    least, most = bounds
    return min(max(value, least), most)
