"""How much memory drawing takes, and how many images fit: from the configuration alone, free of torch."""

from core.generation.slots import Slots
from core.memory.techniques import Precision
from core.model.config import ModelConfig

_FULL = Precision.FLOAT32.bytes_per_value
_DOUBLE = 8
"""Of a value of the noise that codes are drawn by."""


def bytes_per_image(config: ModelConfig, precision: Precision = Precision.FLOAT32) -> int:
    """Of an image in the making: caches, and what a step takes for it; without the codec that paints it."""
    value = precision.bytes_per_value
    of_token = 2 * config.heads * config.dim_head
    slots = [Slots.of(config, config.layer_pattern(layer)) for layer in range(config.depth)]
    cached = sum(item.lines * item.length for item in slots) * of_token
    if config.token_shift:
        cached += 2 * config.depth * (config.grid + 2) * config.dim // 2
    return cached * value + _bytes_of_step(config, max(item.length for item in slots), value)


def _bytes_of_step(config: ModelConfig, slots: int, value: int) -> int:
    """The most that computing one code takes at a time: in feed-forward, attention, or the choice of the code."""
    streams = 6 * config.dim * _FULL
    heads = 6 * config.heads * config.dim_head * (_FULL if value == _FULL else value + _FULL)
    hidden = 3 * config.feed_forward_factor * config.dim * value
    attention = 3 * config.heads * (config.text_positions + slots + config.dim_head) * value
    choice = config.image_vocab * (value + 2 * _FULL + 4 * _DOUBLE)
    return streams + heads + max(hidden, attention, choice)


def bytes_of_text(config: ModelConfig, prompts: int, precision: Precision = Precision.FLOAT32) -> int:
    """Whatever the number of images: what codes see of the prompts, what reading these takes, and tables."""
    value, inner = precision.bytes_per_value, config.heads * config.dim_head
    seen = 2 * config.depth * inner * config.text_positions * value
    attention = inner * (4 * value + 6 * _FULL) + config.dim * (value + 2 * _FULL)
    hidden = 3 * config.feed_forward_factor * config.dim * value
    reading = (config.text_positions + config.grid) * (4 * config.dim * _FULL + max(attention, hidden))
    return prompts * (seen + reading) + _bytes_of_tables(config, value)


def _bytes_of_tables(config: ModelConfig, value: int) -> int:
    """Masks of the patterns, and rotations or learned positions, for every code of an image."""
    patterns = set(map(config.layer_pattern, range(config.depth)))
    masks = sum(Slots.of(config, pattern).length for pattern in patterns) * value
    positions = 0 if config.rotary else config.dim * _FULL
    return config.image_length * (masks + positions + 3 * config.dim_head * _FULL)


def images_that_fit(
    config: ModelConfig, free: int, largest: int, precision: Precision = Precision.FLOAT32, prompts: int = 1
) -> int:
    """How many images of each prompt to draw at once in ``free`` bytes: 1 to ``largest``, though 1 may not fit."""
    left = free - bytes_of_text(config, prompts, precision)
    return max(1, min(largest, left // (prompts * bytes_per_image(config, precision))))
