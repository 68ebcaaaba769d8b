"""Token shift: a position takes part of its channels from its neighbours before it, at no cost in parameters.

As in dalle-pytorch 1.6.6: text takes its first half of channels from the previous token; codes take their
first quarter from the code above and their second from the code to the left. Zeros come in at the borders,
and nothing crosses from text to image.
"""

from torch import Tensor


def token_shift(x: Tensor, text_positions: int, grid: int) -> Tensor:
    """Shift (batch, text_positions + rows * grid, dim), dim a multiple of 4, into a new tensor."""
    half, quarter = x.shape[2] // 2, x.shape[2] // 4
    out = x.clone()
    text, image = out[:, :text_positions], out[:, text_positions:]
    text_in, image_in = x[:, :text_positions], x[:, text_positions:]
    text[:, 1:, :half] = text_in[:, :-1, :half]
    text[:, 0, :half] = 0
    image[:, grid:, :quarter] = image_in[:, :-grid, :quarter]
    image[:, :grid, :quarter] = 0
    image[:, 1:, quarter:half] = image_in[:, :-1, quarter:half]
    image[:, ::grid, quarter:half] = 0
    return out


def token_shift_backward(grad: Tensor, text_positions: int, grid: int) -> Tensor:
    """The gradient of what was shifted, from that of the result; shapes are those of `token_shift`."""
    half, quarter = grad.shape[2] // 2, grad.shape[2] // 4
    out = grad.clone()
    text, image = out[:, :text_positions], out[:, text_positions:]
    text_out, image_out = grad[:, :text_positions], grad[:, text_positions:]
    text[:, :-1, :half] = text_out[:, 1:, :half]
    text[:, -1, :half] = 0
    image[:, :-grid, :quarter] = image_out[:, grid:, :quarter]
    image[:, -grid:, :quarter] = 0
    image[:, :-1, quarter:half] = image_out[:, 1:, quarter:half]
    image[:, grid - 1 :: grid, quarter:half] = 0
    return out
