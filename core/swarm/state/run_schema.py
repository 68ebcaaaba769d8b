"""The schema of a run's state and the parts of its rounds, for peers that have no model."""

from collections.abc import Iterator, Mapping

from torch import Tensor

from core.optim.moments import zero_moments
from core.optim.rules import decay_groups
from core.run.optimizer_rules import OptimizerRules
from core.run.rules import TrainingRules
from core.run.training.families import family_of
from core.skeletons import shapes_alone
from core.swarm.rounds.partition import Part, round_parts
from core.swarm.state.committed_update import MOMENTUM
from core.swarm.state.low_rank import Bases
from core.swarm.state.state import OPTIMIZER, PARAMETERS, StateSchema, TensorSchema, schema_of


def schema_of_run(training: TrainingRules) -> StateSchema:
    """Return the schema of the state that trainers give under the rules in ``training``.

    No more memory than one parameter's moments is held at a time.
    """
    with shapes_alone():
        own = dict(family_of(training).model(training.model).named_parameters())
    parameters = schema_of({PARAMETERS + name: item for name, item in own.items()})
    if (local := training.swarm.local_steps) is None:
        bases = {
            OPTIMIZER + name: item
            for name, item in Bases(own.items(), training.swarm).state_tensors().items()
        }
        return (*parameters, *_of_moments(own, training.optimizer), *schema_of(bases))
    moments = {f"{OPTIMIZER}{name}.{MOMENTUM}": item for name, item in own.items()}
    return (*parameters, *(schema_of(moments) if local.outer_momentum else ()))


def _of_moments(parameters: Mapping[str, Tensor], rules: OptimizerRules) -> Iterator[TensorSchema]:
    """Yield the schemas of the moments in the optimizer's order, which is that of its groups."""
    for group in decay_groups(parameters.items(), rules.weight_decay):
        for name, item in group["params"]:
            state = zero_moments(item.numel(), min_8bit_size=rules.min_8bit_size, block_size=rules.block_size)
            yield from schema_of({f"{OPTIMIZER}{name}.{key}": moment for key, moment in state.items()})


def parts_of_run(training: TrainingRules) -> tuple[Part, ...]:
    """Return the parts of a round under the rules in ``training``, in order.

    They are the same parts that the run's trainers get from their parameters.
    """
    with shapes_alone():  # only the sizes are needed
        shapes = [item.shape for item in family_of(training).model(training.model).parameters()]
    return round_parts(shapes, training.swarm)
