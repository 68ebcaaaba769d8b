"""Claims of rows: joined where they go on, bounded, and read back as they were."""

import pytest

from core.swarm.auditing.row_spans import MOST_CLAIM_BYTES, MOST_SPANS, RowClaim, RowSpan, WindowPlace
from core.swarm.wire.encoding import MalformedPart

PLACE = WindowPlace(2, (1, 2, 3, 4), b"\x07" * 8)


def span(first: int, count: int, epoch: int = 3, place: WindowPlace = PLACE) -> RowSpan:
    return RowSpan(epoch, bytes([epoch]) * 32, place, first, count)


def test_what_goes_on_is_one_span() -> None:
    other = PLACE._replace(number=3)
    claim = RowClaim.of([span(0, 4), span(4, 4), span(9, 1), span(0, 2, epoch=4), span(2, 2, 4, other)])
    assert claim.spans == (span(0, 8), span(9, 1), span(0, 2, epoch=4), span(2, 2, 4, other))
    assert claim.rows == 13
    assert RowClaim.unpack(claim.pack()) == claim


def test_too_many_spans_claim_nothing() -> None:
    spans = [span(2 * number, 1) for number in range(MOST_SPANS + 1)]
    assert len(RowClaim.of(spans[:-1]).pack()) == MOST_CLAIM_BYTES
    assert RowClaim.of(spans) == RowClaim()


@pytest.mark.parametrize("size", [1, MOST_CLAIM_BYTES - 1, MOST_CLAIM_BYTES + MOST_CLAIM_BYTES // MOST_SPANS])
def test_other_bytes_are_no_claim(size: int) -> None:
    with pytest.raises(MalformedPart, match="impossible size"):
        RowClaim.unpack(bytes(size))


@pytest.mark.parametrize(
    ("spans", "repeats"),
    [
        ([span(0, 8), span(0, 8)], True),
        ([span(4, 8), span(0, 5)], True),
        ([span(4, 8), span(0, 4)], False),
        ([span(0, 8), span(0, 8, epoch=4)], False),
        ([span(0, 8), span(0, 8, place=PLACE._replace(number=3))], False),
    ],
)
def test_rows_are_named_once(spans: list[RowSpan], repeats: bool) -> None:
    """Who named eight rows six times had computed eight, and 48 samples counted."""
    assert (RowClaim.of(spans) == RowClaim()) is repeats
    if repeats:
        with pytest.raises(MalformedPart, match="twice"):
            RowClaim.unpack(RowClaim(tuple(spans)).pack())
    else:
        assert RowClaim.unpack(RowClaim(tuple(spans)).pack()).rows == sum(item.count for item in spans)


def test_a_span_without_rows_is_no_claim() -> None:
    """An auditor that drew such a span took the mean loss of no rows, and its trainer ended."""
    with pytest.raises(MalformedPart, match="without rows"):
        RowClaim.unpack(RowClaim((span(0, 32), span(32, 0))).pack())
