"""The paper's model once more, slowly and plainly: dense masks, one step after the other, for comparison.

Written from the description of the model alone; it shares with core.model the names of the parameters.
"""

import math
from collections.abc import Mapping

import torch
import torch.nn.functional as F
from torch import Tensor

from core.model.config import AttentionPattern, ModelConfig

Parameters = Mapping[str, Tensor]


def sees(config: ModelConfig, pattern: AttentionPattern, query: int, key: int) -> bool:
    """Return true if attention lets a query position see a key position."""
    first_code = 1 + config.text_length
    if query < first_code:
        return key <= query
    if key < first_code:
        return True
    row, column = divmod(query - first_code, config.grid)
    key_row, key_column = divmod(key - first_code, config.grid)
    if pattern is AttentionPattern.ROW:
        return key_row == row and key_column <= column
    if pattern is AttentionPattern.COLUMN:
        return key_column == column and key_row <= row
    return 0 <= row - key_row < config.convolution_size and 0 <= column - key_column < config.convolution_size


def visibility(config: ModelConfig, pattern: AttentionPattern) -> Tensor:
    positions = range(1 + config.text_length + config.grid**2)
    return torch.tensor([[sees(config, pattern, query, key) for key in positions] for query in positions])


def angle(config: ModelConfig, position: int, pair: int) -> float:
    """Return the angle by which a pair of channels is rotated, in float32 as in dalle-pytorch."""
    third = config.dim_head // 3
    pairs = third // 2
    axis, index = divmod(pair, pairs)
    if axis > 2:
        return 0.0
    code = position - 1 - config.text_length
    if axis == 0:
        frequency = 1 / 10000 ** (torch.arange(0, 2 * pairs, 2).float() / third)[index]
        return float(frequency * (position if code < 0 else 8192))
    frequency = torch.linspace(1, 5, pairs)[index] * math.pi
    places = torch.linspace(-1, 1, config.grid)
    return float(frequency * (-10 if code < 0 else places[divmod(code, config.grid)[axis - 1]]))


def rotate(config: ModelConfig, x: Tensor) -> Tensor:
    """Turn pairs of channels of (batch, heads, positions, dim_head)."""
    if not config.rotary:
        return x
    pairs = range(config.dim_head // 2)
    angles = torch.tensor([[angle(config, i, pair) for pair in pairs] for i in range(x.shape[2])])
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, odd * cos + even * sin], dim=-1).flatten(-2)


def shift(config: ModelConfig, x: Tensor) -> Tensor:
    if not config.token_shift:
        return x
    quarter, first_code, grid = config.dim // 4, 1 + config.text_length, config.grid
    rows = []
    for i in range(x.shape[1]):
        row = x[:, i].clone()
        if i < first_code:
            row[:, : 2 * quarter] = x[:, i - 1, : 2 * quarter] if i else 0
        else:
            at_row, at_column = divmod(i - first_code, grid)
            row[:, :quarter] = x[:, i - grid, :quarter] if at_row else 0
            row[:, quarter : 2 * quarter] = x[:, i - 1, quarter : 2 * quarter] if at_column else 0
        rows.append(row)
    return torch.stack(rows, dim=1)


def attention(
    config: ModelConfig, p: Parameters, prefix: str, pattern: AttentionPattern, x: Tensor
) -> Tensor:
    qkv = F.linear(x, p[f"{prefix}.to_qkv.weight"]).chunk(3, dim=-1)
    query, key, value = (
        rotate(config, part.unflatten(-1, (config.heads, config.dim_head)).transpose(1, 2)) for part in qkv
    )
    scores = query @ key.mT / math.sqrt(config.dim_head)
    scores = scores.masked_fill(~visibility(config, pattern), -math.inf)
    out = (scores.softmax(dim=-1) @ value).transpose(1, 2).flatten(2)
    return F.linear(out, p[f"{prefix}.to_out.weight"], p[f"{prefix}.to_out.bias"])


def feed_forward(p: Parameters, prefix: str, x: Tensor) -> Tensor:
    hidden = F.linear(x, p[f"{prefix}.to_hidden.weight"], p[f"{prefix}.to_hidden.bias"])
    value, gate = hidden.chunk(2, dim=-1)
    return F.linear(value * F.gelu(gate), p[f"{prefix}.to_out.weight"], p[f"{prefix}.to_out.bias"])


def norm(p: Parameters, prefix: str, x: Tensor) -> Tensor:
    return F.layer_norm(x, x.shape[-1:], p[f"{prefix}.weight"], p[f"{prefix}.bias"])


def sublayer(config: ModelConfig, p: Parameters, layer: int, name: str, x: Tensor) -> Tensor:
    x = shift(config, norm(p, f"layers.{layer}.{name}.norm", x))
    prefix = f"weights.{config.weight_set(layer)}.{name}"
    if name == "attention":
        out = attention(config, p, prefix, config.layer_pattern(layer), x)
    else:
        out = feed_forward(p, prefix, x)
    return out * p[f"layers.{layer}.{name}.scale"]


def hidden_states(config: ModelConfig, p: Parameters, words: Tensor, codes: Tensor) -> Tensor:
    bos = torch.zeros_like(words[:, :1])
    x = p["vocabulary.weight"][torch.cat([bos, words, codes + config.text_vocab + config.text_length], dim=1)]
    if not config.rotary:
        places = [p["row"][i, 0] + p["column"][j] for i in range(config.grid) for j in range(config.grid)]
        x = x + torch.cat([p["text_position"], torch.stack(places)])
    first = second = x
    for layer in range(config.depth):
        if config.reversible:
            first = first + sublayer(config, p, layer, "attention", second)
            second = second + sublayer(config, p, layer, "feed_forward", first)
        else:
            first = first + sublayer(config, p, layer, "attention", first)
            first = second = first + sublayer(config, p, layer, "feed_forward", first)
    return norm(p, "norm", (first + second) / 2)


def losses(config: ModelConfig, p: Parameters, text: Tensor, codes: Tensor) -> tuple[Tensor, Tensor]:
    """The text's and the image's cross-entropy, of logits with the other vocabulary masked."""
    padding = config.text_vocab + torch.arange(config.text_length)
    words = torch.where(text == 0, padding, text)
    classes = config.text_vocab + config.text_length
    labels = torch.cat([words, codes + classes], dim=1)
    hidden = hidden_states(config, p, words, codes)[:, :-1]
    logits = F.linear(hidden, p["vocabulary.weight"], p["vocabulary.bias"])
    for_text = torch.arange(labels.shape[1])[:, None] < config.text_length
    of_text = torch.arange(logits.shape[2]) < classes
    logits = logits.masked_fill(for_text != of_text, -math.inf)
    loss = F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")
    return loss[:, : config.text_length].mean(), loss[:, config.text_length :].mean()
