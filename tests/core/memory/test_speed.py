"""The cost model counts the products that the benchmark's roofline counts, and orders techniques by them."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from benchmarks.measuring.roofline import flops, products
from core.memory.models import MODELS
from core.memory.speed import GPU, Work, processor
from core.model.config import ModelConfig, preset
from core.model.techniques import Activations, Precision, Techniques

SMALL = ModelConfig(dim=64, depth=6, heads=2, grid=8, text_length=12, image_vocab=128, text_vocab=100)
KEEP = Techniques()
CHECKPOINT = replace(KEEP, activations=Activations.CHECKPOINT)
REVERSE = replace(KEEP, activations=Activations.REVERSE)


def work(model: str | ModelConfig, length: int = 512) -> Work:
    return Work.of(MODELS[model].architecture if isinstance(model, str) else model, length, 0)


@pytest.mark.parametrize("config", [SMALL, preset("dalle")])
@pytest.mark.parametrize(
    "techniques",
    [
        KEEP,
        CHECKPOINT,
        REVERSE,
        replace(REVERSE, checkpointed=2),
        replace(REVERSE, kept=3),
        replace(CHECKPOINT, kept=3),
        replace(REVERSE, kept=6),
    ],
)
def test_our_models_operations_are_those_of_the_roofline(config: ModelConfig, techniques: Techniques) -> None:
    assert work(config).operations(techniques) == flops(products(config, techniques))


def test_shared_feed_forwards_before_kept_layers_are_spared_their_second_product() -> None:
    found = [
        work(SMALL).operations(item)
        for item in (
            replace(REVERSE, kept=2),
            replace(REVERSE, kept=2, checkpointed=4),
            replace(CHECKPOINT, kept=2),
        )
    ]
    assert found == sorted(set(found), reverse=True)
    assert work(SMALL).operations(replace(REVERSE, kept=2, checkpointed=9)) == found[1]


@pytest.mark.parametrize("name", [name for name in MODELS if name != "dalle"])
def test_checkpointing_all_layers_computes_them_once_more(name: str) -> None:
    found = work(name)
    assert found.operations(CHECKPOINT) - found.operations(KEEP) == found.layers


@pytest.mark.parametrize(("name", "billions"), [("gpt2", 0.124), ("gpt2-xl", 1.55), ("gpt3-2.7b", 2.6)])
def test_a_token_takes_six_operations_a_parameter(name: str, billions: float) -> None:
    """Kaplan et al., 2020; attention adds a few percent in short sequences."""
    assert work(name, 64).operations(KEEP) == pytest.approx(6 * billions * 1e9 * 64, rel=0.08)


@pytest.mark.parametrize("device", [GPU, processor(4)])
@pytest.mark.parametrize(
    "faster_first",
    [
        [KEEP, CHECKPOINT, REVERSE],
        [replace(KEEP, micro_batch=many) for many in (8, 4, 1)],
        [replace(KEEP, precision=Precision.BFLOAT16), KEEP],
        [KEEP, replace(KEEP, eight_bit_optimizer=True)],
        [replace(REVERSE, kept=kept) for kept in (6, 3, 0)],
        [replace(REVERSE, checkpointed=some) for some in (6, 3, 0)],
    ],
)
def test_techniques_are_ordered_by_what_they_cost(device: Any, faster_first: list[Techniques]) -> None:
    times = [work(SMALL).seconds(techniques, device) for techniques in faster_first]
    assert all(faster < slower for faster, slower in pairwise(times))
