"""Compares what a reducer committed with what its group's contributions give: pure.

Like machines give equal bytes. Unlike ones add in another order or with fused operations, so that a value next to a
border of its encoding falls on the other side of it.
"""

from enum import StrEnum

import torch

from core.swarm.rounds.partition import Part
from core.swarm.rounds.reduction import ReducedPart

TOLERANCE = 0.01
"""Difference of an aggregate, as a share of its norm, that unlike arithmetic may make.

A hundredth of the values of a part in 8 bits, each a whole step away, make 0.0024. A reducer that lies by less than
this does less harm than the encoding.
"""
_FEW = 1 / 1024
"""Share of a part's values, at least two, that may differ by more: two values as large as each other, of which a
sparse encoding sends one, change places."""
_LEAST_FEW = 2
_SHARE_STEPS = 2
"""Steps of 1/255 by which a share may differ: unlike arithmetic gives another norm, and rounds it to another step."""


class AuditVerdict(StrEnum):
    """Outcome of the audit of one part."""

    SOUND = "sound"
    FALSE_AGGREGATE = "another aggregate than the contributions give"
    NO_ACCOUNT = "contributions not shown"


def agrees(part: Part, committed: ReducedPart, recomputed: ReducedPart) -> bool:
    """Return true if the ``committed`` aggregate of ``part`` is the ``recomputed`` one but for unlike arithmetic.

    Senders and samples must be the same, and the shares of the contributions but for `_SHARE_STEPS`.
    """
    if committed.digest == recomputed.digest:
        return True
    if (committed.included, committed.weight) != (recomputed.included, recomputed.weight):
        return False
    if committed.contributors != recomputed.contributors:
        return False
    if not _are_near_shares(committed, recomputed):
        return False
    return is_near(committed.values(part), recomputed.values(part))


def _are_near_shares(committed: ReducedPart, recomputed: ReducedPart) -> bool:
    found, due = committed.whole_shares, recomputed.whole_shares
    return len(found) == len(due) and all(
        abs(ours - other) <= _SHARE_STEPS for ours, other in zip(found, due, strict=True)
    )


def is_near(found: torch.Tensor, due: torch.Tensor) -> bool:
    """Return true if ``found`` differs from what was ``due``, both of shape (values,), by less than `TOLERANCE`.

    A few values may differ by as much as the largest that was due.
    """
    differences, largest = (found - due).abs(), float(due.abs().max())
    few = min(max(_LEAST_FEW, int(_FEW * len(due))), len(due) // 8)
    if not bool(torch.isfinite(differences).all()) or float(differences.max()) > largest:
        return False
    rest = differences.sort().values[: len(due) - few]
    return float(rest.norm()) <= TOLERANCE * float(due.norm())
