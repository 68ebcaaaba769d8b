"""A remote file reads like a local one, and asks for no byte twice while it is at hand."""

import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.data.network.remote import TAIL_BYTES, WHOLE_BYTES, RemoteFile

CONTENT = np.random.default_rng(0).bytes(3 * WHOLE_BYTES)


class ByteServer:
    """Bytes, and which of them were asked for."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.asked: list[tuple[int, int]] = []

    def fetch(self, first: int, end: int) -> bytes:
        assert 0 <= first < end <= len(self.content)
        self.asked.append((first, end))
        return self.content[first:end]


@pytest.mark.parametrize("size", [0, 1, 1000, TAIL_BYTES, WHOLE_BYTES, WHOLE_BYTES + 1, len(CONTENT)])
def test_reads_and_seeks_as_a_file_does(size: int) -> None:
    server = ByteServer(CONTENT[:size])
    remote, local = RemoteFile(size, server.fetch), io.BytesIO(server.content)
    draws = np.random.default_rng(size)
    for _ in range(50):
        place, length = (int(number) for number in draws.integers(0, size + 10, 2))
        assert remote.seek(place) == local.seek(place)
        assert remote.read(length) == local.read(length)
        assert remote.tell() == (local.tell() if place <= size else size)
    assert remote.seek(-1, io.SEEK_END) == local.seek(-1, io.SEEK_END)
    assert remote.read() == local.read()


def test_what_is_loaded_and_the_end_are_not_asked_for_again() -> None:
    server = ByteServer(CONTENT)
    remote = RemoteFile(len(CONTENT), server.fetch)
    remote.load(500, len(CONTENT))
    for place in range(500, len(CONTENT), 70_000):
        remote.seek(place)
        assert remote.read(70_000) == CONTENT[place : place + 70_000]
    tail = len(CONTENT) - TAIL_BYTES
    assert server.asked == [(tail, len(CONTENT)), (500, tail)]


def test_a_part_that_is_not_at_hand_is_fetched_alone() -> None:
    server = ByteServer(CONTENT)
    remote = RemoteFile(len(CONTENT), server.fetch)
    remote.load(1000, 2000)
    remote.seek(900)
    assert remote.read(1200) == CONTENT[900:2100]
    assert server.asked[1:] == [(1000, 2000), (900, 1000), (2000, 2100)]


def test_a_small_file_takes_one_request() -> None:
    content = CONTENT[:WHOLE_BYTES]
    server = ByteServer(content)
    assert RemoteFile(len(content), server.fetch).read() == content
    assert server.asked == [(0, len(content))]


def test_errors_of_the_network_pass_pyarrow_as_they_are() -> None:
    class NobodyAsksAnyMoreError(Exception):
        pass

    written = io.BytesIO()
    pq.write_table(pa.table({"code": [CONTENT]}), written, compression="none")
    server = ByteServer(written.getvalue())

    def fetch(first: int, end: int) -> bytes:
        if server.asked:
            raise NobodyAsksAnyMoreError
        return server.fetch(first, end)

    file = pq.ParquetFile(RemoteFile(len(server.content), fetch), pre_buffer=False)
    with pytest.raises(NobodyAsksAnyMoreError):
        next(file.iter_batches(use_threads=False))
