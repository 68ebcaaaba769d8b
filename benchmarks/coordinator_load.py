"""Puts a coordinator's website and gate under load: volunteers who join and renew, viewers who watch, and kills.

``python -m benchmarks.coordinator_load [--postgresql] [--out FOLDER]``
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import uvloop

from benchmarks.coordinator.bench import Bench
from benchmarks.coordinator.kills import killed
from benchmarks.coordinator.restoring import restored
from benchmarks.coordinator.site import VOLUNTEERS, fill, make_home, recording, serving
from benchmarks.coordinator.volunteers import SimulatedVolunteer
from benchmarks.measuring.report import RESULTS, BenchmarkReport
from coordinator.database.connect import Database
from coordinator.home import Home
from core.admission.peer_key import PeerKey
from tests.hub.hub_server import running_hub
from tests.postgres import postgres_server

NOTES = (
    "One process of the website, default rate limits, the load generator on the same cores. Arrivals are a Poisson "
    "process, and each request is timed from when it was due. Tokens are good for 600 s and renewed at half that: "
    "1,000 peers ask 3.3 times a second. A viewer opens the dashboard with an empty browser cache, and then holds a "
    "stream and fetches the curves after each epoch. PostgreSQL 15 on the same machine, with fsync."
)
TOKEN_SECONDS = 600
_GOAL_SECONDS = 0.2


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
        await restored(bench, pace)
        for rate in chosen.renewals:
            p99 = await bench.phase(f"{rate} renewals a second", 10, (rate, crowd.renew))
            if p99 > _GOAL_SECONDS:
                break
    bench.clients.close()
    if not chosen.no_kills:
        await killed(bench)


async def _watched(bench: Bench, chosen: argparse.Namespace, pace: float) -> None:
    """Measure everything at once: viewers come and stay, while volunteers renew, join and read."""
    if not chosen.viewers:
        return
    command = ["-m", "benchmarks.coordinator.viewers", str(bench.clients.port)]
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
    output, _ = await viewers.communicate()
    seen = json.loads(output)
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


def keys(folder: Path, count: int) -> list[PeerKey]:
    """Return the keys of ``count`` volunteers' machines; making them takes a minute, so ``folder`` may be kept."""
    return [PeerKey.load_or_create(folder / f"peer-{number:04d}") for number in range(count)]


@contextmanager
def database_for(home: Home, postgresql: bool) -> Iterator[str]:
    """Yield the address of a database with a full ledger.

    It is the home's own file, or with ``postgresql`` on a server that is there for this alone.
    """
    with ExitStack() as stack:
        address = home.database_url({})
        if postgresql:
            server = stack.enter_context(postgres_server(fsync="on", autovacuum="on", shared_buffers="128MB"))
            address = server.new_database()
        opened = Database.open(address)
        fill(opened)
        opened.close()
        yield address


def main() -> None:
    chosen = _arguments().parse_args()
    report = BenchmarkReport(f"coordinator_load{'_postgresql' if chosen.postgresql else ''}", NOTES)
    with tempfile.TemporaryDirectory() as folder, running_hub() as hub:
        home = make_home(Path(folder) / "home", hub.address)
        machines = keys(chosen.keys or Path(folder) / "keys", chosen.volunteers)
        volunteers = [SimulatedVolunteer(number, key) for number, key in enumerate(machines)]
        with database_for(home, chosen.postgresql) as database:
            bench = Bench(home, database, hub, volunteers)
            uvloop.run(load(bench, chosen))
    report.write(bench.rows, folder=chosen.out, viewers=chosen.viewers, **bench.settings)


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--postgresql", action="store_true", help="a server of its own, in place of SQLite")
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
