"""How much memory drawing takes, and how many images fit: from the configuration alone, free of torch."""

from core.generation.slots import Slots
from core.memory.techniques import Precision
from core.model.config import ModelConfig

_FULL = Precision.FLOAT32.bytes_per_value


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
    hidden = 3 * config.feed_forward_factor * config.dim * value
    attention = 3 * config.heads * (config.text_positions + slots) * value
    attention += 3 * config.heads * config.dim_head * (2 * value + _FULL)
    choice = config.image_vocab * (value + 4 * _FULL)
    return streams + max(hidden, attention, choice)


def bytes_per_prompt(config: ModelConfig, precision: Precision = Precision.FLOAT32) -> int:
    """Of a prompt, whatever the number of its images: what codes see of it, and what reading it takes."""
    value, inner = precision.bytes_per_value, config.heads * config.dim_head
    seen = 2 * config.depth * inner * config.text_positions * value
    positions = config.text_positions + config.grid
    streams = 4 * config.dim * _FULL
    attention = inner * (4 * value + 6 * _FULL) + config.dim * (value + 2 * _FULL)
    hidden = 3 * config.feed_forward_factor * config.dim * value
    return seen + positions * (streams + max(attention, hidden))


def images_that_fit(
    config: ModelConfig, free: int, largest: int, precision: Precision = Precision.FLOAT32, prompts: int = 1
) -> int:
    """How many images of each prompt to draw at once in ``free`` bytes: 1 to ``largest``, though 1 may not fit."""
    left = free - prompts * bytes_per_prompt(config, precision)
    return max(1, min(largest, left // (prompts * bytes_per_image(config, precision))))
