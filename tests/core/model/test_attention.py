"""Structured attention: who sees whom, position by position, and exact gradients."""

import pytest
import torch
from torch import Tensor

from core.model.attention import Attention, Neighbourhood
from core.model.config import AttentionPattern, ModelConfig
from core.model.heads import Layout, merge_heads, split_heads
from core.model.rotary import rotary_angles, rotation_table
from tests.core.model import plain_transformer

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
)


def attention_of(config: ModelConfig) -> Attention:
    torch.manual_seed(0)
    return Attention(config).double()


def draw(*shape: int) -> Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(4))


@pytest.mark.parametrize("window", [1, 3, 7])
@pytest.mark.parametrize("pattern", AttentionPattern)
def test_a_position_depends_on_just_those_that_its_pattern_shows_it(
    pattern: AttentionPattern, window: int
) -> None:
    config = CONFIG.model_copy(update={"convolution_size": window})
    attention, neighbourhood = attention_of(config), Neighbourhood(config, pattern)
    positions = config.text_positions + config.image_length
    table = rotation_table(config).double()

    def attend(x: Tensor) -> Tensor:
        out: Tensor = attention(x[None], neighbourhood, table)[0]
        return out

    jacobian = torch.autograd.functional.jacobian(attend, draw(positions, config.dim))
    depends = jacobian.abs().sum(dim=(1, 3)) > 0
    assert torch.equal(depends, plain_transformer.visibility(config, pattern))


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
    attention, neighbourhood = attention_of(config), Neighbourhood(config, pattern)
    table = rotation_table(CONFIG).double()
    x = draw(2, CONFIG.text_positions + CONFIG.image_length, CONFIG.dim)
    whole = attention(x, neighbourhood, table)
    known = CONFIG.text_positions + rows * CONFIG.grid
    part = attention(x[:, :known], neighbourhood, table)
    torch.testing.assert_close(part, whole[:, :known], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("pattern", AttentionPattern)
def test_the_gradient_of_attention_is_exact(pattern: AttentionPattern) -> None:
    config = CONFIG.model_copy(update={"grid": 2, "text_length": 1})
    attention, neighbourhood = attention_of(config), Neighbourhood(config, pattern)
    table = rotation_table(config).double()
    x = draw(1, 6, config.dim).requires_grad_()
    assert torch.autograd.gradcheck(lambda x: attention(x, neighbourhood, table), x)


@pytest.mark.parametrize("by_columns", [False, True])
def test_merging_undoes_splitting(by_columns: bool) -> None:
    layout = Layout(CONFIG.text_positions, CONFIG.grid, by_columns)
    still = CONFIG.model_copy(update={"rotary": False})
    qkv = draw(2, CONFIG.text_positions + 2 * CONFIG.grid, 3 * 16)
    heads = split_heads(qkv, rotation_table(still).double(), layout)
    query, key, value = qkv.chunk(3, dim=-1)
    torch.testing.assert_close(merge_heads(heads.text_value, heads.image_value, layout), value)
    torch.testing.assert_close(merge_heads(heads.text_key, heads.image_key, layout), key)
    torch.testing.assert_close(merge_heads(heads.text_query, heads.image_query, layout), query * 8**-0.5)


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
