"""Decides whether an aggregate has enough of its group's users for caps and robust rules to hold: pure."""

from collections.abc import Collection

from core.swarm.aggregation.weight_caps import LEAST_USERS


def has_most_users(included: Collection[object], users: Collection[object]) -> bool:
    """Return true if the ``included`` ones are more than half of the ``users``, or one of two.

    Caps and clips are relative to the median of those who are in an aggregate. Were a reducer free to leave out all
    others, it could choose a set without an honest majority, or one too small for any rule.

    Args:
        included: the user of each peer whose values are in the aggregate; peers of one user count once.
        users: the user of each peer of the group that was to send values.
    """
    counted, present = len(set(included)), len(set(users))
    if present < LEAST_USERS:
        return counted > 0
    return 2 * counted > present
