"""The model against what dalle-pytorch 1.6.6 computed (benchmarks/goldens/dalle_pytorch.py)."""

import re
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor

from core.model.config import ModelConfig
from core.model.transformer import Transformer

PAPER = ModelConfig(
    dim=16,
    depth=7,
    heads=2,
    dim_head=16,
    text_length=5,
    text_vocab=11,
    grid=6,
    image_vocab=9,
    shared_layers=4,
)
PLAIN = ModelConfig(
    dim=8,
    depth=3,
    heads=1,
    dim_head=8,
    text_length=3,
    text_vocab=11,
    grid=4,
    image_vocab=9,
    shared_layers=0,
    reversible=False,
    rotary=False,
    token_shift=False,
)
GOLDENS = {"paper": PAPER, "plain": PLAIN}

OUTSIDE_LAYERS = {
    "to_logits.0.weight": "norm.weight",
    "to_logits.0.bias": "norm.bias",
    "to_logits.1.weight": "vocabulary.weight",
    "to_logits.1.bias": "vocabulary.bias",
    "text_pos_emb.weight": "text_position",
    "image_pos_emb.weights.0": "row",
    "image_pos_emb.weights.1": "column",
}
SHARED = {
    "to_qkv": "attention.to_qkv",
    "to_out.0": "attention.to_out",
    "net.0": "feed_forward.to_hidden",
    "net.3": "feed_forward.to_out",
}
IN_LAYER = re.compile(
    r"transformer\.layers\.(?:blocks|layers)\.(\d+)\.(f|g|0|1)\.(?:net\.)?(scale|(?:fn\.)+)"
    r"(?:(norm|to_qkv|to_out\.0|net\.0|net\.3)\.(weight|bias))?$"
)


def our_name(config: ModelConfig, theirs: str) -> str:
    if theirs in OUTSIDE_LAYERS:
        return OUTSIDE_LAYERS[theirs]
    match = IN_LAYER.fullmatch(theirs)
    assert match, theirs
    layer, branch, wrapped, module, kind = match.groups()
    sublayer = "attention" if branch in ("f", "0") else "feed_forward"
    if wrapped == "scale":
        return f"layers.{layer}.{sublayer}.scale"
    if module == "norm":
        return f"layers.{layer}.{sublayer}.norm.{kind}"
    return f"weights.{config.weight_set(int(layer))}.{SHARED[module]}.{kind}"


def mapped(
    config: ModelConfig, golden: dict[str, Tensor], group: str, like: dict[str, Tensor]
) -> dict[str, Tensor]:
    """The tensors of a group, by our names and in our shapes."""
    names = {name: our_name(config, name.removeprefix(group)) for name in golden if name.startswith(group)}
    return {ours: golden[theirs].double().view_as(like[ours]) for theirs, ours in names.items()}


@pytest.fixture(params=GOLDENS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def golden(name: str) -> dict[str, Tensor]:
    return load_file(Path(__file__).parent / "goldens" / f"{name}.safetensors")


@pytest.fixture
def model(name: str, golden: dict[str, Tensor]) -> Transformer:
    model = Transformer(GOLDENS[name]).double()
    model.load_state_dict(mapped(GOLDENS[name], golden, "parameter/", model.state_dict()))
    return model


def test_logits_are_those_of_dalle_pytorch(model: Transformer, golden: dict[str, Tensor]) -> None:
    text_logits, image_logits = model.logits(golden["text"], golden["codes"])
    torch.testing.assert_close(text_logits, golden["text_logits"], rtol=1e-6, atol=1e-6)
    torch.testing.assert_close(image_logits, golden["image_logits"], rtol=1e-6, atol=1e-6)


def test_loss_is_that_of_dalle_pytorch(model: Transformer, golden: dict[str, Tensor]) -> None:
    loss = model.loss(golden["text"], golden["codes"])
    torch.testing.assert_close(loss, golden["loss"], rtol=1e-7, atol=0)


@pytest.mark.parametrize("name", ["paper"])
def test_every_gradient_is_that_of_dalle_pytorch(
    name: str, model: Transformer, golden: dict[str, Tensor]
) -> None:
    model.loss(golden["text"], golden["codes"]).backward()
    gradients = {ours: p.grad for ours, p in model.named_parameters() if p.grad is not None}
    expected = mapped(GOLDENS[name], golden, "gradient/", gradients)
    assert gradients.keys() == expected.keys()
    torch.testing.assert_close(gradients, expected, rtol=1e-5, atol=1e-6)
