"""GPT-2's layout in Hugging Face's transformers: the names, shapes and settings by which others load our models.

The mapping is exact: a weight is renamed, and transposed where theirs is a `Conv1D`. Weights that layers share are
written once for each of the layers, as their GPT-2 has no shared ones. What it cannot compute, such as reversible
layers, is refused.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from core.errors import CheckpointError
from core.families.causal_lm.config import CausalConfig
from core.families.causal_lm.writing import TEMPERATURE, TOP_K

_PREFIX = "transformer."
_EPSILON = 1e-5
"""Addend under the root of a norm, which is torch's and GPT-2's."""
_ENDS = {
    "vocabulary.weight": "wte.weight",
    "position": "wpe.weight",
    "norm.weight": "ln_f.weight",
    "norm.bias": "ln_f.bias",
}
_PARTS = {
    "attention_norm": "ln_1",
    "to_qkv": "attn.c_attn",
    "from_heads": "attn.c_proj",
    "feed_forward_norm": "ln_2",
    "to_hidden": "mlp.c_fc",
    "from_hidden": "mlp.c_proj",
}
_OURS = re.compile(r"layers\.(\d+)\.(\w+)\.(weight|bias)")
_SHARED = "idlebrush_shared_layers"
"""Setting of our own that says how many sets of weights the layers use in turns; other readers pass over it."""


def gpt2_settings(config: CausalConfig, end_id: int) -> dict[str, Any]:
    """Return the content of ``config.json``: the sizes of a model, and that nothing is dropped.

    Args:
        config: Sizes of our model.
        end_id: Token that ends a document.

    Raises:
        CheckpointError: GPT-2 does not compute what our model does.
    """
    if config.reversible:
        raise CheckpointError(
            "The layers of this model are reversible, and GPT-2's are not: others would compute something else.",
            "Share the folder of a checkpoint together with the run's manifest.",
        )
    return {
        "architectures": ["GPT2LMHeadModel"],
        "model_type": "gpt2",
        "vocab_size": config.vocab,
        "n_positions": config.length,
        "n_ctx": config.length,
        "n_embd": config.dim,
        "n_layer": config.depth,
        "n_head": config.heads,
        "n_inner": config.hidden,
        "activation_function": "gelu_new",
        "layer_norm_epsilon": _EPSILON,
        "scale_attn_weights": True,
        "tie_word_embeddings": True,
        **{f"{where}_pdrop": 0.0 for where in ("attn", "embd", "resid")},
        "bos_token_id": end_id,
        "eos_token_id": end_id,
        "dtype": "float32",
        **({_SHARED: config.shared_layers} if config.shared_layers else {}),
    }


def generation_settings(end_id: int) -> dict[str, Any]:
    """Return the content of ``generation_config.json``: choices as those of the run's samples.

    ``end_id`` is the token that ends a document.
    """
    tokens = {f"{name}_token_id": end_id for name in ("bos", "eos", "pad")}
    return {**tokens, "do_sample": True, "temperature": TEMPERATURE, "top_k": TOP_K}


def tokenizer_settings(config: CausalConfig, end: str) -> dict[str, Any]:
    """Return the content of ``tokenizer_config.json``.

    Args:
        config: Sizes of our model.
        end: Text of the token that ends a document.
    """
    tokens = {f"{name}_token": end for name in ("bos", "eos", "pad")}
    return {**tokens, "tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": config.length}


def config_of(settings: Mapping[str, Any]) -> CausalConfig:
    """Return our sizes of the model that ``settings``, the content of a ``config.json``, describes.

    Raises:
        CheckpointError: It is not one that `gpt2_settings` wrote.
    """
    try:
        width = settings["n_embd"]
        config = CausalConfig(
            dim=width,
            depth=settings["n_layer"],
            heads=settings["n_head"],
            length=settings["n_positions"],
            vocab=settings["vocab_size"],
            feed_forward_factor=settings["n_inner"] // width,
            shared_layers=settings.get(_SHARED, 0),
        )
        if dict(settings) == gpt2_settings(config, settings["eos_token_id"]):
            return config
    except (KeyError, TypeError, ValueError, ArithmeticError):
        pass
    raise CheckpointError(
        "config.json does not describe a model that Idlebrush published.",
        "Get the model's folder again from where it was published.",
    )


def gpt2_names(name: str, config: CausalConfig) -> list[str]:
    """Return transformers' names of our parameter ``name``, one for each layer that uses it.

    Args:
        name: Our name of a parameter.
        config: Sizes of the model.
    """
    if (found := _OURS.fullmatch(name)) is None:
        return [f"{_PREFIX}{_ENDS[name]}"]
    number, part, kind = found.groups()
    layers = range(int(number), config.depth, config.weight_sets)
    return [f"{_PREFIX}h.{layer}.{_PARTS[part]}.{kind}" for layer in layers]


def is_transposed(name: str) -> bool:
    """Return True if transformers keeps our parameter ``name`` with its axes exchanged."""
    found = _OURS.fullmatch(name)
    return found is not None and found[3] == "weight" and not found[2].endswith("_norm")


def to_gpt2(parameters: Mapping[str, Tensor], config: CausalConfig) -> dict[str, Tensor]:
    """Return our parameters by transformers' names and in its shapes; the head's weight is the embedding's.

    Args:
        parameters: Parameters by our names.
        config: Sizes of the model, which say which layers use which of them.
    """
    return {
        theirs: found.clone() if repeated else found  # no two may cover the same memory in a file
        for name, value in parameters.items()
        for found in ((value.T if is_transposed(name) else value).contiguous(),)
        for repeated, theirs in enumerate(gpt2_names(name, config))
    }


def from_gpt2(
    parameters: Mapping[str, Tensor], config: CausalConfig, names: Iterable[str]
) -> dict[str, Tensor]:
    """Return the parameters of our names, in our shapes.

    Args:
        parameters: Parameters that `to_gpt2` returned.
        config: Sizes of the model.
        names: Our names of them.

    Raises:
        CheckpointError: Layers that share weights have different ones.
    """
    return {name: _of_all(name, [parameters[each] for each in gpt2_names(name, config)]) for name in names}


def _of_all(name: str, found: Sequence[Tensor]) -> Tensor:
    """Return the parameter that all layers which use it have."""
    first = found[0]
    if not all(torch.equal(first, other) for other in found[1:]):
        raise CheckpointError(
            f"The layers that share {name} have different values of it.",
            "Get the model's folder again from where it was published.",
        )
    return (first.T if is_transposed(name) else first).contiguous()
