"""Rows follow from peer, epoch and head: a table of the function, and the stream that draws by it."""

import json
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from core.data.streaming.assignment import assigned_rows, epoch_order
from core.data.streaming.sample_stream import rows_of_span
from core.data.streaming.stream import CodeStream
from core.data.streaming.walk import Position, peer_seed
from core.data.streaming.windows import Window
from core.swarm.auditing.row_spans import RowSpan
from tests.core.data.streaming.numbered_rows import numbered, rows_of, stream, write_shards

HEAD, OTHER = bytes(32), b"\x01" * 32


@pytest.mark.parametrize(
    ("seed", "epoch", "head", "expected"),
    [
        ("a", 0, HEAD, [2, 3, 4, 7, 1, 5, 6, 0]),
        ("b", 0, HEAD, [7, 0, 4, 6, 5, 1, 3, 2]),
        ("a", 1, HEAD, [6, 4, 3, 5, 1, 2, 0, 7]),
        ("a", 0, OTHER, [1, 3, 7, 0, 4, 6, 5, 2]),
    ],
    ids=["one peer", "another peer", "another epoch", "another head"],
)
def test_an_order_is_the_same_for_ever(seed: str, epoch: int, head: bytes, expected: list[int]) -> None:
    assert epoch_order(seed, epoch, head, 8) == expected


def test_rows_can_be_named_from_anywhere_on() -> None:
    whole = assigned_rows("a", 3, HEAD, 10, first=0, count=35)
    assert [sorted(whole[lap : lap + 10]) for lap in (0, 10, 20)] == [list(range(10))] * 3
    for first, count in [(0, 10), (4, 3), (8, 15), (29, 6)]:
        assert assigned_rows("a", 3, HEAD, 10, first=first, count=count) == whole[first : first + count]


def test_orders_of_neighbouring_epochs_agree_by_chance_alone() -> None:
    orders = np.array([epoch_order("a", epoch, HEAD, 500) for epoch in range(60)])
    agreeing = [(one == other).sum() for one, other in pairwise(orders)]
    assert np.mean(agreeing) == pytest.approx(1, abs=0.5)


def assigned(folder: Path, peer: str = "peer", window_rows: int = 40, **options: float) -> CodeStream:
    rows = write_shards(folder, numbered([60, 60]), 10)
    return stream(rows, peer, window_rows=window_rows, is_assigned=True, **options)


def test_an_epoch_draws_from_one_window_and_the_next_one_follows_once_it_was_used(tmp_path: Path) -> None:
    with closing(assigned(tmp_path)) as rows:
        epochs = []
        for epoch in range(5):
            rows.begin_epoch(epoch, HEAD)
            epochs.append(rows_of(rows, 20) + rows_of(rows, 5))
        assert all(len(set(found)) == 25 for found in epochs), "an epoch takes no row twice before all"
        windows = set(epochs[0]) | set(epochs[1]), set(epochs[2]) | set(epochs[3])
        assert windows[0].isdisjoint(windows[1])
        assert set(epochs[4]).isdisjoint(windows[1])


def test_the_rows_are_those_of_their_span_for_anyone(tmp_path: Path) -> None:
    with closing(assigned(tmp_path)) as own:
        taken = []
        for epoch, count in enumerate([7, 40, 9]):
            own.begin_epoch(epoch, OTHER)
            taken.append(own.take(count))
        own.begin_epoch(2, OTHER)
        taken.append(own.take(3))
        assert [item.rows.first for item in taken if item.rows] == [0, 0, 0, 9]
        with closing(assigned(tmp_path, "auditor")) as auditor:
            for batch in taken:
                assert batch.rows is not None
                again = rows_of_span(found_by(auditor, batch.rows), batch.rows, peer_seed(0, "peer"))
                assert again.captions == batch.captions
                assert again.codes.equal(batch.codes)


def test_the_same_rows_lack_their_caption_for_anyone(tmp_path: Path) -> None:
    with closing(assigned(tmp_path, caption_dropout=0.3)) as own, closing(assigned(tmp_path)) as whole:
        dropped = []
        for epoch in range(6):
            for rows in (own, whole):
                rows.begin_epoch(epoch, OTHER)
            batch, plain = own.take(40), whole.take(40)
            assert batch.rows is not None
            assert batch.codes.equal(plain.codes)
            pairs = list(zip(batch.captions, plain.captions, strict=True))
            assert all(caption in ("", known) for caption, known in pairs)
            dropped.append([known for caption, known in pairs if not caption])
            with closing(assigned(tmp_path, "auditor")) as auditor:
                window = found_by(auditor, batch.rows)
                again = rows_of_span(window, batch.rows, peer_seed(0, "peer"), own.caption_dropout)
            assert again.captions == batch.captions
    assert 0.2 < sum(map(len, dropped)) / 240 < 0.4
    assert len(set(map(tuple, dropped))) == 6, "each time others"


def found_by(auditor: CodeStream, span: RowSpan) -> Window:
    with closing(auditor.window_of(peer_seed(0, "peer"), span.window)) as found:
        window = found.take()
    assert window.place == span.window
    return window


def test_a_resumed_peer_goes_on_in_its_window(tmp_path: Path) -> None:
    with closing(assigned(tmp_path)) as one, closing(assigned(tmp_path)) as resumed:
        for epoch in range(3):
            one.begin_epoch(epoch, HEAD)
            one.take(15)
        one.begin_epoch(3, HEAD)
        resumed.load_state_dict(json.loads(json.dumps(one.state_dict())))
        for epoch in range(3, 8):
            for rows in (one, resumed):
                rows.begin_epoch(epoch, HEAD)
            assert rows_of(one, 15) == rows_of(resumed, 15)


def test_a_peer_that_resumes_within_an_epoch_takes_the_rows_that_follow(tmp_path: Path) -> None:
    with closing(assigned(tmp_path)) as one, closing(assigned(tmp_path)) as resumed:
        one.begin_epoch(2, HEAD)
        one.take(15)
        resumed.load_state_dict(json.loads(json.dumps(one.state_dict())))
        for rows in (one, resumed):
            rows.begin_epoch(2, HEAD)
        assert rows_of(one, 15) == rows_of(resumed, 15)
        for rows in (one, resumed):
            rows.begin_epoch(3, HEAD)
        assert rows_of(one, 15) == rows_of(resumed, 15)


def test_the_place_of_another_peer_is_left_alone(tmp_path: Path) -> None:
    with closing(assigned(tmp_path, "other")) as other, closing(assigned(tmp_path)) as own:
        other.take(40)
        other.begin_epoch(1, HEAD)
        other.take(1)
        own.load_state_dict(other.state_dict())
        first = own.take(1).rows
        assert first is not None
        assert Position(*first.window.start) == Position()
