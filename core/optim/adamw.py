"""8-bit AdamW: the optimizer of DiLoCo's and SparseLoCo's local steps."""

from collections.abc import Mapping
from typing import Any

from torch import Tensor
from torch.optim.optimizer import ParamsT

from core.optim.eight_bit import EightBitOptimizer
from core.optim.update import AdamWUpdate


class AdamW8bit(EightBitOptimizer):
    """AdamW (Loshchilov and Hutter, 2019) with block-wise 8-bit moments (Dettmers et al., 2021), for float32 on the
    CPU.

    With gradients g that are clipped by their common norm, each parameter w moves by

        m = beta1 m + (1 - beta1) g
        v = beta2 v + (1 - beta2) g^2
        w = (1 - lr weight_decay) w - lr m / (1 - beta1^step) / (sqrt(v / (1 - beta2^step)) + eps)

    by the operations of ``torch.optim.AdamW``. Moments in float32 are equal to the last bit, weights up to the square
    root, which torch's library on x86 does not round correctly.
    """

    algorithm = "AdamW"

    def __init__(
        self,
        params: ParamsT,
        lr: float,
        betas: tuple[float, float] = (0.9, 0.95),
        eps: float = 1e-8,
        weight_decay: float = 0.1,
        *,
        max_grad_norm: float | None = 1.0,
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
            weight_decay: Share of the weights that a step of learning rate 1 takes off, at least 0.
            max_grad_norm: Largest common norm of all gradients; None: they are not clipped.
            min_8bit_size: Fewest elements of a parameter whose moments are in 8 bits.
            block_size: Elements of a moment that share a scale.
            chunk_size: Elements that a step works on at a time: a multiple of ``block_size`` below 32,768.

        Raises:
            ValueError: an option makes no sense, or a parameter is not contiguous float32 on the CPU.
        """
        super().__init__(
            params,
            {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay},
            max_grad_norm=max_grad_norm,
            min_8bit_size=min_8bit_size,
            block_size=block_size,
            chunk_size=chunk_size,
        )

    def update_of(self, group: Mapping[str, Any], parameter: Tensor, clip: float) -> AdamWUpdate:
        """Return the next step of one parameter.

        Args:
            group: Options of the parameter's group.
            parameter: Parameter of any shape that has a gradient.
            clip: Factor by which all gradients are scaled.
        """
        step = int(self.state[parameter]["step"]) + 1
        correction1, correction2 = (1 - beta**step for beta in group["betas"])
        return AdamWUpdate(
            **self.common_to_updates(group, parameter, clip),
            eps=group["eps"],
            correction1=correction1,
            correction2=correction2,
        )
