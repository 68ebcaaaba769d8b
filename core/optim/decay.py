"""Which parameters weight decay leaves alone."""

from collections.abc import Callable, Iterable
from typing import Any

from torch import Tensor


def is_bias_or_norm(name: str) -> bool:
    """Whether a parameter shifts or scales activations rather than mixing them: a bias or a norm's weight.

    The usual rule, by the name's last parts: ``bias``, or ``weight`` of a module with "norm" in its name.
    """
    *modules, leaf = name.lower().split(".")
    return leaf == "bias" or (leaf == "weight" and bool(modules) and "norm" in modules[-1])


def is_exempt_in_paper(name: str) -> bool:
    """The paper's filter as it was written: names with "bias" or "LayerNorm.weight" in them.

    Its model has no "LayerNorm" in any name, so that biases alone were exempt and norms' weights decayed.
    """
    return "bias" in name or "LayerNorm.weight" in name


def decay_groups(
    named_parameters: Iterable[tuple[str, Tensor]],
    weight_decay: float,
    *,
    is_exempt: Callable[[str], bool] = is_bias_or_norm,
) -> list[dict[str, Any]]:
    """Parameter groups for an optimizer, named, in the given order: those that decay, then those that don't.

    A group without parameters is left out.
    """
    decayed: list[tuple[str, Tensor]] = []
    exempt: list[tuple[str, Tensor]] = []
    for name, parameter in named_parameters:
        (exempt if is_exempt(name) else decayed).append((name, parameter))
    groups = [
        {"params": decayed, "weight_decay": weight_decay},
        {"params": exempt, "weight_decay": 0.0},
    ]
    return [group for group in groups if group["params"]]
