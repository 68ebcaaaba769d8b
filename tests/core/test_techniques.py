"""Memory techniques change what training takes, not where it leads: all of their combinations, on a small model."""

from itertools import product
from typing import Any

import pytest
import torch
from torch import Tensor

from core.memory.techniques import Activations, Precision, Techniques
from core.micro_steps import MicroSteps
from core.model.config import ModelConfig
from core.model.transformer import Transformer
from core.optim.lamb import Lamb8bit
from core.optim.masters import Masters

CONFIG = ModelConfig(
    dim=32,
    depth=3,
    heads=2,
    dim_head=16,
    text_length=4,
    text_vocab=24,
    grid=3,
    image_vocab=24,
    shared_layers=0,
)
SAMPLES, UPDATES, RATE = 8, 6, 0.06
PLAIN = Techniques(micro_batch=SAMPLES, loss_chunk=None)
TOLERANCES = {Precision.FLOAT32: 1e-5, Precision.FLOAT16: 2e-4, Precision.BFLOAT16: 1e-3}
"""How far the last loss may be from plain training's, as a part of it."""
OF_EIGHT_BITS = 1e-3
KEEPING: tuple[dict[str, Any], ...] = (
    {"activations": Activations.KEEP},
    {"activations": Activations.CHECKPOINT},
    {"activations": Activations.CHECKPOINT, "kept": 1},
    {"activations": Activations.REVERSE},
    {"activations": Activations.REVERSE, "checkpointed": 1, "kept": 1},
)
COMBINATIONS = [
    Techniques(
        micro_batch=micro_batch,
        precision=precision,
        loss_chunk=loss_chunk,
        eight_bit_optimizer=eight_bit,
        optimizer_on_cpu=on_cpu,
        **keeping,
    )
    for micro_batch, precision, loss_chunk, eight_bit, on_cpu, keeping in product(
        (SAMPLES, 3), Precision, (None, 100), (False, True), (False, True), KEEPING
    )
]


def batch() -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(3)
    text = torch.randint(CONFIG.text_vocab, (SAMPLES, CONFIG.text_length), generator=generator)
    return text, torch.randint(CONFIG.image_vocab, (SAMPLES, CONFIG.image_length), generator=generator)


class Trainee:
    """A model in training under some techniques."""

    def __init__(self, techniques: Techniques) -> None:
        self.model = Transformer(CONFIG, torch.Generator().manual_seed(0))
        self.masters = self._masters(techniques)
        self.model.compute_in(techniques.precision)
        self.model.use(techniques)
        self.micro_steps = MicroSteps(self.model, ())
        optimized = self.masters.named_parameters() if self.masters else self.model.named_parameters()
        self.lamb = Lamb8bit(
            optimized, lr=RATE, min_8bit_size=1024 if techniques.eight_bit_optimizer else 1 << 62
        )

    def _masters(self, techniques: Techniques) -> Masters | None:
        wanted = techniques.optimizer_on_cpu or techniques.precision is not Precision.FLOAT32
        return Masters(self.model.named_parameters()) if wanted else None

    def update(self) -> float:
        """One step of the optimizer on the mean gradient of all samples; returns their mean loss before it."""
        loss = self.micro_steps.add_gradients(*batch())
        gradients = [item.grad.div_(SAMPLES) for item in self.model.parameters() if item.grad is not None]
        if self.masters is not None:
            self.masters.set_gradients(gradients)
        self.lamb.step()
        if self.masters is not None:
            self.masters.copy_to_model()
        for gradient in gradients:
            gradient.zero_()
        return loss


def train(techniques: Techniques) -> list[float]:
    trainee = Trainee(techniques)
    return [trainee.update() for _ in range(UPDATES)]


EXPECTED = train(PLAIN)


def test_plain_training_learns() -> None:
    assert EXPECTED[-1] < 0.75 * EXPECTED[0]


@pytest.mark.parametrize("techniques", COMBINATIONS, ids=str)
def test_each_combination_trains_to_the_same_loss(techniques: Techniques) -> None:
    tolerance = TOLERANCES[techniques.precision] + OF_EIGHT_BITS * techniques.eight_bit_optimizer
    assert train(techniques)[-1] == pytest.approx(EXPECTED[-1], rel=tolerance)


def test_eight_bits_are_used_where_they_are_asked_for() -> None:
    state = Trainee(Techniques(eight_bit_optimizer=True)).lamb.state_tensors()
    assert any(item.dtype == torch.uint8 for item in state.values())
