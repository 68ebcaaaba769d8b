"""One coordinator under load: the website's process, volunteers at its gate, and the rows of the report."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import psutil

from benchmarks.coordinator.http_load import Clients, LoadJob, Timings, arriving, milliseconds
from benchmarks.coordinator.volunteers import Crowd, SimulatedVolunteer
from coordinator.home import Home
from core.run.manifest import RunManifest
from tests.hub.hub_server import HubServer

_Row = dict[str, Any]


class Bench:
    """One coordinator under load, and the rows of its report."""

    def __init__(
        self, home: Home, database: str, hub: HubServer, volunteers: list[SimulatedVolunteer]
    ) -> None:
        self.home, self.database, self.hub = home, database, hub
        self.rows: list[_Row] = []
        self.clients = Clients(0, Timings())
        run = RunManifest.load(home.manifest).training_digest
        self.crowd = Crowd(self.clients, hub.openid, run, volunteers)
        self.settings: dict[str, Any] = {}
        self.web: list[psutil.Process] = []

    @contextmanager
    def measured(self, phase: str) -> Iterator[None]:
        """Add a row for each kind of request that is made meanwhile."""
        self.clients.timings = Timings()
        cpu, started = _cpu_seconds(self.web), time.perf_counter()
        yield
        took = time.perf_counter() - started
        share = (_cpu_seconds(self.web) - cpu) / took
        for kind, values in self.clients.timings.seconds.items():
            self.add(phase, kind, values, took, share)
        for lost in self.clients.timings.failed:
            print(phase, lost, self.clients.timings.failed[lost])

    def add(self, phase: str, kind: str, values: list[float], seconds: float, share: float) -> None:
        failed = sum(
            count for what, count in self.clients.timings.failed.items() if what.startswith(f"{kind}:")
        )
        self.rows.append(
            {
                "phase": phase,
                "request": kind,
                "requests": len(values),
                "per_second": round(len(values) / seconds, 1),
                **milliseconds(values),
                "failed": failed,
                "cores_of_website": round(share, 2),
                "resident_mb": round(sum(process.memory_info().rss for process in self.web) / 1e6),
            }
        )
        print(self.rows[-1], flush=True)

    async def phase(self, name: str, seconds: float, *jobs: tuple[float, LoadJob]) -> float:
        """Let jobs arrive at their rates; the p99 of the slowest kind."""
        with self.measured(name):
            async with asyncio.TaskGroup() as group:
                for number, (rate, job) in enumerate(jobs):
                    group.create_task(arriving(rate, seconds, job, Random(number)))
        timings = self.clients.timings
        return max(timings.quantile(kind, 0.99) for kind in timings.seconds)


def _cpu_seconds(processes: list[psutil.Process]) -> float:
    times = [process.cpu_times() for process in processes]
    return float(sum(each.user + each.system for each in times))
