"""Checks that a request suits a model: its sequence length, its sharing, its techniques."""

from core.errors import MemoryPlanError
from core.memory.models import T5, AnyModel, OriginalDalle, OwnModel
from core.model.config import ModelConfig
from core.model.family.config import FamilyConfig
from core.model.techniques import Activations, Techniques

_T5_LENGTH = 512


def checked_length(model: AnyModel, sequence_length: int | None) -> int:
    """Return the positions of a sample: ``sequence_length``, or as many as the ``model`` was made for if None.

    Raises:
        MemoryPlanError: not positive, or more than the model has, or other than DALL-E's.
    """
    longest = longest_sequence(model)
    if sequence_length is None:
        return longest or _T5_LENGTH
    if isinstance(model, OwnModel | OriginalDalle) and sequence_length != longest:
        name = "this model" if isinstance(model, FamilyConfig) else "DALL-E"
        raise MemoryPlanError(
            f"The sequence of {name} has {longest} positions, not {sequence_length}.",
            "Leave the sequence length out.",
        )
    if sequence_length < 1 or (longest is not None and sequence_length > longest):
        raise MemoryPlanError(
            f"A sequence cannot have {sequence_length} positions.",
            f"Choose from 1 to {longest}." if longest else "Choose 1 or more.",
        )
    return sequence_length


def longest_sequence(model: AnyModel) -> int | None:
    """Return the positions that a ``model`` has embeddings or tables for; None: any number (T5)."""
    match model:
        case ModelConfig() | FamilyConfig():
            return model.sequence_length
        case T5():
            return None
        case _:
            return model.positions


def depth_of(model: AnyModel) -> int:
    """Return the number of layers in all stacks of a ``model`` together."""
    match model:
        case ModelConfig() | FamilyConfig():
            return model.depth
        case T5():
            return 2 * model.layers
        case _:
            return model.layers


def check_techniques(model: AnyModel, techniques: Techniques, shared_layers: int | None) -> None:
    """Check the numbers and the techniques of a step.

    Args:
        model: Sizes of the model.
        techniques: Techniques to check.
        shared_layers: Sets of weights that layers share, or None.

    Raises:
        MemoryPlanError: no step can have such numbers, or the model cannot use the techniques.
    """
    _at_least("samples in a micro-batch", techniques.micro_batch, 1)
    _at_least("shared layers", shared_layers or 0, 0)
    if techniques.loss_chunk is not None:
        _at_least("loss chunk", techniques.loss_chunk, 1)
    for name, layers in (("kept layers", techniques.kept), ("checkpointed layers", techniques.checkpointed)):
        if not 0 <= layers <= depth_of(model):
            raise MemoryPlanError(
                f"The number of {name} cannot be {layers}.", f"Choose from 0 to {depth_of(model)}."
            )
    reversible = isinstance(model, OwnModel) and model.reversible
    if techniques.activations is Activations.REVERSE and not reversible:
        raise MemoryPlanError(
            "The layers of this model are not reversible.",
            f"Choose {Activations.KEEP} or {Activations.CHECKPOINT} for its activations.",
        )


def with_shared_layers(config: ModelConfig, shared_layers: int) -> ModelConfig:
    """Return our model ``config`` with another number of ``shared_layers``.

    Raises:
        MemoryPlanError: its patterns do not go into that number.
    """
    _at_least("shared layers", shared_layers, 0)
    if shared_layers % len(config.patterns):
        raise MemoryPlanError(
            f"DALL-E cannot have {shared_layers} sets of shared weights.",
            f"Choose a multiple of {len(config.patterns)}, the number of its attention patterns.",
        )
    return config.model_copy(update={"shared_layers": shared_layers})


def _at_least(name: str, number: int, least: int) -> None:
    if number < least:
        raise MemoryPlanError(f"The number of {name} cannot be {number}.", f"Choose {least} or more.")
