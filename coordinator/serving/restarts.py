"""When a process of an unattended coordinator is started again, and when it is given up: a pure function."""

from core.children.outcome import Ending, Outcome

MOST_CRASHES = 10
"""In an hour; more are a loop that starting again will not end."""
LONGEST_PAUSE = 60.0
_LASTING = {"manifest", "home", "settings", "codec", "text"}
"""Codes of errors that are the same the next time; others come from the network, the disk or the database."""


def pause_after(outcome: Outcome, ends: int) -> float | None:
    """Seconds until the next life, or None if there is to be none; as `core.children.keeper.Again`.

    What said why it cannot go on is tried for as long as the reason may pass: a database comes back.
    """
    code = outcome.failure.code if outcome.ending is Ending.FAILED and outcome.failure else None
    if outcome.ending is Ending.GARBLED or code in _LASTING:
        return None
    if code is None and ends >= MOST_CRASHES:
        return None
    return min(LONGEST_PAUSE, 0.5 * 2.0 ** min(ends - 1, 10))
