"""Contributions of hostile contributors, who know all honest ones of the round and agree on what to send."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

_DEVIATIONS = 1.5
_OPPOSED_SHARE = 0.5


@dataclass(frozen=True)
class HostileView:
    """The knowledge of a hostile contributor in a round; all tensors are flat and of one length."""

    own: Tensor
    """Contribution that an honest contributor would send in its place."""
    honest: Sequence[Tensor]
    """Contributions of all honest contributors."""
    first: Tensor
    """Contribution that it computed for the first round."""


@dataclass(frozen=True)
class Forgery:
    """One way to harm a run by contributions."""

    forge: Callable[[HostileView], Tensor]
    """Returns what is sent."""
    weight: float = 1.0
    """Samples that are claimed, as a multiple of those computed."""
    flips_labels: bool = False
    """True if the hostile contributor computes on wrong codes."""


def _negative(view: HostileView) -> Tensor:
    return -view.own


def _negative_tenfold(view: HostileView) -> Tensor:
    return -10 * view.own


def _a_little(view: HostileView) -> Tensor:
    """Send the mean of the honest less 1.5 deviations of each value (Baruch et al., 2019, "A Little Is Enough")."""
    honest = torch.stack(list(view.honest))
    return honest.mean(0) - _DEVIATIONS * honest.std(0)


def _against_the_mean(view: HostileView) -> Tensor:
    """Send half of the negative mean: short, and its inner product with the truth negative (Xie et al., 2019)."""
    return -_OPPOSED_SHARE * torch.stack(list(view.honest)).mean(0)


def _as_computed(view: HostileView) -> Tensor:
    return view.own


def _nothing(view: HostileView) -> Tensor:
    return torch.zeros_like(view.own)


def _the_first_again(view: HostileView) -> Tensor:
    return view.first


FORGERIES: Mapping[str, Forgery] = {
    "sign_flip": Forgery(_negative),
    "sign_flip_tenfold": Forgery(_negative_tenfold),
    "sign_flip_at_the_cap": Forgery(_negative, weight=2.0),
    "forged_weight": Forgery(_negative, weight=160.0),
    "a_little": Forgery(_a_little),
    "inner_product": Forgery(_against_the_mean),
    "label_flip": Forgery(_as_computed, flips_labels=True),
    "free_rider_zero": Forgery(_nothing),
    "free_rider_repeats": Forgery(_the_first_again),
}
"""Forgeries by name; the forged weight is 16 batches where ten contributors share one."""
