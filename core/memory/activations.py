"""A model's activations, by its family."""

from core.memory.activations_bert import bert_footprint
from core.memory.activations_dalle import SOURCE, dalle_moments
from core.memory.activations_gpt2 import gpt2_footprint
from core.memory.activations_gptj import gptj_footprint
from core.memory.activations_original_dalle import original_dalle_footprint
from core.memory.activations_t5 import t5_footprint
from core.memory.architecture import GPT2, GPTJ, T5, Architecture, Bert
from core.memory.backward import ActivationMoment, activation_moments
from core.memory.footprint import Footprint, Step
from core.memory.models import AnyModel
from core.memory.sharing import with_sharing
from core.memory.techniques import Activations, Techniques
from core.model.config import ModelConfig


def moments_of(
    model: AnyModel, step: Step, techniques: Techniques, shared_layers: int
) -> tuple[list[ActivationMoment], str]:
    """The moments of a micro-step that may be its peak, and where that is written."""
    if isinstance(model, ModelConfig):
        return dalle_moments(model, step, techniques), SOURCE
    footprint = with_sharing(footprint_of(model, step), model, shared_layers, step)
    checkpointing = techniques.activations is not Activations.KEEP
    found = activation_moments(footprint, checkpointing=checkpointing, kept_layers=techniques.kept)
    return found, footprint.source


def footprint_of(model: Architecture, step: Step) -> Footprint:
    """What a model that autograd differentiates keeps and needs."""
    match model:
        case Bert():
            return bert_footprint(model, step)
        case T5():
            return t5_footprint(model, step)
        case GPT2():
            return gpt2_footprint(model, step)
        case GPTJ():
            return gptj_footprint(model, step)
        case _:
            return original_dalle_footprint(model, step)
