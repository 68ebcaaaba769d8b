"""The reasons for which a peer waits for others, in a word that every process knows."""

from enum import StrEnum


class SwarmWait(StrEnum):
    """The reason why a trainer computes nothing although nothing is wrong with it."""

    ROLLED_BACK_STATE = "rolled back state"
    """No peer gives the state to which the run was rolled back."""
    NO_DONOR = "no donor"
    """Others are ahead, or on another branch, and no peer that accepts connections has their state."""
    NO_REDUCER = "no reducer"
    """Lack of a peer that accepts connections, while this peer accepts none."""
    UNREACHABLE = "unreachable"
    """Others are at the same epoch, and rounds with them fail again and again."""
    NO_QUORUM = "no quorum"
    """Others are at the same epoch, and no aggregate gets the votes of more than half of the users."""
