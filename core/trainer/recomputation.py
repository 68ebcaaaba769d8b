"""The recomputation of one peer's work, row by row, at the parameters at which that peer computed it."""

import logging
from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from core.data.streaming.sample_stream import rows_of_span
from core.model.elsewhere import Elsewhere
from core.swarm.auditing.recomputed import difference, rms_of, verdict_on
from core.swarm.auditing.row_spans import RowSpan
from core.swarm.auditing.trust import WorkVerdict
from core.swarm.auditing.work_auditor import WorkSample
from core.trainer.work_check import Unverifiable, WorkCheck, WorkFigures, Workshop, read_window, sent_values

_log = logging.getLogger(__name__)

LEAST_SHARE = 0.1
"""Share of the usual size of a value that those of a single part count for at least."""

PastParameters = Mapping[tuple[int, bytes], Sequence[Tensor]]
"""Parameters that the swarm had, by epoch and head."""


class Recomputation(WorkCheck):
    """Computes the gradients of a peer's rows, a micro-batch a turn, and compares them with what it sent."""

    def __init__(self, sample: WorkSample, heads: PastParameters, seed: str, shop: Workshop) -> None:
        """Prepare; nothing is read or computed yet.

        Args:
            sample: what the peer sent.
            heads: parameters of the heads that are at hand.
            seed: seed of the peer's order of the data.
            shop: what to compute with.
        """
        super().__init__(sample, seed, shop)
        self._heads = heads

    def _judge(self) -> Generator[bool, None, WorkVerdict]:
        if any((span.epoch, span.head) not in self._heads for span in self._sample.rows.spans):
            raise Unverifiable("some of its rows are of parameters that are not at hand.")
        gradients = yield from self._gradients()
        found = self._difference(gradients)
        verdict = verdict_on(found)
        if verdict is WorkVerdict.SOUND and self._sample.is_withheld:
            raise Unverifiable("none of the others shows what it sent them.")
        self.figures = WorkFigures(difference=found)
        _log.log(
            logging.INFO if verdict is WorkVerdict.SOUND else logging.WARNING,
            "Epoch %d: audit of the work of peer %s on %d rows: %s; it differs by %.2g.",
            self._sample.epoch,
            self._sample.name,
            self._sample.rows.rows,
            verdict.value,
            found,
        )
        return verdict

    def _difference(self, gradients: Sequence[Tensor]) -> float:
        """Return the largest difference, of what this peer reduced together and of each part of another reducer.

        What was sent to friends alone would be lost among all that is as it should be.
        """
        parts = self._shop.parts
        least = LEAST_SHARE * rms_of(parts, self._sample.parts, gradients)
        own = difference(parts, sent_values(self._sample.parts, parts), gradients)
        foreign = sent_values(self._sample.foreign, parts).items()
        apart = [difference(parts, {at: values}, gradients, least_rms=least) for at, values in foreign]
        return max([own, *apart])

    def _gradients(self) -> Generator[bool, None, list[Tensor]]:
        """Return the mean gradients of all rows, float32 in the shapes of the parameters."""
        spans, total = self._sample.rows.spans, self._sample.rows.rows
        sums: list[Tensor] | None = None
        for head in dict.fromkeys((span.epoch, span.head) for span in spans):
            place = Elsewhere(self._shop.parameters, self._heads[head], sums)
            for span in (item for item in spans if (item.epoch, item.head) == head):
                yield from self._compute(span, place)
            sums = place.sums
            del place  # whose values would be held beside those of the next one
        assert sums is not None, "a sample without rows is refused"
        return [item.to(torch.float32).div_(total) for item in sums]

    def _compute(self, span: RowSpan, place: Elsewhere) -> Generator[bool, None, None]:
        window = yield from read_window(self._shop.stream, self._seed, span)
        size = self._shop.micro_steps.micro_batch
        for first in range(0, span.count, size):
            count = min(size, span.count - first)
            piece = replace(span, first=span.first + first, count=count)
            with place.entered():
                dropout = self._shop.stream.caption_dropout
                self._shop.add_gradients(rows_of_span(window, piece, self._seed, dropout))
            yield True
