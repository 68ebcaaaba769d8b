"""Codes a second of our decoder on a GPU, with each step launched as one CUDA graph, and kernel by kernel.

Both ways decode the same codes with the same weights in 16 bits, and must find the same logits at each: `deviation`
is the largest difference, relative to the largest logit. A step takes the same work at every position, so that the
first `codes` of each image stand for all. `capture_ms` is what making the graph takes, once for a batch of images.
The plain way is that of a CPU: positions are numbers, and what lies outside of a code's view is left out.
"""

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

import torch
from torch import Tensor

from benchmarks.contests.cases import MID16, MID32, TINY
from benchmarks.gpu.part import MeasuredRow, PartReport, run_part, sixteen_bit, wait
from benchmarks.measuring.report import rounded
from core.generation.decoder import CapturedStep, Decoder
from core.model.config import ModelConfig, preset
from core.model.techniques import Precision
from core.model.transformer import Transformer

_TOLERANCE = 5e-2
"""Largest deviation of logits in 16 bits, whose products are summed in another order."""
_WARM_UP = 4


@dataclass(frozen=True)
class DrawingWorkload:
    """A model, and how many images of one prompt it draws at once."""

    name: str
    config: ModelConfig
    images: int
    codes: int
    """Number of codes of each image that are timed."""


_DALLE = preset("dalle")
WORKLOADS = (
    DrawingWorkload("dalle", _DALLE, 16, 96),
    DrawingWorkload("dalle", _DALLE, 1, 96),
    DrawingWorkload("mid32", MID32, 16, 128),
    DrawingWorkload("mid16", MID16, 16, 128),
)
SMALL = (DrawingWorkload("tiny", TINY, 2, 12),)


@dataclass
class DecodingWay:
    """One way to decode, and its measurements."""

    step: Callable[[Tensor, int], Tensor]
    seconds: float = 0.0
    logits: list[Tensor] = field(default_factory=list)


def measure(report: PartReport) -> None:
    """Measure every workload, both ways."""
    if not report.on_gpu:
        report.leave_out("CUDA graphs", "there is no GPU")
    for workload in WORKLOADS if report.on_gpu else SMALL:
        what = f"{workload.name}, {workload.images} images"
        report.attempt(what, partial(_row, report, workload), seconds=15.0)


def _row(report: PartReport, workload: DrawingWorkload) -> Iterator[MeasuredRow]:
    config, device = workload.config, report.device
    codes = _random(config.image_vocab, workload.images, config.image_length).to(device)
    decoder = _decoder(workload, device)
    began = time.perf_counter()
    ways = {"plain": DecodingWay(decoder.compute)}
    if report.on_gpu:
        other = _decoder(workload, device)
        wait(device)
        began = time.perf_counter()
        ways["graph"] = DecodingWay(CapturedStep(other.compute, workload.images, device))
        wait(device)
    capture = time.perf_counter() - began
    for way in ways.values():
        _decode(way, codes, workload.codes, device)
    deviation = _deviation([torch.stack(way.logits) for way in ways.values()])
    if not deviation <= _TOLERANCE:
        report.fail(
            f"{workload.name}, {workload.images} images", f"logits of both ways differ by {deviation:.1e}"
        )
    plain, graph = ways["plain"].seconds, ways["graph"].seconds if "graph" in ways else 0.0
    steps = workload.codes - _WARM_UP
    yield {
        "model": workload.name,
        "images": workload.images,
        "codes": workload.codes,
        "plain_ms": rounded(1e3 * plain / steps),
        "graph_ms": rounded(1e3 * graph / steps),
        "plain_codes_/_s": rounded(workload.images * steps / plain),
        "graph_codes_/_s": rounded(workload.images * steps / graph) if graph else 0.0,
        "ratio": rounded(plain / graph, 3) if graph else 0.0,
        "capture_ms": rounded(1e3 * capture),
        "images_s": rounded(config.image_length * (graph or plain) / steps, 3),
        "deviation": rounded(deviation, 2),
    }


@torch.no_grad()
def _decode(way: DecodingWay, codes: Tensor, count: int, device: torch.device) -> None:
    """Append the first ``count`` codes; the warm-up is not timed."""
    for place in range(count):
        if place == _WARM_UP:
            wait(device)
            began = time.perf_counter()
        way.logits.append(way.step(codes[:, place], place).clone())
    wait(device)
    way.seconds = time.perf_counter() - began


def _deviation(both: list[Tensor]) -> float:
    first, last = both[0].float(), both[-1].float()
    return float((first - last).abs().max() / first.abs().max())


def _decoder(workload: DrawingWorkload, device: torch.device) -> Decoder:
    """Return a decoder that has read the text, with the same weights each time."""
    precision = Precision.BFLOAT16 if sixteen_bit(device) == torch.bfloat16 else Precision.FLOAT16
    model = Transformer(workload.config, torch.Generator().manual_seed(0)).requires_grad_(False)
    model.compute_in(precision)
    text = _random(workload.config.text_vocab, 1, workload.config.text_length).to(device)
    decoder = Decoder(model.to(device), text, workload.images)
    decoder.logits()
    return decoder


def _random(vocabulary: int, rows: int, length: int) -> Tensor:
    return torch.randint(1, vocabulary, (rows, length), generator=torch.Generator().manual_seed(1))


if __name__ == "__main__":
    sys.exit(run_part("generation", __doc__ or "", measure))
