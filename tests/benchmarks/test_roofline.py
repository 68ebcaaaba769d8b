"""The count of operations that the roofline of the training benchmark stands on."""

import pytest

from benchmarks.measuring.roofline import FORWARD_AND_BACKWARD, ProductShape, flops, least_seconds, products
from core.model.config import preset
from core.model.techniques import Activations, Techniques

DALLE = preset("dalle")
KEEP = Techniques(activations=Activations.KEEP)
LINEAR = ("queries, keys, values", "attention out", "feed-forward in", "feed-forward out")


def forward_gflop(*names: str) -> float:
    return sum(item.shape.flops for item in products(DALLE, KEEP) if item.name in names) / 1e9


def test_linear_maps_cost_two_operations_a_weight_and_position() -> None:
    weights_of_a_layer = (4 + 12) * DALLE.dim**2
    assert forward_gflop(*LINEAR) == 2 * 64 * weights_of_a_layer * 1280 / 1e9


def test_predictions_count_their_own_vocabulary_alone() -> None:
    expected = 2 * DALLE.dim * (256 * 32_356 + 1024 * 8192) / 1e9
    assert forward_gflop("predict text", "predict codes") == pytest.approx(expected)


def test_queries_count_the_text_and_their_line() -> None:
    of_text = 16 * 64 * 1280 * 257 * 64 * 2
    of_lines = 16 * (63 * 1024 * 32 + 1024 * 25) * 64 * 2
    names = ("scores of text", "scores of codes", "mean of text", "mean of codes")
    assert forward_gflop(*names) == pytest.approx(2 * (of_text + of_lines) / 1e9)


@pytest.mark.parametrize(
    ("techniques", "recomputed"),
    [
        (Techniques(activations=Activations.KEEP), ()),
        (Techniques(activations=Activations.CHECKPOINT), (0, 2)),
        (Techniques(activations=Activations.REVERSE), (0, 1, 2, 3)),
        (Techniques(activations=Activations.REVERSE, checkpointed=64), (0, 1, 2)),
        (Techniques(activations=Activations.REVERSE, kept=64), ()),
    ],
)
def test_what_is_recomputed_depends_on_what_is_kept(
    techniques: Techniques, recomputed: tuple[int, ...]
) -> None:
    passes = {item.name: item.passes for item in products(DALLE, techniques)}
    recomputed_here = tuple(index for index, name in enumerate(LINEAR) if passes[name] > FORWARD_AND_BACKWARD)
    assert recomputed_here == recomputed


def test_kept_layers_are_the_last_ones() -> None:
    half = flops(products(DALLE, Techniques(activations=Activations.REVERSE, kept=32)))
    none, every = (
        flops(products(DALLE, Techniques(activations=Activations.REVERSE, kept=kept))) for kept in (0, 64)
    )
    assert every < half < none
    assert abs((none + every) / 2 - half) < 0.01 * (
        none - every
    )  # the last layer's window is smaller than a line


def test_operations_grow_with_the_micro_batch() -> None:
    assert flops(products(DALLE, Techniques(micro_batch=3))) == 3 * flops(products(DALLE, KEEP))


def test_the_least_time_is_that_of_all_products_at_their_speeds() -> None:
    found = products(DALLE, KEEP)
    speeds = dict.fromkeys((item.shape.measured for item in found), 1e11)
    assert least_seconds(found, speeds) == pytest.approx(flops(found) / 1e11)


def test_a_measured_shape_is_bounded() -> None:
    assert ProductShape(4096, 5120, 256, 8192).measured == ProductShape(64, 1024, 256, 8192)
    assert ProductShape(2, 1280, 64, 25).flops == 2 * 2 * 1280 * 64 * 25
