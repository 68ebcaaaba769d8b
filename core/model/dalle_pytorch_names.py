"""Names of the model's parameters in dalle-pytorch 1.6.6, and thus in the paper's published checkpoints."""

import re

from core.errors import CheckpointError
from core.model.config import ModelConfig

_OUTSIDE_LAYERS = {
    "to_logits.0.weight": "norm.weight",
    "to_logits.0.bias": "norm.bias",
    "to_logits.1.weight": "vocabulary.weight",
    "to_logits.1.bias": "vocabulary.bias",
    # The embeddings are parts of the same matrix (share_input_output_emb), and a state dict names all of it thrice.
    "text_emb.linear.weight": "vocabulary.weight",
    "text_emb.linear.bias": "vocabulary.bias",
    "image_emb.linear.weight": "vocabulary.weight",
    "image_emb.linear.bias": "vocabulary.bias",
    "text_pos_emb.weight": "text_position",
    "image_pos_emb.weights.0": "row",
    "image_pos_emb.weights.1": "column",
}
_SHARED = {
    "to_qkv": "attention.to_qkv",
    "to_out.0": "attention.to_out",
    "net.0": "feed_forward.to_hidden",
    "net.3": "feed_forward.to_out",
}
# How many ``fn`` there are depends on the build: that for inference wraps modules once or twice more.
_IN_LAYER = re.compile(
    r"transformer\.layers\.(?:blocks|layers)\.(\d{1,6})\.(f|g|0|1)\.(?:net\.)?"
    r"(?:scale|(?:fn\.)+(norm|to_qkv|to_out\.0|net\.0|net\.3)\.(weight|bias))"
)


def our_name(config: ModelConfig, theirs: str) -> str:
    """Return our name of the parameter that dalle-pytorch calls ``theirs`` in a model of ``config``.

    A parameter that layers share has there the name of any of them. Shapes may differ by axes of length 1.

    Raises:
        CheckpointError: dalle-pytorch's model has no such parameter.
    """
    if theirs in _OUTSIDE_LAYERS:
        return _OUTSIDE_LAYERS[theirs]
    match = _IN_LAYER.fullmatch(theirs)
    if match is None:
        raise CheckpointError(
            f"dalle-pytorch's model has no parameter {theirs[:80]!r}.",
            "Choose a checkpoint of dalle-pytorch 1.6.6.",
        )
    layer, branch, module, kind = match.groups()
    sublayer = "attention" if branch in ("f", "0") else "feed_forward"
    if module is None:
        return f"layers.{layer}.{sublayer}.scale"
    if module == "norm":
        return f"layers.{layer}.{sublayer}.norm.{kind}"
    return f"weights.{config.weight_set(int(layer))}.{_SHARED[module]}.{kind}"
