"""Steps of the tutorial on large models: what each technique is predicted to take beside what was measured."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from xml.sax.saxutils import escape

from core.memory.footprint import MemoryLine, MemoryPlace
from core.memory.lasting import GRADIENTS, MASTERS, OPTIMIZER, WEIGHTS, WEIGHTS_IN_FLOAT32
from core.memory.machine import Sizes, missing
from core.memory.models import AnyModel
from core.memory.prediction import Prediction, predict
from core.memory.units import format_size
from core.model.techniques import Techniques


class MemoryPart(StrEnum):
    """A part of the memory of training, as people speak of it."""

    WEIGHTS = "weights"
    GRADIENTS = "gradients"
    OPTIMIZER = "optimizer"
    ACTIVATIONS = "activations and workspace"


COLOURS = {
    MemoryPart.WEIGHTS: "#2c3fc7",
    MemoryPart.GRADIENTS: "#8d99f0",
    MemoryPart.OPTIMIZER: "#d9730d",
    MemoryPart.ACTIVATIONS: "#2a9d7c",
}
_MEASURED, _INK, _SOFT = "#191820", "#202124", "#5f6368"
_WIDTH, _MARGIN, _SIZES = 440, 12, 84
_LINE, _PANEL_TITLE = 50, 34


@dataclass(frozen=True)
class TutorialStep:
    """One technique more than the step before: the predictions for two models, and a measurement of the first."""

    name: str
    predicted: Prediction
    """Prediction for the model that is trained."""
    measured: int | None
    """Most bytes of tensors that training took; None: it was not measured."""
    large: Prediction
    """Prediction for the large model on a GPU."""
    place: MemoryPlace = MemoryPlace.RAM
    """Device whose memory was measured."""

    @property
    def bytes(self) -> int:
        """Predicted peak on the device that was measured."""
        return self.predicted.peak(self.place).bytes_in(self.place)

    @property
    def ratio(self) -> float | None:
        """Predicted peak divided by the measured one; None: nothing was measured."""
        return self.bytes / self.measured if self.measured else None


def to_train(config: AnyModel, techniques: Techniques, *, on_gpu: bool) -> Sizes:
    """Return the bytes of tensors that the tutorial's training of ``config`` is predicted to take.

    Its optimizer works on the processor, also where a step of the tutorial holds the moments on the GPU.
    """
    if not on_gpu:
        return Sizes(0, predict(config, techniques, device_is_gpu=False).ram_bytes)
    on_processor = predict(config, replace(techniques, optimizer_on_cpu=True))
    return Sizes(predict(config, techniques).gpu_bytes, on_processor.ram_bytes)


def lacking(needed: Sizes, free: Sizes) -> str:
    """Return in a sentence what ``free`` lacks for ``needed``, head-room included; empty if nothing is lacking."""
    more = missing(needed, free)
    parts = [(more.gpu, "GPU memory"), (more.ram, "RAM")]
    amounts = [f"{format_size(size)} more {kind}" for size, kind in parts if size]
    return f"It needs {' and '.join(amounts)} than is free." if amounts else ""


def part_of(line: MemoryLine) -> MemoryPart:
    """Return the part that a ``line`` of a prediction belongs to."""
    if line.source in (OPTIMIZER, MASTERS):
        return MemoryPart.OPTIMIZER
    if line.name in (WEIGHTS, WEIGHTS_IN_FLOAT32):
        return MemoryPart.WEIGHTS
    return MemoryPart.GRADIENTS if line.name == GRADIENTS else MemoryPart.ACTIVATIONS


def parts_of(prediction: Prediction, place: MemoryPlace) -> dict[MemoryPart, int]:
    """Return the bytes of each part at the moment that has the most on ``place``."""
    found = dict.fromkeys(MemoryPart, 0)
    for line in prediction.peak(place).lines:
        if line.place is place:
            found[part_of(line)] += line.bytes
    return found


def table(step: TutorialStep) -> str:
    """Return the ``step`` as a table in Markdown: a row for each part, and the sums beside what was measured."""
    places = ((step.predicted, step.place), (step.large, MemoryPlace.GPU), (step.large, MemoryPlace.RAM))
    columns = [parts_of(*each) for each in places]
    rows = [
        "| | predicted here | the large model: GPU | and RAM |",
        "|---|--:|--:|--:|",
        *(_row(part, [column[part] for column in columns]) for part in MemoryPart),
        _row("**together**", [sum(column.values()) for column in columns]),
    ]
    if step.measured is not None:
        rows.append(f"| measured | {_size(step.measured)} | | |")
        rows.append(f"| predicted / measured | {step.ratio:.3f} | | |")
    return "\n".join(rows)


def summary(steps: Sequence[TutorialStep]) -> str:
    """Return all ``steps`` as a table in Markdown, a row for each."""
    rows = [
        "| step | predicted here | measured | ratio | the large model: GPU | and RAM |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for step in steps:
        measured = "" if step.measured is None else _size(step.measured)
        ratio = "" if step.ratio is None else f"{step.ratio:.3f}"
        large = [_size(size) for size in (step.large.gpu_bytes, step.large.ram_bytes)]
        rows.append(f"| {step.name} | {_size(step.bytes)} | {measured} | {ratio} | {' | '.join(large)} |")
    return "\n".join(rows)


def picture(steps: Sequence[TutorialStep]) -> str:
    """Return ``steps`` as bars in SVG: predicted parts, what was measured beneath them, and the large model's."""
    here = [(step.name, parts_of(step.predicted, step.place), step.measured) for step in steps]
    large = [(step.name, parts_of(step.large, MemoryPlace.GPU), None) for step in steps]
    top = _legend_height() + _PANEL_TITLE
    middle = top + _LINE * len(steps) + _PANEL_TITLE
    drawn = [
        *_legend(any(step.measured is not None for step in steps)),
        *_panel(top, "Trained here: predicted, and measured", here),
        *_panel(middle, "The large model on a GPU: predicted", large),
    ]
    height = middle + _LINE * len(steps)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" role="img">'
        f"<title>Memory of training, step by step</title>"
        f'<rect width="{_WIDTH}" height="{height}" rx="8" fill="#ffffff"/>\n'
        + "\n".join(drawn)
        + "\n</svg>\n"
    )


def _row(name: str, sizes: Sequence[int]) -> str:
    return f"| {name} | {' | '.join(map(_size, sizes))} |"


def _size(size: int) -> str:
    """Return ``size`` as a cell of a table has it: in one line, also on a phone."""
    return format_size(size).replace(" ", "\u00a0") if size else "–"


def _legend_height() -> int:
    return 22 * 3


def _legend(has_measured: bool) -> Iterator[str]:
    entries = [(part.value, COLOURS[part]) for part in MemoryPart]
    if has_measured:
        entries.append(("measured", _MEASURED))
    for number, (name, colour) in enumerate(entries):
        x, y = _MARGIN + 210 * (number % 2), 12 + 22 * (number // 2)
        height = 4 if colour == _MEASURED else 12
        yield f'<rect x="{x}" y="{y + 6 - height / 2:g}" width="18" height="{height}" fill="{colour}"/>'
        yield _text(x + 26, y + 11, name)


def _panel(
    top: int, title: str, bars: Sequence[tuple[str, dict[MemoryPart, int], int | None]]
) -> Iterator[str]:
    yield _text(_MARGIN, top - 10, title, weight="bold")
    most = max(max(sum(parts.values()), measured or 0) for _, parts, measured in bars)
    scale = (_WIDTH - 2 * _MARGIN - _SIZES) / most
    for number, (name, parts, measured) in enumerate(bars):
        yield from _bar(top + _LINE * number, name, parts, measured, scale)


def _bar(
    y: int, name: str, parts: dict[MemoryPart, int], measured: int | None, scale: float
) -> Iterator[str]:
    yield _text(_MARGIN, y + 13, name, colour=_SOFT)
    x = float(_MARGIN)
    for part, size in parts.items():
        yield f'<rect x="{x:.1f}" y="{y + 19}" width="{size * scale:.1f}" height="15" fill="{COLOURS[part]}"/>'
        x += size * scale
    if measured is not None:
        x = max(x, _MARGIN + measured * scale)
        width = f"{measured * scale:.1f}"
        yield f'<rect x="{_MARGIN}" y="{y + 36}" width="{width}" height="4" fill="{_MEASURED}"/>'
    yield _text(x + 6, y + 31, format_size(sum(parts.values())))


def _text(x: float, y: float, text: str, *, weight: str = "normal", colour: str = _INK) -> str:
    return (
        f'<text x="{x:.1f}" y="{y}" font-family="sans-serif" font-size="13" font-weight="{weight}" '
        f'fill="{colour}">{escape(text)}</text>'
    )
