"""Measures what readers of the dashboard cost a coordinator's website, by itself and behind nginx that keeps pages.

``python -m benchmarks.coordinator.readers [--out FOLDER]``
"""

import argparse
import asyncio
import re
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psutil
import uvloop

from benchmarks.coordinator.http_load import Clients, Timings, milliseconds
from benchmarks.coordinator.site import fill, make_home, recording, serving
from benchmarks.measuring.report import RESULTS, BenchmarkReport
from coordinator.database.connect import Database
from tests.nginx import caching_proxy
from tests.waiting import COSTLY, wait_until

NOTES = (
    "A reader fetches the dashboard's page, and then its numbers and curves, as the page's script does. As many "
    "readers as there are connections are served at a time, without a pause. nginx has the configuration of "
    "docs/coordinator.md, without TLS. One process of the website on SQLite, a process that writes as the recorder "
    "does, nginx and the load generator share two cores with other work."
)
_PATHS = ("/dashboard", "/api/status", "/api/history?points=500")
_CONNECTIONS = 64
_ANSWERED = re.compile(r"^idlebrush_http_requests_total\{.*\} (\S+)$", re.MULTILINE)


async def crowd(port: int, readers: int) -> Timings:
    """Let readers come one after another at each connection; return their timings."""
    numbers, clients = iter(range(readers)), Clients(port, Timings())

    async def connection() -> None:
        for number in numbers:
            for path in _PATHS:
                await clients.ask(path.partition("?")[0], number, time.perf_counter(), "GET", path)

    await asyncio.gather(*(connection() for _ in range(_CONNECTIONS)))
    clients.close()
    return clients.timings


def rows_of(
    where: str, website: psutil.Process, at: int, port: int, readers: int
) -> Iterator[dict[str, Any]]:
    """Measure a crowd at ``port``; the website itself listens at the port ``at``."""
    before, cpu, began = _answered(at), _cpu_seconds(website), time.perf_counter()
    timings = uvloop.run(crowd(port, readers))
    seconds = time.perf_counter() - began
    cost = {
        "answered_by_website": _answered(at) - before - 1,  # without the question for this number
        "website_cpu_seconds": round(_cpu_seconds(website) - cpu, 1),
    }
    for kind, values in timings.seconds.items():
        failed = sum(number for what, number in timings.failed.items() if what.startswith(f"{kind}:"))
        row = {"where": where, "request": kind, "requests": len(values), "failed": failed}
        row |= {"per_second": round(len(values) / seconds, 1), **milliseconds(values), **cost}
        print(row, flush=True)
        yield row


def _answered(port: int) -> int:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
        return round(sum(map(float, _ANSWERED.findall(answer.read().decode()))))


def _cpu_seconds(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


@contextmanager
def website(folder: Path) -> Iterator[tuple[psutil.Process, int]]:
    """Serve a run with full records that goes on; yield the process and its port."""
    home = make_home(folder / "home", "http://127.0.0.1:1")
    address = home.database_url({})
    with closing(Database.open(address)) as database:
        fill(database)
    with serving(home, address) as served, recording(address, home.root / "epochs.txt"):
        (process,), port = served
        wait_until(lambda: _has_numbers(port), "nothing is recorded", every=COSTLY)
        yield process, port


def _has_numbers(port: int) -> bool:
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/api/status", timeout=30).close()
    except urllib.error.HTTPError:
        return False
    return True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder for the JSON file")
    parser.add_argument("--readers", type=int, default=100_000, help="behind nginx")
    parser.add_argument("--alone", type=int, default=5_000, help="without nginx")
    chosen = parser.parse_args()
    report = BenchmarkReport("coordinator_readers", NOTES)
    with tempfile.TemporaryDirectory() as folder, website(Path(folder)) as (process, port):
        rows = list(rows_of("the website alone", process, port, port, chosen.alone))
        with caching_proxy(f"http://127.0.0.1:{port}", tls=False) as proxy:
            behind = int(proxy.rpartition(":")[2])
            rows += rows_of("behind nginx", process, port, behind, chosen.readers)
    report.write(rows, folder=chosen.out, connections=_CONNECTIONS)


if __name__ == "__main__":
    main()
