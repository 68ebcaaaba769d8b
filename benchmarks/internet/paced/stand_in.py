"""A stand-in for training on a GPU: weights that wander instead of learning, in the time that the GPU would take.

The model has the real one's parameters, by name and shape, and computes nothing. So a round exchanges what a real one
would, while two cores emulate eight homes.
"""

import time
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from core.model.config import ModelConfig
from core.model.transformer import Transformer
from core.skeletons import shapes_alone

TFLOPS, TAKEN, TFLOP_A_SAMPLE = 71.0, 0.4, 11.4
"""An RTX 3090 in bfloat16 by its data sheet, the share that training takes (assumed), and the paper's model."""
SAMPLES_PER_SECOND = TFLOPS * TAKEN / TFLOP_A_SAMPLE
_SPREAD = 0.02
"""Standard deviation of the initial weights."""
_STEP = 2.5e-3 * _SPREAD
"""Typical change of a weight in a local step: the paper's learning rate, which LAMB takes relative to the weights."""
_PIECE = 1 << 20
_SAMPLES_A_CHANGE = 48
"""Samples after which gradients change, where peers make no steps of their own."""


def write_parameters(file: Path, model: ModelConfig) -> None:
    """Write initial values of all parameters of ``model``, float32, for the homes to map."""
    draws = np.random.default_rng(0)
    with file.open("wb") as output:
        for shape in shapes_of(model).values():
            output.write((_SPREAD * draws.standard_normal(shape.numel(), np.float32)).tobytes())


def shapes_of(model: ModelConfig) -> Mapping[str, torch.Size]:
    """Return the shapes of the parameters of ``model`` by name, in its order."""
    with shapes_alone():
        return {name: item.shape for name, item in Transformer(model).named_parameters()}


def mapped_model(model: ModelConfig, file: Path) -> Transformer:
    """Return ``model`` with the parameters of ``file``, of which only those that change take memory of a process."""
    total = sum(shape.numel() for shape in shapes_of(model).values())
    flat = torch.from_file(str(file), shared=False, size=total, dtype=torch.float32)
    return _with_parameters(model, flat, apart=True)


def overlapping_model(model: ModelConfig) -> tuple[Transformer, Tensor]:
    """Return ``model`` with parameters that lie over each other, and the flat memory of gradients that do so, too.

    They stand in for those in a GPU's memory, of which only the values that are sent matter here.
    """
    shapes = shapes_of(model).values()
    most = max(shape.numel() for shape in shapes) + len(shapes)
    values = _SPREAD * torch.randn(most, generator=torch.Generator().manual_seed(0))  # all homes begin alike
    built = _with_parameters(model, values, apart=False)
    gradients = torch.zeros(most)
    for number, parameter in enumerate(built.parameters()):
        parameter.grad = _window(gradients, number, parameter.shape)
    return built, gradients


def _with_parameters(model: ModelConfig, flat: Tensor, *, apart: bool) -> Transformer:
    with shapes_alone():
        built = Transformer(model)
    found: dict[int, nn.Parameter] = {}
    start = 0
    for number, parameter in enumerate(built.parameters()):
        found[id(parameter)] = nn.Parameter(_window(flat, start if apart else number, parameter.shape))
        start += parameter.numel()
    for module in built.modules():
        for name, parameter in list(module.named_parameters(recurse=False)):
            setattr(module, name, found[id(parameter)])
    return built


def _window(flat: Tensor, start: int, shape: torch.Size) -> Tensor:
    return flat[start : start + shape.numel()].view(shape)


class Wandering:
    """Adds noise with heavy tails, other noise each time, to flat memory or to parameters."""

    def __init__(self, seed: int) -> None:
        """Draw noise from ``seed``: another one for each home."""
        self._draws = torch.Generator().manual_seed(seed)
        self._noise = _STEP * torch.randn(2 * _PIECE, generator=self._draws) ** 3

    @torch.no_grad()
    def move(self, tensors: list[Tensor]) -> None:
        """Add noise to ``tensors``, contiguous float32 of any shape, in place."""
        for tensor in tensors:
            for piece in tensor.view(-1).split(_PIECE):
                start = int(torch.randint(_PIECE, (1,), generator=self._draws))
                piece.add_(self._noise[start : start + len(piece)])


class TimedSteps:
    """Micro-steps that take the time of a GPU, and change what a peer gives to a round as often as local steps do.

    A micro-step is over at its time, if the change was made by then. What counts as computed is its time alone, so a
    process that waits for a core has computed less.
    """

    def __init__(
        self,
        change: Callable[[], None],
        *,
        lacking: Callable[[], int | None],
        samples_per_second: float,
        micro_batch: int,
    ) -> None:
        """Make micro-steps of ``micro_batch`` samples.

        Args:
            change: makes the change of a local step.
            lacking: gives the samples that the next local step still lacks; None where peers make none.
            samples_per_second: rate of the GPU.
            micro_batch: samples of a micro-step.
        """
        self._change, self._seconds = change, micro_batch / samples_per_second
        self.micro_batch, self._lacking, self._since = micro_batch, lacking, 0
        self.computed = 0.0
        """Seconds computed so far, of the GPU."""
        self.cpu = 0.0
        """Seconds of the processor that the changes took so far: those of the stand-in."""

    def step(self) -> None:
        """Make a micro-step."""
        ends, began = time.monotonic() + self._seconds, time.thread_time()
        self._since += self.micro_batch
        lacking = self._lacking()
        if self._since >= _SAMPLES_A_CHANGE if lacking is None else self.micro_batch >= lacking:
            self._since = 0
            self._change()
        self.cpu += time.thread_time() - began
        time.sleep(max(0.0, ends - time.monotonic()))
        self.computed += self._seconds
