"""The memory plan of a run's trainer: what the run's rules leave to choose, planned for a machine. Loads no torch."""

from collections.abc import Sequence
from dataclasses import replace

from core.memory import plan
from core.memory.machine import Allowance, Machine
from core.memory.planning import MemoryPlan
from core.memory.search import Choices
from core.memory.techniques import Techniques
from core.rules import TrainingRules


def plan_of(
    training: TrainingRules,
    machine: Machine,
    allowance: Allowance = Allowance(),  # noqa: B008 - frozen
    choices: Choices = Choices(),  # noqa: B008 - frozen
    *,
    avoid: Sequence[Techniques] = (),
    avoid_on_processor: Sequence[Techniques] = (),
) -> MemoryPlan:
    """The plan, whether it fits or not; arguments as in `core.memory.plan`."""
    model = training.model
    vocabulary = model.dim * (model.text_classes + model.image_vocab)
    return plan(
        model,
        machine,
        allowance,
        avoid=avoid,
        avoid_on_processor=avoid_on_processor,
        eight_bit_optimizer=vocabulary >= training.optimizer.min_8bit_size,
        choices=_small_enough(choices, training.swarm.target_batch_size),
    )


def _small_enough(given: Choices, target_batch_size: int) -> Choices:
    """Those whose micro-batches are small beside the swarm's batch, which one peer would overshoot otherwise."""
    largest = max(1, target_batch_size // 4, min(given.micro_batches))
    return replace(given, micro_batches=tuple(size for size in given.micro_batches if size <= largest))
