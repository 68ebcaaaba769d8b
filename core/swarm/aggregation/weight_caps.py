"""Caps the samples that a user claims in a round by those of the other users: pure functions.

A reducer computes the caps of a part from the weights that came with it. So all parts that the same senders delivered
have the same caps, whoever reduces them, and a part that lacks a sender has those of the senders that are in it. The
cap of the last part, whose weights are committed and credited, can be checked by all who read them.
"""

import math
from collections.abc import Sequence
from statistics import median_low

LEAST_USERS = 3
"""Least users among whom most can be honest while one is not; fewer cap and clip nothing of each other."""
_TOLERANCE = 1e-9
"""Relative difference that rounding makes between a cap and the sum of the weights that it bounds."""


def capped_weights(weights: Sequence[float], users: Sequence[object], factor: float) -> tuple[float, ...]:
    """Return ``weights`` with each user's together at most ``factor`` times the lower median over the users.

    The median does not change by it, so capping again changes nothing. A minority of users cannot raise it above the
    honest ones' weights; it stays among these. Peers of one user share the cap in proportion to their weights.

    Args:
        weights: samples that each peer claims.
        users: the user of each peer.
        factor: the cap as a multiple of the lower median, at least 1.
    """
    totals = _totals(weights, users)
    if len(totals) < LEAST_USERS:
        return tuple(weights)
    most = factor * median_low(totals.values())
    return tuple(
        weight if totals[user] <= most else weight * (most / totals[user])
        for weight, user in zip(weights, users, strict=True)
    )


def are_capped(weights: Sequence[float], users: Sequence[object], factor: float) -> bool:
    """Return true if no user has more of the samples than the cap allows, up to rounding.

    Args:
        weights: committed samples of each peer.
        users: the user of each peer.
        factor: the cap as a multiple of the lower median over the users.
    """
    totals = _totals(weights, users)
    if len(totals) < LEAST_USERS:
        return True
    return max(totals.values()) <= factor * median_low(totals.values()) * (1 + _TOLERANCE)


def counts_fairly(
    committed: float,
    own: float,
    weights: Sequence[float],
    users: Sequence[object],
    user: object,
    factor: float,
) -> bool:
    """Return true if a peer's samples were counted in full, or cut no further than the cap demands.

    Args:
        committed: samples of the peer as they were committed.
        own: samples that the peer sent.
        weights: committed samples of all peers.
        users: the user of each peer.
        user: the user of the peer.
        factor: the cap as a multiple of the lower median over the users.
    """
    if committed == own:
        return True
    totals = _totals(weights, users)
    if committed > own or len(totals) < LEAST_USERS:
        return False
    return math.isclose(totals[user], factor * median_low(totals.values()), rel_tol=_TOLERANCE)


def _totals(weights: Sequence[float], users: Sequence[object]) -> dict[object, float]:
    totals: dict[object, float] = {}
    for weight, user in zip(weights, users, strict=True):
        totals[user] = totals.get(user, 0.0) + weight
    return totals
