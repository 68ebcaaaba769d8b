"""Whatever happens to a shard's bytes, checking it ends in words: in no other error, no crash, no lack of memory."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from core.data.shards import CodeRow, encode_codes, write_shard

GRID, VOCAB, TIMES = 2, 16, 200


def test_changed_bytes_are_reported(tmp_path: Path) -> None:
    codes = np.random.default_rng(0).integers(0, VOCAB, (300, GRID * GRID))
    shard = tmp_path / "shard.parquet"
    write_shard(
        shard, [CodeRow(f"{n}", encode_codes(row), "UNLIKELY", 64, 64) for n, row in enumerate(codes)]
    )
    # A process of its own: what pyarrow throws where nobody catches it ends the process.
    words = [
        sys.executable,
        "-m",
        "tests.core.data.checking.mutated_shards",
        str(shard),
        str(GRID),
        str(VOCAB),
        str(TIMES),
    ]
    ended = subprocess.run(
        words, env={**os.environ, "OMP_NUM_THREADS": "1"}, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    counts = json.loads(ended.stdout)
    assert counts["refused"] > TIMES / 2
    assert sum(counts.values()) == TIMES
