"""Token shift and feed-forward, each alone."""

import pytest
import torch
import torch.nn.functional as F

from core.model.config import ModelConfig
from core.model.feed_forward import geglu
from core.model.token_shift import token_shift
from tests.core.model import plain_transformer


@pytest.mark.parametrize("text_length", [0, 1, 4])
@pytest.mark.parametrize("rows", [1, 3])
def test_token_shift_takes_from_the_left_and_from_above(text_length: int, rows: int) -> None:
    config = ModelConfig.model_construct(dim=8, text_length=text_length, grid=3, token_shift=True)
    x = torch.randn(2, 1 + text_length + 3 * rows, 8, dtype=torch.float64, requires_grad=True)
    shifted = token_shift(x, 1 + text_length, grid=3)
    torch.testing.assert_close(shifted, plain_transformer.shift(config, x), rtol=0, atol=0)
    assert torch.autograd.gradcheck(lambda x: token_shift(x, 1 + text_length, 3), x)


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


def test_geglu_is_a_product_with_exact_gradients() -> None:
    hidden = torch.randn(3, 10, dtype=torch.float64, requires_grad=True)
    torch.testing.assert_close(geglu(hidden), hidden[:, :5] * F.gelu(hidden[:, 5:]), rtol=1e-14, atol=0)
    assert torch.autograd.gradcheck(geglu, hidden)
