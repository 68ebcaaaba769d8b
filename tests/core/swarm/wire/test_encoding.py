"""Messages decode to their values within the encoding's own error; everything else is refused."""

import importlib.metadata
import pickle
import subprocess
import sys
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
import torch
from hivemind.compression import deserialize_torch_tensor
from hivemind.proto import runtime_pb2
from hypothesis import given
from hypothesis import strategies as st

from core.run.encodings import Encoding, wire_bytes
from core.swarm.wire.encoding import MalformedPart, decode, encode
from tests.core.swarm.builders import FIFTY_EXAMPLES

QUANTIZED = (Encoding.UNIFORM8, Encoding.BLOCKWISE8)
EVERY = tuple(Encoding)
LENGTHS = (1, 2, 4095, 4096, 4097, 10_000)


def normal(length: int, scale: float = 1e-3) -> torch.Tensor:
    return torch.randn(length, generator=torch.Generator().manual_seed(length)) * scale


def heavy_tailed(length: int) -> torch.Tensor:
    """Student's t with two degrees of freedom: gradients with rare, large values."""
    draws = np.random.default_rng(length).standard_t(2, length)
    return torch.from_numpy(draws.astype("float32"))


def relative_error(found: torch.Tensor, exact: torch.Tensor) -> float:
    return float((found.double() - exact.double()).norm() / exact.double().norm())


def round_trip(values: torch.Tensor, encoding: Encoding) -> torch.Tensor:
    return decode(encode(values, encoding), encoding, len(values))


def test_float32_is_lossless() -> None:
    values = torch.cat([heavy_tailed(5000), torch.tensor([0.0, -0.0, 1e-45, 3.4e38])])
    assert round_trip(values, Encoding.FLOAT32).view(torch.int32).equal(values.view(torch.int32))


@pytest.mark.parametrize(
    ("encoding", "most"),
    [(Encoding.FLOAT16, 1e-3), (Encoding.UNIFORM8, 0.03), (Encoding.BLOCKWISE8, 0.02)],
)
@pytest.mark.parametrize("length", [2000, 4096, 50_000])
def test_error_on_normal_values(encoding: Encoding, most: float, length: int) -> None:
    values = normal(length)
    assert 0 < relative_error(round_trip(values, encoding), values) < most


def test_heavy_tails_cost_uniform_dearly_and_blockwise_little() -> None:
    values = heavy_tailed(100_000)
    assert relative_error(round_trip(values, Encoding.BLOCKWISE8), values) < 0.03
    assert 0.1 < relative_error(round_trip(values, Encoding.UNIFORM8), values) < 0.9


@pytest.mark.parametrize("encoding", EVERY)
def test_wire_bytes_is_what_a_message_takes(encoding: Encoding) -> None:
    for length in LENGTHS:
        message = encode(normal(length), encoding)
        agreed = encoding if length > 1 or encoding not in QUANTIZED else Encoding.FLOAT16
        assert len(message.buffer) == wire_bytes(agreed, length), length
        assert len(decode(message, encoding, length)) == length


@pytest.mark.parametrize("encoding", EVERY)
def test_encoding_leaves_its_input_alone(encoding: Encoding) -> None:
    values = heavy_tailed(5000) * 1e5
    before = values.clone()
    encode(values, encoding)
    assert values.equal(before)


@pytest.mark.parametrize("encoding", EVERY)
def test_a_constant_part_arrives_as_it_was(encoding: Encoding) -> None:
    parts = [torch.full((3000,), constant) for constant in (0.0, 1.0, -0.125)]
    assert [values[0] for values in parts if not round_trip(values, encoding).equal(values)] == []


@pytest.mark.parametrize("encoding", QUANTIZED)
def test_no_magnitude_of_finite_values_fails(encoding: Encoding) -> None:
    scales = [1e-44, 1e-38, 1e-20, 1e-12, 1.0, 1e12, 1e19, 1e37]
    decoded = {scale: round_trip(normal(5000, scale), encoding) for scale in scales}
    assert [scale for scale, values in decoded.items() if not bool(values.isfinite().all())] == []


@pytest.mark.parametrize("encoding", QUANTIZED)
def test_zeros_among_other_values_stay_zero(encoding: Encoding) -> None:
    """Rows that had no gradient must not be pushed one way by every epoch."""
    values = torch.zeros(8192)
    values[100] = 1.0
    values[8000] = -0.5
    decoded = round_trip(values, encoding)
    assert decoded[values == 0].equal(torch.zeros(8190))


@pytest.mark.parametrize("encoding", QUANTIZED)
@FIFTY_EXAMPLES
@given(values=st.lists(st.floats(-60_000, 60_000, width=32), min_size=2, max_size=64))
def test_decoded_values_stay_within_the_range_of_the_encoded(encoding: Encoding, values: list[float]) -> None:
    tensor = torch.tensor(values)
    decoded = round_trip(tensor, encoding)
    half_step = 2.0**-25  # of float16 near zero, in which parts without spread travel
    assert bool((decoded.abs() <= tensor.abs().max() * 1.001 + half_step).all())


@pytest.mark.parametrize("encoding", QUANTIZED)
def test_eight_bits_are_read_alike_by_hivemind(encoding: Encoding) -> None:
    for length in LENGTHS[1:]:
        message = encode(normal(length), encoding)
        assert deserialize_torch_tensor(message).equal(decode(message, encoding, length)), length


def test_a_first_part_costs_a_round_no_import() -> None:
    script = (
        "import sys, torch; from core.run.encodings import Encoding; "
        "from core.swarm.wire.encoding import decode, encode; before = set(sys.modules)\n"
        f"for encoding in {[str(each) for each in QUANTIZED]}:\n"
        "    decode(encode(torch.randn(5000), Encoding(encoding)), Encoding(encoding), 5000)\n"
        "print(sorted(set(sys.modules) - before))"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_uniform8_is_exact_within_half_a_step() -> None:
    """256 steps over six standard deviations: inside of them no value is off by more than a step."""
    values = normal(50_000, scale=1.0)
    step = 6 * float(values.std()) / 256
    inside = values.abs() < 2.9
    off = (round_trip(values, Encoding.UNIFORM8) - values).abs()[inside]
    assert float(off.max()) < step * 1.01
    assert float(off.mean()) < step / 2


def test_numpy_is_one_that_hivemind_can_exchange_8_bits_with() -> None:
    """Hivemind's decoders raise on every part with numpy 2.4, and averages are silently incomplete."""
    major, minor = (int(item) for item in importlib.metadata.version("numpy").split(".")[:2])
    assert (major, minor) < (2, 4)
    values = torch.linspace(-1, 1, 4096)
    for encoding in QUANTIZED:
        message = encode(values, encoding)
        assert relative_error(deserialize_torch_tensor(message), values) < 0.02
        assert relative_error(decode(message, encoding, 4096), values) < 0.02


# --- what is refused ------------------------------------------------------------------------------------------


def refused(message: runtime_pb2.Tensor, encoding: Encoding, length: int) -> bool:
    try:
        decode(message, encoding, length)
    except MalformedPart:
        return True
    return False


LENGTH = 5000


def altered(sound: runtime_pb2.Tensor, alter: Callable[[runtime_pb2.Tensor], None]) -> runtime_pb2.Tensor:
    message = runtime_pb2.Tensor()
    message.CopyFrom(sound)
    alter(message)
    return message


def truncate(message: runtime_pb2.Tensor) -> None:
    message.buffer = message.buffer[:-1]


def extend(message: runtime_pb2.Tensor) -> None:
    message.buffer += b"\0"


def empty(message: runtime_pb2.Tensor) -> None:
    message.buffer = b""


def other_length(message: runtime_pb2.Tensor) -> None:
    message.size[:] = [LENGTH + 1]


def other_shape(message: runtime_pb2.Tensor) -> None:
    message.size[:] = [LENGTH // 2, 2]


def no_shape(message: runtime_pb2.Tensor) -> None:
    message.size[:] = []


def other_dtype(message: runtime_pb2.Tensor) -> None:
    message.dtype = "float64"


def no_dtype(message: runtime_pb2.Tensor) -> None:
    message.dtype = "__class__"


def quantile(message: runtime_pb2.Tensor) -> None:
    message.compression = runtime_pb2.CompressionType.QUANTILE_8BIT


def wants_gradients(message: runtime_pb2.Tensor) -> None:
    message.requires_grad = True


ALTERATIONS = (
    truncate,
    extend,
    empty,
    other_length,
    other_shape,
    no_shape,
    other_dtype,
    no_dtype,
    quantile,
    wants_gradients,
)


@pytest.mark.parametrize("encoding", EVERY)
def test_a_malformed_part_is_refused(encoding: Encoding) -> None:
    sound = encode(normal(LENGTH), encoding)
    assert not refused(sound, encoding, LENGTH)
    taken = [alter.__name__ for alter in ALTERATIONS if not refused(altered(sound, alter), encoding, LENGTH)]
    assert taken == []


def test_only_the_agreed_encoding_is_taken() -> None:
    """Beside float16, which stands in for parts without spread where 8 bits were agreed."""
    messages = {sent: encode(normal(LENGTH), sent) for sent in EVERY}
    taken = {
        (sent, agreed)
        for sent, agreed in product(EVERY, EVERY)
        if not refused(messages[sent], agreed, LENGTH)
    }
    stand_ins = {(Encoding.FLOAT16, agreed) for agreed in QUANTIZED}
    assert taken == {(encoding, encoding) for encoding in EVERY} | stand_ins


@pytest.mark.parametrize(
    ("encoding", "at"), [(Encoding.UNIFORM8, 0), (Encoding.BLOCKWISE8, 0), (Encoding.BLOCKWISE8, 8)]
)
def test_counts_inside_a_quantized_part_must_fit_its_length(encoding: Encoding, at: int) -> None:
    sound = encode(normal(LENGTH), encoding)
    for count in (-1, 0, 1, 255, 257, 2**40):
        packed = count.to_bytes(8, "little", signed=True)
        message = altered(sound, lambda whole: None)
        message.buffer = sound.buffer[:at] + packed + sound.buffer[at + 8 :]
        assert refused(message, encoding, LENGTH), count


@pytest.mark.parametrize("poison", [float("nan"), float("inf"), float("-inf")])
def test_values_that_are_not_numbers_are_refused(poison: float) -> None:
    values = normal(LENGTH)
    values[17] = poison
    assert refused(encode(values, Encoding.FLOAT32), Encoding.FLOAT32, LENGTH)
    half = encode(normal(LENGTH), Encoding.FLOAT16)
    half.buffer = np.float16(poison).tobytes() + half.buffer[2:]
    assert refused(half, Encoding.FLOAT16, LENGTH)


@pytest.mark.parametrize(("encoding", "table"), [(Encoding.UNIFORM8, 8), (Encoding.BLOCKWISE8, 16)])
@pytest.mark.parametrize("poison", [float("nan"), float("inf")])
def test_tables_that_are_not_numbers_are_refused(encoding: Encoding, table: int, poison: float) -> None:
    message = encode(normal(LENGTH), encoding)
    scale_of_all = np.full(256 if encoding == Encoding.UNIFORM8 else 2, poison, "<f4").tobytes()
    message.buffer = message.buffer[:table] + scale_of_all + message.buffer[table + len(scale_of_all) :]
    assert refused(message, encoding, LENGTH)


def test_the_refusal_crosses_processes_with_its_words() -> None:
    error = MalformedPart("A part came wrong.")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)  # noqa: S301 - our own bytes
