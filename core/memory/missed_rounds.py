"""Decides how many committed rounds are kept for late peers, and how many these fetch in place of a whole state.

A state takes longer to come to a slow line than several rounds. A peer that fetched one round at most would download
the next state then, and so on for ever.
"""

LEAST_ROUNDS_KEPT = 2
"""Rounds that a trainer keeps in any case: members of a round may lack parts of the last one."""
MOST_ROUNDS_FETCHED = 16
"""Most rounds that are fetched one by one; each takes some seconds, however small it is."""
MOST_ROUNDS_KEPT = 8
"""Rounds that a trainer keeps at most; the coordinator's peers keep more."""
BYTES_KEPT = 32 << 20
"""Most bytes of the rounds that a trainer keeps beyond the least number."""


def rounds_kept(round_bytes: int) -> int:
    """Return the number of committed rounds that a trainer keeps, of ``round_bytes`` of aggregates each."""
    return max(LEAST_ROUNDS_KEPT, min(MOST_ROUNDS_KEPT, BYTES_KEPT // max(1, round_bytes)))


def rounds_in_place_of_state(state_bytes: int, round_bytes: int) -> int:
    """Return the number of missed rounds up to which a peer fetches them, and not the state.

    Together they have as many bytes as a state at most. So a line on which a state takes longer than these rounds
    could not keep up with the rounds, either.

    Args:
        state_bytes: bytes of a whole state.
        round_bytes: bytes of the aggregates of a round.
    """
    return max(1, min(MOST_ROUNDS_FETCHED, state_bytes // max(1, round_bytes)))
