"""The statistics of shards are those of their rows, and take the same memory however many there are."""

import math
from pathlib import Path

import numpy as np
import pytest

from core.data.checking.gathering import LONGEST, Gatherer, Repeats
from core.data.checking.statistics import QUANTILES, CodebookUse, Lengths, StoredBytes
from core.data.shards import CodeRow, encode_codes, write_shard


def row(caption: str, codes: list[int]) -> CodeRow:
    return CodeRow(caption, encode_codes(np.array(codes)), "UNLIKELY", 64, 64)


def gather(rows: list[tuple[str, list[int]]], vocab: int = 8) -> Gatherer:
    gatherer = Gatherer(grid=2, vocab=vocab, count_tokens=lambda caption: len(caption.split()))
    for caption, codes in rows:
        gatherer.add(row(caption, codes), np.array(codes))
    return gatherer


@pytest.mark.parametrize(
    ("counts", "used", "entropy"),
    [
        ([5, 5, 5, 5], 4, 2.0),
        ([8, 0, 0, 0], 1, 0.0),
        ([4, 2, 1, 1], 4, 1.75),
        ([0, 0, 0, 0], 0, 0.0),
    ],
)
def test_entropy_and_perplexity_are_those_of_the_frequencies(
    counts: list[int], used: int, entropy: float
) -> None:
    use = CodebookUse.of(np.array(counts))
    assert (use.used, use.share) == (used, used / 4)
    assert use.entropy == pytest.approx(entropy)
    assert use.perplexity == pytest.approx(2**entropy)


def test_the_most_and_the_least_frequent_codes_are_named() -> None:
    use = CodebookUse.of(np.array([3, 0, 9, 1, 4, 4, 2, 7]))
    assert use.most_frequent == ((2, 9), (7, 7), (5, 4), (4, 4), (0, 3))
    assert use.least_frequent == ((3, 1), (6, 2), (0, 3), (4, 4), (5, 4))
    assert CodebookUse.of(np.array([0, 2])).most_frequent == ((1, 2),)


@pytest.mark.parametrize("longest", [0, 3, 9, 10, 400])
def test_lengths_are_reported_by_quantiles_and_a_histogram_of_all(longest: int) -> None:
    drawn = np.random.default_rng(longest).integers(0, longest + 1, 1000)
    lengths = Lengths.of(np.bincount(drawn, minlength=LONGEST))
    for part in QUANTILES:
        assert lengths.quantiles[part] == np.sort(drawn)[math.ceil(part * 1000) - 1]
    assert lengths.mean == pytest.approx(drawn.mean())
    assert lengths.longest == drawn.max()
    assert len(lengths.histogram) <= 11
    for one in lengths.histogram:
        assert one.count == ((drawn >= one.first) & (drawn <= one.last)).sum()
    assert sum(one.count for one in lengths.histogram) == 1000


def test_rows_are_gathered_whatever_their_number() -> None:
    gathered = gather([("a red cat", [0, 1, 2, 3]), ("a dog", [0, 0, 0, 0])] * 300).statistics()
    assert gathered.rows == 600
    assert gathered.codebook.most_frequent[0] == (0, 5 * 300)
    assert gathered.codebook.used == 4
    assert gathered.characters is not None
    assert gathered.tokens is not None
    assert (gathered.characters.mean, gathered.tokens.mean) == (7.0, 2.5)
    assert (gathered.repeated_captions, gathered.repeated_images, gathered.repeats_exact) == (598, 598, True)


def test_nothing_gathered_is_no_error() -> None:
    nothing = gather([]).statistics()
    assert (nothing.rows, nothing.characters, nothing.stored_bytes_per_row) == (0, None, None)


def test_the_rows_of_two_splits_do_not_repeat_each_other() -> None:
    gatherer = gather([("a cat", [0, 1, 2, 3]), ("a cat", [1, 1, 1, 1])])
    gatherer.next_split()
    gatherer.add(row("a cat", [0, 1, 2, 3]), np.array([0, 1, 2, 3]))
    found = gatherer.statistics()
    assert (found.repeated_captions, found.repeated_images) == (1, 0)


def test_a_caption_without_end_is_counted_as_the_longest() -> None:
    found = gather([("x" * (LONGEST + 9), [0, 0, 0, 0])]).statistics()
    assert found.characters is not None
    assert found.characters.longest == LONGEST


@pytest.mark.parametrize("limit", [1 << 10, 1 << 20])
@pytest.mark.parametrize("repeated", [0, 3_000, 15_000])
def test_repeats_are_counted_in_bounded_memory(limit: int, repeated: int) -> None:
    repeats, different = Repeats(limit), 15_000
    most = 0
    for number in [*range(different), *range(repeated)]:
        repeats.add(b"%d" % number)
        most = max(most, repeats.held)
    assert most <= limit
    if limit > different:
        assert repeats.exact
        assert repeats.count == repeated
    else:
        assert not repeats.exact
        # A sample of 512 at least: five of its standard deviations.
        assert repeats.count == pytest.approx(repeated, rel=5 / math.sqrt(512 * max(repeated, 1) / different))


def test_stored_bytes_are_those_of_the_file_by_column(tmp_path: Path) -> None:
    path = tmp_path / "shard.parquet"
    write_shard(path, [row(f"picture {number}", [number % 8] * 4) for number in range(1000)])
    stored = StoredBytes.of(path)
    assert stored.rows == 1000
    assert stored.total == path.stat().st_size
    assert min(stored.codes, stored.captions, stored.other, stored.framing) > 0
    assert (stored + stored).codes == 2 * stored.codes
