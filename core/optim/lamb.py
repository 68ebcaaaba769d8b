"""8-bit LAMB with a true trust ratio: the paper's optimizer, whose results no number of threads changes."""

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch
from torch import Tensor
from torch.optim import Optimizer
from torch.optim.optimizer import ParamsT

from core.errors import GradientError
from core.optim.moments import SIGNED, maxima_key, replace_state, zero_moments
from core.optim.update import LambUpdate, norm

_GRAIN = 32_768  # from so many elements on, torch may split an operation among threads
_LARGEST_NORM = 1e18  # the squares of larger gradients leave float32

# torch imports its compiler (seconds, and 70 MB) in order to leave this method out of it; nothing here compiles
Optimizer.add_param_group.__wrapped__.__dynamo_disable = Optimizer.add_param_group.__wrapped__  # type: ignore[attr-defined]


class Lamb8bit(Optimizer):
    """LAMB (You et al., 2020) with block-wise 8-bit moments (Dettmers et al., 2021), for float32 on the CPU.

    The defaults are the paper's (Borzunov et al., 2022, section 3.3, and its published code). All gradients
    are first scaled so that their common norm is at most ``max_grad_norm`` (None: they are left alone). Then,
    for each parameter w with gradient g,

        m = beta1 m + (1 - beta1) g
        v = beta2 v + (1 - beta2) g^2
        u = m / (sqrt(v) + eps) + weight_decay w
        w = w - lr min(|w|, clamp_value) / |u| u      (no trust ratio where |w| or |u| is zero)

    and ``bias_correction`` divides m and v by 1 - beta^step in u. Moments of parameters with fewer than
    ``min_8bit_size`` elements stay in float32.

    Memory: the state takes about 2 bytes per element above that threshold. A step also holds a few tensors of
    ``chunk_size`` elements, whatever the size of the parameters. It passes over each parameter twice: the first
    pass only reads, to find |u|; the second pass computes u again and applies it.

    All or nothing: a step finds any error in its first pass, before it changes anything.

    Reproducibility: all work is in pieces too small for torch to split among threads, and norms are float64
    sums of fixed order. Machines of a kind that start from the same bits end with the same bits.
    """

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
        if max_grad_norm is not None and not 0 < max_grad_norm < _LARGEST_NORM:
            raise ValueError(f"max_grad_norm must be positive, or None for no clipping, not {max_grad_norm}")
        if block_size < 1 or not 0 < chunk_size < _GRAIN or chunk_size % block_size:
            raise ValueError(f"chunk_size must be a multiple of block_size below {_GRAIN}, not {chunk_size}")
        self.max_grad_norm = max_grad_norm
        self._min_8bit_size = min_8bit_size
        self._block_size = block_size
        self._chunk_size = chunk_size
        options = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "bias_correction": bias_correction,
            "clamp_value": clamp_value,
        }
        super().__init__(params, options)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add parameters, with options of their own where given; their moments start at zero.

        Args:
            param_group: Parameters under ``params``, and options by the names of the constructor.

        Raises:
            ValueError: an option makes no sense, or a parameter is not contiguous float32 on the CPU.
        """
        super().add_param_group(param_group)
        group = self.param_groups[-1]
        _check_options(group)
        for parameter in group["params"]:
            _check_parameter(parameter)
            self.state[parameter] = zero_moments(
                parameter.numel(), min_8bit_size=self._min_8bit_size, block_size=self._block_size
            )

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:  # type: ignore[override]
        """Update every parameter that has a gradient.

        Args:
            closure: Computes the loss again before the update, as in torch.

        Returns:
            The loss of ``closure``, if one was given.

        Raises:
            GradientError: the update would not be finite; all parameters are as they were.
        """
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        due = [(group, w) for group in self.param_groups for w in group["params"] if w.grad is not None]
        clip = self._clip_coefficient([w.grad for _, w in due])
        updates = [self._update(group, w, clip) for group, w in due]
        rates = [update.rate() for update in updates]
        for update, rate in zip(updates, rates, strict=True):
            update.apply(rate)
        return loss

    def _clip_coefficient(self, gradients: list[Tensor]) -> float:
        total = norm(gradients)
        clip = 1.0 if self.max_grad_norm is None else min(1.0, self.max_grad_norm / (total + 1e-6))
        if not total * clip <= _LARGEST_NORM:
            raise GradientError(
                f"The norm of the gradients is {total}: the update was not made.",
                "Go on from the last checkpoint; if it happens again, tell the organiser of the run.",
            )
        return clip

    def _update(self, group: dict[str, Any], parameter: Tensor, clip: float) -> LambUpdate:
        assert parameter.grad is not None
        state = self.state[parameter]
        step = int(state["step"]) + 1
        correction1, correction2 = (
            1 - beta**step if group["bias_correction"] else 1.0 for beta in group["betas"]
        )
        return LambUpdate(
            weights=parameter.view(-1),
            gradient=parameter.grad.reshape(-1),
            state=state,
            clip=clip,
            lr=float(group["lr"]),
            betas=group["betas"],
            # m / c1 / (sqrt(v / c2) + eps) = (sqrt(c2) / c1) m / (sqrt(v) + sqrt(c2) eps)
            eps=math.sqrt(correction2) * group["eps"],
            direction_scale=math.sqrt(correction2) / correction1,
            weight_decay=group["weight_decay"],
            clamp_value=group["clamp_value"],
            block_size=self._block_size,
            chunk_size=self._chunk_size,
        )

    def state_tensors(self) -> dict[str, Tensor]:
        """Return the state under flat names: step counts, and codes with block maxima or float32 moments.

        The tensors are the optimizer's own, not copies: write or copy them before the next step. Parameters
        are named as they were handed in, or else by their place in the groups. Shapes: step counts are
        scalars, codes and moments flat, (elements,), and block maxima (blocks,).
        """
        return {
            f"{name}.{key}": tensor for name, state in self._named_states() for key, tensor in state.items()
        }

    def load_state_tensors(self, tensors: Mapping[str, Tensor]) -> None:
        """Replace the state, bit for bit.

        Args:
            tensors: State as ``state_tensors`` gives it, in the same shapes.

        Raises:
            CheckpointError: names, shapes, types or values do not fit; nothing is changed.
        """
        replace_state(self.state_tensors(), tensors)

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load torch's form of the state bit for bit: torch turns 8-bit state into floats, which is undone here.

        Args:
            state_dict: State as ``state_dict`` gives it.
        """
        super().load_state_dict(state_dict)
        for _, state in self._named_states():
            for moment in SIGNED:
                if maxima_key(moment) in state:
                    state[moment] = state[moment].to(torch.uint8)

    def _named_states(self) -> Iterator[tuple[str, dict[str, Tensor]]]:
        place = 0
        for group in self.param_groups:
            for index, parameter in enumerate(group["params"]):
                name = group["param_names"][index] if "param_names" in group else str(place)
                yield name, self.state[parameter]
                place += 1


def _check_options(group: Mapping[str, Any]) -> None:
    beta1, beta2 = group["betas"]
    allowed = {
        "lr": math.isfinite(group["lr"]) and group["lr"] >= 0,
        "betas": 0 <= beta1 < 1 and 0 <= beta2 < 1,
        "eps": group["eps"] > 0,
        "weight_decay": group["weight_decay"] >= 0,
        "clamp_value": group["clamp_value"] > 0,
    }
    for option, is_allowed in allowed.items():
        if not is_allowed:
            raise ValueError(f"{option} of {group[option]} makes no sense for LAMB")


def _check_parameter(parameter: Tensor) -> None:
    if parameter.dtype != torch.float32 or parameter.device.type != "cpu" or not parameter.is_contiguous():
        raise ValueError(
            "Lamb8bit updates contiguous float32 parameters on the CPU; give it the master copies of others"
        )
