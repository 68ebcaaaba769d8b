"""Thrift that different readers could interpret differently is refused."""

import pytest

from core.data.parquet.thrift import STRUCT, Compact
from tests.core.data.parquet.forging import unsigned, varint

TWICE = b"\x55\x02\x05" + varint(5) + b"\x04\x00"
BACK = b"\x55\x02\x05" + varint(2) + b"\x04\x00"
BEYOND_16_BITS = b"\x05" + varint(65541) + b"\x02\x00"


@pytest.mark.parametrize("struct", [TWICE, BACK, BEYOND_16_BITS])
def test_a_field_that_comes_twice_or_out_of_order_is_refused(struct: bytes) -> None:
    data = Compact(struct)
    with pytest.raises(ValueError, match=r"out of order|more than 16 bits"):
        data.skip(STRUCT)


@pytest.mark.parametrize("bits", [16, 32, 64])
def test_a_number_has_no_more_bits_than_its_kind(bits: int) -> None:
    assert Compact(unsigned((1 << bits) - 1)).unsigned(bits) == (1 << bits) - 1
    assert Compact(unsigned((1 << bits) - 1)).integer(bits) == -1 << bits - 1
    for number in (1 << bits, (1 << bits) + 12, 1 << 90):
        with pytest.raises(ValueError, match=f"more than {bits} bits"):
            Compact(unsigned(number)).integer(bits)
