"""A model's activations, by its family."""

from core.memory.activations_bert import bert_footprint
from core.memory.activations_dalle import dalle_footprint, original_dalle_footprint
from core.memory.activations_gpt2 import gpt2_footprint
from core.memory.activations_gptj import gptj_footprint
from core.memory.activations_t5 import t5_footprint
from core.memory.architecture import GPT2, GPTJ, T5, Bert
from core.memory.footprint import Footprint, Step
from core.memory.models import AnyModel
from core.memory.techniques import Techniques
from core.model.config import ModelConfig


def footprint_of(model: AnyModel, step: Step, techniques: Techniques) -> Footprint:
    """What the model keeps and needs in a micro-step."""
    match model:
        case Bert():
            return bert_footprint(model, step)
        case T5():
            return t5_footprint(model, step)
        case GPT2():
            return gpt2_footprint(model, step)
        case GPTJ():
            return gptj_footprint(model, step)
        case ModelConfig():
            return dalle_footprint(model, step, techniques)
        case _:
            return original_dalle_footprint(model, step)
