"""Reads a data set of the Hub at ``HF_ENDPOINT`` in one way, and prints its cost as a line of JSON."""

import argparse
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import psutil
import torch

from core.data.layout import COLUMNS
from core.data.listing import hub_shards
from core.data.network.metered import meter_hub
from core.data.shards import CodeRow, decode_codes
from core.data.streaming.rows import ShardRows, hub_rows
from core.data.streaming.sample_stream import WINDOW_ROWS
from core.data.streaming.stream import FIRST_ROWS, CodeStream
from core.data.streaming.walk import Position, permutation
from core.data.streaming.windows import CodedSample, Windows, WindowSizes
from core.model.config import ModelConfig
from core.model.micro_steps import MicroSteps
from core.model.techniques import Techniques
from core.model.transformer import Transformer
from core.network.pause_token import PauseToken
from core.run.control_traffic import OVERHEAD
from core.run.filters import FilterSettings
from core.run.training.data_rules import HubSource
from core.swarm.bandwidth import Line

LEARNER = ModelConfig(
    dim=32,
    depth=2,
    heads=2,
    dim_head=16,
    text_length=16,
    text_vocab=256,
    grid=8,
    image_vocab=1024,
    shared_layers=0,
)
"""Model that is so small that a core trains it faster than ``PACE``."""
BATCH = 32
PACE = 300.0
"""Samples computed a second: fast for a GPU with a large model, and slow for a core with this one."""
_IDLE_SECONDS = 0.001


@dataclass(frozen=True)
class DataPass:
    """One way through a whole data set, in the order of a peer."""

    source: HubSource

    def ours(self) -> Iterator[CodeRow]:
        rows = ShardRows(hub_shards(self.source))
        for shard in permutation(len(rows.shards), "shards"):
            for group in permutation(rows.row_groups(shard), "groups"):
                yield from (row for _, row in rows.read(shard, group))

    def datasets_in_order(self) -> Iterator[CodeRow]:
        """Yield the rows from first to last, the order in which the library reads fastest."""
        from datasets import load_dataset

        found = load_dataset(
            self.source.repo,
            revision=self.source.revision,
            split="train",
            streaming=True,
            columns=list(COLUMNS),
        )
        yield from (CodeRow.from_record(record, "a row") for record in found)

    def datasets_by_row_group(self) -> Iterator[CodeRow]:
        """Yield the rows in an order of our own, from which a stream can be resumed."""
        from datasets import IterableDataset, Split
        from datasets.data_files import DataFilesDict, DataFilesList

        urls = [f"hf://{shard.identity}" for shard in hub_shards(self.source)]
        files = DataFilesDict({"train": DataFilesList(urls, [(url,) for url in urls])})
        whole = IterableDataset.from_parquet(files, split=Split.TRAIN, columns=list(COLUMNS))
        for shard in permutation(len(urls), "shards"):
            groups = whole.shard(len(urls), shard).reshard()
            for group in permutation(groups.num_shards, "groups"):
                records = groups.shard(groups.num_shards, group)
                yield from (CodeRow.from_record(record, "a row") for record in records)


def read(way: str, source: HubSource) -> dict[str, float]:
    """Read every row once, as fast as possible."""
    line = Line()
    meter_hub(line.data)
    next(rows := getattr(DataPass(source), way)())
    began, before = time.process_time(), line.received
    count = 1 + sum(1 for _ in rows)
    seconds = time.process_time() - began
    return {
        "rows": count,
        "bytes": line.received,
        "later_bytes": line.received - before,
        "cpu_seconds": seconds,
    }


class Learner:
    """A small model that trains on given codes, at the pace of a larger one."""

    def __init__(self) -> None:
        torch.set_num_threads(1)
        model = Transformer(LEARNER, torch.Generator().manual_seed(0), Techniques(micro_batch=BATCH))
        self._steps = MicroSteps(model, iter(()))
        self._text = torch.ones((BATCH, LEARNER.text_length), dtype=torch.int64)
        self.learned = 0
        """Number of samples computed so far."""

    def learn(self, codes: torch.Tensor) -> None:
        began = time.monotonic()
        self._steps.add_gradients(self._text[: len(codes)], codes)
        self.learned += len(codes)
        time.sleep(max(0.0, began + len(codes) / PACE - time.monotonic()))


def train(source: HubSource, load: float, sample_bytes: float, seconds: float) -> dict[str, float]:
    """Train at a line of which the model's pace takes the share ``load``; read in the background."""
    _limit(load, sample_bytes)
    learner, pause_token = Learner(), PauseToken()
    stream = open_stream(hub_rows(source, pause_token, print), pause_token, first_rows=FIRST_ROWS)
    began = time.monotonic()
    stream.take(BATCH)
    first, before = time.monotonic(), stream.waited
    while time.monotonic() - first < seconds:
        if stream.ready(BATCH):
            learner.learn(stream.take(BATCH).codes)
        else:
            time.sleep(_IDLE_SECONDS)
    took = time.monotonic() - first
    stream.close()
    return _training(learner, took, first - began, stream.waited - before)


def train_in_turns(source: HubSource, load: float, sample_bytes: float, seconds: float) -> dict[str, float]:
    """Train as `train` does, but read each window only when the previous one is used up."""
    _limit(load, sample_bytes)
    learner, rows = Learner(), ShardRows(hub_shards(source))
    sizes = WindowSizes(WINDOW_ROWS, FIRST_ROWS)
    windows = Windows(rows, _codes, LEARNER.image_length, "a peer", sizes, print).following(Position(), 0)
    began = time.monotonic()
    window = next(windows)
    first, waited = time.monotonic(), 0.0
    while time.monotonic() - first < seconds:
        for codes in torch.from_numpy(window.codes.astype("int64")).split(BATCH):
            learner.learn(codes)
        asked = time.monotonic()
        window = next(windows)
        waited += time.monotonic() - asked
    return _training(learner, time.monotonic() - first, first - began, waited)


def _limit(load: float, sample_bytes: float) -> None:
    """Cap the line according to the model's pace."""
    line = Line(download=round(PACE * sample_bytes * OVERHEAD / load))
    meter_hub(line.data)


def _training(learner: Learner, took: float, first: float, waited: float) -> dict[str, float]:
    return {
        "of_pace": learner.learned / took / PACE,
        "first_sample_seconds": first,
        "waiting": waited / took,
    }


def _codes(row: CodeRow, where: str) -> CodedSample:
    return row.caption, decode_codes(row.code, LEARNER.grid, LEARNER.image_vocab, where)


def hold(source: HubSource, rows: int) -> dict[str, float]:
    """Return the bytes of memory that a stream adds to the process, at its peak, over that many rows."""
    process, pause_token, most = psutil.Process(), PauseToken(), 0
    before = process.memory_info().rss
    stream = open_stream(hub_rows(source, pause_token, print), pause_token)
    for _ in range(rows // BATCH):
        stream.take(BATCH)
        most = max(most, process.memory_info().rss)
    stream.close()
    return {"peak_bytes": most - before}


def resume(source: HubSource, grid: int, vocab: int, rate: int) -> dict[str, float]:
    """Measure how a stream of full windows resumes from the middle of one, at ``rate`` bytes per second."""
    line, size = Line(), {"grid": grid, "vocab": vocab}
    meter_hub(line.data)
    pause_token = PauseToken()
    stream = open_stream(hub_rows(source, pause_token, print), pause_token, **size)
    stream.take(WINDOW_ROWS // 2)
    saved = stream.state_dict()
    stream.close()
    line.limit(None, rate)
    pause_token, began, before = PauseToken(), time.monotonic(), line.received
    resumed = open_stream(hub_rows(source, pause_token, print), pause_token, **size)
    resumed.load_state_dict(saved)
    resumed.take(BATCH)
    found = {"first_sample_seconds": time.monotonic() - began, "bytes": line.received - before}
    resumed.close()
    return found


def open_stream(rows: ShardRows, pause_token: PauseToken, **options: Any) -> CodeStream:
    sizes = {"grid": LEARNER.grid, "vocab": LEARNER.image_vocab, **options}
    return CodeStream(rows, filters=FilterSettings(), seed="a peer", pause_token=pause_token, **sizes)


_WHAT: dict[str, Callable[..., dict[str, float]]] = {
    "read": read,
    "train": train,
    "train_in_turns": train_in_turns,
    "hold": hold,
    "resume": resume,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=_WHAT)
    parser.add_argument("options", help="what it is called with, as JSON")
    given = parser.parse_args()
    options = json.loads(given.options)
    source = HubSource(repo=options.pop("repo"), revision=options.pop("revision"))
    print(json.dumps(_WHAT[given.what](source=source, **options)))


if __name__ == "__main__":
    main()
