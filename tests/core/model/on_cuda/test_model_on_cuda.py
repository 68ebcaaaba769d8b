"""The model computes the same on a GPU as on a processor, and micro-steps adapt to the available memory."""

import math
import threading
from collections.abc import Callable, Iterator

import pytest
import torch
from torch import Tensor

from core.model.config import ModelConfig
from core.model.micro_steps import MicroSteps
from core.model.techniques import Activations, Precision, Techniques
from core.model.transformer import Transformer
from tests.core.model.tiny_model import TINY, batch, build, gradients

pytestmark = [pytest.mark.cuda, pytest.mark.skipif(not torch.cuda.is_available(), reason="There is no GPU.")]

DEEP = TINY.model_copy(update={"depth": 26, "dim": 32})
WIDE = ModelConfig(
    dim=256, depth=6, heads=4, text_length=64, text_vocab=1000, grid=16, image_vocab=1024, shared_layers=0
)
BATCH = 32
LEANER = tuple(
    Techniques(size, activations=Activations.REVERSE, loss_chunk=1 << 16) for size in (BATCH, 8, 4, 2, 1)
)


@pytest.mark.parametrize("activations", Activations)
@pytest.mark.parametrize("changes", [{}, {"rotary": False}, {"token_shift": False}], ids=str)
def test_gradients_are_those_of_a_processor(changes: dict[str, bool], activations: Activations) -> None:
    config = TINY.model_copy(update=changes)
    (text, codes), techniques = batch(config), Techniques(activations=activations)
    there, here = build(config, techniques).cuda(), build(config, techniques)
    expected = gradients(here.loss(text, codes), here)
    found = gradients(there.loss(text.cuda(), codes.cuda()), there)
    for name, gradient in expected.items():
        torch.testing.assert_close(found[name].cpu(), gradient, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("precision", [Precision.BFLOAT16, Precision.FLOAT16], ids=str)
@pytest.mark.parametrize("activations", Activations)
def test_sixteen_bits_stay_near_float32(activations: Activations, precision: Precision) -> None:
    def found(precision: Precision) -> dict[str, Tensor]:
        techniques = Techniques(precision=precision, activations=activations)
        model = Transformer(DEEP, torch.Generator().manual_seed(1), techniques).cuda()
        text, codes = batch(DEEP, 4)
        return gradients(model.loss(text.cuda(), codes.cuda()), model)

    exact, rounded = found(Precision.FLOAT32), found(precision)
    for name, gradient in exact.items():
        assert rounded[name].dtype == torch.float32
        assert (rounded[name] - gradient).norm() < 0.04 * gradient.norm(), name


@pytest.fixture
def limit() -> Iterator[Callable[[int], None]]:
    """Lets tensors take so many bytes of the GPU."""

    def allow(size: int) -> None:
        torch.cuda.empty_cache()
        torch.cuda.set_per_process_memory_fraction(size / torch.cuda.get_device_properties(0).total_memory)

    yield allow
    torch.cuda.set_per_process_memory_fraction(1.0)


def wide_steps(steps_down: list[Techniques]) -> tuple[Transformer, MicroSteps]:
    model = Transformer(WIDE, torch.Generator().manual_seed(0), Techniques(BATCH)).cuda()
    return model, MicroSteps(model, LEANER, lambda: steps_down.append(model.techniques))


def sums(model: Transformer) -> list[Tensor]:
    return [item.grad.clone() for item in model.parameters() if item.grad is not None]


@pytest.mark.parametrize("share", [0.35, 0.5, 0.65, 0.8, 0.95])
def test_out_of_memory_no_sample_is_lost_and_none_counts_twice(
    limit: Callable[[int], None], share: float
) -> None:
    text, codes = (item.cuda() for item in batch(WIDE, BATCH))
    model, steps = wide_steps([])
    steps.add_gradients(text, codes)  # takes the libraries' workspaces
    model.zero_grad(set_to_none=False)
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    held, loss = torch.cuda.memory_reserved(), steps.add_gradients(text, codes)
    expected, peak = sums(model), torch.cuda.max_memory_reserved()
    del model, steps

    steps_down: list[Techniques] = []
    model, steps = wide_steps(steps_down)
    limit(int(held + sum(item.nbytes for item in expected) + share * (peak - held)))
    found = steps.add_gradients(text, codes)
    assert steps_down or share > 0.9
    assert found == pytest.approx(loss, rel=1e-4)
    for one, other in zip(sums(model), expected, strict=True):
        assert (one - other).norm() <= 1e-3 * other.norm()


class Stop(Exception):
    """The loop is to stop in the middle of a micro-step."""


def test_what_is_raised_within_the_backward_pass_comes_through() -> None:
    """autograd would make a GPU's backward pass in a thread of its own, which no graph could be recorded in."""
    model, threads = build(TINY).cuda(), list[int]()

    def between() -> None:
        threads.append(threading.get_ident())
        if len(threads) == 3 * TINY.depth:  # the forward pass has asked twice for each layer
            raise Stop

    steps = MicroSteps(model, (), between=between)
    with pytest.raises(Stop):
        steps.add_gradients(*(item.cuda() for item in batch(TINY, 1)))
    assert len(threads) == 3 * TINY.depth
    assert set(threads) == {threading.get_ident()}
    assert math.isfinite(steps.add_gradients(*(item.cuda() for item in batch(TINY, 1))))
