"""Reading stands back and ends also where it is from a disk, and where nothing that is read can be handed over."""

import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

from core.data.listing import Shard
from core.data.shards import CodeRow
from core.data.streaming.rows import ShardRows
from core.data.streaming.stream import CodeStream
from core.network.pause_token import PauseToken
from core.run.filters import FilterSettings
from tests.core.data.streaming.numbered_rows import GRID, VOCAB, row
from tests.waiting import wait_until


class Endless(ShardRows):
    """A shard without end, of rows that the filters drop."""

    def __init__(self) -> None:
        super().__init__([Shard("endless", "", "endless")])
        self.given = 0

    def row_groups(self, shard: int) -> int:
        return 1

    def read(self, shard: int, row_group: int, first: int = 0) -> Iterator[tuple[str, CodeRow]]:
        while True:
            self.given += 1
            yield "a row", replace(row(0), nsfw="NSFW")


def opened(rows: ShardRows, pause_token: PauseToken) -> CodeStream:
    return CodeStream(
        rows, grid=GRID, vocab=VOCAB, filters=FilterSettings(), seed="seed", pause_token=pause_token
    )


def readers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "prefetch"]


def test_closing_ends_a_reader_that_finds_nothing_to_keep() -> None:
    rows = Endless()
    stream = opened(rows, PauseToken())
    assert not stream.ready(1)
    wait_until(lambda: rows.given > 1000, "nothing is read")
    stream.close()
    assert not readers()


def test_nothing_is_read_while_training_stands_back() -> None:
    class ObservedPause(PauseToken):
        def wait(self) -> None:
            asking.release()
            super().wait()

    rows, asking = Endless(), threading.Semaphore(0)
    with closing(opened(rows, ObservedPause())) as stream:
        stream.stand_back()
        assert not stream.ready(1)
        assert asking.acquire(timeout=20)
        assert rows.given == 1, "the row that it waits with"
        stream.come_back()
        wait_until(lambda: rows.given > 1000, "reading does not go on")
