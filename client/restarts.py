"""When a trainer that crashed is started again, and when it is given up: a pure function of its crashes."""

from collections.abc import Sequence

FORGIVEN_SECONDS = 3600.0
"""After which a crash no longer counts."""
MOST_CRASHES = 5
_FIRST_SECONDS = 5.0
_LONGEST_SECONDS = 600.0


def pause_before_restart(crashes: Sequence[float], now: float, draw: float) -> float | None:
    """Seconds to wait, or None if this many crashes in an hour are a loop that starting again will not end.

    Doubles with each crash, and takes between half and all of that by ``draw`` (0 to 1), so that the trainers of a
    swarm that fell over together do not come back together.

    Args:
        crashes: when the trainer crashed, the last crash included; seconds, as ``now``.
    """
    recent = sum(now - crash < FORGIVEN_SECONDS for crash in crashes)
    if recent >= MOST_CRASHES:
        return None
    longest = min(_LONGEST_SECONDS, _FIRST_SECONDS * 2.0 ** max(0, recent - 1))
    return longest * (0.5 + draw / 2)
