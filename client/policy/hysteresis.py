"""Yield at once, come back slowly: what keeps a pause from flapping when a reading hovers around its limit."""

from dataclasses import dataclass
from datetime import datetime

from client.policy.reasons import Effect, PauseReason


@dataclass(frozen=True)
class Condition:
    """Finding of one rule now. Between `over` and `clear` lies a band in which nothing changes."""

    code: PauseReason
    over: bool
    """True while the reason holds."""
    clear: bool
    """True if the condition has ended, with a margin; never true together with `over`."""
    text: str
    after: str = ""
    """Sentence in place of `text` after the condition has ended, until training continues."""
    effect: Effect = Effect.PAUSE
    onset: float = 0.0
    """Seconds for which the condition must hold without a break before it counts."""
    back: float = 0.0
    """Seconds for which the condition must be clear without a break before training continues."""
    about: str = ""
    """Names of the programs that the condition is about."""
    until: datetime | None = None
    """End of the condition, where it is known."""


def at_once(code: PauseReason, holds: bool, text: str, effect: Effect = Effect.PAUSE) -> Condition:
    """Return a condition that starts and ends at once, without any waiting."""
    return Condition(code, holds, not holds, text, effect=effect)


def lasting(
    code: PauseReason,
    holds: bool,
    text: str,
    after: str,
    back: float,
    effect: Effect = Effect.PAUSE,
    about: str = "",
) -> Condition:
    """Return a condition of something that may be back in a moment."""
    return Condition(code, holds, not holds, text, after, effect, back=back, about=about)


@dataclass(frozen=True)
class Latch:
    """State of a condition between two looks at the machine."""

    on: bool
    since: float
    """Seconds of the clock: when it began to hold, or, once it is on, when it last was not clear."""


def step(latch: Latch | None, condition: Condition, now: float) -> Latch | None:
    """Return the latch after another look, or None if the reason does not hold and nothing is waited for."""
    # A clock that was set back must not make the volunteer wait until it has caught up.
    since = min(latch.since, now) if latch else now
    if latch is None or not latch.on:
        if not condition.over:
            return None
        return Latch(True, now) if now - since >= condition.onset else Latch(False, since)
    if not condition.clear:
        return Latch(True, now)
    return None if now - since >= condition.back else Latch(True, since)
