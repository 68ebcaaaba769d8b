"""Robust rules keep near the honest ones whatever a minority sends, dense and sparse, in little memory."""

import math
import tracemalloc
from collections.abc import Sequence

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.run.aggregation import Aggregation, RobustRules
from core.run.encodings import Encoding, TopK, WireFormat
from core.swarm.aggregation.clipping import clipped_mean, clipped_mean_of_senders
from core.swarm.aggregation.contributions import PartValues, by_user, dense_of, square_distance
from core.swarm.aggregation.coordinates import trimmed, trimmed_mean
from core.swarm.aggregation.rule import RobustRule, aggregate, weighted_mean
from core.swarm.wire.encoding import decode_received, encode
from core.swarm.wire.top_k import SparseValues
from tests.core.swarm.builders import FIFTY_EXAMPLES

ROBUST = [item for item in Aggregation if item.is_robust]
LENGTH = 35_000
"""Values of a part: a chunk of sums, and a rest."""


def rule(kind: Aggregation, **parameters: float | bool) -> RobustRule:
    return RobustRule(kind, RobustRules.model_validate(parameters))


def noisy(count: int, *, length: int = LENGTH, noise: float = 1.0) -> list[torch.Tensor]:
    """Return the contributions of honest peers: a common direction, and noise of their own."""
    generator = torch.Generator().manual_seed(7)
    common = torch.randn(length, generator=generator)
    return [common + noise * torch.randn(length, generator=generator) for _ in range(count)]


def sent(values: Sequence[torch.Tensor], form: WireFormat) -> list[PartValues]:
    return [decode_received(encode(item, form), form, len(item)) for item in values]


def off(found: torch.Tensor, honest: Sequence[torch.Tensor]) -> float:
    """Return the distance from the honest mean, relative to its length."""
    mean = weighted_mean(honest, [1.0] * len(honest))
    return float((found - mean).norm() / mean.norm())


FORGED = {
    "turned round": lambda honest: -honest,
    "turned round, tenfold": lambda honest: -10 * honest,
    "huge": lambda honest: torch.full_like(honest, 3e38),
    "huge, both ways": lambda honest: 3e38 * torch.ones_like(honest).copysign(honest),
    "nothing": torch.zeros_like,
}


@pytest.mark.parametrize("form", [Encoding.FLOAT32, Encoding.UNIFORM8], ids=str)
@pytest.mark.parametrize("kind", ROBUST)
@pytest.mark.parametrize("forge", FORGED.values(), ids=list(FORGED))
def test_three_of_ten_who_collude_turn_no_direction_round(kind: Aggregation, forge, form: Encoding) -> None:  # type: ignore[no-untyped-def]
    honest = noisy(7)
    given = sent([*honest, *[forge(honest[0])] * 3], Encoding.FLOAT32)
    if form is not Encoding.FLOAT32 and float(dense_of(given[-1]).abs().max()) < 1e30:
        given = sent([dense_of(item) for item in given], form)
    found = aggregate(rule(kind), given, [1.0] * 10, centre=0.8 * honest[0]).values
    mean = weighted_mean(honest, [1.0] * 7)
    assert bool(found.isfinite().all())
    assert float(torch.dot(found, mean) / mean.square().sum()) > 0.3, "it leads where the honest ones do"
    assert float(found.norm()) < 1.5 * float(honest[0].norm())


def test_the_plain_mean_is_turned_round_by_the_same() -> None:
    honest = noisy(7)
    given = [*honest, *[-10 * honest[0]] * 3]
    assert float(torch.dot(weighted_mean(given, [1.0] * 10), honest[0])) < 0


@pytest.mark.parametrize("kind", ROBUST)
def test_honest_ones_alone_lose_little(kind: Aggregation) -> None:
    honest = noisy(10)
    assert off(aggregate(rule(kind), honest, [1.0] * 10).values, honest) < 0.2


@pytest.mark.parametrize("kind", ROBUST)
@pytest.mark.parametrize("count", [1, 2])
def test_one_or_two_are_no_majority_and_get_their_mean(kind: Aggregation, count: int) -> None:
    given = [3 * item if number else item for number, item in enumerate(noisy(count))]
    found = aggregate(rule(kind), given, [1.0] * count)
    torch.testing.assert_close(found.values, weighted_mean(given, [1.0] * count), rtol=1e-4, atol=1e-5)
    assert found.shares == (1.0,) * count


# --- clipping -------------------------------------------------------------------------------------------------


def test_lengths_are_cut_to_the_lower_median() -> None:
    given = [
        torch.tensor([1.0, 0.0]),
        torch.tensor([0.0, 2.0]),
        torch.tensor([0.0, 3.0]),
        torch.tensor([40.0, 0.0]),
    ]
    found = clipped_mean(given, [1.0] * 4)
    assert found.shares == pytest.approx((1.0, 1.0, 2 / 3, 1 / 20))
    assert found.values.tolist() == pytest.approx([(1 + 2) / 4, (2 + 2) / 4])
    wide = clipped_mean(given, [1.0] * 4, radius=2.0)
    assert wide.shares == pytest.approx((1.0, 1.0, 1.0, 4 / 40))


def test_weights_count_after_the_cut() -> None:
    given = [torch.tensor([1.0]), torch.tensor([2.0]), torch.tensor([-9.0])]
    assert clipped_mean(given, [1.0, 3.0, 4.0]).values.tolist() == pytest.approx([(1 + 6 - 8) / 8])


def test_a_clipped_mean_around_a_centre_by_hand() -> None:
    """Distances from 10 are 1, 2 and 90, so the last one counts as 12: a mean of (9 + 12 + 12) / 3."""
    given = [torch.tensor([9.0]), torch.tensor([12.0]), torch.tensor([100.0])]
    found = clipped_mean(given, [1.0] * 3, centre=torch.tensor([10.0]))
    assert found.values.tolist() == pytest.approx([11.0])
    assert found.shares == pytest.approx((1.0, 1.0, 2 / 90))


def test_a_centre_is_left_behind_where_most_have_moved_on() -> None:
    honest = noisy(7, noise=0.1)
    given = [*honest, *[-10 * honest[0]] * 3]
    far = -5 * honest[0]
    once = clipped_mean(given, [1.0] * 10, centre=far, iterations=1)
    often = clipped_mean(given, [1.0] * 10, centre=far, iterations=10)
    assert off(often.values, honest) < 0.5 * off(once.values, honest)


@FIFTY_EXAMPLES
@given(
    st.lists(st.tuples(st.floats(1e-3, 1e3), st.integers(1, 99)), min_size=3, max_size=8),
    st.integers(1, 4),
)
def test_no_value_is_larger_than_what_was_sent(senders: list[tuple[float, int]], iterations: int) -> None:
    given = [scale * item for (scale, _), item in zip(senders, noisy(len(senders), length=50), strict=True)]
    found = clipped_mean(given, [float(weight) for _, weight in senders], iterations=iterations)
    most = torch.stack(given).abs().amax(0)
    assert bool((found.values.abs() <= most * (1 + 1e-5)).all())
    assert all(0 <= share <= 1 for share in found.shares)


def test_what_clipping_takes_is_what_the_shares_say() -> None:
    """One that keeps what its share leaves out loses nothing and sends nothing twice."""
    given = [scale * item for scale, item in zip((1.0, 2.0, 0.5, 9.0), noisy(4), strict=True)]
    weights = [1.0, 2.0, 3.0, 1.0]
    found = clipped_mean(given, weights)
    taken = [share * item for share, item in zip(found.shares, given, strict=True)]
    torch.testing.assert_close(found.values, weighted_mean(taken, weights), rtol=1e-4, atol=1e-5)


# --- values by themselves -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("share", "users", "expected"),
    [
        (0.3, 10, 3),
        (0.3, 4, 1),
        (0.3, 3, 1),
        (0.3, 2, 0),
        (0.3, 1, 0),
        (0.1, 64, 7),
        (0.5, 5, 2),
        (0.5, 4, 1),
    ],
)
def test_as_many_users_are_left_out_as_may_be_hostile(share: float, users: int, expected: int) -> None:
    assert trimmed(share, users) == expected


@FIFTY_EXAMPLES
@given(st.integers(1, 9), st.data())
def test_trimmed_means_are_those_of_the_definition(count: int, data: st.DataObject) -> None:
    left_out = data.draw(st.integers(0, (count - 1) // 2))
    given = noisy(count, length=500)
    stacked = np.sort(torch.stack(given).double().numpy(), axis=0)[left_out : count - left_out]
    assert np.allclose(trimmed_mean(given, left_out).numpy(), stacked.mean(0), atol=1e-6)


def test_the_median_of_an_odd_number_is_torch_s() -> None:
    given = noisy(5)
    assert aggregate(rule(Aggregation.MEDIAN), given, [1.0] * 5).values.equal(
        torch.stack(given).median(0).values
    )


# --- sparse contributions -------------------------------------------------------------------------------------

FORM = TopK(kept=512)


@pytest.mark.parametrize("kind", ROBUST)
def test_sparse_contributions_give_what_dense_ones_would(kind: Aggregation) -> None:
    sparse = sent([scale * item for scale, item in zip((1.0, 1.2, 0.7, 5.0), noisy(4), strict=True)], FORM)
    assert all(isinstance(item, SparseValues) for item in sparse)
    weights = [1.0, 2.0, 2.0, 1.0]
    found = aggregate(rule(kind), sparse, weights, centre=noisy(1)[0])
    dense = aggregate(rule(kind), [dense_of(item) for item in sparse], weights)
    torch.testing.assert_close(found.values, dense.values, rtol=1e-4, atol=1e-5)
    assert found.shares == pytest.approx(dense.shares, abs=1e-4)


def test_a_mean_of_senders_is_cut_as_well() -> None:
    given = [
        SparseValues(torch.tensor([0]), torch.tensor([1.0]), 4),
        SparseValues(torch.tensor([0, 1]), torch.tensor([3.0, 4.0]), 4),
        SparseValues(torch.tensor([3]), torch.tensor([-80.0]), 4),
    ]
    found = clipped_mean_of_senders(given, [1.0, 1.0, 2.0])
    assert found.values.tolist() == pytest.approx([2.0, 4.0, 0.0, -5.0])
    of_manifest = aggregate(rule(Aggregation.CENTERED_CLIP, of_senders=True), given, [1.0, 1.0, 2.0])
    assert of_manifest.values.equal(found.values)
    assert of_manifest.shares == pytest.approx((1.0, 1.0, 1 / 16))


def test_distances_of_sparse_values_are_those_of_dense_ones() -> None:
    centre, (sparse,) = noisy(1)[0], sent(noisy(1, noise=2.0), FORM)
    whole = float(centre.double().square().sum())
    exact = float((dense_of(sparse).double() - centre.double()).square().sum())
    assert square_distance(sparse, centre, whole) == pytest.approx(exact, rel=1e-9)


@pytest.mark.parametrize("scale", [1e-25, 1.0, 1e25])
def test_distances_neither_vanish_nor_overflow(scale: float) -> None:
    values, centre = torch.full((5,), 3 * scale), torch.full((5,), scale)
    assert square_distance(values, centre, 0.0) == pytest.approx(5 * (2 * scale) ** 2, rel=1e-6)


# --- users ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ROBUST)
@pytest.mark.parametrize("form", [Encoding.FLOAT32, FORM], ids=["dense", "sparse"])
def test_many_peers_of_one_user_have_one_voice(kind: Aggregation, form: WireFormat) -> None:
    honest = sent(noisy(4), form)
    hostile = sent([-10 * item for item in noisy(9)], form)
    users = [*"abcd", *"x" * 9]
    weights = [*[1.0] * 4, *[1 / 9] * 9]
    found = aggregate(rule(kind), [*honest, *hostile], weights, users=users).values
    alone = aggregate(rule(kind), [*honest, by_user(hostile, [1.0] * 9, "x" * 9).values[0]], [1.0] * 5).values
    torch.testing.assert_close(found, alone, rtol=1e-3, atol=1e-4)
    direction = weighted_mean([dense_of(item) for item in honest], [1.0] * 4)
    assert float(torch.dot(found, direction)) > 0
    sybils = aggregate(rule(kind), [*honest, *hostile], [1.0] * 13).values
    assert float(torch.dot(sybils, direction)) < 0, "were each peer a user, they would be most"


def test_each_peer_of_a_user_has_the_share_of_the_user() -> None:
    given = [*noisy(3), 10 * noisy(1)[0], 10 * noisy(1)[0]]
    shares = aggregate(rule(Aggregation.CLIPPED_MEAN), given, [1.0] * 5, users="abcdd").shares
    assert shares[3] == shares[4] < 0.2


# --- memory, determinism --------------------------------------------------------------------------------------


class PeakMemory:
    """The most bytes that torch and numpy took inside the block, beyond those before it."""

    def __enter__(self) -> "PeakMemory":
        self._profile = torch.profiler.profile(
            activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True
        )
        tracemalloc.start()
        tracemalloc.reset_peak()
        self._profile.__enter__()
        return self

    def __exit__(self, *raised: object) -> None:
        self._profile.__exit__(None, None, None)
        self.bytes = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        held = most = 0
        for event in self._profile.profiler.kineto_results.events():  # type: ignore[union-attr]
            if event.name() == "[memory]":
                held += event.nbytes()  # type: ignore[union-attr]
                most = max(most, held)
        self.bytes += most


@pytest.mark.parametrize("form", [Encoding.FLOAT32, FORM], ids=["dense", "sparse"])
@pytest.mark.parametrize("kind", ROBUST)
def test_memory_does_not_grow_with_the_group(kind: Aggregation, form: WireFormat) -> None:
    """A reducer takes four bytes a value for the result, as much for a copy or a mask, and a few chunks."""
    length, members = 2**18, 24
    contributions = sent([torch.randn(length) for _ in range(members)], form)
    with PeakMemory():  # the first measurement counts what measuring itself takes
        pass
    with PeakMemory() as peak:
        aggregate(rule(kind), contributions, [1.0] * members)
    assert 4 * length <= peak.bytes < 2 * 4 * length + 8 * 2**20
    assert peak.bytes < members * 4 * length / 2


@pytest.mark.parametrize("kind", ROBUST)
def test_repetition_changes_no_bit(kind: Aggregation) -> None:
    weights = [1.0, 2.0, 3.0, 1.0, 1.0, 5.0, 1.0]
    first, second = (aggregate(rule(kind), noisy(7), weights, centre=noisy(1)[0]) for _ in range(2))
    assert first.values.equal(second.values)
    assert first.shares == second.shares


GOLDEN = {
    Aggregation.CLIPPED_MEAN: [0.5, -0.25, 1.0, -0.5],
    Aggregation.CENTERED_CLIP: [0.5, -0.25, 1.0, -0.5],
    Aggregation.TRIMMED_MEAN: [1.0, -0.5, 2.0, -1.0],
    Aggregation.MEDIAN: [1.0, -0.5, 2.0, -1.0],
}


@pytest.mark.parametrize("kind", ROBUST)
def test_results_are_those_of_before(kind: Aggregation) -> None:
    """Three say the same and one the opposite: without a centre, clipped means have half of it."""
    one = torch.tensor([1.0, -0.5, 2.0, -1.0])
    found = aggregate(rule(kind, iterations=1), [one, one, one, -40 * one], [1.0] * 4)
    assert found.values.tolist() == GOLDEN[kind]
    assert math.prod(found.shares) == pytest.approx(1 / 40 if kind.clips else 1.0)
