"""The model against what dalle-pytorch 1.6.6 computed (benchmarks/goldens/dalle_pytorch.py)."""

from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor

from core.errors import CheckpointError
from core.model.config import ModelConfig
from core.model.dalle_pytorch_names import our_name
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


@pytest.mark.parametrize("name", ["paper"])
@pytest.mark.parametrize(
    "theirs", ["", "to_logits.2.weight", "transformer.layers.blocks.0.f.net.fn.fn.to_kv.weight"]
)
def test_a_name_that_is_none_of_theirs_is_refused(name: str, theirs: str) -> None:
    with pytest.raises(CheckpointError, match="no parameter"):
        our_name(GOLDENS[name], theirs)
