"""Memory techniques change what training takes, not where it leads: tried in combination, on a small model.

Few combinations hold every pair of choices, and faults of this kind come of one choice or of two that meet. With
``--exhaustive`` all combinations are trained.
"""

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import pytest
import torch
from torch import Tensor

from core.model.config import ModelConfig
from core.model.micro_steps import MicroSteps
from core.model.techniques import Activations, Precision, Techniques
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
"""The largest difference of the last loss from that of plain training, as a fraction of the latter."""
OF_EIGHT_BITS = 1e-3
KEEPING: tuple[dict[str, Any], ...] = (
    {"activations": Activations.KEEP},
    {"activations": Activations.CHECKPOINT},
    {"activations": Activations.CHECKPOINT, "kept": 1},
    {"activations": Activations.REVERSE},
    {"activations": Activations.REVERSE, "checkpointed": 1, "kept": 1},
)
CHOICES: tuple[tuple[dict[str, Any], ...], ...] = (
    ({"micro_batch": SAMPLES}, {"micro_batch": 3}),
    tuple({"precision": precision} for precision in Precision),
    ({"loss_chunk": None}, {"loss_chunk": 100}),
    ({"eight_bit_optimizer": False}, {"eight_bit_optimizer": True}),
    ({"optimizer_on_cpu": False}, {"optimizer_on_cpu": True}),
    KEEPING,
)
"""The settings of each technique."""
ALL = list(product(*(range(len(choice)) for choice in CHOICES)))
"""Every combination, as the index of its setting for each technique."""
Pair = tuple[tuple[int, int], tuple[int, int]]


def pairs(combination: tuple[int, ...]) -> set[Pair]:
    """Return every two settings, each a technique and an index, that meet in a combination."""
    return set(combinations(enumerate(combination), 2))


def covering() -> Iterator[tuple[int, ...]]:
    """Choose combinations in which every two settings meet, each time the one with most pairs that are new."""
    missing = set[Pair]().union(*map(pairs, ALL))
    while missing:
        best = max(ALL, key=lambda each: len(pairs(each) & missing))
        missing -= pairs(best)
        yield best


def techniques_of(combination: tuple[int, ...]) -> Techniques:
    """Return the techniques that a combination of settings stands for."""
    settings = (choice[index] for choice, index in zip(CHOICES, combination, strict=True))
    return Techniques(**{name: value for setting in settings for name, value in setting.items()})


CHOSEN = set(covering())
COMBINATIONS = [
    pytest.param(
        techniques_of(each),
        id=str(techniques_of(each)),
        marks=() if each in CHOSEN else pytest.mark.exhaustive,
    )
    for each in ALL
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


@pytest.fixture(scope="module")
def expected() -> list[float]:
    """The losses of plain training."""
    return train(PLAIN)


def test_plain_training_learns(expected: list[float]) -> None:
    assert expected[-1] < 0.75 * expected[0]


def test_few_combinations_hold_every_pair_of_settings() -> None:
    wanted = {
        ((one, setting), (other, its_setting))
        for (one, ours), (other, theirs) in combinations(enumerate(CHOICES), 2)
        for setting, its_setting in product(range(len(ours)), range(len(theirs)))
    }
    assert set[Pair]().union(*map(pairs, CHOSEN)) == wanted
    assert len(CHOSEN) < len(ALL) / 8


@pytest.mark.parametrize("techniques", COMBINATIONS)
def test_each_combination_trains_to_the_same_loss(techniques: Techniques, expected: list[float]) -> None:
    tolerance = TOLERANCES[techniques.precision] + OF_EIGHT_BITS * techniques.eight_bit_optimizer
    assert train(techniques)[-1] == pytest.approx(expected[-1], rel=tolerance)


def test_eight_bits_are_used_where_they_are_asked_for() -> None:
    state = Trainee(Techniques(eight_bit_optimizer=True)).lamb.state_tensors()
    assert any(item.dtype == torch.uint8 for item in state.values())
