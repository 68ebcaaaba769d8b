"""Rules by which a committed aggregate changes the parameters: the same on all peers, to the last bit."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import torch
from torch import Tensor

from core.errors import CheckpointError
from core.optim.adamw import AdamW8bit
from core.optim.eight_bit import EightBitOptimizer
from core.optim.lamb import Lamb8bit
from core.optim.learning_rate import linear_schedule
from core.optim.masters import Masters
from core.optim.rules import decay_groups
from core.run.optimizer_rules import AnyOptimizerRules, LambRules
from core.run.rules import LocalStepRules, ScheduleRules
from core.swarm.state.low_rank import Bases

MOMENTUM = "momentum"
"""Last part of the names of an outer step's state."""


class CommittedUpdate(Protocol):
    """The rule of a run's procedure that applies a committed aggregate."""

    def apply(self, aggregate: Sequence[Tensor], epoch: int) -> None:
        """Apply the ``aggregate`` that leads from ``epoch``: a float32 tensor of each parameter's shape, in order."""

    def state_tensors(self) -> dict[str, Tensor]:
        """Return the state beside the parameters by name, each tensor in its own shape; they are not copies."""

    def load_state_tensors(self, tensors: Mapping[str, Tensor]) -> None:
        """Replace the state by ``tensors`` of the same shapes; CheckpointError if they do not fit."""


class GradientUpdate:
    """Procedure `gradients`: a step of the run's optimizer along the mean gradient (the paper, section 3.3)."""

    def __init__(
        self, masters: Masters, optimizer: AnyOptimizerRules, schedule: ScheduleRules, bases: Bases
    ) -> None:
        """Begin with moments of zero for the parameters in ``masters``.

        Args:
            masters: the committed parameters.
            optimizer: the run's settings of its optimizer.
            schedule: the run's learning rates by epoch.
            bases: the bases of gradients of low rank, if the run has any.
        """
        self._masters, self._schedule, self._bases = masters, schedule, bases
        self._optimizer = optimizer_of(masters.named_parameters(), optimizer)

    def apply(self, aggregate: Sequence[Tensor], epoch: int) -> None:
        """Step along ``aggregate`` at the learning rate of ``epoch``.

        It is a gradient of each parameter's shape, or factors of one, of shape (rows + columns, rank).
        """
        set_rate(self._optimizer, rate_at(self._schedule, epoch))
        self._masters.set_gradients(self._bases.gradients_of(aggregate))
        self._optimizer.step()
        self._masters.drop_gradients()
        self._bases.advance(aggregate)

    def state_tensors(self) -> dict[str, Tensor]:
        """Return the optimizer's tensors and the bases by name, each in its own shape; they are not copies."""
        return {**self._optimizer.state_tensors(), **self._bases.state_tensors()}

    def load_state_tensors(self, tensors: Mapping[str, Tensor]) -> None:
        """Replace the state by ``tensors`` in the same shapes; CheckpointError if they do not fit."""
        own = self._bases.state_tensors().keys()
        bases = {name: item for name, item in tensors.items() if name in own}
        self._bases.check(bases)
        self._optimizer.load_state_tensors({name: item for name, item in tensors.items() if name not in own})
        self._bases.load(bases)


class OuterUpdate:
    """Procedure `local_steps`: an outer step along the mean drift, plain or with Nesterov momentum.

    A drift is the committed parameters minus a peer's own. A plain step of rate 1 leads to the mean of the
    peers' parameters; DiLoCo (Douillard et al., 2023) steps with rate 0.7 and Nesterov momentum 0.9.
    """

    def __init__(self, masters: Masters, rules: LocalStepRules) -> None:
        """Begin with a momentum of zero, if ``rules`` have one, for the committed parameters in ``masters``."""
        self._masters, self._rate, self._momentum = masters, rules.outer_lr, rules.outer_momentum
        self._moments = (
            {name: torch.zeros_like(item) for name, item in masters.tensors().items()}
            if rules.outer_momentum
            else {}
        )

    @torch.no_grad()
    def apply(self, aggregate: Sequence[Tensor], epoch: int) -> None:
        """Step against ``aggregate``, a mean drift of each parameter's shape; ``epoch`` does not matter.

        Products and sums are separate operations: fused ones would round differently on unlike processors.
        """
        for (name, master), drift in zip(self._masters.tensors().items(), aggregate, strict=True):
            step = drift
            if self._momentum:
                moment = self._moments[name]
                moment.mul_(self._momentum).add_(drift)
                step = moment.mul(self._momentum).add_(drift)
            master.sub_(step if self._rate == 1.0 else step.mul(self._rate))

    def state_tensors(self) -> dict[str, Tensor]:
        """Return each parameter's momentum by name, in its shape; nothing for a plain step. They are not copies."""
        return {f"{name}.{MOMENTUM}": item for name, item in self._moments.items()}

    @torch.no_grad()
    def load_state_tensors(self, tensors: Mapping[str, Tensor]) -> None:
        """Replace the momentum by ``tensors`` of the same names, shapes and type.

        Raises CheckpointError if they do not fit; nothing is changed then.
        """
        own = self.state_tensors()
        if {name: (item.shape, item.dtype) for name, item in tensors.items()} != {
            name: (item.shape, item.dtype) for name, item in own.items()
        } or not all(bool(item.isfinite().all()) for item in tensors.values()):
            raise CheckpointError(
                "The state of the outer step does not fit this run.",
                "Use a checkpoint of the run that this model belongs to.",
            )
        for name, item in own.items():
            item.copy_(tensors[name])


def optimizer_of(parameters: Iterable[tuple[str, Tensor]], rules: AnyOptimizerRules) -> EightBitOptimizer:
    """Return the run's 8-bit optimizer with moments of zero, by its ``rules``; its rate is 0 until `set_rate`.

    ``parameters`` are names and parameters of any shape, float32 on the CPU.
    """
    groups = decay_groups(parameters, rules.weight_decay)
    common: dict[str, Any] = {
        "lr": 0.0,
        "betas": rules.betas,
        "eps": rules.eps,
        "max_grad_norm": rules.max_grad_norm,
        "min_8bit_size": rules.min_8bit_size,
        "block_size": rules.block_size,
    }
    if isinstance(rules, LambRules):
        return Lamb8bit(
            groups, bias_correction=rules.bias_correction, clamp_value=rules.clamp_value, **common
        )
    return AdamW8bit(groups, **common)


def set_rate(optimizer: EightBitOptimizer, rate: float) -> None:
    """Set the learning ``rate`` for the next step of ``optimizer``."""
    for group in optimizer.param_groups:
        group["lr"] = rate


def rate_at(schedule: ScheduleRules, epoch: float) -> float:
    """Return the learning rate of ``schedule`` at ``epoch``, which may lie between two epochs."""
    return linear_schedule(
        epoch, peak=schedule.peak_lr, warmup=schedule.warmup_epochs, total=schedule.total_epochs
    )
