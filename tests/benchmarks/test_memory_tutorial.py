"""Steps of the tutorial: memory lines are sorted into parts, and what does not fit is named before it is measured."""

import pytest

from benchmarks.memory.tutorial import MemoryPart, lacking, parts_of, to_train
from core.families.causal_lm.config import CausalConfig
from core.memory import predict
from core.memory.footprint import MemoryPlace
from core.memory.machine import Sizes
from core.memory.parameters import count
from core.model.techniques import Precision, Techniques

GIB = 1 << 30
CONFIG = CausalConfig(depth=36, dim=1280, heads=20)
PARAMETERS = count(CONFIG)
EXACT = sum(item.total for item in CONFIG.parameters() if item.always_float32)
OFFLOAD = Techniques(optimizer_on_cpu=True)


@pytest.mark.parametrize("precision", [Precision.FLOAT32, Precision.BFLOAT16])
def test_weights_gradients_and_the_optimizer_have_parts_of_their_own(precision: Precision) -> None:
    found = predict(CONFIG, Techniques(precision=precision, optimizer_on_cpu=True))
    on_gpu, in_ram = (parts_of(found, place) for place in MemoryPlace)
    rounded = precision.bytes_per_value
    assert on_gpu[MemoryPart.WEIGHTS] == rounded * (PARAMETERS - EXACT) + 4 * EXACT
    assert on_gpu[MemoryPart.GRADIENTS] == 4 * PARAMETERS
    assert on_gpu[MemoryPart.OPTIMIZER] == 0
    assert in_ram[MemoryPart.OPTIMIZER] >= 12 * PARAMETERS
    assert in_ram[MemoryPart.WEIGHTS] == in_ram[MemoryPart.GRADIENTS] == 0
    for parts, place in ((on_gpu, MemoryPlace.GPU), (in_ram, MemoryPlace.RAM)):
        assert sum(parts.values()) == found.peak(place).bytes_in(place)


def test_on_a_gpu_the_optimizer_needs_ram_also_where_moments_are_on_the_gpu() -> None:
    plain = to_train(CONFIG, Techniques(), on_gpu=True)
    offload = to_train(CONFIG, OFFLOAD, on_gpu=True)
    assert plain.ram == offload.ram == predict(CONFIG, OFFLOAD).ram_bytes
    assert plain.gpu == pytest.approx(offload.gpu + 8 * PARAMETERS, rel=0.001)
    assert to_train(CONFIG, Techniques(), on_gpu=False).gpu == 0


@pytest.mark.parametrize(
    ("needed", "free", "words"),
    [
        (Sizes(0, 8 * GIB), Sizes(0, 9 * GIB), ""),
        (Sizes(0, 9 * GIB), Sizes(0, 9 * GIB), "It needs 1 GiB more RAM than is free."),
        (Sizes(0, 33 * GIB), Sizes(0, 9 * GIB), "It needs 27.7 GiB more RAM than is free."),
        (Sizes(18 * GIB, 9 * GIB), Sizes(24 * GIB, 16 * GIB), ""),
        (
            Sizes(18 * GIB, 9 * GIB),
            Sizes(10 * GIB, 16 * GIB),
            "It needs 10.4 GiB more GPU memory than is free.",
        ),
        (
            Sizes(18 * GIB, 9 * GIB),
            Sizes(10 * GIB, 9 * GIB),
            "It needs 10.4 GiB more GPU memory and 1 GiB more RAM than is free.",
        ),
    ],
)
def test_what_is_lacking_is_named(needed: Sizes, free: Sizes, words: str) -> None:
    assert lacking(needed, free) == words
