"""Rules of an optimizer over a run: the parameters that decay."""

from collections.abc import Iterable
from typing import Any

from torch import Tensor


def is_bias_or_norm(name: str) -> bool:
    """Return true if a parameter shifts or scales activations rather than mixing them: a bias or a norm's weight.

    ``name`` decides by the usual rule on its last parts: ``bias``, or ``weight`` of a module with "norm" in its name.
    """
    *modules, leaf = name.lower().split(".")
    return leaf == "bias" or (leaf == "weight" and bool(modules) and "norm" in modules[-1])


def decay_groups(named_parameters: Iterable[tuple[str, Tensor]], weight_decay: float) -> list[dict[str, Any]]:
    """Return parameter groups for an optimizer, in the given order: those that decay, then those that do not.

    A group without parameters is left out.

    Args:
        named_parameters: Names and parameters, of any shape.
        weight_decay: Weight decay of the parameters that are neither biases nor norms' weights.
    """
    decayed: list[tuple[str, Tensor]] = []
    exempt: list[tuple[str, Tensor]] = []
    for name, parameter in named_parameters:
        (exempt if is_bias_or_norm(name) else decayed).append((name, parameter))
    groups = [
        {"params": decayed, "weight_decay": weight_decay},
        {"params": exempt, "weight_decay": 0.0},
    ]
    return [group for group in groups if group["params"]]
