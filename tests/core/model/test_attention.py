"""Structured attention: who sees whom, position by position, and exact gradients."""

from typing import NamedTuple

import pytest
import torch
from torch import Tensor

from core.model.attention import Attention, AttentionBranch
from core.model.config import AttentionPattern, ModelConfig
from core.model.heads import (
    Heads,
    Layout,
    merge_heads,
    merge_heads_backward,
    split_heads,
    split_heads_backward,
)
from core.model.layers import Sublayer
from core.model.positions import Neighbourhood, rotary_angles, rotation_table
from tests.core.model import plain_transformer
from tests.core.model.branch_passes import WAYS, assert_samples_are_apart, run

# Without token shift, by which positions see others too.
CONFIG = ModelConfig(
    dim=8,
    depth=1,
    heads=2,
    dim_head=8,
    text_length=3,
    text_vocab=5,
    grid=4,
    image_vocab=5,
    convolution_size=3,
    token_shift=False,
)


class BuiltAttention(NamedTuple):
    branch: AttentionBranch
    parameters: list[Tensor]


def build(config: ModelConfig, pattern: AttentionPattern) -> BuiltAttention:
    """A float64 branch with random values in every parameter."""
    torch.manual_seed(0)
    own, weights = Sublayer(config, 0).double(), Attention(config).double()
    for parameter in own.parameters():
        torch.nn.init.normal_(parameter)
    entry, table = own.entry(torch.float64), rotation_table(config).double()
    branch = AttentionBranch(entry, weights, own.scale, Neighbourhood(config, pattern), table)
    return BuiltAttention(branch, [*own.parameters(), *weights.parameters()])


def draw(*shape: int, seed: int = 4) -> Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("window", [1, 3, 7])
@pytest.mark.parametrize("pattern", AttentionPattern)
def test_a_position_depends_on_just_those_that_its_pattern_shows_it(
    pattern: AttentionPattern, window: int
) -> None:
    config = CONFIG.model_copy(update={"convolution_size": window})
    branch, _ = build(config, pattern)
    count = config.text_positions + config.image_length
    # Sample i has another position i than the last; the gradient of sample i is that of its position i.
    x, others, every = draw(1, count, 8).repeat(count + 1, 1, 1), draw(count, 8, seed=5), torch.arange(count)
    x[every, every] = others
    grad = torch.zeros_like(x)
    grad[every, every] = draw(8, seed=6)
    found = run(branch, [], x, grad, keep=False, rebuild=False)
    visible = plain_transformer.visibility(config, pattern)
    changes = (found.out[:-1] - found.out[-1]).abs().amax(dim=2) > 1e-9
    assert torch.equal(changes.mT, visible)
    assert torch.equal(found.of_x[:-1].abs().amax(dim=2) > 1e-12, visible)


@pytest.mark.parametrize(
    ("pattern", "query", "seen"),
    [
        (AttentionPattern.ROW, (2, 1), {(2, 0), (2, 1)}),
        (AttentionPattern.ROW, (0, 3), {(0, 0), (0, 1), (0, 2), (0, 3)}),
        (AttentionPattern.COLUMN, (2, 1), {(0, 1), (1, 1), (2, 1)}),
        (AttentionPattern.COLUMN, (3, 3), {(0, 3), (1, 3), (2, 3), (3, 3)}),
        (AttentionPattern.CONVOLUTIONAL, (0, 0), {(0, 0)}),
        (AttentionPattern.CONVOLUTIONAL, (1, 1), {(0, 0), (0, 1), (1, 0), (1, 1)}),
        (AttentionPattern.CONVOLUTIONAL, (3, 3), {(r, c) for r in (1, 2, 3) for c in (1, 2, 3)}),
    ],
)
def test_patterns_by_example(
    pattern: AttentionPattern, query: tuple[int, int], seen: set[tuple[int, int]]
) -> None:
    first_code = CONFIG.text_positions
    visible = plain_transformer.visibility(CONFIG, pattern)[first_code + 4 * query[0] + query[1]]
    assert visible[:first_code].all()
    codes = (visible[first_code:].nonzero().flatten()).tolist()
    assert {divmod(code, 4) for code in codes} == seen


@pytest.mark.parametrize("rows", [1, 2, 4])
@pytest.mark.parametrize("window", [1, 3])
@pytest.mark.parametrize("pattern", AttentionPattern)
def test_fewer_rows_are_the_beginning_of_the_whole(pattern: AttentionPattern, window: int, rows: int) -> None:
    config = CONFIG.model_copy(update={"convolution_size": window})
    branch, _ = build(config, pattern)
    known = config.text_positions + rows * config.grid
    x = draw(2, config.text_positions + config.image_length, config.dim)
    whole, part = (run(branch, [], item, item, keep=False, rebuild=False).out for item in (x, x[:, :known]))
    torch.testing.assert_close(part, whole[:, :known], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(("keep", "rebuild"), WAYS)
@pytest.mark.parametrize("pattern", AttentionPattern)
def test_attention_and_its_gradients_are_those_of_the_plain_model(
    pattern: AttentionPattern, keep: bool, rebuild: bool
) -> None:
    config = CONFIG.model_copy(update={"last_pattern": pattern})
    branch, parameters = build(config, pattern)
    names = ["layers.0.attention.scale", "layers.0.attention.norm.weight", "layers.0.attention.norm.bias"]
    names += [f"weights.0.attention.{name}" for name in ("to_qkv.weight", "to_out.weight", "to_out.bias")]
    x = draw(2, config.text_positions + config.image_length, config.dim).requires_grad_()
    expected = plain_transformer.sublayer(
        config, dict(zip(names, parameters, strict=True)), 0, "attention", x
    )
    found = run(branch, parameters, x, draw(*x.shape, seed=5), keep=keep, rebuild=rebuild)
    torch.testing.assert_close(found.out, expected)
    torch.testing.assert_close(
        [found.of_x, *found.of_parameters],
        list(torch.autograd.grad(expected, [x, *parameters], draw(*x.shape, seed=5))),
    )


@pytest.mark.parametrize(("keep", "rebuild"), WAYS)
@pytest.mark.parametrize("pattern", AttentionPattern)
def test_heads_that_are_taken_in_pieces_give_the_same(
    pattern: AttentionPattern, keep: bool, rebuild: bool
) -> None:
    config = CONFIG.model_copy(update={"grid": 32, "heads": 8})
    x = draw(4, config.text_positions + config.image_length, config.dim)
    assert_samples_are_apart(*build(config, pattern), x, keep=keep, rebuild=rebuild)


@pytest.mark.parametrize("by_columns", [False, True])
def test_merging_undoes_splitting(by_columns: bool) -> None:
    layout = Layout(CONFIG.text_positions, CONFIG.grid, by_columns)
    still = CONFIG.model_copy(update={"rotary": False})
    qkv = draw(2, CONFIG.text_positions + 2 * CONFIG.grid, 3 * 16)
    heads = split_heads(qkv, rotation_table(still).double(), layout)
    query, key, value = qkv.chunk(3, dim=-1)
    torch.testing.assert_close(merge_heads(heads.text_value, heads.image_value, 2, layout), value)
    torch.testing.assert_close(merge_heads(heads.text_key, heads.image_key, 2, layout), key)
    torch.testing.assert_close(merge_heads(heads.text_query, heads.image_query, 2, layout), query * 8**-0.5)


def inner_product(left: tuple[Tensor, ...], right: tuple[Tensor, ...]) -> Tensor:
    return torch.stack([(a * b).sum() for a, b in zip(left, right, strict=True)]).sum()


@pytest.mark.parametrize("by_columns", [False, True])
def test_the_ways_back_are_the_transposes(by_columns: bool) -> None:
    layout, table = Layout(CONFIG.text_positions, CONFIG.grid, by_columns), rotation_table(CONFIG).double()
    qkv = draw(2, CONFIG.text_positions + 2 * CONFIG.grid, 3 * 16)
    heads = split_heads(qkv, table, layout)
    grads = Heads(*(draw(*part.shape, seed=index) for index, part in enumerate(heads)))
    back = split_heads_backward(grads, 2, table, layout)
    torch.testing.assert_close(inner_product(heads, grads), inner_product((qkv,), (back,)))
    apart = heads.text_value, heads.image_value
    merged = merge_heads(*apart, 2, layout)
    grad = draw(*merged.shape)
    torch.testing.assert_close(
        inner_product((merged,), (grad,)), inner_product(apart, merge_heads_backward(grad, 2, layout))
    )


@pytest.mark.parametrize("lines", [1, 2, 4])
@pytest.mark.parametrize("window", [1, 3, 7])
def test_the_way_back_from_local_keys_is_the_transpose(window: int, lines: int) -> None:
    config = CONFIG.model_copy(update={"convolution_size": window})
    neighbourhood = Neighbourhood(config, AttentionPattern.CONVOLUTIONAL)
    keys = draw(2, lines, config.grid, 8)
    local = neighbourhood.local(keys)
    grad = draw(*local.shape, seed=5)
    back = neighbourhood.local_backward(grad, config.grid)
    torch.testing.assert_close(inner_product((local,), (grad,)), inner_product((keys,), (back,)))


def test_angles_of_the_paper_model() -> None:
    config = ModelConfig(dim=64, depth=1, heads=1)
    angles = rotary_angles(config)
    assert angles.shape == (257 + 1024, 32)
    word = 10_000 ** (-torch.arange(0, 20, 2) / 21)
    pixel = torch.linspace(1, 5, 10) * torch.pi
    last_word, first_code, row_1_column_31 = angles[256], angles[257], angles[257 + 32 + 31]
    torch.testing.assert_close(last_word, torch.cat([256 * word, -10 * pixel, -10 * pixel, torch.zeros(2)]))
    torch.testing.assert_close(first_code, torch.cat([8192 * word, -pixel, -pixel, torch.zeros(2)]))
    torch.testing.assert_close(row_1_column_31[10:30], torch.cat([(2 / 31 - 1) * pixel, pixel]))
