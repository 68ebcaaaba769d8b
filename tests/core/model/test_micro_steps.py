"""Micro-steps that run out of memory: no sample is lost, none counts twice."""

import itertools
import json
import subprocess
import sys
import weakref
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from core.errors import MemoryPlanError
from core.model.config import AttentionPattern, ModelConfig
from core.model.micro_steps import MicroSteps, is_out_of_memory
from core.model.techniques import Activations, Precision, Techniques
from core.model.transformer import Transformer

CONFIG = ModelConfig(
    dim=16,
    depth=2,
    heads=2,
    dim_head=16,
    text_length=3,
    text_vocab=7,
    grid=4,
    image_vocab=6,
    shared_layers=0,
    patterns=(AttentionPattern.COLUMN,),
)
ALL = Techniques(4, activations=Activations.KEEP)
LEANER = (
    Techniques(4, activations=Activations.REVERSE, loss_chunk=40),
    Techniques(2, activations=Activations.REVERSE, loss_chunk=40),
    Techniques(1, activations=Activations.REVERSE, loss_chunk=1),
)


class MemoryLimit(TorchDispatchMode):
    """A machine with room for so many bytes of new tensors; without a limit it tells how many were held at once."""

    def __init__(self, limit: float = float("inf")) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.held = self.most = 0
        self._limit, self._known = limit, set[int]()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        given = {_address(item) for item in tree_leaves((args, kwargs)) if isinstance(item, Tensor)}
        out = func(*args, **(kwargs or {}))
        for item in tree_leaves(out):
            if isinstance(item, Tensor) and _address(item) not in given | self._known:
                self._take(item.untyped_storage())
        return out

    def _take(self, storage: torch.UntypedStorage) -> None:
        address, size = storage.data_ptr(), storage.nbytes()
        if self.held + size > self._limit:
            self._limit = float("inf")  # what else took the memory has gone by the next attempt
            raise torch.OutOfMemoryError("CUDA out of memory.")
        self.held += size
        self.most = max(self.most, self.held)
        self._known.add(address)
        weakref.finalize(storage, self._give_back, address, size)

    def _give_back(self, address: int, size: int) -> None:
        self.held -= size
        self._known.discard(address)


def _address(item: Tensor) -> int:
    return item.untyped_storage().data_ptr()


def build(techniques: Techniques = ALL) -> Transformer:
    """Return a model in float64, or in 16 bits, with gradients of an earlier micro-step in place."""
    model = Transformer(CONFIG, torch.Generator().manual_seed(0), techniques)
    if techniques.precision is Precision.FLOAT32:
        model.double()
    generator = torch.Generator().manual_seed(1)
    for parameter in model.parameters():
        earlier = torch.randn(parameter.shape, generator=generator) / 8
        parameter.grad = earlier.to(parameter.grad_dtype)
    return model


def batch(size: int = 4) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(2)
    text = torch.randint(CONFIG.text_vocab, (size, CONFIG.text_length), generator=generator)
    return text, torch.randint(CONFIG.image_vocab, (size, CONFIG.image_length), generator=generator)


def gradients(model: Transformer) -> list[Tensor]:
    return [parameter.grad for parameter in model.parameters() if parameter.grad is not None]


def run(limit: float = float("inf"), first: Techniques = ALL) -> tuple[float, list[Tensor], MemoryLimit]:
    model, samples, memory = build(first), batch(), MemoryLimit(limit)
    micro_steps = MicroSteps(model, [replace(item, precision=first.precision) for item in LEANER])
    with memory:
        loss = micro_steps.add_gradients(*samples)
    return loss, gradients(model), memory


run()  # what is looked up once in a process is not part of a micro-step
LOSS, GRADIENTS, UNDISTURBED = run()


def test_gradients_are_those_of_the_summed_loss_and_are_added() -> None:
    model = build()
    before = [item.clone() for item in gradients(model)]
    (model.loss(*batch()) * 4).backward()
    torch.testing.assert_close(gradients(model), GRADIENTS)
    assert pytest.approx(float(model.loss(*batch()).detach())) == LOSS
    assert not torch.allclose(before[0], GRADIENTS[0])


# Twenty shares of the memory have a share before and after each thing that is added; twenty others lie between.
@pytest.mark.parametrize("tenth", range(10))
@pytest.mark.parametrize("first", [0, pytest.param(1, marks=pytest.mark.exhaustive)])
def test_wherever_memory_ends_every_sample_counts_once(tenth: int, first: int) -> None:
    """Before anything was added, and after the loss, the last feed-forward and the last attention were."""
    for share in (tenth / 10 + step / 40 for step in (first, first + 2)):
        loss, found, _ = run(share * UNDISTURBED.most)
        assert loss == pytest.approx(LOSS), share
        torch.testing.assert_close(found, GRADIENTS, rtol=1e-9, atol=1e-11)


def in_sixteen_bits() -> list[Any]:
    """Each type with all activations at each eighth of the memory; what ``make test`` leaves out is exhaustive."""
    every = itertools.product((Precision.BFLOAT16, Precision.FLOAT16), enumerate(Activations), range(8))
    return [
        pytest.param(
            precision,
            activations,
            step,
            marks=()
            if (step + number + (precision is Precision.FLOAT16)) % 2 == 0
            else pytest.mark.exhaustive,
        )
        for precision, (number, activations), step in every
    ]


@cache
def undisturbed(first: Techniques) -> tuple[list[Tensor], list[Tensor], int]:
    """Return the gradients before a micro-step and after it, and the bytes that it held at most."""
    _, found, memory = run(first=first)
    return gradients(build(first)), found, memory.most


@pytest.mark.parametrize(("precision", "activations", "eighth"), in_sixteen_bits())
def test_in_sixteen_bits_too(precision: Precision, activations: Activations, eighth: int) -> None:
    """A gradient that counts twice, or is lost, is off by its own size; rounding in another order by a hundredth."""
    first = Techniques(4, precision=precision, activations=activations)
    before, expected, most = undisturbed(first)
    _, found, _ = run(eighth / 8 * most, first)
    for start, one, other in zip(before, expected, found, strict=True):
        assert (one - other).norm() < 0.1 * (one - start).norm()


def test_each_step_down_is_reported_and_stays() -> None:
    model, steps_down = build(), list[Techniques]()
    micro_steps = MicroSteps(model, LEANER, lambda: steps_down.append(model.techniques))
    samples, memory = batch(), MemoryLimit(0)
    with memory:
        micro_steps.add_gradients(*samples)
    assert steps_down == [LEANER[0]]
    assert micro_steps.micro_batch == 4
    micro_steps.add_gradients(*samples)
    assert len(steps_down) == 1


def test_when_nothing_leaner_is_left_the_error_says_what_to_do() -> None:
    micro_steps, samples = MicroSteps(build(), ()), batch()
    with MemoryLimit(0), pytest.raises(MemoryPlanError, match="Close other programs"):
        micro_steps.add_gradients(*samples)


def test_other_errors_are_not_taken_for_a_lack_of_memory() -> None:
    text, codes = batch()
    with pytest.raises(ValueError, match="codes must be in"):
        MicroSteps(build(), LEANER).add_gradients(text, codes + CONFIG.image_vocab)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB."), True),
        (MemoryError(), True),
        (RuntimeError("could not create a primitive"), True),
        (RuntimeError("CUDA error: out of memory"), True),
        (RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"), True),
        (RuntimeError("mat1 and mat2 shapes cannot be multiplied"), False),
        (RuntimeError("CUDA error: an illegal memory access was encountered"), False),
    ],
    ids=repr,
)
def test_a_lack_of_memory_is_recognised(error: BaseException, expected: bool) -> None:
    assert is_out_of_memory(error) is expected


def test_the_error_of_the_cpu_allocator_is_recognised() -> None:
    with pytest.raises(RuntimeError) as caught:
        torch.empty(1 << 60, dtype=torch.int8)
    assert is_out_of_memory(caught.value)


def test_a_process_that_may_have_no_more_memory_trains_on() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.core.model.crowded_process"],
        capture_output=True,
        text=True,
        timeout=200,
        check=True,
        cwd=Path(__file__).parents[3],
    )
    report = json.loads(done.stdout)
    assert report["techniques"] != report["first"], report
    assert report["difference"] < 1e-4, report
