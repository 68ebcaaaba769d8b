"""Streams of text go on exactly within files of every format, here and on a server, and stop when told to."""

import json
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.data.listing import Entries, RefusedError, Shard
from core.data.network.fetching import Fetcher
from core.data.streaming.sample_stream import SampleStream
from core.data.streaming.walk import Position
from core.data.text.line_blocks import BLOCK_BYTES
from core.errors import DataError, MisfitError
from core.families.causal_lm.machinery import text_rows
from core.families.causal_lm.rules import CausalRules, TextDataRules
from core.families.causal_lm.text_rows import MOST_TOKENS, TextRows
from core.network.pause_token import PauseToken
from core.run.manifest import RunManifest
from core.run.training.data_rules import HubSource
from core.run.training.families import family_of
from core.swarm.auditing.row_spans import WindowPlace
from tests.core.data.network.shard_server import AnswerFault, ShardServer, shard_server
from tests.core.network.impatient import Impatient
from tests.swarms.text_run import TEXT, write_text_run
from tests.waiting import wait_until

LENGTH, WINDOW = 16, 7
REVISION = "a" * 40


def of_bytes(text: str) -> list[int]:
    return [byte + 1 for byte in text.encode()]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, bytes]:
    """A file of each format, with a hundred samples each."""
    folder = tmp_path_factory.mktemp("files")
    texts = [f"Document {number} has some words of its own." for number in range(40)]
    pq.write_table(pa.table({"text": texts}), folder / "a.parquet", row_group_size=9)
    (folder / "b.jsonl").write_text("".join(json.dumps({"text": text[::-1]}) + "\n" for text in texts))
    (folder / "c.txt").write_text("\n".join(text.upper() for text in texts))
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture
def local(files: Mapping[str, bytes], tmp_path: Path) -> list[Shard]:
    """The files in a folder whose name would be a pattern of others."""
    folder = tmp_path / "d[1]"
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return [Shard(name, str(folder / name), name) for name in files]


def remote(server: ShardServer, files: Mapping[str, bytes]) -> list[Shard]:
    return [Shard(name, server.url(name), name, len(content)) for name, content in files.items()]


def stream_of(
    shards: list[Shard],
    token: PauseToken | None = None,
    encode: Callable[[str], list[int]] = of_bytes,
    length: int = LENGTH,
    **options: Any,
) -> SampleStream:
    token = token or Impatient()
    rows = TextRows(
        shards,
        encode,
        length=length,
        end_id=0,
        column="text",
        identity="x",
        fetch=Fetcher(token).fetch,
        pause_token=token,
    )
    sizes = {"width": length + 1, "dtype": np.int32, "window_rows": WINDOW, **options}
    return SampleStream(rows, lambda row, where: ("", row), kept="", seed="seed", pause_token=token, **sizes)


def taken(stream: SampleStream, count: int) -> list[list[int]]:
    found: list[list[int]] = stream.take(count).codes.tolist()
    return found


def readers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "prefetch"]


def test_a_stream_goes_on_exactly_from_every_window(local: list[Shard]) -> None:
    with closing(stream_of(local)) as stream:
        whole = taken(stream, 700)
        place = stream_of(local).state_dict()
    starts, seen = set(), 0
    while seen < 650:
        with closing(stream_of(local)) as stream:
            stream.load_state_dict(place)
            assert taken(stream, 11) == whole[seen : seen + 11]
            place = json.loads(json.dumps(stream.state_dict()))
        seen += 11
        starts.add((place["passes"], place["shard"], place["row_group"], place["row"]))
    assert {start[0] for start in starts} >= {0, 1}, "over the end of a pass"
    assert sum(1 for start in starts if start[3]) > 20, "within row groups"
    assert {start[2] for start in starts} >= {0, 1, 2, 3}


def test_a_pass_has_each_sample_once(local: list[Shard], files: Mapping[str, bytes]) -> None:
    rows = TextRows(local, of_bytes, length=LENGTH, end_id=0, column="text", identity="x")
    assert [rows.row_groups(number) for number in range(3)] == [5, 1, 1]
    expected = [sample.tolist() for number in range(3) for sample in rows.first_samples(number)]
    with closing(stream_of(local)) as stream:
        assert sorted(taken(stream, len(expected))) == sorted(expected)
        assert stream.passes == 0
    whole = [*of_bytes(files["c.txt"].decode()), 0]
    text = [sample.tolist() for sample in rows.first_samples(2)]
    assert [text[0][0], *(token for sample in text for token in sample[1:])] == whole[
        : len(text) * LENGTH + 1
    ]


def test_a_remote_stream_equals_a_local_one_through_faults(
    local: list[Shard], files: Mapping[str, bytes]
) -> None:
    with closing(stream_of(local)) as stream:
        expected = taken(stream, 400)
    with shard_server(files) as server:
        server.faults.extend([AnswerFault(status=503), AnswerFault(after=100), AnswerFault(status=429)] * 2)
        with closing(stream_of(remote(server, files))) as stream:
            assert taken(stream, 400) == expected


def test_an_auditor_reads_the_window_of_another_peer(local: list[Shard], files: Mapping[str, bytes]) -> None:
    with closing(stream_of(local, is_assigned=True)) as worker:
        for epoch in range(9):
            worker.begin_epoch(epoch, bytes(32))
            batch = worker.take(WINDOW)
    assert batch.rows is not None
    assert batch.rows.window.start[3], "it begins within a row group"
    with (
        shard_server(files) as server,
        closing(stream_of(remote(server, files))) as auditor,
        closing(auditor.window_of("seed", batch.rows.window)) as reading,
    ):
        assert reading.take().place == batch.rows.window


def test_blocks_of_a_large_text_are_read_without_each_other(tmp_path: Path) -> None:
    path, encoded = tmp_path / "large.txt", []

    def encode(text: str) -> list[int]:
        encoded.append(len(text))
        return [zlib.crc32(text.encode()) >> 16] * 20

    line = "".join(f"{number} " for number in range(20)) + "\n"
    path.write_text(line * (BLOCK_BYTES * 5 // 2 // len(line)))
    rows = TextRows(
        [Shard("large.txt", str(path), "x")], encode, length=LENGTH, end_id=0, column="text", identity="x"
    )
    assert rows.row_groups(0) == 3
    assert sum(1 for _ in rows.read(0, 2)) > 100
    assert sum(encoded) < 0.6 * BLOCK_BYTES
    assert sum(1 for _ in rows.read(0, 0)) > 200
    assert 1.4 * BLOCK_BYTES < sum(encoded) < 1.6 * BLOCK_BYTES


class NothingEncoded:
    """Makes no tokens, so that samples are of the ends of documents, and none of the long ones below is complete."""

    def __init__(self) -> None:
        self.pieces = 0

    def __call__(self, text: str) -> list[int]:
        self.pieces += 1
        return []


@pytest.fixture
def long(tmp_path: Path) -> list[Shard]:
    """A file that takes long to be read."""
    (tmp_path / "long.jsonl").write_text('{"text": "x"}\n' * 1_000_000)
    return [Shard("long.jsonl", str(tmp_path / "long.jsonl"), "x")]


def test_reading_that_yields_nothing_stands_back_and_ends(long: list[Shard]) -> None:
    encode = NothingEncoded()
    stream = stream_of(long, PauseToken(), encode, 1 << 20)
    stream.ready(1)
    wait_until(lambda: encode.pieces > 100, "nothing is read")
    stream.stand_back()
    held = encode.pieces
    assert not stream.ready(1)
    assert encode.pieces <= held + 1, "the one that was under way"
    stream.come_back()
    wait_until(lambda: encode.pieces > held + 100, "reading does not go on")
    stream.close()
    assert not readers()


def test_an_audit_that_is_given_up_or_held_reads_no_more(long: list[Shard]) -> None:
    encode = NothingEncoded()
    place = WindowPlace(0, (0, 0, 0, 100), b"")
    with closing(stream_of(long, PauseToken(), encode, 1 << 20)) as stream:
        reading = stream.window_of("seed", place)
        reading.ready()
        wait_until(lambda: encode.pieces > 100, "nothing is read")
        stream.stand_back()
        held = encode.pieces
        with closing(stream.window_of("seed", place)) as later:
            assert not later.ready()
            assert encode.pieces <= held + 1
        stream.come_back()
        wait_until(lambda: encode.pieces > held, "reading does not go on")
        reading.close()
        assert not readers()


def test_a_sample_that_cannot_be_is_refused_before_anything_is_read(local: list[Shard]) -> None:
    encode = NothingEncoded()
    rows = TextRows(local, encode, length=LENGTH, end_id=0, column="text", identity="x")
    with pytest.raises(DataError, match="has no sample"):
        next(rows.read(2, 0, MOST_TOKENS // LENGTH))
    assert not encode.pieces


def test_a_missing_file_is_left_and_a_refusal_ends_reading(files: Mapping[str, bytes]) -> None:
    notices: list[str] = []
    with shard_server({name: files[name] for name in ("a.parquet", "c.txt")}) as server:
        with closing(stream_of(remote(server, files), notify=notices.append)) as stream:
            taken(stream, 300)
        assert len(notices) == 1
        assert "b.jsonl" in notices[0]
        server.faults.append(AnswerFault(status=403))
        with closing(stream_of(remote(server, files))) as stream, pytest.raises(RefusedError):
            stream.take(1)


class HubOfTexts:
    """A listing of the files of a server, which fails twice with an error if one is given."""

    def __init__(self, endpoint: str, files: Mapping[str, bytes], error: Exception | None = None) -> None:
        self.endpoint, self._files, self._errors = endpoint, files, [error] * 2 if error else []

    def glob(self, path: str, /, *, detail: bool) -> Entries:
        if self._errors:
            raise self._errors.pop()
        root = path.rpartition("/")[0]
        return {f"{root}/{name}": {"size": len(content)} for name, content in self._files.items()}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[CausalRules, Path]:
    folder = tmp_path_factory.mktemp("run")
    training = RunManifest.load(write_text_run(folder)).training
    assert isinstance(training, CausalRules)
    return training, folder


def on_hub(run: tuple[CausalRules, Path], pattern: str = "data/*.txt") -> tuple[CausalRules, Path]:
    source = HubSource(repo="someone/words", revision=REVISION, pattern=pattern)
    return run[0].model_copy(update={"data": TextDataRules(hub=source)}), run[1]


def stored(files: Mapping[str, bytes]) -> dict[str, bytes]:
    return {f"datasets/someone/words/resolve/{REVISION}/data/{name}": files[name] for name in files}


@pytest.fixture
def texts() -> dict[str, bytes]:
    return {"0.txt": b"short", "1.txt": TEXT.encode()}


def test_the_hub_is_asked_until_it_answers(run: tuple[CausalRules, Path], texts: dict[str, bytes]) -> None:
    expected = [sample.tolist() for sample in text_rows(*run).first_samples(0)]
    token = Impatient()
    with shard_server(stored(texts)) as server:
        hub = HubOfTexts(server.url("")[:-1], texts, httpx2.ConnectError("no route to host"))
        rows = text_rows(*on_hub(run), hub, pause_token=token)
        assert [sample.tolist() for sample in rows.first_samples(1)] == expected
    assert len(token.slept) == 2
    assert rows.shards[1].name == f"someone/words@{REVISION}/data/1.txt"


def test_a_listing_that_failed_is_tried_again(run: tuple[CausalRules, Path], texts: dict[str, bytes]) -> None:
    rows = text_rows(*on_hub(run), HubOfTexts("http://127.0.0.1", texts, OSError("it is broken")))
    for _ in range(2):
        with pytest.raises(DataError, match="cannot be listed"):
            rows.row_groups(0)
    assert len(rows.shards) == 2


def test_the_identity_of_data_on_the_hub_is_its_place(run: tuple[CausalRules, Path]) -> None:
    hub = HubOfTexts("http://127.0.0.1", {})
    places = [text_rows(*on_hub(run, pattern), hub).identity for pattern in ("*.txt", "*.txt", "a/*.txt")]
    assert places[0] == places[1] != places[2]


def checks(run: tuple[CausalRules, Path], seconds: float, hub: HubOfTexts) -> Callable[[], None]:
    training, folder = on_hub(run)
    return partial(family_of(training).check_rows, training, folder, hub_seconds=seconds, hub=hub)


@pytest.fixture
def server(texts: dict[str, bytes]) -> Iterator[ShardServer]:
    with shard_server(stored(texts)) as started:
        yield started


def test_a_run_needs_a_sample_in_one_of_its_first_files(
    run: tuple[CausalRules, Path], texts: dict[str, bytes], server: ShardServer
) -> None:
    endpoint = server.url("")[:-1]
    checks(run, 30.0, HubOfTexts(endpoint, texts))()
    with pytest.raises(MisfitError, match="has less text than the 16 tokens"):
        checks(run, 30.0, HubOfTexts(endpoint, {"0.txt": texts["0.txt"]}))()


def test_a_silent_hub_is_given_up_in_time(
    run: tuple[CausalRules, Path], texts: dict[str, bytes], server: ShardServer
) -> None:
    server.faults.append(AnswerFault(after=1, stalls=True))
    hub = HubOfTexts(server.url("")[:-1], texts)
    with pytest.raises(DataError, match="did not give the data set someone/words within 1 seconds"):
        checks(run, 1.0, hub)()
    assert not [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)]


def test_a_window_of_the_hub_begins_small(run: tuple[CausalRules, Path]) -> None:
    training, folder = on_hub(run)
    here, there = (family_of(rules).samples(rules, folder, peer="a")[1] for rules in (run[0], training))
    assert (here._window_sizes.first, there._window_sizes.first) == (2048, 256)
    assert there.state_dict()["row"] == Position().row
    here.close()
    there.close()
