"""What the connections of a process have passed is known to the byte, of those that are over as well."""

import os
import socket
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack

import pytest

from core.swarm.wire.connections import ConnectionCount, WireBytes, connections_of
from tests.waiting import wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
SIZE = 200_000
_REPEATED_AT = 208
"""Place of the bytes that were sent again in the kernel's tcp_info."""


@pytest.fixture(params=[socket.AF_INET, socket.AF_INET6])
def pair(request: pytest.FixtureRequest) -> Iterator[tuple[socket.socket, socket.socket]]:
    """A connection on loopback: the end that sends, and the one that receives."""
    address = "127.0.0.1" if request.param == socket.AF_INET else "::1"
    with ExitStack() as stack:
        try:
            server = stack.enter_context(socket.create_server((address, 0), family=request.param))
        except OSError:
            pytest.skip("this machine has no such addresses")
        sender = stack.enter_context(socket.create_connection(server.getsockname()[:2]))
        receiver, _ = server.accept()
        yield sender, stack.enter_context(receiver)


def _passed(end: socket.socket) -> WireBytes:
    return connections_of(os.getpid())[os.fstat(end.fileno()).st_ino]


def _repeated(end: socket.socket) -> int:
    """The bytes that it has sent twice so far: on a busy machine an acknowledgement comes late even on loopback."""
    info = end.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _REPEATED_AT + 8)
    return int.from_bytes(info[_REPEATED_AT:], sys.byteorder)


def test_both_ends_of_a_connection_count_what_it_passes(pair: tuple[socket.socket, socket.socket]) -> None:
    sender, receiver = pair
    sender.sendall(bytes(SIZE))
    got = 0
    while got < SIZE:
        got += len(receiver.recv(SIZE))
    wait_until(lambda: _passed(receiver).down >= SIZE, "the bytes are not counted")
    sent, repeated, received = _passed(sender).up, _repeated(sender), _passed(receiver).down
    assert SIZE + repeated < sent < 1.01 * SIZE + 1.01 * _repeated(sender), "headers are counted as well"
    assert SIZE < received < 1.01 * SIZE, "headers are counted as well"
    assert 0 < _passed(receiver).up < 0.01 * SIZE, "it has only acknowledged"


def test_a_process_that_is_not_there_has_no_connections_to_tell_of() -> None:
    with pytest.raises(OSError, match="No such file"):
        connections_of(2**22 + 1)


@pytest.mark.parametrize(
    ("looks", "expected"),
    [
        ([{}], WireBytes()),
        ([{1: WireBytes(5, 7)}], WireBytes(5, 7)),
        ([{1: WireBytes(5, 7)}, {1: WireBytes(6, 9)}], WireBytes(6, 9)),
        ([{1: WireBytes(5, 7), 2: WireBytes(1, 1)}, {2: WireBytes(2, 2)}], WireBytes(7, 9)),
        ([{1: WireBytes(5, 7)}, {}, {2: WireBytes(1, 1)}], WireBytes(6, 8)),
        ([{1: WireBytes(5, 7)}, {1: WireBytes(2, 9)}], WireBytes(7, 16)),  # another connection got the number
    ],
)
def test_connections_that_are_over_stay_counted(
    looks: list[Mapping[int, WireBytes]], expected: WireBytes
) -> None:
    coming = iter(looks)
    count = ConnectionCount(lambda: next(coming))
    for _ in looks:
        count.look()
    assert count.total == expected
