"""Gauntlet's test of one peer's drift: how far it lowers the loss on rows that its peer names, and on others."""

import logging
from collections.abc import Generator, Iterable, MutableMapping, Sequence
from dataclasses import dataclass
from random import SystemRandom

from torch import Tensor

from core.data.streaming.assignment import assigned_rows
from core.data.streaming.sample_stream import samples_at
from core.data.streaming.windows import Window
from core.model.elsewhere import Elsewhere
from core.swarm.aggregation.contributions import dense_of
from core.swarm.auditing.drift_scores import DriftGains, DriftOutcomes, after_test, verdict_on
from core.swarm.auditing.trust import WorkVerdict
from core.swarm.auditing.work_auditor import WorkSample
from core.trainer.work_check import (
    Unverifiable,
    WorkCheck,
    WorkFigures,
    Workshop,
    read_drawn_window,
    read_window,
    sent_values,
)

_log = logging.getLogger(__name__)

_draws = SystemRandom()
"""Draws of rows, which no peer foresees."""
_ROWS = 32
"""Rows of each kind on which the loss is taken."""
_WINDOWS = 5
"""Windows in which rows are searched that a peer did not name; in small data, windows share rows."""
TOO_FEW_OTHERS = "the data has too few rows that it did not name."


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
        named = self._named(window)
        count = min(_ROWS, len(named))
        others = yield from self._others(window, named, count)
        rows = _RowsOf(window, _draws.sample(sorted(named), count)), others
        before = yield from self._losses(self._committed, rows)
        after = yield from self._losses(self._moved(), rows)
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

    def _named(self, window: Window) -> set[int]:
        """Return the places in the ``window`` of all rows that the peer names."""
        size, named = len(window.captions), set[int]()
        for span in self._sample.rows.spans:
            if span.window == window.place:
                count = min(span.count, size)
                named |= set(
                    assigned_rows(self._seed, span.epoch, span.head, size, first=span.first, count=count)
                )
        return named

    def _others(self, window: Window, named: set[int], count: int) -> Generator[bool, None, "_RowsOf"]:
        """Return ``count`` rows that the peer did not name: of its ``window``, or of another if it named nearly all.

        Else a peer that names whole windows would never be tested. Raises Unverifiable if the data has too few.
        """
        left = [place for place in range(len(window.captions)) if place not in named]
        known = set(_contents(window)) if len(left) < count else set()
        for number in range(_WINDOWS):
            if number:
                window = yield from read_drawn_window(self._shop.stream)
                left = [place for place, content in enumerate(_contents(window)) if content not in known]
            if len(left) >= count:
                return _RowsOf(window, _draws.sample(left, count))
        raise Unverifiable(TOO_FEW_OTHERS)

    def _moved(self) -> list[Tensor]:
        """Return the committed parameters less what is at hand of the drift."""
        moved = [item.clone() for item in self._committed]
        for index, values in sent_values(self._sample.parts, self._shop.parts).items():
            part = self._shop.parts[index]
            part.scatter(part.gather(self._committed) - dense_of(values), moved)
        return moved

    def _losses(
        self, values: Sequence[Tensor], rows: Sequence["_RowsOf"]
    ) -> Generator[bool, None, list[float]]:
        """Return the mean loss on each of ``rows``, with parameters of those ``values``."""
        place, size = Elsewhere(self._shop.parameters, values), self._shop.micro_steps.micro_batch
        found = []
        for each in rows:
            total = 0.0
            for first in range(0, len(each.places), size):
                piece = each.places[first : first + size]
                with place.entered():
                    total += self._shop.loss(samples_at(each.window, piece)) * len(piece)
                yield True
            found.append(total / len(each.places))
        return found


@dataclass(frozen=True)
class _RowsOf:
    """Some rows of one window."""

    window: Window
    places: list[int]


def _contents(window: Window) -> Iterable[tuple[str, bytes]]:
    """Yield what tells each row of a ``window`` from others."""
    return ((caption, codes.tobytes()) for caption, codes in zip(window.captions, window.codes, strict=True))
