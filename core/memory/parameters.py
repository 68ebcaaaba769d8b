"""The parameters of a model, tensor by tensor, so that what depends on a tensor's size can be counted."""

from dataclasses import dataclass, replace
from functools import singledispatch
from math import prod

from core.memory.models import GPT2, GPTJ, T5, AnyModel, Architecture, Bert, OriginalDalle
from core.model.config import ModelConfig
from core.model.family.config import FamilyConfig


@dataclass(frozen=True)
class Parameter:
    """A group of ``count`` tensors of one shape, alike in every layer that has one."""

    name: str
    shape: tuple[int, ...]
    count: int = 1
    """Number of tensors of that shape in the group."""
    always_float32: bool = False
    """True if the tensors stay in float32 when the model is trained in 16 bits."""

    @property
    def elements(self) -> int:
        """Elements of one of the tensors."""
        return prod(self.shape)

    @property
    def total(self) -> int:
        """Elements of all tensors."""
        return self.count * self.elements


def parameters(model: AnyModel, shared_layers: int = 0) -> list[Parameter]:
    """Return every parameter of a ``model`` once, tied ones included once.

    ``shared_layers`` is the number of sets of weights that layers of the other families use in turns (ALBERT,
    Lan et al., 2020; 0: each has its own). Our own models say so in their configurations.
    """
    if isinstance(model, ModelConfig):
        return _dalle(model)
    if isinstance(model, FamilyConfig):
        return list(model.parameters())
    sets = weight_sets(model, shared_layers)
    return [
        *_outside_layers(model),
        *(replace(item, count=item.count * sets) for item in _layer(model)),
    ]


def weight_sets(model: Architecture, shared_layers: int) -> int:
    """Return the number of layers of a ``model`` with weights of their own; in T5, of each of its two stacks.

    ``shared_layers`` is 0 where each layer has its own.
    """
    return min(shared_layers, model.layers) if shared_layers else model.layers


def count(model: AnyModel, shared_layers: int = 0) -> int:
    """Return the number of parameters that a model has of its own; ``shared_layers`` as in `parameters`."""
    return sum(item.total for item in parameters(model, shared_layers))


def layer_elements(model: Architecture) -> tuple[int, ...]:
    """Return the elements of one layer of each stack of a ``model``."""
    found = sum(item.total for item in _layer(model))
    if not isinstance(model, T5):
        return (found,)
    cross = 4 * model.width * model.inner + model.width
    encoder = (found - cross) // 2
    return encoder, encoder + cross


def buffer_bytes(model: AnyModel, value: int) -> int:
    """Return the bytes of a ``model``'s buffers; ``value`` is the bytes of a value in its precision."""
    match model:
        case Bert():
            return 2 * model.positions * 8  # position and token type ids
        case GPTJ():
            return model.layers * model.positions * model.rotary * value  # sines and cosines
        case ModelConfig():
            rotations = (model.text_positions + model.image_length) * model.dim_head * 4
            window = model.grid * (model.convolution_size * model.grid) * model.grid * 4
            return rotations + window
        case FamilyConfig():
            return model.buffer_bytes(value)
        case _:
            return 0


def _linear(name: str, inputs: int, outputs: int, *, bias: bool = True, times: int = 1) -> list[Parameter]:
    found = [Parameter(f"{name} weight", (inputs, outputs), times)]
    return [*found, Parameter(f"{name} bias", (outputs,), times)] if bias else found


def _norm(name: str, width: int, times: int = 1) -> list[Parameter]:
    return [Parameter(f"{name} weight and bias", (width,), 2 * times)]


@singledispatch
def _outside_layers(model: Architecture) -> list[Parameter]:
    """Return the parameters of the embeddings, the last norm and the head."""
    raise TypeError(f"no architecture: {model!r}")


@singledispatch
def _layer(model: Architecture) -> list[Parameter]:
    """Return the parameters of one layer; in T5, those of one of the encoder and one of the decoder."""
    raise TypeError(f"no architecture: {model!r}")


@_outside_layers.register
def _(model: Bert) -> list[Parameter]:
    return [
        Parameter("token embedding", (model.vocabulary, model.width)),
        Parameter("position embedding", (model.positions, model.width)),
        Parameter("token type embedding", (model.token_types, model.width)),
        *_norm("embedding norm", model.width),
        *_linear("head transform", model.width, model.width),
        *_norm("head norm", model.width),
        Parameter("head bias", (model.vocabulary,)),
    ]


@_layer.register
def _(model: Bert) -> list[Parameter]:
    return [
        *_linear("query, key, value, output", model.width, model.width, times=4),
        *_linear("feed-forward in", model.width, model.hidden),
        *_linear("feed-forward out", model.hidden, model.width),
        *_norm("norms", model.width, 2),
    ]


@_outside_layers.register
def _(model: T5) -> list[Parameter]:
    return [
        Parameter("token embedding", (model.vocabulary, model.width)),
        Parameter("relative position bias", (model.buckets, model.heads), 2),
        Parameter("last norms", (model.width,), 2),
    ]


@_layer.register
def _(model: T5) -> list[Parameter]:
    return [
        *_linear("query, key, value", model.width, model.inner, bias=False, times=9),
        *_linear("attention output", model.inner, model.width, bias=False, times=3),
        *_linear("feed-forward in", model.width, model.hidden, bias=False, times=2),
        *_linear("feed-forward out", model.hidden, model.width, bias=False, times=2),
        Parameter("norms", (model.width,), 5),
    ]


@_outside_layers.register
def _(model: GPT2) -> list[Parameter]:
    return [
        Parameter("token embedding", (model.vocabulary, model.width)),
        Parameter("position embedding", (model.positions, model.width)),
        *_norm("last norm", model.width),
    ]


@_layer.register(GPT2)
@_layer.register(OriginalDalle)
def _(model: GPT2 | OriginalDalle) -> list[Parameter]:
    return [
        *_linear("query, key, value", model.width, 3 * model.width),
        *_linear("attention output", model.width, model.width),
        *_linear("feed-forward in", model.width, model.hidden),
        *_linear("feed-forward out", model.hidden, model.width),
        *_norm("norms", model.width, 2),
    ]


@_outside_layers.register
def _(model: GPTJ) -> list[Parameter]:
    return [
        Parameter("token embedding", (model.vocabulary, model.width)),
        *_norm("last norm", model.width),
        *_linear("head", model.width, model.vocabulary),
    ]


@_layer.register
def _(model: GPTJ) -> list[Parameter]:
    return [
        *_linear("query, key, value, output", model.width, model.width, bias=False, times=4),
        *_linear("feed-forward in", model.width, model.hidden),
        *_linear("feed-forward out", model.hidden, model.width),
        *_norm("norm", model.width),
    ]


@_outside_layers.register
def _(model: OriginalDalle) -> list[Parameter]:
    return [
        Parameter("token embedding", (model.classes, model.width)),
        Parameter("text position embedding", (model.text_length, model.width)),
        Parameter("row and column embedding", (model.grid, model.width), 2),
        *_norm("last norm", model.width),
        Parameter("head bias", (model.classes,)),
    ]


def _dalle(config: ModelConfig) -> list[Parameter]:
    return [*_dalle_linear(config), *(replace(item, always_float32=True) for item in _dalle_other(config))]


def _dalle_linear(config: ModelConfig) -> list[Parameter]:
    inner, hidden = config.heads * config.dim_head, config.feed_forward_factor * config.dim
    sets = len({config.weight_set(layer) for layer in range(config.depth)})
    return [
        *_linear("tied embedding and head", config.dim, config.text_classes + config.image_vocab),
        *_linear("query, key, value", config.dim, 3 * inner, bias=False, times=sets),
        *_linear("attention output", inner, config.dim, times=sets),
        *_linear("feed-forward in", config.dim, 2 * hidden, times=sets),
        *_linear("feed-forward out", hidden, config.dim, times=sets),
    ]


def _dalle_other(config: ModelConfig) -> list[Parameter]:
    found = [
        *_norm("last norm", config.dim),
        *_norm("norms of each layer", config.dim, 2 * config.depth),
        Parameter("LayerScale of each layer", (config.dim,), 2 * config.depth),
    ]
    if config.rotary:
        return found
    return [
        *found,
        Parameter("text position embedding", (config.text_positions, config.dim)),
        Parameter("row and column embedding", (config.grid, config.dim), 2),
    ]
