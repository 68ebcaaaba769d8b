"""Data from the Hub arrive no faster than the line's cap, and every byte is counted."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.data.shards import CodeRow, write_shard
from core.ranking.hub import LARGEST
from core.swarm.bandwidth import BURST_SECONDS
from tests.core.ranking import model_hub
from tests.hub.stand_in_hub import REPO, REVISION, stand_in_hub
from tests.swarms.relay import relayed

ROWS = 1200
CAP = 200_000
"""Download limit in bytes a second."""


@dataclass(frozen=True)
class MeteredReading:
    """The reader's report on one pass through the data set."""

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


def read_under(caps: list[int], port: int, home: Path) -> list[MeteredReading]:
    endpoint = f"http://127.0.0.1:{port}"
    changed = {"HF_ENDPOINT": endpoint, "HF_HOME": str(home), "HF_HUB_DISABLE_XET": "1"}
    reader = [sys.executable, "-m", "tests.core.data.network.metered_reader", REPO, REVISION, *map(str, caps)]
    found = subprocess.run(
        reader, env={**os.environ, **changed}, capture_output=True, text=True, timeout=120, check=False
    )
    assert found.returncode == 0, found.stderr
    return [MeteredReading(**json.loads(line)) for line in found.stdout.splitlines()]


def test_shards_arrive_no_faster_than_the_cap_and_are_counted(tmp_path: Path) -> None:
    write_data_set(tmp_path / "data")
    with stand_in_hub(tmp_path / "data") as hub, relayed(hub.server_port, rate=CAP) as relay:
        free, capped = read_under([0, CAP], relay.port, tmp_path / "home")
        passed = relay.up.bytes
    assert free.rows == capped.rows == ROWS
    assert free.received + capped.received <= passed <= 1.1 * (free.received + capped.received)
    assert capped.received > 2 * CAP, "there is enough to measure"
    assert capped.received <= CAP * (capped.seconds + BURST_SECONDS)


def test_models_are_counted_too_whatever_storage_the_hub_offers_and_in_however_many_threads(
    tmp_path: Path,
) -> None:
    stored = tmp_path / "hub"
    stored.mkdir()
    for name in LARGEST:
        (stored / name).write_bytes(os.urandom(300_000))
    folders = [str(tmp_path / f"cache-{number}") for number in range(4)]
    with model_hub.model_hub(stored) as hub:
        hub.is_deduplicated = True
        fetcher = [sys.executable, "-m", "tests.core.data.network.metered_models"]
        found = subprocess.run(
            [*fetcher, model_hub.REPO, model_hub.REVISION, *folders],
            env={**os.environ, "HF_ENDPOINT": hub.address, "HF_HOME": str(tmp_path / "home")},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert found.returncode == 0, found.stderr
        assert int(found.stdout) == hub.sent > len(folders) * len(LARGEST) * 300_000
