"""The base of optimizers with two moments in 8 bits, whose results no number of threads changes."""

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, ClassVar, TypeVar

import torch
from torch import Tensor
from torch.optim import Optimizer
from torch.optim.optimizer import ParamsT

from core.errors import GradientError
from core.optim.moments import SIGNED, maxima_key, replace_state, zero_moments
from core.optim.update import ParameterUpdate, norm

_GRAIN = 32_768  # from so many elements on, torch may split an operation among threads
_LARGEST_NORM = 1e18  # the squares of larger gradients leave float32

_T = TypeVar("_T")

# torch imports its compiler (seconds, and 70 MB) in order to leave this method out of it; nothing here compiles
Optimizer.add_param_group.__wrapped__.__dynamo_disable = Optimizer.add_param_group.__wrapped__  # type: ignore[attr-defined]


class EightBitOptimizer(Optimizer):
    """Optimizer with block-wise 8-bit moments (Dettmers et al., 2021), for float32 on the CPU.

    All gradients are first scaled so that their common norm is at most ``max_grad_norm`` (None: they are left
    alone). Subclasses say how a parameter moves. Moments of parameters with fewer than ``min_8bit_size`` elements
    stay in float32.

    Memory: the state takes about 2 bytes per element above that threshold. A step also holds a few tensors of
    ``chunk_size`` elements for each of its threads, whatever the size of the parameters.

    All or nothing: a step finds any error in a first pass, which only reads.

    Reproducibility: all work is in pieces too small for torch to split among threads, and norms are float64
    sums of fixed order. Machines of a kind that start from the same bits end with the same bits.
    """

    algorithm: ClassVar[str]
    """Name of the optimizer in errors."""

    def __init__(
        self,
        params: ParamsT,
        options: dict[str, Any],
        *,
        max_grad_norm: float | None,
        min_8bit_size: int,
        block_size: int,
        chunk_size: int,
    ) -> None:
        """Begin with moments of zero.

        Args:
            params: Parameters, named parameters or groups of either, as in torch; contiguous float32 on the CPU.
            options: Options that a group of parameters may have of its own.
            max_grad_norm: Largest common norm of all gradients; None: they are not clipped.
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
        self.threads = 1
        """Threads of a step, each at work on a parameter of its own; their number changes no bit."""
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
        for option, is_allowed in self.allowed_options(group).items():
            if not is_allowed:
                raise ValueError(f"{option} of {group[option]} makes no sense for {self.algorithm}")
        for parameter in group["params"]:
            self._check_parameter(parameter)
            self.state[parameter] = zero_moments(
                parameter.numel(), min_8bit_size=self._min_8bit_size, block_size=self._block_size
            )

    def allowed_options(self, group: Mapping[str, Any]) -> dict[str, bool]:
        """Return the options of ``group`` by name, each true if its value is allowed."""
        beta1, beta2 = group["betas"]
        return {
            "lr": math.isfinite(group["lr"]) and group["lr"] >= 0,
            "betas": 0 <= beta1 < 1 and 0 <= beta2 < 1,
            "eps": group["eps"] > 0,
            "weight_decay": group["weight_decay"] >= 0,
        }

    @abstractmethod
    def update_of(self, group: Mapping[str, Any], parameter: Tensor, clip: float) -> ParameterUpdate:
        """Return the next step of one parameter.

        Args:
            group: Options of the parameter's group.
            parameter: Parameter of any shape that has a gradient.
            clip: Factor by which all gradients are scaled.
        """

    def common_to_updates(self, group: Mapping[str, Any], parameter: Tensor, clip: float) -> dict[str, Any]:
        """Return the fields that the updates of all optimizers have.

        Args:
            group: Options of the parameter's group.
            parameter: Parameter of any shape that has a gradient.
            clip: Factor by which all gradients are scaled.
        """
        assert parameter.grad is not None
        return {
            "weights": parameter.view(-1),
            "gradient": parameter.grad.reshape(-1),
            "state": self.state[parameter],
            "clip": clip,
            "lr": float(group["lr"]),
            "betas": group["betas"],
            "weight_decay": group["weight_decay"],
            "block_size": self._block_size,
            "chunk_size": self._chunk_size,
        }

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:  # type: ignore[override]
        """Update every parameter that has a gradient; the step uses the gradients up.

        What a gradient holds after the step is undefined: an update may need its memory.

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
        updates = [self.update_of(group, w, clip) for group, w in due]
        norms = self._made([update.check for update in updates])
        self._made([partial(update.apply, norm) for update, norm in zip(updates, norms, strict=True)])
        return loss

    def _made(self, calls: Sequence[Callable[[], _T]]) -> list[_T]:
        """Return the results of ``calls``, each of which works on a parameter of its own, on ``threads`` threads."""
        if self.threads == 1:
            return [call() for call in calls]
        with ThreadPoolExecutor(self.threads, thread_name_prefix="optimizer") as pool:
            return list(pool.map(_without_gradients, calls))

    def _clip_coefficient(self, gradients: list[Tensor]) -> float:
        total = norm(gradients)
        clip = 1.0 if self.max_grad_norm is None else min(1.0, self.max_grad_norm / (total + 1e-6))
        if not total * clip <= _LARGEST_NORM:
            raise GradientError(
                f"The norm of the gradients is {total}: the update was not made.",
                "Continue from the last checkpoint; if it happens again, tell the organiser of the run.",
            )
        return clip

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

    def _check_parameter(self, parameter: Tensor) -> None:
        if (
            parameter.dtype != torch.float32
            or parameter.device.type != "cpu"
            or not parameter.is_contiguous()
        ):
            raise ValueError(
                f"{type(self).__name__} updates contiguous float32 parameters on the CPU; "
                "give it the master copies of others"
            )


@torch.no_grad()  # which torch notes for each thread
def _without_gradients(call: Callable[[], _T]) -> _T:
    return call()
