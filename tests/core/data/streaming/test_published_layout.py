"""A data set in the layout of laion/laion_100m_vqgan_f8 is read from a Hub by ``datasets`` and by us alike."""

import json
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tests.hub.stand_in_hub import REPO, REVISION, stand_in_hub

ROWS = 1100
"""More than pyarrow puts into a dictionary of codes."""
LABELS = ("UNLIKELY", "UNSURE", "NSFW", None)


def write_as_published(path: Path, seed: int) -> list[list[str | int]]:
    """A shard as pandas leaves it: one large row group, an index column, sizes with gaps; and its rows."""
    draws = np.random.default_rng(seed)
    codes = [draws.integers(0, 8192, 1024).astype("<i2").tobytes() for _ in range(ROWS)]
    widths = [None if number % 9 == 0 else float(200 + number) for number in range(ROWS)]
    columns: dict[str, list[Any]] = {
        "caption": [f"a picture, number {number} – ünïcode" for number in range(ROWS)],
        "NSFW": [LABELS[number % 4] for number in range(ROWS)],
        "code": codes,
        "original_width": widths,
        "original_height": list(range(300, 300 + ROWS)),
        "__index_level_0__": list(range(ROWS)),
    }
    pq.write_table(pa.table(columns), path)
    return [
        [caption, sha256(code).hexdigest(), label or "", int(width or 0), height]
        for caption, code, label, width, height in zip(
            columns["caption"], codes, columns["NSFW"], widths, columns["original_height"], strict=True
        )
    ]


def test_the_published_layout_reads_alike_by_datasets_and_by_us(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    rows = [
        row for index in range(2) for row in write_as_published(tmp_path / f"data/{index}.parquet", index)
    ]
    with stand_in_hub(tmp_path / "data") as hub:
        place = {"HF_ENDPOINT": f"http://127.0.0.1:{hub.server_port}", "HF_HOME": str(tmp_path / "home")}
        reading = subprocess.run(
            [sys.executable, "-m", "tests.core.data.streaming.hub_reader", REPO, REVISION],
            env={**os.environ, **place, "HF_HUB_DISABLE_XET": "1"},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert reading.returncode == 0, reading.stderr
    read = json.loads(reading.stdout)
    assert read["datasets"] == rows
    assert read["ours"] == rows
