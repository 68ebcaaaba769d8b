"""A state arrives bit for bit, in whatever order its pieces come, or not at all, and no wrong piece is taken in."""

import pickle
import random
from itertools import pairwise

import msgpack
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.swarm.state.pieces import (
    PIECE_BYTES,
    DonorLied,
    PieceBuffer,
    StateOutline,
    digests_of,
    joined,
    outline_of,
    pieces_in,
)
from core.swarm.state.state import DonorFailed, SwarmState, flat_bytes, schema_of
from tests.core.swarm.builders import FIFTY_EXAMPLES, digest_of
from tests.core.swarm.state.odd_states import ODD, some_values, swarm_state

DTYPES = (torch.float32, torch.float16, torch.bfloat16, torch.float64, torch.uint8, torch.int64, torch.bool)


def buffer_of(state: SwarmState, piece_bytes: int) -> PieceBuffer:
    """An empty buffer for a state that is cut into pieces of this size."""
    digests = digests_of(flat_bytes(state.tensors), piece_bytes=piece_bytes)
    size = sum(item.bytes for item in schema_of(state.tensors))
    return PieceBuffer(StateOutline(state.epoch, state.head, digests), size, piece_bytes=piece_bytes)


def data_of(state: SwarmState) -> bytes:
    return b"".join(flat.numpy().tobytes() for flat in flat_bytes(state.tensors))


def received(state: SwarmState, *, piece_bytes: int, order: random.Random) -> SwarmState:
    buffer, data = buffer_of(state, piece_bytes), data_of(state)
    indices = list(buffer.missing)
    order.shuffle(indices)
    for index in indices:
        assert buffer.put(index, data[index * piece_bytes : (index + 1) * piece_bytes])
    assert not buffer.missing
    return tensors_of(buffer, state)


def tensors_of(buffer: PieceBuffer, state: SwarmState) -> SwarmState:
    outline = StateOutline(state.epoch, state.head, digests_of([buffer.flat]))
    return joined(buffer.flat, schema_of(state.tensors), outline)


def assert_same(found: SwarmState, expected: SwarmState) -> None:
    assert (found.epoch, found.head) == (expected.epoch, expected.head)
    assert list(found.tensors) == list(expected.tensors)
    for name, item in expected.tensors.items():
        assert found.tensors[name].dtype == item.dtype
        assert found.tensors[name].shape == item.shape
        assert found.tensors[name].equal(item)


@pytest.mark.parametrize("size", [1, 7, 64, 10_000])
def test_odd_shapes_and_types_arrive_bit_for_bit(size: int) -> None:
    assert_same(received(swarm_state(ODD), piece_bytes=size, order=random.Random(0)), swarm_state(ODD))


shapes = st.lists(st.tuples(st.lists(st.integers(0, 5), max_size=3), st.sampled_from(DTYPES)), max_size=6)


@FIFTY_EXAMPLES
@given(shapes.filter(lambda found: any(all(shape) for shape, _ in found)), st.integers(1, 64), st.randoms())
def test_any_state_arrives_bit_for_bit_in_any_order(
    found: list[tuple[list[int], torch.dtype]], size: int, order: random.Random
) -> None:
    tensors = {f"t{index}": some_values(tuple(shape), dtype) for index, (shape, dtype) in enumerate(found)}
    assert_same(received(swarm_state(tensors), piece_bytes=size, order=order), swarm_state(tensors))


def test_bits_that_compare_equal_are_told_apart() -> None:
    state = swarm_state({"zero": torch.tensor([-0.0])})
    found = received(state, piece_bytes=64, order=random.Random(0))
    assert torch.signbit(found.tensors["zero"]).all()


@FIFTY_EXAMPLES
@given(st.binary(min_size=1, max_size=200), st.integers(1, 50), st.lists(st.integers(1, 199)))
def test_digests_do_not_depend_on_how_the_bytes_are_held(data: bytes, size: int, cuts: list[int]) -> None:
    edges = [0, *sorted({cut for cut in cuts if cut < len(data)}), len(data)]
    held = [torch.frombuffer(bytearray(data[start:end]), dtype=torch.uint8) for start, end in pairwise(edges)]
    expected = b"".join(
        digests_of([torch.frombuffer(bytearray(data[start : start + size]), dtype=torch.uint8)])
        for start in range(0, len(data), size)
    )
    assert digests_of(held, piece_bytes=size) == expected
    assert len(expected) == 32 * pieces_in(len(data), piece_bytes=size)


# --- what a donor may not do ----------------------------------------------------------------------------------

STATE = swarm_state({"w": torch.arange(100.0), "n": torch.tensor(3)})
DATA = data_of(STATE)


@pytest.mark.parametrize("at", [0, 50, 99])
def test_one_changed_bit_is_noticed_when_its_piece_comes(at: int) -> None:
    buffer = buffer_of(STATE, 100)
    piece = bytearray(DATA[100:200])
    piece[at] ^= 1
    with pytest.raises(DonorLied, match="piece 1 does not match its digest"):
        buffer.put(1, bytes(piece))
    assert 1 in buffer.missing
    assert not buffer.flat[100:200].any()


@pytest.mark.parametrize("data", [b"", DATA[:99], DATA[:101], DATA[100:200]], ids=len)
def test_a_piece_of_another_size_or_place_is_refused(data: bytes) -> None:
    with pytest.raises(DonorLied):
        buffer_of(STATE, 100).put(0, data)


def test_a_piece_that_comes_twice_counts_once() -> None:
    buffer = buffer_of(STATE, 100)
    assert [buffer.put(0, DATA[:100]) for _ in range(2)] == [True, False]
    assert list(buffer.missing) == [1, 2, 3, 4]


@pytest.mark.parametrize("poison", [float("nan"), float("inf")])
def test_values_that_are_not_numbers_are_refused(poison: float) -> None:
    with pytest.raises(DonorFailed, match="not finite"):
        received(swarm_state({"w": torch.tensor([1.0, poison])}), piece_bytes=64, order=random.Random(0))


def test_what_crosses_to_another_process_is_checked_again() -> None:
    outline = outline_of(STATE)
    buffer = PieceBuffer(outline, len(DATA))
    buffer.put(0, DATA)
    assert buffer.flat.is_shared()
    assert_same(joined(buffer.flat, schema_of(STATE.tensors), outline), STATE)
    buffer.flat[0] ^= 1
    with pytest.raises(DonorFailed, match="digest"):
        joined(buffer.flat, schema_of(STATE.tensors), outline)


def test_the_refusal_crosses_processes_with_its_words() -> None:
    error = DonorLied("A donor's piece 3 does not match its digest.")
    found = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    assert (type(found), str(found)) == (DonorLied, str(error))


# --- outlines -------------------------------------------------------------------------------------------------

OUTLINE = StateOutline(7, digest_of("head"), digest_of("a") + digest_of("b"))


def test_the_root_names_the_whole_state() -> None:
    others = [
        StateOutline(8, OUTLINE.head, OUTLINE.digests),
        StateOutline(7, digest_of("another head"), OUTLINE.digests),
        StateOutline(7, OUTLINE.head, digest_of("b") + digest_of("a")),
        StateOutline(7, OUTLINE.head, OUTLINE.digests[:32]),
    ]
    assert len({OUTLINE.root, *(item.root for item in others)}) == 5


def test_an_outline_arrives_as_it_was() -> None:
    assert StateOutline.unpack(OUTLINE.pack(), pieces=2) == OUTLINE


FIELDS = {"epoch": 7, "head": OUTLINE.head, "digests": OUTLINE.digests}
MALFORMED: dict[str, bytes] = {
    "nothing": b"",
    "no msgpack": b"\xc1\xff",
    "cut off": OUTLINE.pack()[:-3],
    "a number": msgpack.packb(7),
    "an extension": msgpack.packb(msgpack.ExtType(0x40, msgpack.packb(5))),
    "nested deeply": b"\x91" * 5000 + b"\xc0",
    "a key more": msgpack.packb({**FIELDS, "more": 1}),
    **{f"without {key}": msgpack.packb({**FIELDS, key: None}) for key in FIELDS},
    "an epoch in words": msgpack.packb({**FIELDS, "epoch": "7"}),
    "an epoch that is no number": msgpack.packb({**FIELDS, "epoch": True}),
    "an epoch below zero": msgpack.packb({**FIELDS, "epoch": -1}),
    "an absurd epoch": msgpack.packb({**FIELDS, "epoch": 2**62}),
    "a short head": msgpack.packb({**FIELDS, "head": b"short"}),
    "too few digests": msgpack.packb({**FIELDS, "digests": OUTLINE.digests[:32]}),
    "too many digests": msgpack.packb({**FIELDS, "digests": OUTLINE.digests * 2}),
    "a digest cut off": msgpack.packb({**FIELDS, "digests": OUTLINE.digests[:-1]}),
}


@pytest.mark.parametrize("packed", MALFORMED.values(), ids=list(MALFORMED))
def test_a_malformed_outline_is_refused(packed: bytes) -> None:
    with pytest.raises(DonorFailed):
        StateOutline.unpack(packed, pieces=2)


def test_the_list_of_a_state_of_forty_gigabytes_fits_into_one_message() -> None:
    assert 32 * pieces_in(40 * 10**9) + 100 < 4 * 2**20
    assert pieces_in(PIECE_BYTES) == 1
