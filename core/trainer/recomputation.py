"""The recomputation of one peer's work, row by row, at the parameters at which that peer computed it."""

import logging
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

import torch
from hivemind.proto import runtime_pb2
from torch import Tensor, nn

from core.data.streaming.stream import CodeStream, MicroBatch, rows_of_span
from core.data.streaming.windows import Window
from core.errors import DataError
from core.model.elsewhere import Elsewhere
from core.model.micro_steps import MicroSteps
from core.model.transformer import Transformer
from core.swarm.aggregation.contributions import PartValues
from core.swarm.auditing.recomputed import difference, verdict_on
from core.swarm.auditing.row_spans import RowSpan
from core.swarm.auditing.trust import WorkVerdict
from core.swarm.auditing.work_auditor import WorkSample
from core.swarm.rounds.partition import Part
from core.swarm.wire.encoding import MalformedPart, decode_received
from core.text import CaptionTokenizer

_log = logging.getLogger(__name__)

_MOST_ROWS = 2
"""Multiple of the samples that a peer claims, up to which the rows that it names are computed."""
PastParameters = Mapping[tuple[int, bytes], Sequence[Tensor]]
"""Parameters that the swarm had, by epoch and head."""


class Unverifiable(Exception):
    """The rows that a peer names cannot be computed here."""


@dataclass(frozen=True)
class Workshop:
    """The parts of a trainer with which it recomputes."""

    model: Transformer
    parameters: Sequence[nn.Parameter]
    """Parameters of the model, in the order of the round's tensors."""
    parts: Sequence[Part]
    """The parts of a round."""
    stream: CodeStream
    """Reads windows of the data."""
    tokenizer: CaptionTokenizer
    micro_steps: MicroSteps

    def add_gradients(self, batch: MicroBatch) -> float:
        """Add the gradients of the samples of ``batch`` where the model is, and return their mean loss."""
        return self.micro_steps.add_gradients(*self._tensors(batch))

    @torch.no_grad()
    def loss(self, batch: MicroBatch) -> float:
        """Return the mean loss of the samples of ``batch`` where the model is."""
        return float(self.model.loss(*self._tensors(batch)))

    def _tensors(self, batch: MicroBatch) -> tuple[Tensor, Tensor]:
        device = self.parameters[0].device
        return self.tokenizer.encode(batch.captions).to(device), batch.codes.to(device)


def require_sense(sample: WorkSample) -> None:
    """Require that a ``sample`` names rows, and as many as it claims samples.

    Raises:
        Unverifiable: it names none, or so many that their computing leads nowhere.
        MalformedPart: it claims more samples than rows.
    """
    rows, weight = sample.rows.rows, sample.weight
    if not rows:
        raise Unverifiable("it names no rows.")
    if weight > rows:
        raise MalformedPart(f"It claims {weight:g} samples of {rows} rows.")
    if rows > _MOST_ROWS * weight:
        raise Unverifiable(f"it names {rows} rows for {weight:g} samples.")


def sent_values(sample: WorkSample, parts: Sequence[Part]) -> dict[int, PartValues]:
    """Return the values in a ``sample`` of the ``parts`` of a round; raises MalformedPart if they are none."""
    found = {}
    for index, packed in sample.parts.items():
        tensor = runtime_pb2.Tensor.FromString(packed)
        found[index] = decode_received(tensor, parts[index].encoding, parts[index].values)
    return found


def read_window(stream: CodeStream, seed: str, span: RowSpan) -> Generator[bool, None, Window]:
    """Return the window of a ``span`` of the peer with that ``seed``, read beside the ``stream``; yield meanwhile.

    Raises:
        DataError: there is none.
        Unverifiable: it has other rows than its peer names.
    """
    with closing(stream.window_of(seed, span.window)) as reading:
        while not reading.ready():
            yield False
        window = reading.take()
    if window.place != span.window:
        raise Unverifiable("this peer reads other rows at the place that it names.")
    return window


class Recomputation:
    """Computes the gradients of a peer's rows, a micro-batch a turn, and compares them with what it sent."""

    def __init__(self, sample: WorkSample, heads: PastParameters, seed: str, shop: Workshop) -> None:
        """Prepare; nothing is read or computed yet.

        Args:
            sample: what the peer sent.
            heads: parameters of the heads that are at hand.
            seed: seed of the peer's order of the data.
            shop: what to compute with.
        """
        self._sample, self._heads, self._seed, self._shop = sample, heads, seed, shop
        self._steps = self._work()
        self.verdict: WorkVerdict | None = None
        """The outcome; None until the end."""

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

    def _work(self) -> Generator[bool, None, WorkVerdict]:
        """Yield after each micro-batch, and while rows are read; return the verdict."""
        name = self._sample.name
        try:
            require_sense(self._sample)
            if any((span.epoch, span.head) not in self._heads for span in self._sample.rows.spans):
                raise Unverifiable("some of its rows are of parameters that are not at hand.")
            gradients = yield from self._gradients()
            found = difference(self._shop.parts, sent_values(self._sample, self._shop.parts), gradients)
        except (Unverifiable, DataError) as error:
            _log.info("Epoch %d: the work of peer %s is not verified: %s", self._sample.epoch, name, error)
            return WorkVerdict.UNVERIFIABLE
        except MalformedPart as error:
            _log.warning("Epoch %d: peer %s sent false work: %s", self._sample.epoch, name, error)
            return WorkVerdict.FALSE
        verdict, rows = verdict_on(found), self._sample.rows.rows
        _log.log(
            logging.INFO if verdict is WorkVerdict.SOUND else logging.WARNING,
            "Epoch %d: audit of the work of peer %s on %d rows: %s; it differs by %.2g.",
            self._sample.epoch,
            name,
            rows,
            verdict.value,
            found,
        )
        return verdict

    def _gradients(self) -> Generator[bool, None, list[Tensor]]:
        """Return the mean gradients of all rows, float32 in the shapes of the parameters."""
        spans, total = self._sample.rows.spans, self._sample.rows.rows
        sums: list[Tensor] = []
        for head in dict.fromkeys((span.epoch, span.head) for span in spans):
            place = Elsewhere(self._shop.parameters, self._heads[head])
            for span in (item for item in spans if (item.epoch, item.head) == head):
                yield from self._compute(span, place)
            means = place.mean_gradients(total)
            sums = [one + other for one, other in zip(sums, means, strict=True)] if sums else means
        return sums

    def _compute(self, span: RowSpan, place: Elsewhere) -> Generator[bool, None, None]:
        window = yield from read_window(self._shop.stream, self._seed, span)
        size = self._shop.micro_steps.micro_batch
        for first in range(0, span.count, size):
            count = min(size, span.count - first)
            piece = replace(span, first=span.first + first, count=count)
            with place.entered():
                self._shop.add_gradients(rows_of_span(window, piece, self._seed))
            yield True
