"""Token shift, the ends of a branch and the feed-forward branch, each alone and both ways."""

from typing import NamedTuple

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.model.config import ModelConfig
from core.model.ends import BranchEntry, token_shift, token_shift_backward
from core.model.feed_forward import FeedForward, FeedForwardBranch, geglu, geglu_backward_
from core.model.gradients import Gradients
from core.model.layers import Sublayer
from tests.core.model import plain_transformer
from tests.core.model.branch_passes import WAYS, assert_samples_are_apart, run

CONFIG = ModelConfig(
    dim=4,
    depth=1,
    heads=2,
    dim_head=8,
    text_length=2,
    text_vocab=5,
    grid=2,
    image_vocab=5,
    feed_forward_factor=2,
)
POSITIONS = CONFIG.text_positions + CONFIG.image_length


def draw(*shape: int, seed: int = 4) -> Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("text_length", [0, 1, 4])
@pytest.mark.parametrize("rows", [1, 3])
def test_token_shift_takes_from_the_left_and_from_above(text_length: int, rows: int) -> None:
    config = ModelConfig.model_construct(dim=8, text_length=text_length, grid=3, token_shift=True)
    x = draw(2, 1 + text_length + 3 * rows, 8).requires_grad_()
    expected, grad = plain_transformer.shift(config, x), draw(*x.shape, seed=5)
    torch.testing.assert_close(token_shift(x, 1 + text_length, grid=3), expected, rtol=0, atol=0)
    torch.testing.assert_close(
        token_shift_backward(grad, 1 + text_length, grid=3), *torch.autograd.grad(expected, x, grad)
    )


def test_token_shift_by_example() -> None:
    # BOS and one token, then two rows of two codes; channel i of position p holds 10 p + i.
    x = (10 * torch.arange(6.0)[:, None] + torch.arange(4.0))[None]
    expected = [
        [0, 0, 2, 3],
        [0, 1, 12, 13],
        [0, 0, 22, 23],
        [0, 21, 32, 33],
        [20, 0, 42, 43],
        [30, 41, 52, 53],
    ]
    assert token_shift(x, 2, 2)[0].tolist() == expected
    assert x.flatten().tolist() == [10 * p + i for p in range(6) for i in range(4)]


def test_geglu_is_a_product_with_exact_gradients() -> None:
    hidden, grad = draw(3, 10).requires_grad_(), draw(3, 5, seed=5)
    expected = hidden[:, :5] * F.gelu(hidden[:, 5:])
    torch.testing.assert_close(geglu(hidden.detach()), expected, rtol=1e-14, atol=0)
    (of_hidden,) = torch.autograd.grad(expected, hidden, grad)
    gate = F.gelu(hidden[:, 5:]).detach()
    torch.testing.assert_close(geglu_backward_(grad, hidden.detach().clone(), gate), of_hidden)


def sublayer() -> Sublayer:
    """Return a sublayer with random values in every parameter."""
    made = Sublayer(CONFIG, 0).double()
    with torch.no_grad():
        for index, parameter in enumerate(made.parameters()):
            parameter.copy_(draw(CONFIG.dim, seed=index))
    return made


@pytest.mark.parametrize("shifts", [True, False])
def test_a_stream_enters_normalised_and_shifted(shifts: bool) -> None:
    config, norm = CONFIG.model_copy(update={"token_shift": shifts}), sublayer().norm
    x, grad = draw(2, POSITIONS, 4).requires_grad_(), draw(2, POSITIONS, 4, seed=5)
    expected = plain_transformer.shift(config, F.layer_norm(x, (4,), norm.weight, norm.bias))
    entry, gradients = (
        BranchEntry(norm, config.text_positions, config.grid, shifts, torch.float64),
        Gradients(),
    )
    with torch.no_grad():
        entered = entry.enter(x)
        of_x = entry.backward(grad, x, entered, gradients)
    torch.testing.assert_close(entered.values, expected)
    found = [of_x, gradients.of(norm.weight), gradients.of(norm.bias)]
    torch.testing.assert_close(found, list(torch.autograd.grad(expected, [x, norm.weight, norm.bias], grad)))


@torch.no_grad()
def test_a_branch_computes_in_the_type_of_its_weights_and_the_stream_stays_as_it_is() -> None:
    x, gradients = draw(2, POSITIONS, 4).float(), Gradients()
    norm = nn.LayerNorm(4)
    entry = BranchEntry(norm, CONFIG.text_positions, CONFIG.grid, True, torch.bfloat16)
    entered = entry.enter(x)
    assert entered.values.dtype == torch.bfloat16
    of_x = entry.backward(entered.values, x, entered, gradients)
    assert {of_x.dtype, gradients.of(norm.weight).dtype, gradients.of(norm.bias).dtype} == {torch.float32}


class BuiltFeedForward(NamedTuple):
    branch: FeedForwardBranch
    parameters: list[Tensor]


def build(config: ModelConfig) -> BuiltFeedForward:
    torch.manual_seed(0)
    own, weights = sublayer(), FeedForward(config).double()
    entry = BranchEntry(own.norm, config.text_positions, config.grid, config.token_shift, torch.float64)
    branch = FeedForwardBranch(entry, weights, own.scale)
    return BuiltFeedForward(branch, [*own.parameters(), *weights.parameters()])


@pytest.mark.parametrize(("keep", "rebuild"), WAYS)
def test_feed_forward_and_its_gradients_are_those_of_the_plain_model(keep: bool, rebuild: bool) -> None:
    own, weights = sublayer(), FeedForward(CONFIG).double()
    names = dict(own.named_parameters(prefix="layers.0.feed_forward"))
    names |= dict(weights.named_parameters(prefix="weights.0.feed_forward"))
    parameters = list(names.values())
    x, grad = draw(2, POSITIONS, 4).requires_grad_(), draw(2, POSITIONS, 4, seed=5)
    expected = plain_transformer.sublayer(CONFIG, names, 0, "feed_forward", x)
    branch = FeedForwardBranch(own.entry(torch.float64), weights, own.scale)
    found = run(branch, parameters, x, grad, keep=keep, rebuild=rebuild)
    torch.testing.assert_close(found.out, expected)
    torch.testing.assert_close(
        [found.of_x, *found.of_parameters], list(torch.autograd.grad(expected, [x, *parameters], grad))
    )


@pytest.mark.parametrize(("keep", "rebuild"), WAYS)
def test_rows_that_are_taken_in_pieces_give_the_same(keep: bool, rebuild: bool) -> None:
    config = CONFIG.model_copy(update={"grid": 20})
    x = draw(3, config.text_positions + config.image_length, 4)
    assert_samples_are_apart(*build(config), x, keep=keep, rebuild=rebuild)
