"""Weight decay spares the right parameters."""

import pytest
import torch
from torch import nn

from core.model.config import preset
from core.model.transformer import Transformer
from core.optim.lamb import Lamb8bit
from core.optim.rules import decay_groups, is_bias_or_norm


@pytest.mark.parametrize(
    ("name", "exempt"),
    [
        ("layers.0.attention.to_qkv.weight", False),
        ("layers.0.attention.to_out.bias", True),
        ("bias", True),
        ("layers.3.norm.weight", True),
        ("layers.3.attention_norm.weight", True),
        ("encoder.LayerNorm.weight", True),
        ("normaliser.projection.weight", False),
        ("norm", False),
        ("biased.weight", False),
        ("layers.2.scale", False),
        ("embedding.weight", False),
    ],
)
def test_rules(name: str, exempt: bool) -> None:
    assert is_bias_or_norm(name) == exempt


def test_groups_keep_order_and_names() -> None:
    network = nn.ModuleDict({"in": nn.Linear(3, 4), "norm": nn.LayerNorm(4), "out": nn.Linear(4, 2)})
    decayed, exempt = decay_groups(network.named_parameters(), 0.045)
    assert [name for name, _ in decayed["params"]] == ["in.weight", "out.weight"]
    assert [name for name, _ in exempt["params"]] == ["in.bias", "norm.weight", "norm.bias", "out.bias"]
    assert (decayed["weight_decay"], exempt["weight_decay"]) == (0.045, 0.0)


def test_the_model_decays_its_matrices_and_layer_scales() -> None:
    decayed, exempt = decay_groups(Transformer(preset("emoji")).named_parameters(), 0.045)
    assert all(parameter.ndim == 2 or name.endswith(".scale") for name, parameter in decayed["params"])
    assert all(parameter.ndim == 1 for _, parameter in exempt["params"])


def test_no_group_is_empty() -> None:
    (group,) = decay_groups([("weight", torch.zeros(3))], 0.045)
    assert group["weight_decay"] == 0.045


def test_exempt_parameters_do_not_shrink() -> None:
    layer = nn.Linear(20, 20)
    nn.init.ones_(layer.bias)
    old_norm = layer.weight.norm().item()
    optimizer = Lamb8bit(decay_groups(layer.named_parameters(), 0.5), 0.01)
    for parameter in layer.parameters():
        parameter.grad = torch.zeros_like(parameter)
    optimizer.step()
    assert torch.equal(layer.bias.detach(), torch.ones(20))
    assert layer.weight.norm().item() == pytest.approx(0.99 * old_norm, rel=1e-5)
