"""Sparse and 4-bit parts: the largest values arrive within bounds, lengths are predicted, hostile bytes refused."""

import math

import numpy as np
import pytest
import torch
from hivemind.proto import runtime_pb2
from hypothesis import given
from hypothesis import strategies as st

from core.run.encodings import Encoding, TopK, WireFormat, wire_bytes
from core.swarm.aggregation.rule import weighted_mean
from core.swarm.wire.bits import (
    pack,
    pack_ascending,
    pack_scales,
    rounded_scales,
    scales_rounded_down,
    unpack,
    unpack_ascending,
    unpack_scales,
)
from core.swarm.wire.encoding import MalformedPart, decode, decode_sparse, encode
from core.swarm.wire.top_k import SparseValues, sparse_mean, sparse_mean_of_senders
from tests.core.swarm.builders import FIFTY_EXAMPLES

RULES = tuple(TopK(kept=kept, bits=bits) for kept in (64, 128, 512) for bits in (2, 3, 4))
SMALL = TopK(chunk=256, kept=24)
FORMS: tuple[WireFormat, ...] = (SMALL, TopK(chunk=256, kept=256, bits=4), TopK(kept=64), Encoding.BLOCKWISE4)
rules_of_any_kind = st.builds(
    TopK, chunk=st.sampled_from([256, 4096]), kept=st.integers(1, 256), bits=st.integers(2, 4)
)


def draws(length: int, seed: int = 0) -> torch.Tensor:
    """Student's t with four degrees of freedom, about as heavy in the tails as a drift."""
    return torch.from_numpy(np.random.default_rng(seed).standard_t(4, length).astype("float32") * 1e-3)


def round_trip(values: torch.Tensor, form: WireFormat) -> torch.Tensor:
    message = encode(values, form)
    assert len(message.buffer) == wire_bytes(form, len(values))
    return decode(message, form, len(values))


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_the_largest_of_each_chunk_arrive_and_nothing_else(rules: TopK) -> None:
    for length in (1, 2, 4095, 4096, 4097, 20_001):
        assert_the_largest_arrive(draws(length), rules)


def assert_the_largest_arrive(values: torch.Tensor, rules: TopK) -> None:
    length = len(values)
    message = encode(values, rules)
    assert len(message.buffer) == wire_bytes(rules, length)
    sparse = decode_sparse(message, rules, length)
    kept = [math.ceil(rules.kept * len(chunk) / rules.chunk) for chunk in values.split(rules.chunk)]
    expected = [
        start + np.sort(np.argsort(-chunk.abs().numpy(), kind="stable")[:most])
        for start, chunk, most in zip(
            range(0, length, rules.chunk), values.split(rules.chunk), kept, strict=True
        )
    ]
    assert sparse.indices.tolist() == np.concatenate(expected).tolist(), f"{length} values"
    assert sparse.dense().equal(decode(message, rules, length))


@pytest.mark.parametrize(("bits", "most"), [(2, 0.3), (3, 0.15), (4, 0.08)])
def test_the_error_of_what_is_sent(bits: int, most: float) -> None:
    values, rules = draws(50_000), TopK(kept=128, bits=bits)
    sparse = decode_sparse(encode(values, rules), rules, len(values))
    exact = values[sparse.indices]
    assert float((sparse.values - exact).norm() / exact.norm()) < most
    assert torch.sign(sparse.values).equal(torch.sign(exact))


def test_errors_of_a_chunk_add_up_to_nearly_zero() -> None:
    """Each level is the mean of its own, so an encoded aggregate does not push all values one way."""
    values, rules = draws(4096).abs(), TopK(kept=512)
    sparse = decode_sparse(encode(values, rules), rules, 4096)
    assert float(sparse.values.sum()) == pytest.approx(float(values[sparse.indices].sum()), rel=2**-8)


def test_equal_magnitudes_are_taken_in_their_order() -> None:
    values = torch.tensor([1.0, -1.0]).repeat(128)
    assert decode_sparse(encode(values, SMALL), SMALL, 256).indices.tolist() == list(range(24))
    values[200] = 2.0
    assert decode_sparse(encode(values, SMALL), SMALL, 256).indices.tolist() == [*range(23), 200]


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_magnitudes_at_the_ends_of_float32(form: WireFormat) -> None:
    for scale in (0.0, 1e-45, 1e-40, 1e-20, 1e30, 3e38):
        values = (torch.tensor([0.5, -1.0, 0.25, 0.0, 0.75]).repeat(101).double() * scale).float()
        decoded = round_trip(values, form)
        assert bool(decoded.isfinite().all()), scale
        assert bool((decoded.abs() <= values.abs().max().double() * (1 + 2**-7)).all()), scale
        assert not bool(decoded[values == 0].any()), scale
        if scale > 1e-39:
            assert float(decoded.abs().max()) == pytest.approx(scale, rel=0.2)


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_a_chunk_of_zeros_beside_another_stays_zero(form: WireFormat) -> None:
    values = torch.cat([torch.zeros(4096), draws(4096)])
    assert round_trip(values, form)[:4096].equal(torch.zeros(4096))


@pytest.mark.parametrize("form", FORMS, ids=str)
@pytest.mark.parametrize("poison", [float("nan"), float("inf")])
def test_values_that_are_not_finite_are_not_encoded(form: WireFormat, poison: float) -> None:
    values = draws(300)
    values[17] = poison
    with pytest.raises(ValueError, match="finite"):
        encode(values, form)


def test_4_bits_are_exact_within_half_a_step_of_each_block() -> None:
    values = draws(50_001)
    decoded = round_trip(values, Encoding.BLOCKWISE4)
    for exact, found in zip(values.split(128), decoded.split(128), strict=True):
        most = float(exact.abs().max())
        assert float((found - exact).abs().max()) <= most * (0.5 / 7 + 2**-7)
    assert 0.1 < float((decoded - values).norm() / values.norm()) < 0.2


@FIFTY_EXAMPLES
@given(bits=st.integers(1, 12), count=st.integers(0, 40), seed=st.integers(0, 99))
def test_packing_can_be_undone(bits: int, count: int, seed: int) -> None:
    numbers = np.random.default_rng(seed).integers(0, 1 << bits, count)
    packed = pack(numbers, bits)
    assert len(packed) == math.ceil(count * bits / 8)
    assert unpack(packed, count, bits).tolist() == numbers.tolist()


@FIFTY_EXAMPLES
@given(kept=st.integers(1, 64), low_bits=st.integers(0, 6), seed=st.integers(0, 99))
def test_ascending_indices_can_be_packed_and_unpacked(kept: int, low_bits: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    indices = np.stack([np.sort(generator.choice(64, kept, replace=False)) for _ in range(3)])
    high_bits = kept + (63 >> low_bits)
    low, high = pack_ascending(indices, low_bits=low_bits, high_bits=high_bits)
    found = unpack_ascending(low, high, shape=(3, kept), low_bits=low_bits, high_bits=high_bits)
    assert found is not None
    assert found.tolist() == indices.tolist()


def test_scales_in_16_bits() -> None:
    scales = np.array([0.0, 1e-45, 1e-38, 1.00390625, 1.005, 65_504.0, 3.4028235e38], np.float32)
    near, below = rounded_scales(scales), scales_rounded_down(scales)
    assert (below <= scales).all()
    assert np.isfinite(near).all()
    assert np.abs(near[2:].astype(float) / scales[2:] - 1).max() <= 2**-8
    assert unpack_scales(pack_scales(near)).tolist() == near.tolist()  # type: ignore[union-attr]


# --- the mean of sparse contributions -------------------------------------------------------------------------


def test_the_mean_of_sparse_values_is_that_of_dense_ones() -> None:
    contributions = [
        decode_sparse(encode(draws(9000, seed), TopK(kept=512)), TopK(kept=512), 9000) for seed in range(5)
    ]
    weights = [16.0, 3.0, 48.0, 1.0, 7.0]
    exact = torch.zeros(9000, dtype=torch.float64)
    for sparse, weight in zip(contributions, weights, strict=True):
        exact += sparse.dense().double() * weight / 75
    mean = sparse_mean(contributions, weights)
    assert torch.allclose(mean.double(), exact, rtol=1e-6, atol=1e-9)
    assert torch.allclose(mean, weighted_mean([item.dense() for item in contributions], weights), atol=1e-9)
    assert mean.equal(sparse_mean(contributions, weights))


def test_one_contribution_is_its_own_mean() -> None:
    sparse = decode_sparse(encode(draws(1000), SMALL), SMALL, 1000)
    assert sparse_mean([sparse], [3.0]).equal(sparse.dense())
    assert sparse_mean_of_senders([sparse], [3.0]).equal(sparse.dense())


def test_a_mean_of_senders_leaves_out_those_who_did_not_send_a_value() -> None:
    first = SparseValues(torch.tensor([0, 2]), torch.tensor([4.0, 8.0]), 4)
    second = SparseValues(torch.tensor([2, 3]), torch.tensor([2.0, -6.0]), 4)
    assert sparse_mean_of_senders([first, second], [1.0, 3.0]).tolist() == [4.0, 0.0, 3.5, -6.0]
    assert sparse_mean([first, second], [1.0, 3.0]).tolist() == [1.0, 0.0, 3.5, -4.5]


def test_no_mean_of_senders_is_larger_than_what_was_sent() -> None:
    contributions = [decode_sparse(encode(draws(9000, seed), SMALL), SMALL, 9000) for seed in range(5)]
    mean = sparse_mean_of_senders(contributions, [1e-6, 3.0, 1e6, 1.0, 7.0])
    largest = torch.stack([item.dense().abs() for item in contributions]).amax(0)
    assert (mean.abs() <= largest * (1 + 1e-5)).all()
    assert torch.equal(mean != 0, largest != 0)


# --- what is refused ------------------------------------------------------------------------------------------


def taken(message: runtime_pb2.Tensor, form: WireFormat, length: int) -> bool:
    """Decode, and hold the result against what every caller relies on; false if it is refused."""
    try:
        decoded = decode(message, form, length)
    except MalformedPart:
        return False
    assert decoded.dtype == torch.float32
    assert decoded.shape == (length,)
    assert bool(decoded.isfinite().all())
    return True


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_another_length_is_refused_before_anything_is_unpacked(form: WireFormat) -> None:
    message = encode(draws(5000), form)
    assert taken(message, form, 5000)
    for buffer in (b"", message.buffer[:-1], message.buffer + b"\0", b"\0" * 10_000_000):
        altered = runtime_pb2.Tensor()
        altered.CopyFrom(message)
        altered.buffer = buffer
        assert not taken(altered, form, 5000)
    message.size[:] = [1 << 30]
    assert not taken(message, form, 5000)
    assert not taken(message, form, 1 << 30)


def test_another_form_is_refused() -> None:
    sparse, dense = encode(draws(5000), SMALL), encode(draws(5000), Encoding.BLOCKWISE4)
    assert not taken(sparse, TopK(chunk=256, kept=25), 5000)
    assert not taken(sparse, Encoding.FLOAT32, 5000)
    assert not taken(sparse, Encoding.BLOCKWISE4, 5000)
    assert not taken(dense, SMALL, 5000)
    with pytest.raises(MalformedPart):
        decode_sparse(dense, SMALL, 5000)


def one_chunk(indices: list[int], magnitudes: list[float]) -> runtime_pb2.Tensor:
    """A message of one chunk of 200 values and two of them sent, whatever is wrong with it."""
    rules, message = TopK(chunk=256, kept=2), encode(draws(200), TopK(chunk=256, kept=2))
    low, high = np.array(indices) & 63, np.zeros(2 + (199 >> 6), np.uint8)
    high[(np.array(indices) >> 6) + np.arange(2)] = 1
    book = np.array(magnitudes, np.float32)
    pieces = [
        pack_scales(book),
        pack(low, 6),
        np.packbits(high, bitorder="little"),
        pack(np.ones(2, int), 2),
    ]
    message.buffer = b"".join(piece.tobytes() for piece in pieces)
    assert len(message.buffer) == wire_bytes(rules, 200)
    return message


@pytest.mark.parametrize(
    ("indices", "magnitudes", "fits"),
    [
        ([3, 199], [0.5, 1.0], True),
        ([3, 3], [0.5, 1.0], False),
        ([5, 3], [0.5, 1.0], False),
        ([3, 200], [0.5, 1.0], False),
        ([3, 255], [0.5, 1.0], False),
        ([3, 199], [0.5, math.nan], False),
        ([3, 199], [math.inf, 1.0], False),
        ([3, 199], [-0.5, 1.0], False),
    ],
)
def test_indices_and_magnitudes_must_make_sense(
    indices: list[int], magnitudes: list[float], fits: bool
) -> None:
    assert taken(one_chunk(indices, magnitudes), TopK(chunk=256, kept=2), 200) == fits


@FIFTY_EXAMPLES
@given(rules=rules_of_any_kind, length=st.integers(1, 9000), seed=st.integers(0, 2**32))
def test_random_bytes_are_refused_or_decode_to_finite_values(rules: TopK, length: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    for form in (rules, Encoding.BLOCKWISE4):
        message = encode(draws(length, 1), form)
        assert taken(message, form, length)
        mutated = np.frombuffer(message.buffer, np.uint8).copy()
        mutated[generator.integers(0, len(mutated), 3)] ^= np.uint8(1) << generator.integers(
            0, 8, 3, dtype=np.uint8
        )
        for buffer in (mutated.tobytes(), generator.bytes(len(mutated))):
            message.buffer = buffer
            taken(message, form, length)
