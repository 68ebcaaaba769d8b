"""The phases of a trainer peer within an epoch, and the one function that moves between them."""

from enum import StrEnum


class Phase(StrEnum):
    """Phases of a trainer peer within an epoch."""

    JOINING = "joining"  # looking at the swarm for the first time
    ACCUMULATING = "accumulating"  # gathering samples
    AVERAGING = "averaging"  # a round is under way
    UPDATING = "updating"  # the epoch is committed; the optimizer applies it
    RECOVERING = "recovering"  # fetching what the swarm has and this peer lacks


class Signal(StrEnum):
    """Events that move a trainer peer from one phase to another."""

    AGREED = "agreed"  # this peer stands where the swarm stands
    DISAGREED = "disagreed"  # it is behind, or on another branch
    BATCH_COMPLETE = "batch complete"
    ROUND_FAILED = "round failed"
    GRADIENTS_COMMITTED = "gradients committed"  # by its own group, or fetched from another
    UPDATE_LANDED = "update landed"
    STATE_TAKEN = "state taken"
    RECOVERY_FAILED = "recovery failed"


_NEXT = {
    (Phase.JOINING, Signal.AGREED): Phase.ACCUMULATING,
    (Phase.JOINING, Signal.DISAGREED): Phase.RECOVERING,
    (Phase.ACCUMULATING, Signal.DISAGREED): Phase.RECOVERING,
    (Phase.ACCUMULATING, Signal.BATCH_COMPLETE): Phase.AVERAGING,
    (Phase.AVERAGING, Signal.ROUND_FAILED): Phase.ACCUMULATING,
    (Phase.AVERAGING, Signal.GRADIENTS_COMMITTED): Phase.UPDATING,
    (Phase.UPDATING, Signal.UPDATE_LANDED): Phase.ACCUMULATING,
    (Phase.RECOVERING, Signal.GRADIENTS_COMMITTED): Phase.UPDATING,
    (Phase.RECOVERING, Signal.STATE_TAKEN): Phase.JOINING,
    (Phase.RECOVERING, Signal.RECOVERY_FAILED): Phase.JOINING,
}


def transition(phase: Phase, signal: Signal) -> Phase:
    """Return the phase that follows ``phase`` at ``signal``; raises ValueError if it cannot happen in that phase."""
    try:
        return _NEXT[phase, signal]
    except KeyError:
        raise ValueError(f"{signal!r} cannot happen while {phase}") from None
