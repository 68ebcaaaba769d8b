"""Parsers with faults, by which tests see that fuzzing finds them; none of them is the product's."""

import time

from benchmarks.fuzzing.target import FuzzTarget

_HOUR = 3600.0


def _undocumented(data: bytes) -> bytes:
    """Fail by another error than the documented one."""
    if len(data) < 4:
        raise ValueError("it is too short")
    return bytes([data[0], data[data[1] % 8]])


def _greedy(data: bytes) -> bytes:
    """Take as much memory as a number in the data says."""
    return bytes(data[0] << 30) if data else b""


def _endless(data: bytes) -> bytes:
    """Take an hour for one byte in 256."""
    if data[:1] == b"\xff":
        time.sleep(_HOUR)
    return data


TARGETS = (
    FuzzTarget("undocumented", (b"\0\1abcdefgh",), _undocumented, (ValueError,)),
    FuzzTarget("greedy", (b"\0abc",), _greedy),
    FuzzTarget("endless", (b"abc",), _endless),
)
