"""Gauntlet's test of one peer's drift: how far it lowers the loss on rows that its peer names, and on others."""

import logging
from collections.abc import Generator, MutableMapping, Sequence
from random import SystemRandom

from torch import Tensor

from core.data.streaming.assignment import assigned_rows
from core.data.streaming.stream import samples_at
from core.data.streaming.windows import Window
from core.model.elsewhere import Elsewhere
from core.swarm.aggregation.contributions import dense_of
from core.swarm.auditing.drift_scores import DriftGains, DriftOutcomes, after_test, verdict_on
from core.swarm.auditing.trust import WorkVerdict
from core.swarm.auditing.work_auditor import WorkSample
from core.trainer.work_check import Unverifiable, WorkCheck, WorkFigures, Workshop, read_window, sent_values

_log = logging.getLogger(__name__)

_draws = SystemRandom()
"""Draws of rows, which no peer foresees."""
_ROWS = 32
"""Rows of each kind on which the loss is taken."""


class DriftTest(WorkCheck):
    """Takes the loss before and after the drift that a peer sent, as far as this peer reduced it."""

    def __init__(
        self,
        sample: WorkSample,
        committed: Sequence[Tensor],
        seed: str,
        shop: Workshop,
        tests: MutableMapping[str, DriftOutcomes],
    ) -> None:
        """Prepare; nothing is read or computed yet.

        Args:
            sample: what the peer sent.
            committed: parameters from which the drift leads on, in their own shapes.
            seed: seed of the peer's order of the data.
            shop: what to compute with.
            tests: outcomes of the last tests by the names of peers, to which this one is added.
        """
        super().__init__(sample, seed, shop)
        self._committed, self._tests = committed, tests

    def _judge(self) -> Generator[bool, None, WorkVerdict]:
        span = _draws.choice(self._sample.rows.spans)
        window = yield from read_window(self._shop.stream, self._seed, span)
        own, others = self._rows(window)
        before = yield from self._losses(self._committed, window, own, others)
        after = yield from self._losses(self._moved(), window, own, others)
        return self._judged(DriftGains(before[0] - after[0], before[1] - after[1]))

    def _judged(self, gains: DriftGains) -> WorkVerdict:
        name = self._sample.name
        self._tests[name] = after_test(self._tests.get(name, ()), gains)
        of_others = (outcomes for other, outcomes in self._tests.items() if other != name)
        verdict = verdict_on(self._tests[name], of_others)
        self.figures = WorkFigures(gain=gains.own, gain_of_others=gains.others)
        _log.info(
            "Epoch %d: the drift of peer %s lowers the loss by %.2g on its own rows, and by %.2g on others: %s.",
            self._sample.epoch,
            name,
            gains.own,
            gains.others,
            verdict.value,
        )
        return verdict

    def _rows(self, window: Window) -> tuple[list[int], list[int]]:
        """Return places in the ``window`` of rows that the peer names, and of as many others.

        Raises Unverifiable if there are too few others.
        """
        size, named = len(window.captions), set[int]()
        for span in self._sample.rows.spans:
            if span.window == window.place:
                count = min(span.count, size)
                named |= set(
                    assigned_rows(self._seed, span.epoch, span.head, size, first=span.first, count=count)
                )
        count = min(_ROWS, len(named))
        left = [place for place in range(size) if place not in named]
        if len(left) < count:
            raise Unverifiable("its window has too few rows that it did not name.")
        return _draws.sample(sorted(named), count), _draws.sample(left, count)

    def _moved(self) -> list[Tensor]:
        """Return the committed parameters less what is at hand of the drift."""
        moved = [item.clone() for item in self._committed]
        for index, values in sent_values(self._sample, self._shop.parts).items():
            part = self._shop.parts[index]
            part.scatter(part.gather(self._committed) - dense_of(values), moved)
        return moved

    def _losses(
        self, values: Sequence[Tensor], window: Window, *rows: list[int]
    ) -> Generator[bool, None, list[float]]:
        """Return the mean loss on each list of ``rows`` of the ``window``, with parameters of those ``values``."""
        place, size = Elsewhere(self._shop.parameters, values), self._shop.micro_steps.micro_batch
        found = []
        for places in rows:
            total = 0.0
            for first in range(0, len(places), size):
                piece = places[first : first + size]
                with place.entered():
                    total += self._shop.loss(samples_at(window, piece)) * len(piece)
                yield True
            found.append(total / len(places))
        return found
