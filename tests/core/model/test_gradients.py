"""Gradients that are added in place, and backward passes that are interrupted and repeated."""

import operator
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
import torch
from torch import Tensor, nn

from core.model.config import AttentionPattern, ModelConfig
from core.model.gradients import Gradients
from core.model.techniques import Activations, Techniques
from core.model.transformer import Transformer
from tests.core.model import tiny_model

# Two layers share their weights, and the positions have parameters too.
CONFIG = ModelConfig(
    dim=8,
    depth=3,
    heads=2,
    dim_head=8,
    text_length=2,
    text_vocab=7,
    grid=2,
    image_vocab=6,
    shared_layers=1,
    patterns=(AttentionPattern.ROW,),
    rotary=False,
)


def parameter(*values: float) -> nn.Parameter:
    return nn.Parameter(torch.tensor(values, dtype=torch.float32))


def test_a_gradient_is_added_in_place_where_there_is_one() -> None:
    there, gradients = parameter(1, 2), Gradients()
    there.grad = place = torch.tensor([10.0, 20.0])
    gradients.add(there, torch.tensor([3.0, 4.0]))
    assert there.grad is place
    assert place.tolist() == [13, 24]
    assert gradients.new([there]) == [None]


def test_a_new_gradient_is_one_sum_and_handed_over_once() -> None:
    shared, other, unused, gradients = parameter(1, 2), parameter(0), parameter(0), Gradients()
    gradients.add(shared, torch.tensor([3.0, 4.0]))
    gradients.add(other, torch.tensor([7.0]))
    gradients.add(shared, torch.tensor([10.0, 20.0]))
    sums = [gradients.of(shared), gradients.of(other)]
    assert [total.tolist() for total in sums] == [[13, 24], [7]]
    of_unused, *handed_over = gradients.new([unused, shared, other])
    assert of_unused is None
    assert all(map(operator.is_, handed_over, sums))
    # Autograd takes a gradient that nobody else holds, and would copy others.
    assert gradients.new([unused, shared, other]) == [None] * 3
    assert shared.grad is None


def test_a_factor_is_made_up_for_until_it_is_taken_away() -> None:
    one, gradients = parameter(0, 0), Gradients()
    gradients.factor = torch.tensor(0.25)
    gradients.add(one, torch.tensor([4.0, 8.0], dtype=torch.float16))
    gradients.factor = None
    gradients.add(one, torch.tensor([1.0, 1.0]))
    assert gradients.of(one).tolist() == [2, 3]


def test_what_rounded_weights_add_up_stays_exact() -> None:
    rounded, gradients = nn.Parameter(torch.zeros(1, dtype=torch.bfloat16)), Gradients()
    rounded.grad_dtype = torch.float32
    for value in (1.0, 2**-12):
        gradients.add(rounded, torch.tensor([value], dtype=torch.bfloat16))
    assert gradients.of(rounded).tolist() == [1 + 2**-12]


def test_stages_that_are_skipped_add_nothing_and_count_as_done() -> None:
    one, gradients = parameter(0), Gradients(skip=2)
    for expected in (0, 0, 5, 10):
        with gradients.stage():
            gradients.add(one, torch.tensor([5.0]))
        assert gradients.of(one).item() == expected
    assert gradients.done == 4


def test_a_stage_that_fails_is_not_done() -> None:
    gradients = Gradients()
    with gradients.stage():
        pass
    with suppress(MemoryError), gradients.stage():
        raise MemoryError
    assert gradients.done == 1


class Interrupted(Gradients):
    """Fails when as many stages are done as ``after`` says."""

    def __init__(self, after: int, skip: int = 0) -> None:
        super().__init__(skip)
        self._after = after

    @contextmanager
    def stage(self) -> Iterator[None]:
        if self.done == self._after:
            raise MemoryError
        with super().stage():
            yield


def build(activations: Activations = Activations.KEEP) -> Transformer:
    """A model with gradients of earlier batches."""
    model = tiny_model.build(CONFIG, Techniques(activations=activations))
    generator = torch.Generator().manual_seed(2)
    for item in model.parameters():
        item.grad = torch.randn(item.shape, generator=generator).double()
    return model


def batch() -> tuple[Tensor, Tensor]:
    return tiny_model.batch(CONFIG, size=4)


def add(model: Transformer, part: tuple[Tensor, Tensor], gradients: Gradients) -> int:
    """Add the gradients of a part's summed loss; returns how many stages are done."""
    with suppress(MemoryError):
        (model.loss(*part, gradients) * len(part[0])).backward()
    return gradients.done


def halves(part: tuple[Tensor, Tensor]) -> Iterator[tuple[Tensor, Tensor]]:
    text, codes = (tokens.split(len(tokens) // 2) for tokens in part)
    yield from zip(text, codes, strict=True)


def found(model: Transformer) -> dict[str, Tensor]:
    return {name: item.grad for name, item in model.named_parameters() if item.grad is not None}


def undisturbed() -> tuple[dict[str, Tensor], int]:
    model = build()
    stages = add(model, batch(), Gradients())
    return found(model), stages


EXPECTED, STAGES = undisturbed()


def test_the_model_adds_to_the_gradients_that_are_there() -> None:
    model, before = build(), build()
    places = {name: gradient.data_ptr() for name, gradient in found(model).items()}
    add(model, batch(), Gradients())
    assert {name: gradient.data_ptr() for name, gradient in found(model).items()} == places

    fresh = build()
    fresh.zero_grad(set_to_none=True)
    add(fresh, batch(), Gradients())
    added = {name: gradient - found(before)[name] for name, gradient in found(model).items()}
    torch.testing.assert_close(found(fresh), added, rtol=1e-11, atol=1e-12)


def test_some_gradients_may_be_there_and_others_not() -> None:
    model = build()
    for name, item in model.named_parameters():
        if "attention" in name:
            item.grad = None
    add(model, batch(), Gradients())
    before = found(build())
    for name, gradient in found(model).items():
        start = 0 if "attention" in name else before[name]
        torch.testing.assert_close(gradient - start, EXPECTED[name] - before[name], rtol=1e-11, atol=1e-12)


def assert_expected(model: Transformer, case: str) -> None:
    """Hold the gradients against those of an undisturbed pass; the message names the ``case``."""
    torch.testing.assert_close(
        found(model), EXPECTED, rtol=1e-11, atol=1e-12, msg=lambda text: f"{case}: {text}"
    )


@pytest.mark.parametrize("leaner", [Activations.KEEP, Activations.CHECKPOINT, Activations.REVERSE])
def test_an_interrupted_pass_goes_on_in_halves(leaner: Activations) -> None:
    for after in range(STAGES + 1):
        model = build()
        done = add(model, batch(), Interrupted(after))
        assert done == after
        model.use(Techniques(activations=leaner))
        assert [add(model, half, Gradients(skip=done)) for half in halves(batch())] == [STAGES] * 2
        assert_expected(model, f"after {after} stages")


@pytest.mark.parametrize("after", range(0, STAGES, 2))
def test_a_half_that_is_interrupted_again_goes_on_in_quarters(after: int) -> None:
    first, second = halves(batch())
    for again in range(0, STAGES, 3):
        model = build(Activations.REVERSE)
        done = add(model, batch(), Interrupted(after))
        done_in_first = max(done, add(model, first, Interrupted(again, skip=done)))
        for quarter in halves(first):
            add(model, quarter, Gradients(skip=done_in_first))
        add(model, second, Gradients(skip=done))
        assert_expected(model, f"again after {again} stages")
