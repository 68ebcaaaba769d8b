"""Shards from the Hub arrive no faster than the line's cap, and every byte of them is counted."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.data.shards import CodeRow, write_shard
from core.swarm.bandwidth import BURST_SECONDS
from tests.relay import relayed
from tests.stand_in_hub import REPO, REVISION, stand_in_hub

ROWS = 1200
CAP = 200_000
"""Bytes a second."""


@dataclass(frozen=True)
class Reading:
    """What the reader says of one time through the data set."""

    rows: int
    received: int
    seconds: float


def write_data_set(folder: Path) -> None:
    folder.mkdir()
    draws = np.random.default_rng(0)
    rows = (
        CodeRow(f"caption {n}", draws.integers(0, 8192, 256).astype("<i2").tobytes(), "UNLIKELY", 64, 64)
        for n in range(ROWS)
    )
    write_shard(folder / "shard.parquet", rows)


def read_under(caps: list[int], port: int, home: Path) -> list[Reading]:
    endpoint = f"http://127.0.0.1:{port}"
    changed = {"HF_ENDPOINT": endpoint, "HF_HOME": str(home), "HF_HUB_DISABLE_XET": "1"}
    reader = [sys.executable, "-m", "tests.core.data.network.metered_reader", REPO, REVISION, *map(str, caps)]
    found = subprocess.run(
        reader, env={**os.environ, **changed}, capture_output=True, text=True, timeout=120, check=False
    )
    assert found.returncode == 0, found.stderr
    return [Reading(**json.loads(line)) for line in found.stdout.splitlines()]


def test_shards_arrive_no_faster_than_the_cap_and_are_counted(tmp_path: Path) -> None:
    write_data_set(tmp_path / "data")
    with stand_in_hub(tmp_path / "data") as hub, relayed(hub.server_port, rate=CAP) as relay:
        free, capped = read_under([0, CAP], relay.port, tmp_path / "home")
        passed = relay.up.bytes
    assert free.rows == capped.rows == ROWS
    assert free.received + capped.received <= passed <= 1.1 * (free.received + capped.received)
    assert capped.received > 2 * CAP, "there is enough to measure"
    assert capped.received <= CAP * (capped.seconds + BURST_SECONDS)
