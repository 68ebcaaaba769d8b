"""The memory that drawing is said to take is what it takes, and batches are made to fit."""

import pytest
import torch

from benchmarks.measuring.tensor_memory import peak_bytes
from core.generation.cache_layout import bytes_of_text, bytes_per_image, images_that_fit
from core.generation.drawing import Drawing
from core.messages.sampling import Sampling
from core.model.config import AttentionPattern, ModelConfig, preset
from core.model.techniques import Precision, Techniques
from core.model.transformer import Transformer

SMALL = ModelConfig(
    dim=64, depth=5, heads=2, dim_head=32, text_length=24, text_vocab=50, grid=8, image_vocab=512
)


def peak(config: ModelConfig, precision: Precision, prompts: int, images: int) -> int:
    """Bytes that drawing some codes takes at most."""
    model = Transformer(config, torch.Generator().manual_seed(0), Techniques(precision=precision))
    text = torch.ones(prompts, config.text_length, dtype=torch.int64)

    def draw() -> None:
        drawing = Drawing(model, text, Sampling(top_k=None), images_per_prompt=images)
        for _ in range(2 * config.depth + config.grid + 2):
            drawing.step()

    return peak_bytes(draw)


CHANGES = [{}, {"last_pattern": AttentionPattern.COLUMN, "token_shift": False}, {"image_vocab": 16}]


# Precision changes the bytes of a value alone, so one model shows it.
@pytest.mark.parametrize(
    ("precision", "changes"),
    [
        *((Precision.FLOAT32, changes) for changes in CHANGES),
        (Precision.BFLOAT16, CHANGES[0]),
        *(pytest.param(Precision.BFLOAT16, changes, marks=pytest.mark.exhaustive) for changes in CHANGES[1:]),
    ],
    ids=str,
)
@pytest.mark.parametrize(("prompts", "images"), [(1, 40), (20, 1), (4, 8)])
def test_the_bytes_reported_are_those_taken(
    prompts: int, images: int, changes: dict[str, object], precision: Precision
) -> None:
    config = SMALL.model_copy(update=changes)
    predicted = bytes_of_text(config, prompts, precision)
    predicted += prompts * images * bytes_per_image(config, precision)
    taken = peak(config, precision, prompts, images)
    assert taken <= predicted <= 2 * taken


@pytest.mark.parametrize(
    ("free", "largest", "images"),
    [(0, 16, 1), (2 << 30, 16, 12), (8 << 30, 16, 16), (8 << 30, 128, 53), (80 << 30, 128, 128)],
)
def test_as_many_images_of_the_paper_are_drawn_at_once_as_fit(free: int, largest: int, images: int) -> None:
    assert images_that_fit(preset("dalle"), free, largest) == images
