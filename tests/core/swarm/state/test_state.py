"""A state arrives bit for bit, or not at all, and no donor makes us hold more than it has."""

import pickle

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.swarm.state.state import DonorFailed, StateReader, SwarmState, schema_of, unflatten
from tests.core.swarm.builders import FIFTY_EXAMPLES, digest_of

DTYPES = (torch.float32, torch.float16, torch.bfloat16, torch.float64, torch.uint8, torch.int64, torch.bool)


def some_values(shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    draws = torch.Generator().manual_seed(sum(shape))
    if dtype.is_floating_point:
        return torch.randn(shape, generator=draws).to(dtype)
    return torch.randint(0, 2 if dtype == torch.bool else 100, shape, generator=draws).to(dtype)


ODD = {
    "parameters.scalar": some_values((), torch.float32),
    "parameters.one": some_values((1,), torch.uint8),
    "parameters.empty": some_values((0, 3), torch.float32),
    "parameters.matrix": some_values((7, 5), torch.float32),
    "parameters.turned": some_values((5, 7), torch.float32).t(),
    "optimizer.codes": some_values((13,), torch.uint8),
    "optimizer.step": torch.tensor(12345678901),
    "optimizer.half": some_values((3, 1, 3), torch.float16),
    "optimizer.brain": some_values((5,), torch.bfloat16),
    "optimizer.flags": some_values((3,), torch.bool),
    "optimizer.double": some_values((3,), torch.float64),
}


def swarm_state(tensors: dict[str, torch.Tensor], epoch: int = 7) -> SwarmState:
    return SwarmState(epoch, digest_of("head"), tensors)


def received(state: SwarmState, *, chunk: int = 1000) -> SwarmState:
    reader = StateReader(schema_of(state.tensors))
    reader.metadata(state.metadata())
    for section in state.sections():
        data = section.numpy().tobytes()
        for start in range(0, len(data), chunk):
            reader.chunk(data[start : start + chunk])
    return reader.finish()


def assert_same(found: SwarmState, expected: SwarmState) -> None:
    assert (found.epoch, found.head, list(found.tensors)) == (
        expected.epoch,
        expected.head,
        list(expected.tensors),
    )
    for name, item in expected.tensors.items():
        assert found.tensors[name].dtype == item.dtype
        assert found.tensors[name].shape == item.shape
        assert found.tensors[name].equal(item)


@pytest.mark.parametrize("chunk", [1, 7, 64, 10_000])
def test_odd_shapes_and_types_arrive_bit_for_bit(chunk: int) -> None:
    assert_same(received(swarm_state(ODD), chunk=chunk), swarm_state(ODD))


shapes = st.lists(st.tuples(st.lists(st.integers(0, 5), max_size=3), st.sampled_from(DTYPES)), max_size=6)


@FIFTY_EXAMPLES
@given(shapes.filter(lambda found: any(all(shape) for shape, _ in found)), st.integers(1, 64))
def test_any_state_arrives_bit_for_bit(found: list[tuple[list[int], torch.dtype]], chunk: int) -> None:
    tensors = {f"t{index}": some_values(tuple(shape), dtype) for index, (shape, dtype) in enumerate(found)}
    assert_same(received(swarm_state(tensors), chunk=chunk), swarm_state(tensors))


def test_bits_that_compare_equal_are_distinguished() -> None:
    state = swarm_state({"zero": torch.tensor([-0.0])})
    assert torch.signbit(received(state).tensors["zero"]).all()


# --- sections -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 3, 4, 100, 139, 140, 141, 10_000])
def test_sections_hold_all_bytes_in_order_whatever_their_size(size: int) -> None:
    state = swarm_state(ODD)
    whole = torch.cat([item.contiguous().view(-1).view(torch.uint8) for item in ODD.values()])
    sections = state.sections(section_bytes=size)
    assert torch.cat(sections).equal(whole)
    assert all(len(section) == size for section in sections[:-1])
    assert 0 < len(sections[-1]) <= size


def test_sections_are_copies() -> None:
    weights = torch.ones(10)
    sections = swarm_state({"w": weights}).sections()
    weights.zero_()
    assert sections[0].view(torch.float32).equal(torch.ones(10))


# --- what a donor may not do ----------------------------------------------------------------------------------

STATE = swarm_state({"w": torch.arange(100.0), "n": torch.tensor(3)})
DATA = torch.cat(STATE.sections()).numpy().tobytes()


def reader_of(metadata: object) -> StateReader:
    reader = StateReader(schema_of(STATE.tensors))
    reader.metadata(metadata)
    return reader


def test_more_bytes_than_the_state_has_are_refused_at_once() -> None:
    reader = reader_of(STATE.metadata())
    reader.chunk(DATA)
    with pytest.raises(DonorFailed, match="more than the 408 bytes"):
        reader.chunk(b"\0")


@pytest.mark.parametrize("missing", [1, 8, len(DATA)])
def test_missing_bytes_are_noticed(missing: int) -> None:
    reader = reader_of(STATE.metadata())
    if missing < len(DATA):
        reader.chunk(DATA[:-missing])
    with pytest.raises(DonorFailed, match=f"sent {len(DATA) - missing} of {len(DATA)} bytes"):
        reader.finish()


@pytest.mark.parametrize("at", [0, 200, len(DATA) - 1])
def test_one_changed_bit_is_noticed(at: int) -> None:
    reader = reader_of(STATE.metadata())
    reader.chunk(DATA[:at] + bytes([DATA[at] ^ 1]) + DATA[at + 1 :])
    with pytest.raises(DonorFailed, match="does not match its own digest"):
        reader.finish()


@pytest.mark.parametrize("poison", [float("nan"), float("inf")])
def test_values_that_are_not_numbers_are_refused(poison: float) -> None:
    poisoned = swarm_state({"w": torch.tensor([1.0, poison])})
    with pytest.raises(DonorFailed, match="not finite"):
        received(poisoned)


def without(key: str) -> dict[str, object]:
    return {name: value for name, value in STATE.metadata().items() if name != key}


MALFORMED: tuple[object, ...] = (
    None,
    7,
    [],
    {},
    without("epoch"),
    without("head"),
    without("digest"),
    {**STATE.metadata(), "epoch": "7"},
    {**STATE.metadata(), "epoch": True},
    {**STATE.metadata(), "epoch": -1},
    {**STATE.metadata(), "epoch": 10**12},
    {**STATE.metadata(), "epoch": 7.0},
    {**STATE.metadata(), "head": b"short"},
    {**STATE.metadata(), "head": "x" * 32},
    {**STATE.metadata(), "digest": b""},
)


@pytest.mark.parametrize("metadata", MALFORMED, ids=str)
def test_malformed_metadata_is_refused(metadata: object) -> None:
    with pytest.raises(DonorFailed):
        reader_of(metadata)


def test_tensors_without_metadata_are_refused() -> None:
    reader = StateReader(schema_of(STATE.tensors))
    reader.chunk(DATA)
    with pytest.raises(DonorFailed):
        reader.finish()


def test_saying_nothing_again_and_again_is_refused() -> None:
    reader = reader_of(STATE.metadata())
    with pytest.raises(DonorFailed, match="empty"):
        reader.chunk(b"")
    with pytest.raises(DonorFailed):
        reader.metadata(STATE.metadata())


def test_what_crosses_to_another_process_is_checked_again() -> None:
    reader = reader_of(STATE.metadata())
    reader.chunk(DATA)
    reader.finish()
    assert_same(unflatten(reader.flat, schema_of(STATE.tensors), STATE.metadata()), STATE)
    reader.flat[0] ^= 1
    with pytest.raises(DonorFailed, match="digest"):
        unflatten(reader.flat, schema_of(STATE.tensors), STATE.metadata())


def test_the_refusal_crosses_processes_with_its_words() -> None:
    error = DonorFailed("A donor went away.")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)  # noqa: S301 - our own bytes
