"""The causal language model computes what GPT-2 computes, whatever techniques its micro-steps take."""

import math
from collections.abc import Iterator
from itertools import product

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from core.errors import MemoryPlanError
from core.families.causal_lm.branches import CausalLayer
from core.families.causal_lm.config import CausalConfig
from core.families.causal_lm.model import CausalTransformer
from core.memory import plan, predict
from core.memory.machine import MachineResources
from core.memory.parameters import count
from core.model.gradients import Gradients
from core.model.micro_steps import MicroSteps
from core.model.techniques import Activations, Precision, Techniques

CONFIG = CausalConfig(dim=32, depth=3, heads=4, length=16, vocab=50)
REVERSIBLE = CONFIG.model_copy(update={"reversible": True})
SHARING = CONFIG.model_copy(update={"shared_layers": 2})


def build(config: CausalConfig = CONFIG, techniques: Techniques | None = None) -> CausalTransformer:
    return CausalTransformer(config, torch.Generator().manual_seed(0), techniques)


def batch(samples: int = 3) -> Tensor:
    return torch.randint(
        0, CONFIG.vocab, (samples, CONFIG.length + 1), generator=torch.Generator().manual_seed(1)
    )


def plain_loss(model: CausalTransformer, tokens: Tensor) -> Tensor:
    """GPT-2 in torch's own operations, differentiated by autograd."""
    samples, length, dim = len(tokens), CONFIG.length, CONFIG.dim
    x = model.vocabulary.weight[tokens[:, :-1]] + model.position
    for number in range(model.config.depth):
        layer = model.layers[number % len(model.layers)]
        assert isinstance(layer, CausalLayer)
        parts = layer.to_qkv(layer.attention_norm(x)).split(dim, dim=-1)
        query, key, value = (part.view(samples, length, CONFIG.heads, -1).transpose(1, 2) for part in parts)
        scores = query @ key.mT / math.sqrt(dim // CONFIG.heads)
        unseen = torch.full((length, length), -math.inf).triu(1)
        found = (scores + unseen).softmax(dim=-1) @ value
        x = x + layer.from_heads(found.transpose(1, 2).flatten(2))
        hidden = F.gelu(layer.to_hidden(layer.feed_forward_norm(x)), approximate="tanh")
        x = x + layer.from_hidden(hidden)
    logits = model.norm(x) @ model.vocabulary.weight.T
    return F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())


def gradients_of(model: CausalTransformer) -> list[Tensor]:
    found = [parameter.grad for parameter in model.parameters()]
    return [item.clone() for item in found if item is not None]


@pytest.mark.parametrize("config", [CONFIG, SHARING], ids=["own", "shared"])
def test_loss_and_gradients_are_those_of_gpt_2(config: CausalConfig) -> None:
    ours, theirs = build(config), build(config)
    loss = MicroSteps(ours, ()).add_gradients(batch())
    expected = plain_loss(theirs, batch())
    (expected * len(batch())).backward()
    assert loss == pytest.approx(float(expected.detach()), rel=1e-6)
    for found, wanted in zip(gradients_of(ours), gradients_of(theirs), strict=True):
        torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-6)


def combinations() -> Iterator[tuple[CausalConfig, Techniques]]:
    for config, activations, kept, chunk in product(
        (CONFIG, SHARING, REVERSIBLE), Activations, (0, 1), (None, 200)
    ):
        if config.reversible or activations is not Activations.REVERSE:
            yield config, Techniques(2, activations=activations, kept=kept, loss_chunk=chunk)


def test_techniques_change_no_gradient() -> None:
    kept: dict[CausalConfig, list[Tensor]] = {}
    for config, techniques in combinations():
        model = build(config, techniques)
        MicroSteps(model, ()).add_gradients(batch())
        expected = kept.setdefault(config, gradients_of(model))
        for found, wanted in zip(gradients_of(model), expected, strict=True):
            torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-6)
    assert set(kept) == {CONFIG, SHARING, REVERSIBLE}


@pytest.mark.parametrize("precision", [Precision.BFLOAT16, Precision.FLOAT16])
def test_sixteen_bits_are_close(precision: Precision) -> None:
    exact, rounded = build(), build(techniques=Techniques(4, precision, Activations.CHECKPOINT))
    losses = [MicroSteps(model, ()).add_gradients(batch()) for model in (exact, rounded)]
    assert losses[1] == pytest.approx(losses[0], rel=1e-2)
    for found, wanted in zip(gradients_of(rounded), gradients_of(exact), strict=True):
        assert found.dtype == torch.float32
        assert float((found - wanted).norm() / wanted.norm()) < 0.05


class ScarceMemory:
    """Fails at a call between sublayers, once."""

    def __init__(self, at: int) -> None:
        self.left = at

    def __call__(self) -> None:
        self.left -= 1
        if self.left == 0:
            raise torch.OutOfMemoryError("out of memory")


@pytest.mark.parametrize("at", range(1, 13))
def test_memory_that_ends_anywhere_costs_no_sample_and_counts_none_twice(at: int) -> None:
    whole, interrupted = build(), build()
    leaner = [Techniques(1, activations=Activations.CHECKPOINT)]
    expected = MicroSteps(whole, ()).add_gradients(batch())
    loss = MicroSteps(interrupted, leaner, between=ScarceMemory(at)).add_gradients(batch())
    assert loss == pytest.approx(expected, rel=1e-6)
    assert interrupted.techniques == leaner[0]
    for found, wanted in zip(gradients_of(interrupted), gradients_of(whole), strict=True):
        torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-6)


def test_a_pass_without_gradients_wants_none() -> None:
    model = build()
    with torch.no_grad():
        assert not model.loss(batch()).requires_grad
    assert model.loss(batch(), Gradients()).requires_grad


@pytest.mark.parametrize("wrong", [batch()[:, 1:], batch().int(), batch() + CONFIG.vocab])
def test_tokens_that_are_none_are_refused(wrong: Tensor) -> None:
    with pytest.raises(ValueError, match="tokens must"):
        build().loss(wrong)


def test_the_planner_knows_every_parameter_and_plans_within_memory() -> None:
    assert count(CONFIG) == sum(item.numel() for item in build().parameters())
    large = CausalConfig(dim=768, depth=12, heads=12)
    assert count(large) == 124_439_808, "GPT-2's own number"
    roomy, scarce = (plan(large, MachineResources(int(gib * 2**30))) for gib in (64, 4.4))
    assert roomy.fits
    assert roomy.techniques.activations is Activations.KEEP
    assert scarce.fits
    assert scarce.taken.ram < 4.4 * 2**30
    assert scarce.taken.ram < roomy.taken.ram
    assert not plan(large, MachineResources(1 << 30)).fits


def test_layers_that_cannot_be_reversed_are_not() -> None:
    with pytest.raises(MemoryPlanError, match="not reversible"):
        predict(CONFIG, Techniques(activations=Activations.REVERSE))
    lean = predict(REVERSIBLE, Techniques(64, activations=Activations.REVERSE)).gpu_bytes
    assert lean < predict(REVERSIBLE, Techniques(64, activations=Activations.KEEP)).gpu_bytes
