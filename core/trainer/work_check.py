"""The common part of checks of what a peer sent: what they compute with, and their course of a micro-batch a turn."""

import logging
from abc import ABC, abstractmethod
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from secrets import token_hex

import torch
from hivemind.proto import runtime_pb2
from torch import Tensor, nn

from core.data.streaming.sample_stream import MicroBatch, SampleStream
from core.data.streaming.walk import Position
from core.data.streaming.windows import Window
from core.errors import DataError
from core.model.family.interface import SampleReader
from core.model.family.trainable import TrainableModel
from core.model.micro_steps import MicroSteps
from core.swarm.aggregation.contributions import PartValues
from core.swarm.auditing.row_spans import RowSpan, WindowPlace
from core.swarm.auditing.trust import WorkVerdict
from core.swarm.auditing.work_auditor import WorkSample
from core.swarm.rounds.partition import Part
from core.swarm.wire.encoding import MalformedPart, decode_received

_log = logging.getLogger(__name__)

_MOST_ROWS = 2
"""Multiple of the samples that a peer claims, up to which the rows that it names are computed."""


NO_ROWS = "it names no rows."


class Unverifiable(Exception):
    """The rows that a peer names cannot be computed here."""


@dataclass(frozen=True)
class WorkFigures:
    """The figures of a check: the difference of gradients, or the gains by a drift."""

    difference: float | None = None
    """Distance of what was sent from what its rows give, as a share of the length of that."""
    gain: float | None = None
    """Fall of the mean loss by the drift, per sample, on rows that its peer names."""
    gain_of_others: float | None = None
    """Fall on as many other rows."""
    why: str = ""
    """Reason why nothing was measured, as a sentence or the end of one; empty if something was."""


@dataclass(frozen=True)
class Workshop:
    """The parts of a trainer with which it recomputes."""

    model: TrainableModel
    parameters: Sequence[nn.Parameter]
    """Parameters of the model, in the order of the round's tensors."""
    parts: Sequence[Part]
    """The parts of a round."""
    stream: SampleStream
    """Reads windows of the data."""
    reader: SampleReader
    """Makes tensors of samples."""
    micro_steps: MicroSteps

    def add_gradients(self, batch: MicroBatch) -> float:
        """Add the gradients of the samples of ``batch`` where the model is, and return their mean loss."""
        return self.micro_steps.add_gradients(*self._tensors(batch))

    @torch.no_grad()
    def loss(self, batch: MicroBatch) -> float:
        """Return the mean loss of the samples of ``batch`` where the model is."""
        return float(self.model.loss(*self._tensors(batch)))

    def _tensors(self, batch: MicroBatch) -> list[Tensor]:
        device = self.parameters[0].device
        return [item.to(device) for item in self.reader.inputs(batch)]


def require_sense(sample: WorkSample) -> None:
    """Require that a ``sample`` names rows, and as many as it claims samples.

    Raises:
        Unverifiable: it names none, or so many that their computing leads nowhere.
        MalformedPart: it claims more samples than rows, or contradicts what its peer signed for another reducer.
    """
    if sample.contradiction:
        raise MalformedPart(f"It {sample.contradiction}")
    rows, weight = sample.rows.rows, sample.weight
    if not rows:
        raise Unverifiable(NO_ROWS)
    if weight > rows:
        raise MalformedPart(f"It claims {weight:g} samples of {rows} rows.")
    if rows > _MOST_ROWS * weight:
        raise Unverifiable(f"it names {rows} rows for {weight:g} samples.")


def sent_values(packed_parts: Mapping[int, bytes], parts: Sequence[Part]) -> dict[int, PartValues]:
    """Return the values in ``packed_parts`` of a sample, by the indices of ``parts``.

    Raises MalformedPart if they are none.
    """
    found = {}
    for index, packed in packed_parts.items():
        tensor = runtime_pb2.Tensor.FromString(packed)
        found[index] = decode_received(tensor, parts[index].encoding, parts[index].values)
    return found


def read_window(stream: SampleStream, seed: str, span: RowSpan) -> Generator[bool, None, Window]:
    """Return the window of a ``span`` of the peer with that ``seed``, read beside the ``stream``; yield meanwhile.

    Raises:
        DataError: there is none.
        Unverifiable: it has other rows than its peer names.
    """
    window = yield from _reading(stream, seed, span.window)
    if window.place != span.window:
        raise Unverifiable("this peer reads other rows at the place that it names.")
    return window


def read_drawn_window(stream: SampleStream) -> Generator[bool, None, Window]:
    """Return a window that no peer foresees, read beside the ``stream``; yield meanwhile.

    Raises DataError if the data has none.
    """
    return (yield from _reading(stream, token_hex(16), WindowPlace(0, Position(), b"")))


def _reading(stream: SampleStream, seed: str, place: WindowPlace) -> Generator[bool, None, Window]:
    with closing(stream.window_of(seed, place)) as reading:
        while not reading.ready():
            yield False
        return reading.take()


class WorkCheck(ABC):
    """A check of what one peer sent, which computes a micro-batch a turn."""

    def __init__(self, sample: WorkSample, seed: str, shop: Workshop) -> None:
        """Prepare; nothing is read or computed yet.

        Args:
            sample: what the peer sent.
            seed: seed of the peer's order of the data.
            shop: what to compute with.
        """
        self._sample, self._seed, self._shop = sample, seed, shop
        self._steps = self._checked()
        self.verdict: WorkVerdict | None = None
        """The outcome; None until the end."""
        self.figures = WorkFigures()
        """Figures that were measured by then."""

    def turn(self) -> bool:
        """Compute a micro-batch; return false if its rows are not there yet, or there are no more."""
        try:
            return next(self._steps)
        except StopIteration as end:
            self.verdict = end.value
            return False

    def close(self) -> None:
        """Give it up, and end the reading."""
        self._steps.close()

    def _checked(self) -> Generator[bool, None, WorkVerdict]:
        epoch, name = self._sample.epoch, self._sample.name
        try:
            require_sense(self._sample)
            return (yield from self._judge())
        except (Unverifiable, DataError) as error:
            _log.info("Epoch %d: the work of peer %s is not verified: %s", epoch, name, error)
            self.figures = WorkFigures(why=str(error))
            return WorkVerdict.UNVERIFIABLE
        except MalformedPart as error:
            _log.warning("Epoch %d: peer %s sent false work: %s", epoch, name, error)
            self.figures = WorkFigures(why=str(error))
            return WorkVerdict.FALSE

    @abstractmethod
    def _judge(self) -> Generator[bool, None, WorkVerdict]:
        """Yield after each micro-batch, and while rows are read; return the verdict.

        Raises:
            Unverifiable: the rows cannot be computed here.
            DataError: the rows cannot be read.
            MalformedPart: what the peer sent contradicts itself.
        """
