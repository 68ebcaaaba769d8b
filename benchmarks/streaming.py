"""Reading code shards from a Hub: bytes fetched, speed, whether training waits, and memory however large the set.

``read``: every row of a set in the published layout once, 1,024 random codes a row. ``of_shards`` are the bytes
fetched, the listing included, over those of the shards; ``rows_per_core_second`` are of processor time. ``train``:
a small model, slowed down to 300 samples a second, at a line that is capped so that this takes the stated load of
it; ``waiting`` is the share of the time after the first sample in which there was no data for a micro-step, and
``of_pace`` the speed reached; ``train_in_turns`` reads no window before the last is used up. ``hold``: what a stream
adds to resident memory, at its peak, while it reads the same number of rows of sets of more and more shards.
``resume``: of a set as for ``read``, at a line of 1 MB/s, what a stream fetches and how long it takes before it goes
on from the middle of a window, which it has to read again.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measuring.report import RESULTS, BenchmarkReport, rounded
from core.data.shards import CodeRow, encode_codes, write_shard
from tests.hub.stand_in_hub import REPO, REVISION
from tests.hub.writable_hub import writable_hub


@dataclass(frozen=True)
class MadeShards:
    """A set of shards made for the measurement."""

    shards: int
    rows: int
    """Rows of a shard."""
    codes: int
    """Codes of a row."""
    vocab: int


_READ = MadeShards(shards=4, rows=2048, codes=1024, vocab=8192)
_TRAIN = MadeShards(shards=6, rows=16_384, codes=64, vocab=1024)
_TRAIN_SECONDS = 120.0
_LOADS = (0.7,)
_HOLD = MadeShards(shards=4, rows=1024, codes=64, vocab=1024)
_HELD_SHARDS, _HELD_ROWS = (10, 1000, 10_000), 40_000
_RESUMED = MadeShards(shards=6, rows=2048, codes=1024, vocab=8192)
_RESUMED_RATE = 1_000_000
_WAYS = ("ours", "datasets_in_order", "datasets_by_row_group")


def make(made: MadeShards) -> dict[str, bytes]:
    """Return shards by name, of random codes, which do not compress below log2 of the vocabulary."""
    draws = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        for shard in range(made.shards):
            drawn = draws.integers(0, made.vocab, (made.rows, made.codes))
            rows = (
                CodeRow(f"caption {number} of shard {shard}", encode_codes(codes), "UNLIKELY", 256, 256)
                for number, codes in enumerate(drawn)
            )
            write_shard(Path(folder) / f"{shard:05}.parquet", rows)
        return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


def run(files: Mapping[str, bytes], what: str, **options: Any) -> dict[str, float]:
    """Return the output of a child that reads a set of these files."""
    with writable_hub() as hub, tempfile.TemporaryDirectory() as home:
        hub.make(REPO, files, revision=REVISION)
        place = {
            "HF_ENDPOINT": f"http://127.0.0.1:{hub.server_port}",
            "HF_HOME": home,
            "HF_HUB_DISABLE_XET": "1",
        }
        words = json.dumps({"repo": REPO, "revision": REVISION, **options})
        child = subprocess.run(
            [sys.executable, "-m", "benchmarks.subjects.streaming_child", what, words],
            env={**os.environ, **place, "OMP_NUM_THREADS": "1"},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    found: dict[str, float] = json.loads(child.stdout.splitlines()[-1])
    return found


def reading() -> list[dict[str, Any]]:
    files = make(_READ)
    whole = sum(map(len, files.values()))
    rows = []
    for way in _WAYS:
        found = run(files, "read", way=way)
        rows.append(
            _row(
                f"read, {way}",
                of_shards=rounded(found["bytes"] / whole, 3),
                rows_per_core_second=round(found["rows"] / found["cpu_seconds"]),
            )
        )
    return rows


def training() -> list[dict[str, Any]]:
    files = make(_TRAIN)
    sample_bytes = sum(map(len, files.values())) / (_TRAIN.shards * _TRAIN.rows)
    rows = []
    for load in _LOADS:
        for what in ("train", "train_in_turns"):
            found = run(files, what, load=load, sample_bytes=sample_bytes, seconds=_TRAIN_SECONDS)
            rows.append(
                _row(
                    f"{what}, load {load}",
                    waiting=rounded(found["waiting"], 3),
                    first_sample_seconds=rounded(found["first_sample_seconds"], 2),
                    of_pace=rounded(found["of_pace"], 3),
                )
            )
    return rows


def holding() -> list[dict[str, Any]]:
    """Measure the same few files under more and more names."""
    contents = list(make(_HOLD).values())
    rows = []
    for count in _HELD_SHARDS:
        files = {f"{number:05}.parquet": contents[number % len(contents)] for number in range(count)}
        found = run(files, "hold", rows=_HELD_ROWS)
        rows.append(_row(f"hold, {count:,} shards", peak_mib=rounded(found["peak_bytes"] / 2**20, 3)))
    return rows


def resuming() -> list[dict[str, Any]]:
    grid = round(_RESUMED.codes**0.5)
    found = run(make(_RESUMED), "resume", grid=grid, vocab=_RESUMED.vocab, rate=_RESUMED_RATE)
    again = rounded(found["bytes"] / 2**20, 3)
    return [_row("resume", first_sample_seconds=rounded(found["first_sample_seconds"], 3), again_mib=again)]


def _row(case: str, **values: float) -> dict[str, Any]:
    names: Mapping[str, None] = dict.fromkeys(
        (
            *("of_shards", "rows_per_core_second", "waiting", "first_sample_seconds"),
            *("of_pace", "peak_mib", "again_mib"),
        )
    )
    return {"case": case, **names, **values}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS)
    out = parser.parse_args().out
    report = BenchmarkReport("streaming", __doc__ or "")
    rows = [*reading(), *training(), *holding(), *resuming()]
    report.write(
        rows,
        folder=out,
        read=asdict(_READ),
        train=asdict(_TRAIN),
        train_seconds=_TRAIN_SECONDS,
        hold=asdict(_HOLD),
        held_rows=_HELD_ROWS,
        resume=asdict(_RESUMED),
        resume_rate=_RESUMED_RATE,
    )


if __name__ == "__main__":
    main()
