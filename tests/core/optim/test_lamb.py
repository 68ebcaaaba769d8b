"""Lamb8bit agrees with the textbook's algorithm in float64, and follows each of its rules."""

import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from core.errors import GradientError
from core.optim.lamb import Lamb8bit

EIGHT_BIT, FLOAT = 1, 1 << 62  # thresholds below and above all that is tested here


class TextbookLamb:
    """Algorithm 2 of You et al. (2020), in float64, one plain line after the other."""

    def __init__(
        self, weights: list[Tensor], *, bias_correction: bool = False, clamp: float = 10_000.0
    ) -> None:
        self.weights = [w.detach().double().clone() for w in weights]
        self.first = [torch.zeros_like(w) for w in self.weights]
        self.second = [torch.zeros_like(w) for w in self.weights]
        self.bias_correction, self.clamp, self.steps = bias_correction, clamp, 0

    def step(
        self, gradients: list[Tensor], *, lr: float, max_grad_norm: float, weight_decay: float = 0.045
    ) -> None:
        self.steps += 1
        gradients = [g.double() for g in gradients]
        total = torch.cat([g.flatten() for g in gradients]).norm()
        for i, gradient in enumerate(gradients):
            clipped = gradient * min(1.0, max_grad_norm / (total.item() + 1e-6))
            self.first[i] = 0.9 * self.first[i] + 0.1 * clipped
            self.second[i] = 0.96 * self.second[i] + 0.04 * clipped**2
            first, second = self.first[i], self.second[i]
            if self.bias_correction:
                first, second = first / (1 - 0.9**self.steps), second / (1 - 0.96**self.steps)
            update = first / (second.sqrt() + 1e-6) + weight_decay * self.weights[i]
            ratio = self.weights[i].norm().clamp(max=self.clamp) / update.norm()
            self.weights[i] -= lr * ratio * update


def parameters(*shapes: tuple[int, ...], scale: float = 0.1, seed: int = 0) -> list[nn.Parameter]:
    generator = torch.Generator().manual_seed(seed)
    return [nn.Parameter(torch.randn(shape, generator=generator) * scale) for shape in shapes]


def set_gradients(weights: list[nn.Parameter], step: int) -> list[Tensor]:
    """Noisy gradients with scales from 1e-4 to 1 in one tensor, other ones at each step."""
    generator = torch.Generator().manual_seed(1000 + step)
    for weight in weights:
        scales = torch.logspace(-4, 0, weight.numel()).reshape(weight.shape)
        weight.grad = torch.randn(weight.shape, generator=generator) * scales + 0.3 * scales
    return [weight.grad for weight in weights if weight.grad is not None]


def relative_distance(given: list[nn.Parameter], expected: list[Tensor]) -> float:
    differences = [(g.detach().double() - e).norm() ** 2 for g, e in zip(given, expected, strict=True)]
    return math.sqrt(sum(differences) / sum(e.norm() ** 2 for e in expected))


@pytest.mark.parametrize("bias_correction", [False, True])
def test_float_state_follows_the_textbook(bias_correction: bool) -> None:
    weights = parameters((70, 130), (33_000,), (7,))
    textbook = TextbookLamb([*weights], bias_correction=bias_correction)
    optimizer = Lamb8bit(weights, 0.01, bias_correction=bias_correction, min_8bit_size=FLOAT)
    for step in range(50):
        textbook.step(set_gradients(weights, step), lr=0.01, max_grad_norm=4.0)
        optimizer.step()
    assert relative_distance(weights, textbook.weights) < 1e-6


def test_8bit_state_stays_near_the_textbook() -> None:
    weights = parameters((70, 1300), (33_000,), scale=1.0)
    start = [weight.detach().double().clone() for weight in weights]
    textbook = TextbookLamb([*weights])
    optimizer = Lamb8bit(weights, 0.01, min_8bit_size=EIGHT_BIT)
    for step in range(50):
        textbook.step(set_gradients(weights, step), lr=0.01, max_grad_norm=4.0)
        optimizer.step()
    travelled = relative_distance([nn.Parameter(w) for w in textbook.weights], start)
    # The bound: after 50 steps the trajectories part by a twentieth of the way that they went.
    assert relative_distance(weights, textbook.weights) < 0.05 * travelled


@pytest.mark.parametrize("threshold", [EIGHT_BIT, FLOAT])
def test_update_is_in_proportion_to_the_weights(threshold: int) -> None:
    small, large = parameters((100, 100), (100, 100))
    large.data.copy_(small.data * 100)
    before = [small.detach().clone(), large.detach().clone()]
    optimizer = Lamb8bit([small, large], 0.01, weight_decay=0.0, min_8bit_size=threshold)
    small.grad = torch.randn(100, 100, generator=torch.Generator().manual_seed(5))
    large.grad = small.grad.clone()
    optimizer.step()
    for weight, old in zip((small, large), before, strict=True):
        assert (weight.detach() - old).norm().item() == pytest.approx(0.01 * old.norm().item(), rel=1e-5)


def test_weight_norm_is_clamped() -> None:
    (weight,) = parameters((50, 50), scale=1.0)
    old = weight.detach().clone()
    weight.grad = torch.ones(50, 50)
    Lamb8bit([weight], 0.01, clamp_value=2.0).step()
    assert (weight.detach() - old).norm() == pytest.approx(0.01 * 2.0, rel=1e-5)


def test_zero_weights_move_without_a_ratio() -> None:
    weight = nn.Parameter(torch.zeros(10))
    weight.grad = torch.ones(10)
    Lamb8bit([weight], 0.01).step()
    # The first step without bias correction: m / sqrt(v) = 0.1 / sqrt(0.04), after clipping changes nothing.
    torch.testing.assert_close(weight.detach(), torch.full((10,), -0.01 * 0.5), rtol=1e-4, atol=0.0)


@pytest.mark.parametrize("threshold", [EIGHT_BIT, FLOAT])
def test_zero_gradients_leave_undecayed_weights_alone(threshold: int) -> None:
    weights = parameters((100, 50))
    old = weights[0].detach().clone()
    optimizer = Lamb8bit(weights, 0.01, weight_decay=0.0, min_8bit_size=threshold)
    for _ in range(3):
        weights[0].grad = torch.zeros(100, 50)
        optimizer.step()
    assert torch.equal(weights[0].detach(), old)


def test_rows_without_gradient_stay_put_beside_rows_with() -> None:
    """The seen rows of an embedding must not move the unseen rows in the same 8-bit block."""
    weights = parameters((1000, 8))
    old = weights[0].detach().clone()
    optimizer = Lamb8bit(weights, 0.01, weight_decay=0.0, min_8bit_size=EIGHT_BIT)
    for step in range(10):
        set_gradients(weights, step)
        assert weights[0].grad is not None
        weights[0].grad[::2] = 0
        optimizer.step()
    assert torch.equal(weights[0].detach()[::2], old[::2])
    assert (weights[0].detach()[1::2] != old[1::2]).all()


def test_clipping_takes_the_norm_of_all_gradients_together() -> None:
    """Equal steps for gradients far above the limit and for the same ones scaled down to it."""
    clipped, scaled = parameters((40, 40), (30,)), parameters((40, 40), (30,))
    gradients = set_gradients(clipped, 0)
    total = torch.cat([g.flatten() for g in gradients]).norm()
    for weight, gradient in zip(scaled, gradients, strict=True):
        weight.grad = gradient / (total + 1e-6)
    Lamb8bit(clipped, 0.01, max_grad_norm=1.0).step()
    Lamb8bit(scaled, 0.01, max_grad_norm=None).step()
    assert relative_distance(clipped, [weight.detach().double() for weight in scaled]) < 1e-6


def test_small_gradients_are_not_scaled_up() -> None:
    one, other = parameters((40, 40)), parameters((40, 40))
    for weight in (*one, *other):
        weight.grad = torch.full((40, 40), 1e-3)
    Lamb8bit(one, 0.01, max_grad_norm=4.0).step()
    Lamb8bit(other, 0.01, max_grad_norm=None).step()
    assert torch.equal(one[0], other[0])


def snapshot(optimizer: Lamb8bit, weights: list[nn.Parameter]) -> list[Tensor]:
    return [tensor.detach().clone() for tensor in (*weights, *optimizer.state_tensors().values())]


def poison_gradient(weights: list[nn.Parameter], value: float) -> None:
    assert weights[-1].grad is not None
    weights[-1].grad.view(-1)[-1] = value


def poison_weight(weights: list[nn.Parameter], value: float) -> None:
    weights[-1].data.view(-1)[0] = value


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("poison", [poison_gradient, poison_weight])
@pytest.mark.parametrize("weight_decay", [0.045, 0.0])
@pytest.mark.parametrize("max_grad_norm", [4.0, None])
def test_a_step_that_is_not_finite_happens_not_at_all(
    value: float,
    poison: Callable[[list[nn.Parameter], float], None],
    max_grad_norm: float | None,
    weight_decay: float,
) -> None:
    weights = parameters((300, 20), (50,))
    optimizer = Lamb8bit(
        weights, 0.01, weight_decay=weight_decay, max_grad_norm=max_grad_norm, min_8bit_size=4096
    )
    set_gradients(weights, 0)
    optimizer.step()
    set_gradients(weights, 1)
    poison(weights, value)
    before = snapshot(optimizer, weights)
    with pytest.raises(GradientError, match="not made"):
        optimizer.step()
    for old, new in zip(before, snapshot(optimizer, weights), strict=True):
        torch.testing.assert_close(new, old, rtol=0, atol=0, equal_nan=True)


def test_gradients_whose_squares_leave_float32_are_clipped_or_refused() -> None:
    weights = parameters((10,))
    weights[0].grad = torch.full((10,), 1e25)
    Lamb8bit(weights, 0.01, max_grad_norm=4.0).step()
    assert weights[0].isfinite().all()
    weights[0].grad = torch.full((10,), 1e25)
    with pytest.raises(GradientError):
        Lamb8bit(weights, 0.01, max_grad_norm=None).step()


def test_parameters_without_gradient_or_elements_are_passed_over() -> None:
    weights = [*parameters((10,), (20,)), nn.Parameter(torch.zeros(0, 5))]
    old = weights[1].detach().clone()
    weights[0].grad, weights[2].grad = torch.ones(10), torch.zeros(0, 5)
    optimizer = Lamb8bit(weights, 0.01, min_8bit_size=0)
    optimizer.step()
    assert torch.equal(weights[1].detach(), old)
    assert optimizer.state_tensors()["0.step"] == 1
    assert optimizer.state_tensors()["1.step"] == 0


@pytest.mark.parametrize("seed", [3, 4, 5])
def test_a_small_regression_is_learnt_as_well_in_8_bits(seed: int) -> None:
    """The loss falls alike to a fiftieth of its start.

    What is left later is noise, which the order of sums in a processor changes by more than the bits of a moment do.
    """
    in_8_bits, in_float = (regression_losses(threshold, seed) for threshold in (EIGHT_BIT, FLOAT))
    assert in_8_bits[:60] == pytest.approx(in_float[:60], rel=0.05)
    assert in_float[59] < in_float[0] / 50
    assert max(in_8_bits[-1], in_float[-1]) < 1e-4


def regression_losses(threshold: int, seed: int) -> list[float]:
    """Return the loss at each step."""
    generator = torch.Generator().manual_seed(seed)
    inputs = torch.randn(256, 32, generator=generator)
    targets = torch.tanh(inputs @ torch.randn(32, 8, generator=generator) / 4)
    first, second = parameters((32, 160), (160, 8), seed=seed + 1)
    optimizer = Lamb8bit([first, second], 0.02, weight_decay=0.0, min_8bit_size=threshold)
    losses = []
    for step in range(250):
        optimizer.param_groups[0]["lr"] = 0.02 * (1 - step / 250)
        optimizer.zero_grad()
        loss = (torch.relu(inputs @ first) @ second - targets).square().mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def test_closure_is_evaluated_with_gradients() -> None:
    (weight,) = parameters((10,))
    optimizer = Lamb8bit([weight], 0.01)

    def closure() -> float:
        optimizer.zero_grad()
        loss = weight.square().sum()
        loss.backward()
        return loss.item()

    first = optimizer.step(closure)
    second = optimizer.step(closure)
    assert first is not None
    assert second is not None
    assert second < first


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"lr": -1.0}, "lr"),
        ({"lr": math.nan}, "lr"),
        ({"lr": 0.1, "betas": (1.0, 0.9)}, "betas"),
        ({"lr": 0.1, "eps": 0.0}, "eps"),
        ({"lr": 0.1, "weight_decay": -0.1}, "weight_decay"),
        ({"lr": 0.1, "clamp_value": 0.0}, "clamp_value"),
        ({"lr": 0.1, "max_grad_norm": 0.0}, "max_grad_norm"),
        ({"lr": 0.1, "chunk_size": 32_768}, "chunk_size"),
        ({"lr": 0.1, "block_size": 4096, "chunk_size": 5000}, "chunk_size"),
    ],
)
def test_options_out_of_range_are_named(options: dict[str, float], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        Lamb8bit(parameters((4,)), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("weight", [torch.zeros(4, dtype=torch.bfloat16), torch.zeros(4, 4).t()[:, :2]])
def test_parameters_it_cannot_update_are_refused(weight: Tensor) -> None:
    with pytest.raises(ValueError, match="float32"):
        Lamb8bit([nn.Parameter(weight)], 0.1)
