"""A stream from a server: as from a disk, each byte once, in the background, and interrupted at any moment."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.data.listing import Entries, Shard
from core.data.network.fetching import Fetcher
from core.data.shard_file import LOADED_BYTES
from core.data.shards import CodeRow, encode_codes, write_shard
from core.data.streaming.rows import ShardRows, hub_rows
from core.data.streaming.stream import CodeStream
from core.errors import DataError
from core.network.pause_token import PauseToken
from core.run.filters import FilterSettings
from core.run.training.data_rules import HubSource
from tests.core.data.network.shard_server import AnswerFault, ShardServer, shard_server
from tests.core.network.impatient import Impatient
from tests.waiting import wait_until

GRID, VOCAB = 16, 8192
ROWS, GROUP = 160, 40
"""Rows of a shard and of a row group; a shard has more bytes than are fetched at once."""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, bytes]:
    """Three shards of codes that cannot be packed."""
    draws, folder = np.random.default_rng(0), tmp_path_factory.mktemp("shards")
    for shard in range(3):
        codes = draws.integers(0, VOCAB, (ROWS, GRID**2))
        captions = [f"row {shard} {number} {draws.bytes(1500).hex()}" for number in range(ROWS)]
        rows = [
            CodeRow(caption, encode_codes(code), "UNLIKELY", 64, 64)
            for caption, code in zip(captions, codes, strict=True)
        ]
        write_shard(folder / f"{shard}.parquet", rows, row_group_rows=GROUP)
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def shards_of(server: ShardServer, files: Mapping[str, bytes]) -> list[Shard]:
    return [Shard(name, server.url(name), name, len(content)) for name, content in files.items()]


def opened(shards: list[Shard], pause_token: PauseToken | None = None, **options: Any) -> CodeStream:
    pause_token = pause_token or Impatient()
    rows = ShardRows(shards, fetch=Fetcher(pause_token).fetch)
    sizes = {"grid": GRID, "vocab": VOCAB, "window_rows": 64, **options}
    return CodeStream(rows, filters=FilterSettings(), seed="seed", pause_token=pause_token, **sizes)


@contextmanager
def served(files: Mapping[str, bytes]) -> Iterator[tuple[ShardServer, Callable[..., CodeStream]]]:
    """A server, and what opens streams from it that are closed at the end."""
    with shard_server(files) as server:
        streams: list[CodeStream] = []

        def open_stream(*given: Any, **options: Any) -> CodeStream:
            streams.append(opened(shards_of(server, files), *given, **options))
            return streams[-1]

        try:
            yield server, open_stream
        finally:
            server.released.set()
            for stream in streams:
                stream.close()


def readers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "prefetch"]


def test_a_remote_stream_equals_a_local_one_through_faults_and_resumes(
    files: Mapping[str, bytes], tmp_path: Path
) -> None:
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    local = opened([Shard(name, str(tmp_path / name), name) for name in files])
    with served(files) as (server, open_stream):
        remote, seen = open_stream(), []
        for stop in (1, 63, 100, 300, 100):
            server.faults.extend([AnswerFault(after=1000), AnswerFault(), AnswerFault(status=503)])
            seen += remote.take(stop).captions
            saved = remote.state_dict()
            remote.close()
            remote = open_stream()
            remote.load_state_dict(saved)
        assert seen == local.take(564).captions


def test_each_byte_is_fetched_once(files: Mapping[str, bytes]) -> None:
    with shard_server(files) as server:
        rows = ShardRows(shards_of(server, files))
        for shard in range(len(files)):
            read = [sum(1 for _ in rows.read(shard, group)) for group in range(rows.row_groups(shard))]
            assert read == [GROUP] * (ROWS // GROUP)
        whole = sum(map(len, files.values()))
        assert 0.95 * whole < server.sent <= whole
        assert len(server.asked) == len(files) * (ROWS // GROUP + 1), (
            "one for the end, and one for a row group"
        )


def test_a_row_group_as_large_as_a_shard_is_read_in_parts(tmp_path: Path) -> None:
    draws, count = np.random.default_rng(0), 9000
    columns = {name: [64] * count for name in ("original_width", "original_height")}
    texts = {name: ["UNLIKELY"] * count for name in ("caption", "NSFW")}
    codes = [draws.bytes(2 * 1024) for _ in range(count)]
    pq.write_table(pa.table({"code": codes, **texts, **columns}), tmp_path / "shard.parquet")
    files = {"shard.parquet": (tmp_path / "shard.parquet").read_bytes()}
    with shard_server(files) as server:
        rows = ShardRows(shards_of(server, files))
        assert rows.row_groups(0) == 1
        assert [row.code for _, row in rows.read(0, 0)] == codes
        asked = [[int(place) for place in ask.removeprefix("bytes=").split("-")] for ask in server.asked]
    whole = len(files["shard.parquet"])
    assert whole > LOADED_BYTES
    assert server.sent <= 1.02 * whole
    assert max(last - first for first, last in asked) < whole / 4


def test_training_learns_that_there_is_nothing_and_goes_on_with_what_is_there(
    files: Mapping[str, bytes],
) -> None:
    with served(files) as (server, open_stream):
        server.faults.extend([AnswerFault(), AnswerFault(), AnswerFault(after=1000, stalls=True)])
        stream = open_stream(first_rows=GROUP)
        assert len(stream.take(GROUP).captions) == GROUP, "the first window needs no more than came"
        assert server.stalled.wait(20)
        assert not stream.ready(1)
        server.released.set()
        wait_until(lambda: stream.ready(1), "what failed is not tried again")


def test_the_time_without_samples_is_counted(files: Mapping[str, bytes]) -> None:
    now = [0.0]
    with served(files) as (server, open_stream):
        server.faults.append(AnswerFault(after=10, stalls=True))
        stream = open_stream(clock=lambda: now[0])
        assert not stream.ready(8)
        now[0] = 5.0
        server.released.set()
        stream.take(8)
        now[0] = 9.0
        assert stream.ready(8)
        assert stream.waited == 5.0
        assert (stream.waiting_share(), stream.waiting_share()) == (5 / 9, 0.0)


def test_a_batch_may_need_several_windows(files: Mapping[str, bytes]) -> None:
    with served(files) as (_, open_stream):
        stream = open_stream(window_rows=10)
        wait_until(lambda: stream.ready(35), "windows are not gathered")
        assert len(stream.take(35).captions) == 35
        assert stream.state_dict()["window"] == 3


def test_closing_ends_a_reader_that_waits_for_the_network(files: Mapping[str, bytes]) -> None:
    with served(files) as (server, open_stream):
        server.faults.append(AnswerFault(after=10, stalls=True))
        stream = open_stream()
        stream.ready(1)
        assert server.stalled.wait(20)
        assert readers()
        stream.close()
        assert not readers()


def test_nothing_is_asked_for_while_training_stands_back(files: Mapping[str, bytes]) -> None:
    with served(files) as (server, open_stream):
        stream = open_stream()
        stream.stand_back()
        assert stream.settled
        assert not stream.ready(1)
        assert readers()
        assert not server.asked
        stream.come_back()
        wait_until(lambda: stream.ready(1), "reading does not go on")


def test_no_thread_starts_before_samples_are_asked_for(files: Mapping[str, bytes]) -> None:
    with served(files) as (_, open_stream):
        stream = open_stream()
        stream.load_state_dict(stream.state_dict())
        assert not readers(), "processes are forked after a stream is opened"
        stream.ready(1)
        assert readers()
        with pytest.raises(RuntimeError):
            stream.load_state_dict(stream.state_dict())


def test_a_shard_that_the_server_has_lost_is_left_out_and_reported(files: Mapping[str, bytes]) -> None:
    notices: list[str] = []
    with shard_server({name: files[name] for name in ("0.parquet", "2.parquet")}) as server:
        stream = opened(shards_of(server, files), notify=notices.append)
        found = {caption.split()[1] for caption in stream.take(2 * ROWS).captions}
        stream.close()
    assert found == {"0", "2"}
    assert len(notices) == 1
    assert "1.parquet" in notices[0]


def test_a_refusal_ends_training_at_the_first_shard(files: Mapping[str, bytes]) -> None:
    with served(files) as (server, open_stream):
        server.faults.append(AnswerFault(status=403))
        stream = open_stream()
        for _ in range(2):
            with pytest.raises(DataError, match="was denied"):
                stream.take(1)
        assert len(server.asked) == 1


def test_the_hub_is_asked_for_shards_when_samples_are_and_until_it_answers(
    files: Mapping[str, bytes],
) -> None:
    class InterruptedHub:
        """A listing that the network prevents twice."""

        asked = 0

        def __init__(self, endpoint: str) -> None:
            self.endpoint = endpoint

        def glob(self, path: str, /, *, detail: bool) -> Entries:
            self.asked += 1
            if self.asked < 3:
                raise httpx2.ConnectError("no route to host")
            root = path.removesuffix("train/*.parquet")
            return {f"{root}train/{name}": {"size": len(content)} for name, content in files.items()}

    source = HubSource(repo="someone/codes", revision="a" * 40, pattern="train/*.parquet")
    stored = {f"datasets/someone/codes/resolve/{'a' * 40}/train/{name}": files[name] for name in files}
    pause_token = Impatient()
    with shard_server(stored) as server:
        hub = InterruptedHub(server.url("")[:-1])
        rows = hub_rows(source, pause_token, lambda text: None, hub)
        stream = CodeStream(
            rows, grid=GRID, vocab=VOCAB, filters=FilterSettings(), seed="seed", pause_token=pause_token
        )
        assert not hub.asked
        assert len(set(stream.take(3 * ROWS).captions)) == 3 * ROWS
        stream.close()
    assert len(pause_token.slept) == 2
    assert rows.shards[0].name == f"someone/codes@{'a' * 40}/train/0.parquet"


def test_an_empty_data_set_is_an_error() -> None:
    class HubOfRows:
        endpoint = "http://127.0.0.1"

        def glob(self, path: str, /, *, detail: bool) -> Entries:
            return {}

    source = HubSource(repo="someone/codes", revision="a" * 40)
    rows = hub_rows(source, PauseToken(), lambda text: None, HubOfRows())
    with pytest.raises(DataError, match="someone/codes has no file"):
        rows.row_groups(0)
