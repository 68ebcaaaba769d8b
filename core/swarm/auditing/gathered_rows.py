"""The rows of the samples that a peer has gathered, in step with its work: what it tells others of a round."""

from core.swarm.auditing.row_spans import RowClaim, RowSpan
from core.swarm.state.peer_work import Batch


class GatheredRows:
    """The rows behind a peer's work, in the order in which they were computed.

    Work is dropped in many places, none of which knows of rows. So the numbers are compared when a batch is handed
    over: rows that do not fit the batch are dropped, and nothing is claimed.
    """

    def __init__(self) -> None:
        """Begin without any."""
        self._spans: list[RowSpan] = []
        self._given: list[RowSpan] = []
        """The rows of the batch that a round has taken, in case it comes back."""

    def add(self, span: RowSpan) -> None:
        """Note the ``span`` of rows of a micro-step that was gathered."""
        joined = self._spans[-1].joined(span) if self._spans else None
        self._spans[-1:] = [joined] if joined is not None else [*self._spans[-1:], span]

    def clear(self) -> None:
        """Note that all work was dropped which no round has taken."""
        self._spans = []

    def hand_over(self, batch: Batch) -> RowClaim:
        """Return the rows of ``batch``, and keep those that stay behind it; nothing is claimed if they do not fit."""
        whole = sum(span.count for span in self._spans) == batch.samples + batch.left
        taken, kept = _split(self._spans, sum(span.count for span in self._spans) - batch.left)
        self._spans, self._given = kept, taken if whole else []
        return RowClaim.of(self._given)

    def take_back(self) -> None:
        """Note that the batch came back, and is a part of the work again."""
        self._spans, self._given = [*self._given, *self._spans], []


def _split(spans: list[RowSpan], rows: int) -> tuple[list[RowSpan], list[RowSpan]]:
    """Return the first ``rows`` rows of ``spans``, and the others."""
    first: list[RowSpan] = []
    for place, span in enumerate(spans):
        if rows < span.count:
            head, rest = _cut(span, max(0, rows))
            return [*first, *head], [*rest, *spans[place + 1 :]]
        first.append(span)
        rows -= span.count
    return first, []


def _cut(span: RowSpan, rows: int) -> tuple[list[RowSpan], list[RowSpan]]:
    rest = RowSpan(span.epoch, span.head, span.window, span.first + rows, span.count - rows)
    if not rows:
        return [], [rest]
    return [RowSpan(span.epoch, span.head, span.window, span.first, rows)], [rest]
