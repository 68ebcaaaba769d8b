"""The allocator of a GPU gives out as much memory as was predicted."""

from dataclasses import replace
from functools import partial

import pytest
import torch

from benchmarks.gpu.memory import build_ours, live
from benchmarks.measuring.tensor_memory import peaks, warm_up
from benchmarks.memory.cases import MemoryCase
from core.model.techniques import Activations, Precision, Techniques

pytestmark = [pytest.mark.cuda, pytest.mark.skipif(not torch.cuda.is_available(), reason="There is no GPU.")]

GPU = torch.device("cuda")


@pytest.mark.parametrize("precision", Precision)
@pytest.mark.parametrize("activations", Activations)
def test_micro_steps_take_what_is_predicted(activations: Activations, precision: Precision) -> None:
    techniques = Techniques(2, precision, activations, optimizer_on_cpu=True)
    for case in (
        MemoryCase("dalle, 9 layers", None, techniques),
        MemoryCase("dalle, 9 layers", None, replace(techniques, micro_batch=1)),
    ):
        warm_up(GPU)
        measured, _ = peaks(GPU, partial(live, build_ours, case, "cuda"))
        predicted = case.prediction(on_gpu=True).gpu_bytes
        assert 0.95 < predicted / measured < 1.1, f"{predicted} of {measured}"
