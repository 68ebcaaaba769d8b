"""The stream: every row once a pass, resumed exactly, well mixed, bounded, and different for each peer."""

import json
import tempfile
import weakref
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data.layout import BATCH_ROWS
from core.data.listing import Shard
from core.data.streaming.rows import ShardRows
from core.data.streaming.stream import CodeStream
from core.data.streaming.walk import Position, peer_seed, permutation
from core.data.streaming.windows import WINDOW_BYTES, Window, Windows, WindowSizes
from core.errors import DataError, ManifestError
from core.families.text_to_image.rules import TextToImageRules
from core.model.config import ModelConfig
from core.run.training.data_rules import CodecRules, DataRules, TextRules
from core.storage.files import FileRef
from tests.core.data.streaming.numbered_rows import GRID, VOCAB, numbered, row, rows_of, stream, write_shards

layouts = st.fixed_dictionaries(
    {
        "counts": st.lists(st.integers(0, 30), min_size=1, max_size=4).filter(any),
        "row_group_rows": st.integers(1, 12),
        "window_rows": st.integers(1, 40),
        "first_rows": st.one_of(st.none(), st.integers(1, 8)),
        "dropped": st.sets(st.integers(0, 119), max_size=40),
    }
)


def laid_out(folder: Path, layout: dict[str, Any]) -> tuple[Callable[[], CodeStream], list[int]]:
    """Return a function that opens a stream over fresh shards, and the row numbers that filters keep."""
    shards = numbered(layout["counts"])
    kept = [n for n in range(sum(layout["counts"])) if n not in layout["dropped"]] or [0]
    shards = [[r if int(r.caption[4:]) in kept else replace(r, nsfw="NSFW") for r in rows] for rows in shards]
    rows = write_shards(folder, shards, layout["row_group_rows"])
    sizes = {name: layout[name] for name in ("window_rows", "first_rows")}
    return partial(stream, rows, **sizes), kept


@settings(max_examples=25)
@given(layout=layouts)
def test_each_pass_yields_every_kept_row_once(layout: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        opened, kept = laid_out(Path(folder), layout)
        with closing(opened()) as rows:
            for completed in range(3):
                assert sorted(rows_of(rows, len(kept))) == kept
                assert rows.passes == completed


@settings(max_examples=25)
@given(layout=layouts, stops=st.lists(st.integers(0, 50), min_size=1, max_size=4))
def test_a_resumed_stream_equals_an_uninterrupted_one(layout: dict[str, Any], stops: list[int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        opened, _ = laid_out(Path(folder), layout)
        expected = rows_of(opened(), sum(stops) + 40)
        seen: list[int] = []
        resumed = opened()
        for stop in stops:
            seen += rows_of(resumed, stop)
            saved = json.dumps(resumed.state_dict())
            resumed = opened()
            resumed.load_state_dict(json.loads(saved))
        assert seen + rows_of(resumed, 40) == expected


def test_captions_are_left_out_at_the_same_rows_by_a_resumed_stream(tmp_path: Path) -> None:
    rows = write_shards(tmp_path, numbered([50]), 10)
    options: dict[str, Any] = {"window_rows": 20, "caption_dropout": 0.25}
    with closing(stream(rows, **options)) as whole, closing(stream(rows, **options)) as first:
        taken = whole.take(400).captions
        before = first.take(130).captions
        with closing(stream(rows, **options)) as resumed:
            resumed.load_state_dict(first.state_dict())
            assert before + resumed.take(270).captions == taken
    assert 0.15 < taken.count("") / 400 < 0.35
    passes = [
        [row for row, caption in enumerate(taken[at : at + 50]) if not caption] for at in range(0, 400, 50)
    ]
    assert len(set(map(tuple, passes))) == len(passes)


def test_a_small_set_is_shuffled_as_a_whole(tmp_path: Path) -> None:
    one = rows_of(stream(write_shards(tmp_path, numbered([600]), 64)), 600)
    places = np.empty(600)
    places[one] = np.arange(600)
    assert abs(np.corrcoef(places, np.arange(600))[0, 1]) < 0.15
    # Neighbours in the file are as far apart as in a random order, a third of the set.
    assert 160 < np.abs(np.diff(places)).mean() < 240


def test_a_window_mixes_row_groups_of_several_shards(tmp_path: Path) -> None:
    rows = write_shards(tmp_path, numbered([40] * 10), 8)
    first = rows_of(stream(rows, window_rows=160), 160)
    assert len({number // 40 for number in first}) == 4
    assert len({number // 40 for number in first[:20]}) >= 3


def test_passes_and_peers_have_orders_of_their_own(tmp_path: Path) -> None:
    rows = write_shards(tmp_path, numbered([50, 50]), 10)
    peers = [stream(rows, peer) for peer in ("a", "b")]
    orders = [rows_of(peer, 100) for peer in peers for _ in range(2)]
    assert len({tuple(order) for order in orders}) == 4
    agreeing = Counter(a == b for a, b in zip(orders[0], orders[2], strict=True))
    assert agreeing[True] < 10


def test_peers_read_what_others_read_at_the_same_time_no_more_than_chance_has_it(tmp_path: Path) -> None:
    shards, rows_each, window = 12, 24, 48
    rows = write_shards(tmp_path, numbered([rows_each] * shards), 6)
    peers = [stream(rows, f"peer {number}", window_rows=window) for number in range(24)]
    windows = [[set(rows_of(peer, window)) for _ in range(6)] for peer in peers]
    common = [
        len(one & other)
        for at_the_time in zip(*windows, strict=True)
        for one, other in combinations(at_the_time, 2)
    ]
    chance = window**2 / (shards * rows_each)
    assert len(common) == 6 * 276
    assert abs(np.mean(common) / chance - 1) < 0.1


def test_the_order_of_shards_agrees_between_peers_by_chance_alone() -> None:
    shards, peers = 500, 100
    orders = np.array([permutation(shards, peer_seed(0, str(peer)), "shards", 0) for peer in range(peers)])
    agreeing = [(one == other).sum() for one, other in combinations(orders, 2)]
    # As many fixed points as a random permutation has: one on average, with a variance of one.
    assert np.mean(agreeing) == pytest.approx(1, abs=0.06)
    assert np.var(agreeing) == pytest.approx(1, abs=0.12)


def test_the_same_seed_gives_the_same_order_for_ever() -> None:
    assert permutation(8, "seed", "rows", 3) == [0, 5, 7, 1, 6, 2, 4, 3]


def test_memory_holds_a_few_windows_however_large_the_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that is taken from, the next if a batch needs both, the one read ahead, and the one being read."""
    made: list[weakref.ref[Window]] = []
    following = Windows.following

    def observed(windows: Windows, start: Position, number: int) -> Generator[Window]:
        for window in following(windows, start, number):
            made.append(weakref.ref(window))
            yield window

    monkeypatch.setattr(Windows, "following", observed)
    rows = stream(write_shards(tmp_path, numbered([700, 700]), 350), window_rows=64)
    held = set()
    for _ in range(200):
        rows.take(7)
        held.add(sum(window() is not None for window in made))
    assert len(made) > 20
    assert max(held) <= 4


def test_windows_grow_so_that_training_begins_soon() -> None:
    window = WindowSizes(rows=8192, first=256)
    sizes = [window.size(number) for number in range(20)]
    assert sizes[0] == 256
    assert sizes[-1] == window.size(10**6) == 8192
    ready = np.cumsum(sizes)[1:]  # rows that must have been read when so many were taken
    taken = np.cumsum(sizes)[:-1]
    assert (0.8 * ready <= taken + 0.8 * sizes[0] + 1).all(), "a line 1.25 times as fast keeps up"
    assert {WindowSizes(rows=5, first=5).size(number) for number in range(9)} == {5}


def test_a_window_ends_where_its_bytes_do(tmp_path: Path) -> None:
    long = [replace(row(number), caption=f"row {number}" + " " * (WINDOW_BYTES // 4)) for number in range(6)]
    one = stream(write_shards(tmp_path, [long], 1))
    places = []
    for _ in range(6):
        one.take(1)
        places.append(one.state_dict()["window"])
    assert places == [0, 0, 0, 0, 1, 1]


def test_batches_span_windows_and_passes(tmp_path: Path) -> None:
    rows = stream(write_shards(tmp_path, numbered([5, 5]), 2), window_rows=3)
    batches = [rows.take(7) for _ in range(10)]
    assert {len(batch.captions) for batch in batches} == {7}
    assert {tuple(batch.codes.shape) for batch in batches} == {(7, GRID * GRID)}
    assert set(Counter(caption for batch in batches for caption in batch.captions).values()) == {7}


def test_a_resume_goes_deep_into_a_large_row_group(tmp_path: Path) -> None:
    rows = write_shards(tmp_path, numbered([2 * BATCH_ROWS + 100]), 4 * BATCH_ROWS)
    one, resumed = (stream(rows, window_rows=100) for _ in range(2))
    one.take(2 * BATCH_ROWS)
    resumed.load_state_dict(one.state_dict())
    assert rows_of(resumed, 300) == rows_of(one, 300)


def test_nothing_kept_is_an_error_and_not_an_endless_search(tmp_path: Path) -> None:
    rows = write_shards(tmp_path, [[replace(row(n), caption="x") for n in range(20)]], 4)
    with pytest.raises(DataError, match="keep no row"):
        stream(rows).take(1)


def test_a_position_in_other_data_is_refused(tmp_path: Path) -> None:
    rows = write_shards(tmp_path, numbered([20]), 4)
    saved = stream(rows).state_dict()
    other = ShardRows([Shard("0.parquet", str(tmp_path / "0.parquet"), "another digest")])
    with pytest.raises(DataError, match="other data"):
        stream(other).load_state_dict(saved)
    with pytest.raises(DataError, match="other data"):
        stream(rows, window_rows=7).load_state_dict(saved)


@pytest.mark.parametrize(
    "change", [{"taken": -1}, {"taken": "1"}, {"shard": None}, {"extra": 1}, {"row": 1.5}, {"taken": 10**6}]
)
def test_a_malformed_position_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    rows = stream(write_shards(tmp_path, numbered([20]), 4))
    with pytest.raises(DataError, match="saved position"):
        rows.load_state_dict({**rows.state_dict(), **change})
    with pytest.raises(DataError, match="malformed"):
        rows.load_state_dict({})


def test_a_position_is_small_and_carries_the_order(tmp_path: Path) -> None:
    rows = write_shards(tmp_path, numbered([100, 100]), 10)
    one, newcomer = stream(rows, "one"), stream(rows, "newcomer")
    one.take(33)
    saved = json.dumps(one.state_dict())
    assert len(saved) < 300
    newcomer.load_state_dict(json.loads(saved))
    assert rows_of(newcomer, 200) == rows_of(one, 200)


def test_a_run_names_its_shards_by_digest(tmp_path: Path) -> None:
    shards = write_shards(tmp_path, numbered([30, 30]), 10).shards
    refs = [FileRef.of(tmp_path / shard.name, tmp_path) for shard in shards]
    model = ModelConfig(dim=32, depth=2, heads=2, text_length=8, text_vocab=32, grid=GRID, image_vocab=VOCAB)
    training = TextToImageRules(
        name="test",
        model=model,
        codec=CodecRules(config=refs[0], weights=refs[0]),
        text=TextRules(tokenizer=refs[0], length=8, vocab=32),
        data=DataRules(shards=tuple(refs)),
    )
    one, other = (CodeStream.open(training, tmp_path, peer=peer) for peer in "ab")
    assert sorted(rows_of(one, 60)) == sorted(rows_of(other, 60)) == list(range(60))
    assert one.take(60).captions != other.take(60).captions
    (tmp_path / "1.parquet").write_bytes((tmp_path / "0.parquet").read_bytes())
    with pytest.raises(ManifestError, match=r"1\.parquet"):
        CodeStream.open(training, tmp_path, peer="a")
