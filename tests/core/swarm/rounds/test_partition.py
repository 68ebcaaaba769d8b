"""Cutting loses nothing and doubles nothing, and no claim of a peer gets it more than its bounded share."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.run.encodings import PART_BYTES, Encoding, TopK, WireFormat, part_values
from core.run.rules import LocalStepRules, Overlap, SwarmRules
from core.swarm.bandwidth import UNKNOWN_RATE
from core.swarm.rounds.partition import (
    Part,
    Slice,
    assign,
    cut,
    exchange_seconds,
    paced_factor,
    reducer_shares,
    round_loads,
    round_parts,
    taking_seconds,
)
from tests.core.swarm.builders import FIFTY_EXAMPLES

QUANTIZED = (Encoding.UNIFORM8, Encoding.BLOCKWISE8, Encoding.BLOCKWISE4)
SPARSE = TopK(chunk=256, kept=8)

tensors_of_a_round = st.lists(
    st.tuples(st.integers(0, 400), st.sampled_from([*Encoding, SPARSE])), min_size=0, max_size=12
)
part_bytes = st.integers(8, 700)
bandwidths = st.one_of(st.none(), st.floats(0, 1.7e308, allow_nan=False))
members = st.lists(st.tuples(bandwidths, st.booleans()), min_size=1, max_size=12).filter(
    lambda found: any(able for _, able in found)
)


@FIFTY_EXAMPLES
@given(tensors_of_a_round, part_bytes, st.integers(0, 3))
def test_every_element_is_in_exactly_one_part(
    encodings: list[tuple[int, WireFormat]], size: int, first: int
) -> None:
    parts = cut(encodings, part_bytes=size, first_tensor=first)
    covered = [
        (item.tensor, at) for part in parts for item in part.slices for at in range(item.start, item.stop)
    ]
    elements = [(first + index, at) for index, (count, _) in enumerate(encodings) for at in range(count)]
    assert covered == elements


@FIFTY_EXAMPLES
@given(tensors_of_a_round, part_bytes, st.data())
def test_parts_keep_to_their_size_and_to_one_pair_of_forms(
    encodings: list[tuple[int, WireFormat]], size: int, data: st.DataObject
) -> None:
    many = len(encodings)
    aggregates = data.draw(st.lists(st.sampled_from([*Encoding, SPARSE]), min_size=many, max_size=many))
    for part in cut(encodings, aggregates=aggregates, part_bytes=size):
        assert part.slices
        forms = {(encodings[item.tensor][1], aggregates[item.tensor]) for item in part.slices}
        assert forms == {(part.encoding, part.aggregate_encoding)}
        assert part.values <= part_values(part.encoding, part.aggregate_encoding, size)
        if {part.encoding, part.aggregate_encoding}.intersection(QUANTIZED):
            assert part.values <= size
            assert len(part.slices) == 1


@FIFTY_EXAMPLES
@given(tensors_of_a_round, part_bytes)
def test_scatter_undoes_gather(encodings: list[tuple[int, WireFormat]], size: int) -> None:
    sources = [torch.randn(count) for count, _ in encodings]
    targets = [torch.full_like(source, float("nan")) for source in sources]
    for part in cut(encodings, part_bytes=size):
        part.scatter(part.gather(sources), targets)
    assert all(source.equal(target) for source, target in zip(sources, targets, strict=True))


def test_small_tensors_share_a_part_and_large_ones_are_cut() -> None:
    parts = cut(
        [(3, Encoding.FLOAT16), (5, Encoding.FLOAT16), (250, Encoding.UNIFORM8), (4, Encoding.FLOAT16)],
        part_bytes=100,
    )
    assert parts == (
        Part((Slice(0, 0, 3), Slice(1, 0, 5)), Encoding.FLOAT16),
        Part((Slice(2, 0, 100),), Encoding.UNIFORM8),
        Part((Slice(2, 100, 200),), Encoding.UNIFORM8),
        Part((Slice(2, 200, 250),), Encoding.UNIFORM8),
        Part((Slice(3, 0, 4),), Encoding.FLOAT16),
    )


def test_tensors_share_a_part_only_if_their_aggregates_have_one_form() -> None:
    half = Encoding.FLOAT16
    parts = cut(
        [(4, half), (4, half), (4, half), (4, SPARSE)],
        aggregates=[half, Encoding.FLOAT32, Encoding.FLOAT32, Encoding.UNIFORM8],
    )
    assert parts == (
        Part((Slice(0, 0, 4),), half),
        Part((Slice(1, 0, 4), Slice(2, 0, 4)), half, Encoding.FLOAT32),
        Part((Slice(3, 0, 4),), SPARSE, Encoding.UNIFORM8),
    )


def sparse_rules(kept: int, small: Encoding = Encoding.FLOAT16) -> SwarmRules:
    form = TopK(kept=kept)
    local = LocalStepRules(drift_encoding=form, mean_encoding=form)
    return SwarmRules(overlap=Overlap.FULL, local_steps=local, small_tensor_encoding=small)


@pytest.mark.parametrize(
    ("rules", "largest"),
    [
        (sparse_rules(128), 37_856),  # as a sparse part of 2**20 values
        (sparse_rules(512), 115_680),
        (sparse_rules(16), 2**15),
        (sparse_rules(128, Encoding.BLOCKWISE8), 65_000 + 1_300),  # quantized tensors share no part
        (SwarmRules(), PART_BYTES),
    ],
)
def test_small_tensors_beside_sparse_ones_make_no_part_that_holds_its_reducer_up(
    rules: SwarmRules, largest: int
) -> None:
    shapes = [(1024, 1024), *[(1024,)] * 400, (65_000,)]
    parts = round_parts(shapes, rules)
    dense = [part for part in parts if isinstance(part.encoding, Encoding)]
    assert sum(part.values for part in parts) == 1024 * 1024 + 400 * 1024 + 65_000 + 1
    most = max(max(part.wire_bytes, part.aggregate_bytes) for part in dense)
    assert 0.75 * largest < most <= 1.06 * largest


def test_a_matrix_is_cut_through_its_rows() -> None:
    matrix = torch.arange(12.0).reshape(3, 4)
    part = Part((Slice(0, 2, 7),), Encoding.FLOAT32)
    assert part.gather([matrix]).tolist() == [2, 3, 4, 5, 6]
    part.scatter(torch.full((5,), -1.0), [matrix])
    assert matrix.flatten().tolist() == [0, 1, -1, -1, -1, -1, -1, 7, 8, 9, 10, 11]


# --- who reduces what -----------------------------------------------------------------------------------------


@FIFTY_EXAMPLES
@given(members)
def test_shares_sum_to_one_and_only_able_peers_have_one(found: list[tuple[float | None, bool]]) -> None:
    shares = reducer_shares([rate for rate, _ in found], [able for _, able in found])
    assert math.isclose(sum(shares), 1.0)
    assert all(share >= 0 and (able or share == 0) for share, (_, able) in zip(shares, found, strict=True))


@FIFTY_EXAMPLES
@given(st.lists(st.floats(1.0, 1000.0), min_size=1, max_size=8), st.floats(0, 1.7e308), st.integers(0, 7))
def test_one_boaster_among_honest_peers_gets_at_most_twice_the_largest_share(
    honest: list[float], claim: float, place: int
) -> None:
    place %= len(honest) + 1
    claims = [*honest[:place], claim, *honest[place:]]
    shares = reducer_shares(claims, [True] * len(claims))
    others = [share for index, share in enumerate(shares) if index != place]
    assert shares[place] <= 2 * max(others) + 1e-9


def test_unknown_bandwidths_share_alike_and_known_ones_in_proportion() -> None:
    assert reducer_shares([None, None], [True, True]) == (0.5, 0.5)
    assert reducer_shares([10.0, 20.0, None], [True, True, False]) == pytest.approx((1 / 3, 2 / 3, 0))


def test_a_slow_line_reduces_less_than_those_that_announce_nothing() -> None:
    slow, *others = reducer_shares([UNKNOWN_RATE / 10, None, None], [True] * 3)
    assert others == [pytest.approx(10 * slow)] * 2


def test_a_boaster_beside_one_honest_peer_leaves_it_its_part() -> None:
    assert reducer_shares([10.0, 1e9], [True, True]) == pytest.approx((1 / 3, 2 / 3))


def test_peers_that_claim_nothing_still_reduce_if_nobody_else_does() -> None:
    assert reducer_shares([0.0, 0.0], [True, True]) == (0.5, 0.5)


def test_a_group_in_which_nobody_can_reduce_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one peer that can reduce"):
        reducer_shares([1.0, 1.0], [False, False])


@FIFTY_EXAMPLES
@given(tensors_of_a_round, part_bytes, members)
def test_every_part_has_one_able_reducer_and_runs_are_contiguous(
    encodings: list[tuple[int, WireFormat]], size: int, found: list[tuple[float | None, bool]]
) -> None:
    parts = cut(encodings, part_bytes=size)
    shares = reducer_shares([rate for rate, _ in found], [able for _, able in found])
    owners = assign(parts, shares)
    assert len(owners) == len(parts)
    assert list(owners) == sorted(owners)
    assert all(shares[owner] > 0 for owner in owners)


@FIFTY_EXAMPLES
@given(st.integers(1, 400), st.lists(st.floats(1.0, 2.0), min_size=1, max_size=6))
def test_bytes_follow_the_shares_to_within_a_part(count: int, rates: list[float]) -> None:
    parts = cut([(100 * count, Encoding.FLOAT32)], part_bytes=400)
    shares = reducer_shares(rates, [True] * len(rates))
    owners = assign(parts, shares)
    for index, share in enumerate(shares):
        assert abs(owners.count(index) - share * len(parts)) <= 1 + 1e-6


FOUR_PARTS = cut([(400, Encoding.FLOAT32)], part_bytes=400)
"""Four parts of 400 bytes each."""


@pytest.mark.parametrize(
    ("senders", "bandwidths", "expected"),
    [
        ((0, 1, 2), (None, None, None), 0.0),
        (
            (0, 1, 2),
            (100.0, None, None),
            (3 * 400 + 2 * 400) / 100,
        ),  # its values out, and one part for two others
        ((0, 1, 2), (None, None, 100.0), (2 * 400 + 2 * 2 * 400) / 100),  # it reduces two of the four
        ((0, 1, 2), (100.0, None, 50.0), 2400 / 50),  # the slowest decides
        ((1, 2), (100.0, None, None), 2 * 400 / 100),  # an auxiliary peer sends no values of its own
        ((0, 1, 2), (1.0, 100.0, None), 2000 / 100),  # one that cannot make it in time is not waited for
        ((0, 1, 2), (0.0, None, None), 0.0),
        ((0,), (1.0, None, None), 3 * 400 / 1.0),
    ],
)
def test_an_exchange_takes_as_long_as_its_slowest_member(
    senders: tuple[int, ...], bandwidths: tuple[float | None, ...], expected: float
) -> None:
    loads = round_loads(FOUR_PARTS, (0, 1, 2, 2), senders, len(bandwidths))
    assert exchange_seconds(loads, bandwidths, most=1200.0) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("owners", "factor"),
    [
        ((0,), 2.0),
        ((0, 1), 2.0),  # all values, then all aggregates
        ((0, 0, 1, 1), 1.5),
        ((0, 0, 0, 0, 1), 2.0),
        ((2,) * 10, 1.1),
        ((), 2.0),
    ],
)
def test_a_paced_exchange_is_longer_by_the_time_of_a_first_part(
    owners: tuple[int, ...], factor: float
) -> None:
    assert paced_factor(owners) == pytest.approx(factor)


@pytest.mark.parametrize(
    ("downloads", "expected"),
    [
        ((None, None, None), (0.0, 0.0, 0.0)),
        ((100.0, None, 50.0), (20.0, 0.0, 48.0)),  # three aggregates and two values; two and four
        ((None, 20.0, None), (0.0, 60.0, 0.0)),  # it would take 100 s
        ((None, None, 0.0), (0.0, 0.0, 60.0)),
    ],
)
def test_a_member_is_sent_to_over_the_time_in_which_it_takes_all(
    downloads: tuple[float | None, ...], expected: tuple[float, ...]
) -> None:
    loads = round_loads(FOUR_PARTS, (0, 1, 2, 2), (0, 1, 2), len(downloads))
    assert taking_seconds(loads, downloads, most=60.0) == pytest.approx(expected)
