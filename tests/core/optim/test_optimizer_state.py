"""The state of 8-bit optimizers: its size, its names, and that a resumed run equals an uninterrupted one."""

import copy
import io
import math
from collections.abc import Callable, Iterable

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch._ops import OpOverload
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from core.errors import CheckpointError
from core.optim.adamw import AdamW8bit
from core.optim.eight_bit import EightBitOptimizer
from core.optim.lamb import Lamb8bit
from core.optim.rules import decay_groups

KINDS = [Lamb8bit, AdamW8bit]


def model() -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(100, 90), nn.LayerNorm(90), nn.Linear(90, 50, bias=False))


def optimizer_of(network: nn.Module, kind: type[Lamb8bit | AdamW8bit] = Lamb8bit) -> EightBitOptimizer:
    """Two matrices in 8 bits, of which neither fills its last block, and three vectors in float32."""
    return kind(decay_groups(network.named_parameters(), 0.045), 0.01, min_8bit_size=4000)


def train(network: nn.Module, optimizer: EightBitOptimizer, steps: range) -> None:
    for step in steps:
        optimizer.zero_grad()
        inputs = torch.randn(16, 100, generator=torch.Generator().manual_seed(step))
        network(inputs).square().mean().backward()
        optimizer.step()


def by_tensors(source: EightBitOptimizer, target: EightBitOptimizer) -> None:
    target.load_state_tensors({name: tensor.clone() for name, tensor in source.state_tensors().items()})


def by_state_dict(source: EightBitOptimizer, target: EightBitOptimizer) -> None:
    file = io.BytesIO()
    torch.save(source.state_dict(), file)
    target.load_state_dict(torch.load(io.BytesIO(file.getvalue()), weights_only=True))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("transfer", [by_tensors, by_state_dict])
def test_resumed_run_equals_an_uninterrupted_one(
    transfer: Callable[[EightBitOptimizer, EightBitOptimizer], None], kind: type[Lamb8bit | AdamW8bit]
) -> None:
    network = model()
    optimizer = optimizer_of(network, kind)
    train(network, optimizer, range(5))
    resumed_network = copy.deepcopy(network)
    resumed = optimizer_of(resumed_network, kind)
    transfer(optimizer, resumed)
    train(network, optimizer, range(5, 10))
    train(resumed_network, resumed, range(5, 10))
    for one, other in zip(network.parameters(), resumed_network.parameters(), strict=True):
        assert torch.equal(one, other)
    for name, tensor in optimizer.state_tensors().items():
        assert torch.equal(tensor, resumed.state_tensors()[name])


@pytest.mark.parametrize("kind", KINDS)
def test_state_is_named_and_typed(kind: type[Lamb8bit | AdamW8bit]) -> None:
    optimizer = optimizer_of(model(), kind)
    tensors = optimizer.state_tensors()
    assert {name: (tensor.dtype, tuple(tensor.shape)) for name, tensor in tensors.items()} == {
        "0.weight.step": (torch.int64, ()),
        "0.weight.exp_avg": (torch.uint8, (9000,)),
        "0.weight.exp_avg.absmax": (torch.float32, (3,)),
        "0.weight.exp_avg_sq": (torch.uint8, (9000,)),
        "0.weight.exp_avg_sq.absmax": (torch.float32, (3,)),
        "2.weight.step": (torch.int64, ()),
        "2.weight.exp_avg": (torch.uint8, (4500,)),
        "2.weight.exp_avg.absmax": (torch.float32, (2,)),
        "2.weight.exp_avg_sq": (torch.uint8, (4500,)),
        "2.weight.exp_avg_sq.absmax": (torch.float32, (2,)),
    } | {
        f"{name}.{key}": form
        for name, size in (("0.bias", 90), ("1.weight", 90), ("1.bias", 90))
        for key, form in {
            "step": (torch.int64, ()),
            "exp_avg": (torch.float32, (size,)),
            "exp_avg_sq": (torch.float32, (size,)),
        }.items()
    }


def test_state_above_the_threshold_takes_two_bytes_an_element() -> None:
    elements = 300_000
    optimizer = Lamb8bit([nn.Parameter(torch.zeros(elements))], 0.01)
    size = sum(tensor.nbytes for tensor in optimizer.state_tensors().values())
    assert 2 * elements <= size < 2.01 * elements


class LargestMemory(TorchDispatchMode):
    """Notes the most elements that an operation gave in new memory, or took in float32 from memory that is not held.

    What numpy computed is given by none of torch's operations, and taken by the next.
    """

    def __init__(self, held: Iterable[Tensor]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._held = _memory(held)
        self.elements = 0

    def __torch_dispatch__(
        self,
        func: OpOverload,
        types: object,
        args: tuple[object, ...] = (),
        kwargs: dict[str, object] | None = None,
    ) -> object:
        result = func(*args, **(kwargs or {}))
        taken, given = _tensors((args, kwargs)), _tensors(result)
        counts = [item.numel() for item in given if not _memory([item]) & (self._held | _memory(taken))]
        floats = (item for item in taken if item.dtype == torch.float32 and not _memory([item]) & self._held)
        counts += [item.untyped_storage().nbytes() // item.element_size() for item in floats]
        self.elements = max(self.elements, *counts, 0)
        return result


def _tensors(tree: object) -> list[Tensor]:
    return [leaf for leaf in tree_leaves(tree) if isinstance(leaf, Tensor)]


def _memory(tensors: Iterable[Tensor]) -> set[int]:
    return {tensor.untyped_storage().data_ptr() for tensor in tensors}


def _step_of(kind: type[Lamb8bit | AdamW8bit], min_8bit_size: int) -> int:
    """Return the elements of the largest memory that a step takes, by chunks of 8192."""
    weight = nn.Parameter(torch.ones(500, 700))
    weight.grad = torch.ones(500, 700)
    optimizer = kind([weight], 0.01, min_8bit_size=min_8bit_size, chunk_size=8192)
    with LargestMemory([weight, weight.grad, *optimizer.state_tensors().values()]) as largest:
        optimizer.step()
    return int(largest.elements)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("min_8bit_size", [0, 1 << 62])
def test_a_step_holds_nothing_larger_than_a_chunk(
    min_8bit_size: int, kind: type[Lamb8bit | AdamW8bit], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert 0 < _step_of(kind, min_8bit_size) <= 8192

    def wasteful(values: Tensor) -> Tensor:
        return torch.from_numpy(np.sqrt(np.resize(values.numpy(), 10_000)))[: len(values)]

    monkeypatch.setattr("core.optim.update._root", wasteful)
    assert _step_of(kind, min_8bit_size) == 10_000, "memory of numpy's would go unnoticed"


def removed(tensors: dict[str, Tensor]) -> None:
    del tensors["0.weight.exp_avg"]


def added(tensors: dict[str, Tensor]) -> None:
    tensors["3.weight.exp_avg"] = torch.zeros(3)


def reshaped(tensors: dict[str, Tensor]) -> None:
    tensors["2.weight.exp_avg"] = torch.zeros(4501, dtype=torch.uint8)


def retyped(tensors: dict[str, Tensor]) -> None:
    tensors["2.weight.exp_avg_sq"] = tensors["2.weight.exp_avg_sq"].to(torch.int8)


def not_a_number(tensors: dict[str, Tensor]) -> None:
    tensors["0.weight.exp_avg.absmax"][1] = math.nan


def negative_square(tensors: dict[str, Tensor]) -> None:
    tensors["1.bias.exp_avg_sq"][3] = -1.0


def negative_maximum(tensors: dict[str, Tensor]) -> None:
    tensors["0.weight.exp_avg.absmax"][0] = -1.0


def negative_count(tensors: dict[str, Tensor]) -> None:
    tensors["0.bias.step"].fill_(-1)


@pytest.mark.parametrize(
    "damage",
    [removed, added, reshaped, retyped, not_a_number, negative_square, negative_maximum, negative_count],
)
def test_state_that_does_not_fit_changes_nothing(damage: Callable[[dict[str, Tensor]], None]) -> None:
    network = model()
    optimizer = optimizer_of(network)
    train(network, optimizer, range(2))
    before = {name: tensor.clone() for name, tensor in optimizer.state_tensors().items()}
    given = {
        name: tensor + 1 if tensor.dtype == torch.int64 else tensor.clone() for name, tensor in before.items()
    }
    damage(given)
    with pytest.raises(CheckpointError, match="does not fit"):
        optimizer.load_state_tensors(given)
    for name, tensor in optimizer.state_tensors().items():
        assert torch.equal(tensor, before[name])
