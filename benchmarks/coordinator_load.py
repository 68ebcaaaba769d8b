"""Puts a coordinator's website and gate under load: volunteers who join and renew, viewers who watch, and kills.

``python -m benchmarks.coordinator_load [--out FOLDER] [--database URL]``
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import psutil
import uvloop
from sqlalchemy import func, select

from benchmarks.coordinator_site import VOLUNTEERS, fill, make_home, recording, serving
from benchmarks.coordinator_volunteers import Crowd, Volunteer
from benchmarks.coordinator_writer import CONTRIBUTORS
from benchmarks.http_load import Clients, Job, Timings, arriving, milliseconds
from benchmarks.report import RESULTS, Report
from coordinator.database.connect import Database
from coordinator.database.tables import Credit, Epoch
from coordinator.home import Home
from core.admission.peer_key import PeerKey
from core.run import RunManifest
from tests.hub_server import HubServer, running_hub

NOTES = (
    "One process of the website, default rate limits, the load generator on the same cores. Arrivals are a Poisson "
    "process, and each request is timed from when it was due. Tokens are good for 600 s and renewed at half that: "
    "1,000 peers ask 3.3 times a second. A viewer opens the dashboard with an empty browser cache, and then holds a "
    "stream and fetches the curves after each epoch."
)
TOKEN_SECONDS = 600
_GOAL_SECONDS = 0.2
_RESTART_SECONDS = 6.0
_KILLS = 5

Row = dict[str, Any]


class Bench:
    """One coordinator under load, and the rows of its report."""

    def __init__(self, home: Home, database: str, hub: HubServer, volunteers: list[Volunteer]) -> None:
        self.home, self.database = home, database
        self.rows: list[Row] = []
        self.clients = Clients(0, Timings())
        run = RunManifest.load(home.manifest).training_digest
        self.crowd = Crowd(self.clients, hub.openid, run, volunteers)
        self.settings: dict[str, Any] = {}
        self.web: psutil.Process | None = None

    @contextmanager
    def measured(self, phase: str) -> Iterator[None]:
        """Add a row for each kind of request that is made meanwhile."""
        assert self.web is not None
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
        assert self.web is not None
        self.rows.append(
            {
                "phase": phase,
                "request": kind,
                "requests": len(values),
                "per_second": round(len(values) / seconds, 1),
                **milliseconds(values),
                "failed": failed,
                "cores_of_website": round(share, 2),
                "resident_mb": round(self.web.memory_info().rss / 1e6),
            }
        )
        print(self.rows[-1], flush=True)

    async def phase(self, name: str, seconds: float, *jobs: tuple[float, Job]) -> float:
        """Let jobs arrive at their rates; the p99 of the slowest kind."""
        with self.measured(name):
            async with asyncio.TaskGroup() as group:
                for number, (rate, job) in enumerate(jobs):
                    group.create_task(arriving(rate, seconds, job, Random(number)))
        timings = self.clients.timings
        return max(timings.quantile(kind, 0.99) for kind in timings.seconds)


async def load(bench: Bench, chosen: argparse.Namespace) -> None:
    with ExitStack() as stack:
        bench.web, bench.clients.port = stack.enter_context(serving(bench.home, bench.database))
        log = bench.home.root / "epochs.txt"
        stack.enter_context(recording(bench.database, log))
        crowd, volunteers = bench.crowd, len(bench.crowd.volunteers)
        seconds = volunteers / chosen.join_rate
        await bench.phase(f"{volunteers:,} join", seconds, (chosen.join_rate, crowd.join))
        for volunteer in crowd.volunteers:
            if not volunteer.membership:  # the last of a Poisson process come when they like
                await crowd.join(volunteer.number, time.perf_counter())
        pace = 2 * volunteers / TOKEN_SECONDS
        await bench.phase("they renew", 30, (pace, crowd.renew), (20, crowd.read))
        await _watched(bench, chosen, pace)
        for rate in chosen.renewals:
            p99 = await bench.phase(f"{rate} renewals a second", 10, (rate, crowd.renew))
            if p99 > _GOAL_SECONDS:
                break
    bench.clients.close()
    if not chosen.no_kills:
        await _killed(bench)


async def _watched(bench: Bench, chosen: argparse.Namespace, pace: float) -> None:
    """Everything at once: viewers come, and stay."""
    if not chosen.viewers:
        return
    command = ["-m", "benchmarks.coordinator_viewers", str(bench.clients.port)]
    options = [
        "--viewers",
        str(chosen.viewers),
        "--rate",
        str(chosen.viewer_rate),
        "--stay",
        str(chosen.stay),
    ]
    viewers = await asyncio.create_subprocess_exec(
        sys.executable, *command, *options, stdout=asyncio.subprocess.PIPE
    )
    coming = chosen.viewers / chosen.viewer_rate
    jobs = ((pace, bench.crowd.renew), (pace, bench.crowd.join), (20.0, bench.crowd.read))
    await bench.phase(f"{chosen.viewers:,} viewers come", coming, *jobs)
    await bench.phase(f"{chosen.viewers:,} viewers stay", chosen.stay * 0.9, *jobs)
    told, _ = await viewers.communicate()
    seen = json.loads(told)
    print(seen)
    assert bench.web is not None
    for kind, about in seen["kinds"].items():
        failed = sum(count for what, count in seen["failed"].items() if what.startswith(kind))
        per_second = round(about["requests"] / (coming + chosen.stay), 1)
        bench.rows.append(
            {
                "phase": f"what {seen['streams']:,} viewers with streams saw",
                "request": kind,
                "requests": about.pop("requests"),
                "per_second": per_second,
                **about,
                "failed": failed,
                "cores_of_website": None,
                "resident_mb": None,
            }
        )
    bench.settings["events_per_second"] = seen["events_per_second"]


async def _killed(bench: Bench) -> None:
    """Kill the website and the writer by turns in the middle of their work; look for what they had promised."""
    bench.crowd.promises.renewals.clear()  # those of the phases before may have been forgotten by now, as they should
    log = bench.home.root / "epochs.txt"
    seconds = _KILLS * _RESTART_SECONDS
    bench.clients.timings = Timings()
    working = asyncio.gather(
        arriving(20, seconds, bench.crowd.join, Random(5)),
        arriving(40, seconds, bench.crowd.renew, Random(6)),
    )
    draws = Random(7)
    for _ in range(_KILLS):
        with ExitStack() as stack:
            # In a thread, so that volunteers go on asking while nobody answers.
            website = serving(bench.home, bench.database, bench.clients.port)
            await asyncio.to_thread(stack.enter_context, website)
            stack.enter_context(recording(bench.database, log))
            await asyncio.sleep(_RESTART_SECONDS + draws.random())
    await working
    opened = Database.open(bench.database)
    promises = bench.crowd.promises
    bench.settings["kills"] = {
        "of_website_and_writer": _KILLS,
        "promises": len(promises.memberships) + len(promises.renewals),
        "promises_lost": promises.broken(opened),
        "epochs_wrong": _wrong_epochs(opened, [int(line) for line in log.read_text().split()]),
        "requests_without_answer": sum(bench.clients.timings.failed.values()),
    }
    opened.close()
    print(bench.settings["kills"])


def _wrong_epochs(database: Database, told: list[int]) -> int:
    """Epochs that the writer had committed, and are not in the books with exactly their credits."""
    credited = select(Credit.epoch, func.count().label("credits")).group_by(Credit.epoch)
    with database.reading() as session:
        known = set(session.scalars(select(Epoch.epoch).where(Epoch.epoch.in_(told))))
        counts: dict[int, int] = {row.epoch: row.credits for row in session.execute(credited)}
    wrong = [epoch for epoch in told if epoch not in known or counts.get(epoch) != CONTRIBUTORS]
    return len(wrong) + len(told) - len(set(told)) + sum(count != CONTRIBUTORS for count in counts.values())


def _cpu_seconds(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def keys(folder: Path, count: int) -> list[PeerKey]:
    """The machines of so many volunteers; making them takes a minute, so that a folder may be kept."""
    return [PeerKey.load_or_create(folder / f"peer-{number:04d}") for number in range(count)]


def main() -> None:
    chosen = _arguments().parse_args()
    report = Report("coordinator_load", NOTES)
    with tempfile.TemporaryDirectory() as folder, running_hub() as hub:
        home = make_home(Path(folder) / "home", hub.address)
        database = os.environ.get("DATABASE_URL") or home.database_url({})
        opened = Database.open(database)
        fill(opened)
        opened.close()
        machines = keys(chosen.keys or Path(folder) / "keys", chosen.volunteers)
        bench = Bench(home, database, hub, [Volunteer(number, key) for number, key in enumerate(machines)])
        uvloop.run(load(bench, chosen))
    report.write(
        bench.rows,
        folder=chosen.out,
        backend=database.partition(":")[0],
        viewers=chosen.viewers,
        **bench.settings,
    )


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder for the JSON file")
    parser.add_argument("--keys", type=Path, help="folder in which volunteers' keys are, or are kept")
    parser.add_argument("--volunteers", type=int, default=VOLUNTEERS)
    parser.add_argument("--join-rate", type=float, default=10.0, help="a second")
    parser.add_argument("--viewers", type=int, default=5000)
    parser.add_argument("--viewer-rate", type=float, default=50.0, help="that come in a second")
    parser.add_argument("--stay", type=float, default=60.0, help="seconds after the last viewer has come")
    parser.add_argument("--renewals", type=int, nargs="*", default=[10, 20, 40, 80, 120, 160, 240])
    parser.add_argument("--no-kills", action="store_true")
    return parser


if __name__ == "__main__":
    main()
