"""Trains and draws on a pretended GPU, and prints as JSON what went on: ``python -m tests.core.pretended_gpu``.

torch's fake tensors know shape, type and device, and hold no values. Computing with tensors of two devices fails with
them as it fails on a GPU, and so does waiting for a value. The device stands for any but the CPU; it is torch's slot
for devices of others, as a build without CUDA cannot even slice a tensor that claims to be CUDA's. It is registered
for the whole process: hence a program of its own.
"""

import json
import weakref
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import torch
from torch import Tensor, nn
from torch._subclasses import FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
from torch.utils.backend_registration import _setup_privateuseone_for_python_backend

from core.families.causal_lm.config import CausalConfig
from core.families.causal_lm.model import CausalTransformer
from core.generation.decoder import Decoder
from core.generation.drawing import Drawing
from core.memory import predict
from core.messages.sampling import Sampling
from core.model.config import ModelConfig
from core.model.family.trainable import TrainableModel
from core.model.techniques import Activations, Precision, Techniques
from core.model.transformer import Transformer
from core.skeletons import shapes_alone

GPU = "pretended"
SMALL = ModelConfig(
    dim=16, depth=3, heads=2, dim_head=16, text_length=3, text_vocab=7, grid=4, image_vocab=6, shared_layers=0
)
PLAIN = SMALL.model_copy(update={"reversible": False, "rotary": False, "token_shift": False})
LARGE = ModelConfig(dim=1024, depth=3, heads=16)
"""A configuration like the paper's, reduced to three layers, which show what each kind of layer takes."""
TEXT = CausalConfig(dim=16, depth=3, heads=2, length=6, vocab=11, shared_layers=2)
LARGE_TEXT = CausalConfig(dim=1280, depth=3, heads=20)
"""The sizes of GPT-2 Large, reduced to three layers."""


@dataclass
class Trace(TorchDispatchMode):
    """Notes what operations are given and give back."""

    peak_bytes: int = 0
    """The most of new tensors on the GPU that were there at once."""
    on_cpu: list[str] = field(default_factory=list)
    """Operations that had to do with a tensor on the CPU, which a graph cannot capture, and a GPU waits for."""

    def __post_init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._held, self._known = 0, set[int]()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        given = _tensors((args, kwargs))
        before = {item.untyped_storage()._cdata for item in given}
        out = func(*args, **(kwargs or {}))
        if any(item.device.type == "cpu" for item in (*given, *_tensors(out))):
            self.on_cpu.append(str(func))
        for item in _tensors(out):
            storage = item.untyped_storage()
            if item.device.type == GPU and storage._cdata not in before | self._known:
                self._take(storage)
        return out

    def _take(self, storage: torch.UntypedStorage) -> None:
        self._held += storage.nbytes()
        self.peak_bytes = max(self.peak_bytes, self._held)
        self._known.add(storage._cdata)
        weakref.finalize(storage, self._give_back, storage._cdata, storage.nbytes())

    def _give_back(self, identity: int, size: int) -> None:
        self._held -= size
        self._known.discard(identity)


@dataclass(frozen=True)
class Step:
    """The observations of one step."""

    name: str
    device: str
    """The device of its result."""
    on_cpu: list[str]
    held_bytes: int = 0
    """Parameters, gradients and buffers on the GPU, and the most that the step held beside them."""
    predicted_bytes: int = 0


def _tensors(tree: Any) -> list[Tensor]:
    return [item for item in tree_leaves(tree) if isinstance(item, Tensor)]


def build(config: ModelConfig, techniques: Techniques) -> Transformer:
    """A model of pictures on the GPU, with gradients at zero."""
    with shapes_alone():  # nothing here has values, and those of the large model would take seconds to draw
        model = Transformer(config, techniques=techniques)
    move(model)
    return model


def build_text(config: CausalConfig, techniques: Techniques) -> CausalTransformer:
    """A model of text on the GPU, with gradients at zero."""
    with shapes_alone():
        model = CausalTransformer(config, techniques=techniques)
    move(model)
    return model


def move(model: nn.Module) -> None:
    """Move a model to the GPU, and give it gradients. `Module.to` does not work with fake tensors."""
    with FAKES:
        for module in model.modules():
            for name, parameter in list(module.named_parameters(recurse=False)):
                setattr(module, name, _moved(parameter))
            for name, buffer in list(module.named_buffers(recurse=False)):
                setattr(module, name, torch.zeros(buffer.shape, dtype=buffer.dtype, device=GPU))


def _moved(parameter: nn.Parameter) -> nn.Parameter:
    moved = nn.Parameter(torch.zeros(parameter.shape, dtype=parameter.dtype, device=GPU))
    moved.grad_dtype = parameter.grad_dtype
    moved.grad = torch.zeros(parameter.shape, dtype=parameter.grad_dtype, device=GPU)
    return moved


def train(config: ModelConfig, techniques: Techniques) -> Step:
    """A micro-step: the gradients of a batch are added up."""
    model, batch = build(config, techniques), techniques.micro_batch
    with FAKES:
        text = torch.ones(batch, config.text_length, dtype=torch.int64, device=GPU)
        codes = torch.zeros(batch, config.image_length, dtype=torch.int64, device=GPU)
    return micro_step(model, config, techniques, text, codes)


def train_text(config: CausalConfig, techniques: Techniques) -> Step:
    """A micro-step of a model of text."""
    model = build_text(config, techniques)
    with FAKES:
        tokens = torch.ones(techniques.micro_batch, config.length + 1, dtype=torch.int64, device=GPU)
    return micro_step(model, config, techniques, tokens)


def micro_step(
    model: TrainableModel, config: ModelConfig | CausalConfig, techniques: Techniques, *inputs: Tensor
) -> Step:
    """The gradients of a batch are added up, and the memory that it takes is compared with the prediction."""
    lasting = sum(item.nbytes for item in model.buffers())
    lasting += sum(item.nbytes + item.grad.nbytes for item in model.parameters() if item.grad is not None)
    with FAKES, Trace() as trace:
        loss = model.loss(*inputs)
        loss.backward()
    return Step(
        f"{_named(config)}, {techniques.precision}, {techniques.activations}",
        loss.device.type,
        trace.on_cpu,
        lasting + trace.peak_bytes,
        predict(config, techniques, device_is_gpu=True).gpu_bytes,
    )


def decode(config: ModelConfig, precision: Precision) -> Step:
    """A code of each image, its position in a tensor, as a CUDA graph captures it."""
    model = build(config, Techniques(precision=precision, activations=Activations.CHECKPOINT))
    with FAKES:
        decoder = Decoder(model, torch.ones(2, config.text_length, dtype=torch.int64, device=GPU), 3)
        decoder.logits()
        codes = torch.zeros(6, dtype=torch.int64, device=GPU)
        position = torch.zeros(1, dtype=torch.int64, device=GPU)
        with Trace() as trace:
            logits = decoder.compute(codes, position)
    return Step(f"{_named(config)}, {precision}, a code", logits.device.type, trace.on_cpu)


def draw(sampling: Sampling) -> Step:
    """Reading the text, drawing a code and taking it in, as an image is drawn."""
    model = build(SMALL, Techniques(precision=Precision.BFLOAT16))
    with FAKES:
        drawing = Drawing(
            model, torch.ones(1, SMALL.text_length, dtype=torch.int64, device=GPU), sampling, 0, 2
        )
        for _ in range(2 * SMALL.depth):
            drawing.step()
        with Trace() as trace:
            for _ in range(3):
                drawing.step()
    return Step(f"drawing, {sampling!r}", drawing.codes().device.type, trace.on_cpu)


def _named(config: ModelConfig | CausalConfig) -> str:
    if isinstance(config, CausalConfig):
        return {TEXT: "small text", LARGE_TEXT: "large text"}[config]
    return {SMALL: "small", PLAIN: "plain", LARGE: "large"}[config]


def steps() -> Iterator[Step]:
    """One after the other."""
    yield train(SMALL, Techniques(2, Precision.FLOAT32, Activations.REVERSE))
    yield train(SMALL, Techniques(2, Precision.BFLOAT16, Activations.KEEP))
    yield train(SMALL, Techniques(2, Precision.FLOAT16, Activations.REVERSE))
    yield train(PLAIN, Techniques(2, Precision.BFLOAT16, Activations.CHECKPOINT))
    for techniques in (
        Techniques(4, Precision.FLOAT32, Activations.KEEP),
        Techniques(2, Precision.BFLOAT16, Activations.REVERSE),
        Techniques(2, Precision.FLOAT16, Activations.REVERSE, checkpointed=1, kept=1),
    ):
        yield train(LARGE, replace(techniques, optimizer_on_cpu=True))
    yield train_text(TEXT, Techniques(2, Precision.BFLOAT16, Activations.CHECKPOINT))
    for techniques in (
        Techniques(8, loss_chunk=None),
        Techniques(1, activations=Activations.CHECKPOINT),
        Techniques(4, Precision.BFLOAT16, Activations.CHECKPOINT, kept=1),
        Techniques(2, Precision.FLOAT16, Activations.CHECKPOINT),
    ):
        yield train_text(LARGE_TEXT, replace(techniques, optimizer_on_cpu=True))
    yield decode(SMALL, Precision.BFLOAT16)
    yield decode(PLAIN, Precision.FLOAT32)
    yield draw(Sampling(top_k=4))
    yield draw(Sampling(top_k=None, top_p=0.75))


if __name__ == "__main__":
    _setup_privateuseone_for_python_backend(GPU)
    FAKES = FakeTensorMode()
    torch.set_num_threads(1)
    for step in steps():
        print(json.dumps(asdict(step)), flush=True)
