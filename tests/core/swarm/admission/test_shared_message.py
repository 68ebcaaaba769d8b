"""Processes share bytes without a lock: what is read is whole, whenever the writer was stopped."""

import os
import struct
from collections.abc import Callable

import pytest

from core.swarm.admission.shared_message import SharedMessage


def test_the_newest_is_read() -> None:
    cell = SharedMessage(10)
    assert cell.read() == b""
    for data in (b"one", b"another", b"", b"0123456789"):
        cell.write(data)
        assert cell.read() == data
        assert cell.read() == data


def test_what_does_not_fit_is_refused_and_changes_nothing() -> None:
    cell = SharedMessage(4)
    cell.write(b"four")
    with pytest.raises(ValueError, match="do not fit"):
        cell.write(b"fives")
    assert cell.read() == b"four"


def in_another_process(work: Callable[[], bool]) -> bool:
    """Return true if the work returned true in a child process."""
    if (child := os.fork()) == 0:
        os._exit(0 if work() else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_process_that_was_forked_reads_and_writes_the_same() -> None:
    cell = SharedMessage(10)
    cell.write(b"before")

    def answer() -> bool:
        found = cell.read()
        cell.write(b"after")
        return found == b"before"

    assert in_another_process(answer)
    assert cell.read() == b"after"


def test_the_one_before_is_read_as_long_as_the_newest_is_not_whole() -> None:
    """The writer was stopped for good after any number of bytes."""
    for cut in range(44 + 5):
        cell = SharedMessage(10)
        cell.write(b"older")
        cell.write(b"newer")
        whole = bytes(cell._memory)
        cell.write(b"third")  # over the oldest
        begun = bytes(cell._memory)
        stride = len(whole) // 2
        start = stride * (struct.unpack_from("<Q", begun, stride)[0] == 3)
        written = [*range(start + 44, start + 49), *range(start, start + 44)][:cut]
        for index in range(start, start + stride):
            if index not in written:
                cell._memory[index] = whole[index]
        assert SharedMessage.read(cell) == (b"third" if bytes(cell._memory) == begun else b"newer")
        for index in written:
            cell._memory[index] = begun[index]


def test_it_is_read_once_it_is_whole() -> None:
    cell = SharedMessage(10)
    cell.write(b"older")
    before = bytes(cell._memory)
    cell.write(b"newer")
    after = bytes(cell._memory)
    differing = [index for index in range(len(after)) if after[index] != before[index]]
    cell._memory[differing[-1]] = before[differing[-1]]
    assert cell.read() == b"older"
    cell._memory[differing[-1]] = after[differing[-1]]
    assert cell.read() == b"newer"
