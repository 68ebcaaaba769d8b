"""AdamW8bit equals torch's AdamW where its moments are in float32, and stays near it in 8 bits."""

import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from core.errors import GradientError
from core.optim.adamw import AdamW8bit
from core.optim.moments import SIGNED

EIGHT_BIT, FLOAT = 1, 1 << 62  # thresholds below and above all that is tested here
SHAPES = ((70, 130), (33_000,), (7,))


def parameters(*shapes: tuple[int, ...]) -> list[nn.Parameter]:
    generator = torch.Generator().manual_seed(0)
    return [nn.Parameter(torch.randn(shape, generator=generator) * 0.1) for shape in shapes]


def gradients(weights: list[nn.Parameter], step: int) -> list[Tensor]:
    """Return noisy gradients with scales from 1e-4 to 1 in one tensor, other ones at each step."""
    generator = torch.Generator().manual_seed(1000 + step)
    scales = [torch.logspace(-4, 0, item.numel()).reshape(item.shape) for item in weights]
    return [torch.randn(item.shape, generator=generator) * item + 0.3 * item for item in scales]


def give(weights: list[nn.Parameter], given: list[Tensor]) -> None:
    for weight, gradient in zip(weights, given, strict=True):
        weight.grad = gradient.clone()


def trained(
    optimizer: torch.optim.Optimizer, weights: list[nn.Parameter], rates: list[float], *, clip: float = 1.0
) -> list[Tensor]:
    """Make a step at each of ``rates``, on gradients that are scaled by ``clip``, and return the weights."""
    for step, rate in enumerate(rates):
        give(weights, [clip * item for item in gradients(weights, step)])
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.step()
    return [item.detach().clone() for item in weights]


def torchs(weights: list[nn.Parameter], decay: float = 0.1) -> torch.optim.Optimizer:
    return torch.optim.AdamW(weights, lr=0.01, betas=(0.9, 0.95), eps=1e-8, weight_decay=decay, foreach=False)


def distance(found: list[Tensor], expected: list[Tensor]) -> float:
    pairs = zip(found, expected, strict=True)
    return math.sqrt(sum(float((one.double() - other.double()).norm() ** 2) for one, other in pairs))


RATES = [0.0, *(0.01 * (1 - step / 40) for step in range(40))]


@pytest.mark.parametrize("decay", [0.1, 0.0])
def test_float_state_equals_torchs(decay: float) -> None:
    """Moments are equal to the last bit; weights up to torch's square root, which is not rounded correctly."""
    own, theirs, start = parameters(*SHAPES), parameters(*SHAPES), parameters(*SHAPES)
    optimizer = AdamW8bit(own, 0.01, weight_decay=decay, max_grad_norm=None, min_8bit_size=FLOAT)
    reference = torchs(theirs, decay)
    found, expected = trained(optimizer, own, RATES), trained(reference, theirs, RATES)
    for place, weight in enumerate(theirs):
        for moment in SIGNED:
            state = optimizer.state_tensors()[f"{place}.{moment}"]
            assert state.equal(reference.state[weight][moment].view(-1))
    assert distance(found, expected) < 1e-6 * distance(expected, [item.detach() for item in start])


def test_8bit_state_stays_near_torchs() -> None:
    own, reference, start = parameters(*SHAPES), parameters(*SHAPES), parameters(*SHAPES)
    optimizer = AdamW8bit(own, 0.01, max_grad_norm=None, min_8bit_size=EIGHT_BIT)
    found, expected = trained(optimizer, own, RATES), trained(torchs(reference), reference, RATES)
    travelled = distance(expected, [item.detach() for item in start])
    # The bound: after 40 steps the trajectories part by a twentieth of the way that they went.
    assert 0 < distance(found, expected) < 0.05 * travelled


def test_clipping_takes_the_norm_of_all_gradients_together() -> None:
    clipped, scaled = parameters(*SHAPES), parameters(*SHAPES)
    norm = float(torch.cat([item.flatten() for item in gradients(clipped, 0)]).norm())
    one = AdamW8bit(clipped, 0.01, max_grad_norm=0.5, min_8bit_size=FLOAT)
    other = AdamW8bit(scaled, 0.01, max_grad_norm=None, min_8bit_size=FLOAT)
    found, expected = trained(one, clipped, [0.01]), trained(other, scaled, [0.01], clip=0.5 / norm)
    assert distance(found, expected) < 1e-4
    moments, whole = one.state_tensors()["0.exp_avg"], other.state_tensors()["0.exp_avg"]
    torch.testing.assert_close(moments, whole, rtol=1e-4, atol=1e-9)


@pytest.mark.parametrize("threshold", [EIGHT_BIT, FLOAT])
def test_rows_without_gradient_stay_put_beside_rows_with(threshold: int) -> None:
    """The seen rows of an embedding must not move the unseen rows in the same 8-bit block."""
    weights = parameters((1000, 8))
    old = weights[0].detach().clone()
    optimizer = AdamW8bit(weights, 0.01, weight_decay=0.0, min_8bit_size=threshold)
    for step in range(5):
        give(weights, gradients(weights, step))
        assert weights[0].grad is not None
        weights[0].grad[::2] = 0
        optimizer.step()
    assert torch.equal(weights[0].detach()[::2], old[::2])
    assert (weights[0].detach()[1::2] != old[1::2]).all()


def poison_gradient(weights: list[nn.Parameter], optimizer: AdamW8bit, value: float) -> None:
    assert weights[-1].grad is not None
    weights[-1].grad.view(-1)[-1] = value


def poison_weight(weights: list[nn.Parameter], optimizer: AdamW8bit, value: float) -> None:
    weights[-1].data.view(-1)[0] = value


def poison_moment(weights: list[nn.Parameter], optimizer: AdamW8bit, value: float) -> None:
    optimizer.state_tensors()["1.exp_avg"][3] = value


@pytest.mark.parametrize("value", [math.nan, math.inf])
@pytest.mark.parametrize("poison", [poison_gradient, poison_weight, poison_moment])
@pytest.mark.parametrize("max_grad_norm", [1.0, None])
def test_a_step_that_is_not_finite_happens_not_at_all(
    value: float,
    poison: Callable[[list[nn.Parameter], AdamW8bit, float], None],
    max_grad_norm: float | None,
) -> None:
    weights = parameters((300, 20), (50,))
    optimizer = AdamW8bit(weights, 0.01, max_grad_norm=max_grad_norm, min_8bit_size=4096)
    give(weights, gradients(weights, 0))
    optimizer.step()
    give(weights, gradients(weights, 1))
    poison(weights, optimizer, value)
    before = [item.detach().clone() for item in (*weights, *optimizer.state_tensors().values())]
    with pytest.raises(GradientError, match="not made"):
        optimizer.step()
    for old, new in zip(before, (*weights, *optimizer.state_tensors().values()), strict=True):
        torch.testing.assert_close(new.detach(), old, rtol=0, atol=0, equal_nan=True)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"lr": math.nan}, "lr of nan makes no sense for AdamW"),
        ({"lr": 0.1, "betas": (1.0, 0.9)}, "betas"),
        ({"lr": 0.1, "eps": 0.0}, "eps"),
        ({"lr": 0.1, "weight_decay": -0.1}, "weight_decay"),
        ({"lr": 0.1, "max_grad_norm": 0.0}, "max_grad_norm"),
    ],
)
def test_options_out_of_range_are_named(options: dict[str, float], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        AdamW8bit(parameters((4,)), **options)  # type: ignore[arg-type]
