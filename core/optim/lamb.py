"""8-bit LAMB with a true trust ratio: the paper's optimizer."""

import math
from collections.abc import Mapping
from typing import Any

from torch import Tensor
from torch.optim.optimizer import ParamsT

from core.optim.eight_bit import EightBitOptimizer
from core.optim.update import LambUpdate


class Lamb8bit(EightBitOptimizer):
    """LAMB (You et al., 2020) with block-wise 8-bit moments (Dettmers et al., 2021), for float32 on the CPU.

    The defaults are the paper's (Borzunov et al., 2022, section 3.3, and its published code). With gradients g that
    are clipped by their common norm, each parameter w moves by

        m = beta1 m + (1 - beta1) g
        v = beta2 v + (1 - beta2) g^2
        u = m / (sqrt(v) + eps) + weight_decay w
        w = w - lr min(|w|, clamp_value) / |u| u      (no trust ratio where |w| or |u| is zero)

    and ``bias_correction`` divides m and v by 1 - beta^step in u. A step keeps u in the memory of the gradient, since
    |u| has to be known before the weights move.
    """

    algorithm = "LAMB"

    def __init__(
        self,
        params: ParamsT,
        lr: float,
        betas: tuple[float, float] = (0.9, 0.96),
        eps: float = 1e-6,
        weight_decay: float = 0.045,
        *,
        bias_correction: bool = False,
        max_grad_norm: float | None = 4.0,
        clamp_value: float = 10_000.0,
        min_8bit_size: int = 65_536,
        block_size: int = 4096,
        chunk_size: int = 28_672,
    ) -> None:
        """Begin with moments of zero.

        Args:
            params: Parameters, named parameters or groups of either, as in torch; contiguous float32 on the CPU.
            lr: Learning rate; a caller with a schedule changes it in ``param_groups``.
            betas: Shares of the first and of the second moment that a step keeps, in [0, 1).
            eps: Positive term beside the square root of the second moment.
            weight_decay: Factor of the weights in the update, at least 0.
            bias_correction: True to correct the moments of the first steps, which lean towards zero.
            max_grad_norm: Largest common norm of all gradients; None: they are not clipped.
            clamp_value: Largest norm of a parameter that its trust ratio counts.
            min_8bit_size: Fewest elements of a parameter whose moments are in 8 bits.
            block_size: Elements of a moment that share a scale.
            chunk_size: Elements that a step works on at a time: a multiple of ``block_size`` below 32,768.

        Raises:
            ValueError: an option makes no sense, or a parameter is not contiguous float32 on the CPU.
        """
        options = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "bias_correction": bias_correction,
            "clamp_value": clamp_value,
        }
        super().__init__(
            params,
            options,
            max_grad_norm=max_grad_norm,
            min_8bit_size=min_8bit_size,
            block_size=block_size,
            chunk_size=chunk_size,
        )

    def allowed_options(self, group: Mapping[str, Any]) -> dict[str, bool]:
        """Return the options of ``group`` by name, each true if its value is allowed."""
        return super().allowed_options(group) | {"clamp_value": group["clamp_value"] > 0}

    def update_of(self, group: Mapping[str, Any], parameter: Tensor, clip: float) -> LambUpdate:
        """Return the next step of one parameter.

        Args:
            group: Options of the parameter's group.
            parameter: Parameter of any shape that has a gradient.
            clip: Factor by which all gradients are scaled.
        """
        step = int(self.state[parameter]["step"]) + 1
        correction1, correction2 = (
            1 - beta**step if group["bias_correction"] else 1.0 for beta in group["betas"]
        )
        return LambUpdate(
            **self.common_to_updates(group, parameter, clip),
            # m / c1 / (sqrt(v / c2) + eps) = (sqrt(c2) / c1) m / (sqrt(v) + sqrt(c2) eps)
            eps=math.sqrt(correction2) * group["eps"],
            direction_scale=math.sqrt(correction2) / correction1,
            clamp_value=group["clamp_value"],
        )
