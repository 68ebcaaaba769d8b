"""Measures the RAM that a peer of the embedded run takes: trainer, DHT, averager and libp2p daemon together.

The demo trains with two peers. The proportional set sizes (PSS) of each peer's processes are added up twice a second,
so that pages which a peer's forks share count once.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import psutil

from benchmarks.measuring.report import RESULTS, BenchmarkReport, rounded
from core.children.processes import memory_held

_LOOK_SECONDS = 0.5
_NOTES = """MB of each peer's processes, its guard included, from the first epoch on. Resident sizes count pages that
forks share once for each process."""


def peers(demo: int) -> list[psutil.Process]:
    """Return the guards of a demo's trainers, which start all other processes of their peers."""
    return [child for child in psutil.Process(demo).children() if "client.trainer" in child.cmdline()]


def sizes(peer: psutil.Process) -> tuple[float, float]:
    """Return the proportional and the resident sizes of a peer's processes, added up, in MB."""
    processes = [peer, *peer.children(recursive=True)]
    resident = sum(process.memory_info().rss for process in processes)
    return memory_held(process.pid for process in processes).size / 1e6, resident / 1e6


def watch(demo: "subprocess.Popen[bytes]", folder: Path) -> dict[int, list[tuple[float, float]]]:
    """Return the sizes of each peer at each look after the first epoch, until the demo ends."""
    found: dict[int, list[tuple[float, float]]] = {}
    while demo.poll() is None:
        time.sleep(_LOOK_SECONDS)
        try:
            if any("is done after" in log.read_text() for log in (folder / "logs").glob("trainer-*.log")):
                for peer in peers(demo.pid):
                    size = sizes(peer)
                    found.setdefault(peer.pid, []).append(size)
        except psutil.NoSuchProcess:
            continue  # it has just ended
    return found


def row(number: int, looks: list[tuple[float, float]]) -> dict[str, Any]:
    proportional, resident = zip(*looks, strict=True)
    return {
        "peer": number,
        "looks": len(looks),
        "median_mb": rounded(median(proportional), 3),
        "largest_mb": rounded(max(proportional), 3),
        "largest_resident_mb": rounded(max(resident), 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--epochs", type=int, default=20)
    given = parser.parse_args()
    report = BenchmarkReport("peer_memory", _NOTES)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "demo"
        command = [sys.executable, "-m", "client.cli", "demo", "--headless", "--epochs", str(given.epochs)]
        with subprocess.Popen([*command, "--out", str(folder)], stdout=subprocess.DEVNULL) as demo:
            found = watch(demo, folder)
    assert demo.returncode == 0, "the demo failed"
    rows = [row(number, looks) for number, looks in enumerate(found.values())]
    report.write(rows, folder=given.out, epochs=given.epochs, peers=len(rows))


if __name__ == "__main__":
    main()
