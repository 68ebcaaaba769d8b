"""The memory plan of a run's trainer on one machine, within the run's rules. Loads no torch."""

from collections.abc import Sequence
from dataclasses import replace

from core.memory import plan
from core.memory.machine import Allowance, MachineResources
from core.memory.parameters import parameters
from core.memory.planning import MemoryPlan
from core.memory.search import PlanChoices
from core.model.techniques import Techniques
from core.run.describe import bytes_of_round
from core.run.rules import SwarmRules, TrainingRules


def plan_of(
    training: TrainingRules,
    machine: MachineResources,
    allowance: Allowance = Allowance(),  # noqa: B008 - frozen
    choices: PlanChoices = PlanChoices(),  # noqa: B008 - frozen
    *,
    avoid: Sequence[Techniques] = (),
    avoid_on_processor: Sequence[Techniques] = (),
) -> MemoryPlan:
    """Return the memory plan of a run's trainer, whether it fits or not.

    Args:
        training: Rules of the run.
        machine: Resources of the machine.
        allowance: Bytes that the volunteer allows.
        choices: Techniques to choose from; micro-batches that are large beside the swarm's batch are left
            out.
        avoid: Techniques that ran out of memory before; the plan takes less than each of them.
        avoid_on_processor: The same where the processor trains because nothing fits on the GPU.
    """
    model, local = training.model, training.swarm.local_steps
    largest = max(item.elements for item in parameters(model))
    return plan(
        model,
        machine,
        allowance,
        local_steps=local is not None,
        outer_momentum=local is not None and local.outer_momentum > 0,
        factors=training.swarm.factors,
        committed_bytes=bytes_of_round(training).aggregates,
        recomputed=bool(training.swarm.recomputed_share),
        avoid=avoid,
        avoid_on_processor=avoid_on_processor,
        eight_bit_optimizer=largest >= training.optimizer.min_8bit_size,
        choices=_small_enough(choices, training.swarm),
    )


def _small_enough(given: PlanChoices, swarm: SwarmRules) -> PlanChoices:
    """Return the choices without micro-batches that are large beside the swarm's batch, or exceed a local step's.

    One peer would overshoot that batch with them. A peer that is alone makes the largest local steps.
    """
    pieces = 4 if swarm.local_steps is None else swarm.local_steps.steps
    limit = swarm.target_batch_size // pieces
    largest = max(1, limit, min(given.micro_batches))
    return replace(given, micro_batches=tuple(size for size in given.micro_batches if size <= largest))
