"""hivemind's libp2p daemon is unpacked to what it was, and what is packed in another way stays as it is."""

import hashlib
import struct
from pathlib import Path

import pytest

from tests.processes.unpacked_p2pd import replace, unpack, unpacked_program

HEADER = bytes.fromhex(
    "bbfb20ff7f454c460201010002003e001b6013471fdfddf6ed402f68feb749273800070a0e0003696bef0d0006"
    "1e044f0e406f23a7bd886b0f001004079c0fed1dc87b1d0e40640b0fdbb66e32048d0517e30f366dc90770f5ac"
    "df01872127763bad5fed0f58d93c65772d6f061560860ec607f2f781e09d316fb04a3651df8e60e7e574640108"
    "0f801504928454ec65002a6f00952449ff"
)
"""The header of hivemind 1.1.12's p2pd for x86-64 as UPX packed it: single bytes, near and far repetitions."""
SIZE, SEGMENTS = 456, 7
SHA256 = "c60b31f40b3ee0842344688f0ef57cce67f6806d77936a9b06f15a0f7498759c"


def test_a_header_is_unpacked() -> None:
    header = unpack(HEADER)
    assert (len(header), header[:4], hashlib.sha256(header).hexdigest()) == (SIZE, b"\x7fELF", SHA256)
    assert struct.unpack_from("<H", header, 56) == (SEGMENTS,)


@pytest.mark.parametrize(
    ("method", "what"), [(14, "method 14 and filter 0 are not known"), (8, "a part has 456 bytes")]
)
def test_a_program_that_is_packed_in_another_way_stays_as_it_is(
    tmp_path: Path, method: int, what: str
) -> None:
    """The second one says that its header is a byte longer."""
    block = struct.pack("<IIBBxx", SIZE + 1, len(HEADER), method, 0)
    program = tmp_path / "p2pd"
    packed = bytes(232) + bytes(4) + b"UPX!" + bytes(16) + block + HEADER + bytes(12)
    program.write_bytes(packed)
    with pytest.raises(ValueError, match=what):
        replace(program)
    assert program.read_bytes() == packed
    assert list(tmp_path.iterdir()) == [program]


def test_what_is_not_packed_stays_as_it_is() -> None:
    with pytest.raises(ValueError, match="not packed"):
        unpacked_program(b"\x7fELF" + bytes(300))
