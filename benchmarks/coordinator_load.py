"""Puts a coordinator's website and gate under load: volunteers who join and renew, viewers who watch, and kills.

``python -m benchmarks.coordinator_load [--postgresql] [--out FOLDER]``, or for ten thousand volunteers
``python -m benchmarks.coordinator_load --many [--postgresql --processes 2] [--out FOLDER]``
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path

import uvloop

from benchmarks.coordinator.bench import Bench
from benchmarks.coordinator.http_load import LoadJob
from benchmarks.coordinator.kills import killed
from benchmarks.coordinator.ledger_size import fill as fill_many
from benchmarks.coordinator.restoring import restored
from benchmarks.coordinator.site import CONTRIBUTORS, VOLUNTEERS, fill, make_home, recording, serving
from benchmarks.coordinator.volunteers import Crowd, SimulatedVolunteer, enter, machines
from benchmarks.measuring.report import RESULTS, BenchmarkReport
from coordinator.database.connect import Database
from coordinator.home import Home
from tests.hub.hub_server import running_hub
from tests.postgres import postgres_server

NOTES = (
    "One process of the website, default rate limits, the load generator on the same cores. Arrivals are a Poisson "
    "process, and each request is timed from when it was due. Tokens are good for 600 s and renewed at half that: "
    "1,000 peers ask 3.3 times a second. A viewer opens the dashboard with an empty browser cache, and then holds a "
    "stream and fetches the curves after each epoch. PostgreSQL 15 on the same machine, with fsync."
)
MANY_NOTES = (
    "Default rate limits, the load generator on the same cores. "
    "The ledger has 10,000 volunteers with 14 days each, and 100,000 epochs; a recorder enters an epoch of 10,000 "
    "contributors every 20 s. 10,000 more have joined, entered as the gate leaves them, and renew twice in the 600 s "
    "of a token. Newcomers join by the gate, at the pace of 10,000 in an hour, for some minutes. Machines' keys are "
    "pairs of some primes, and else as any. Arrivals are a Poisson process, and each request is timed from when it "
    "was due. PostgreSQL 15 has fsync."
)
MANY = 10_000
_NEWCOMERS = 1_500
_MANY_EPOCHS, _MANY_DAYS = 100_000, 14
_FIRST_EPOCH_SECONDS = 5.0
"""Seconds for the recorder's first epoch, after which the website has something to show."""
TOKEN_SECONDS = 600
_GOAL_SECONDS = 0.2


async def load(bench: Bench, chosen: argparse.Namespace) -> None:
    with ExitStack() as stack:
        served = stack.enter_context(serving(bench.home, bench.database, processes=chosen.processes))
        bench.web, bench.clients.port = served
        log = bench.home.root / "epochs.txt"
        stack.enter_context(recording(bench.database, log, MANY if chosen.many else CONTRIBUTORS))
        if chosen.many:
            await _many(bench, chosen)
            return
        crowd, volunteers = bench.crowd, len(bench.crowd.volunteers)
        seconds = volunteers / chosen.join_rate
        await bench.phase(f"{volunteers:,} join", seconds, (chosen.join_rate, crowd.join))
        for volunteer in crowd.volunteers:
            if not volunteer.membership:  # the last of a Poisson process come when they like
                await crowd.join(volunteer.number, time.perf_counter())
        pace = 2 * volunteers / TOKEN_SECONDS
        await bench.phase("they renew", 30, (pace, crowd.renew), (20, crowd.read))
        await _watched(bench, chosen, (pace, crowd.renew), (pace, crowd.join), (20.0, crowd.read))
        await restored(bench, pace)
        for rate in chosen.renewals:
            p99 = await bench.phase(f"{rate} renewals a second", 10, (rate, crowd.renew))
            if p99 > _GOAL_SECONDS:
                break
    bench.clients.close()
    if not chosen.no_kills:
        await killed(bench)


async def _many(bench: Bench, chosen: argparse.Namespace) -> None:
    """Measure ten thousand at the pace of an hour: they renew, others join, and all look; then faster joins."""
    await asyncio.sleep(_FIRST_EPOCH_SECONDS)
    renewing = 2 * MANY / TOKEN_SECONDS
    crowd = bench.crowd
    newcomers = Crowd(bench.clients, bench.hub.openid, crowd.run, crowd.volunteers[MANY:])
    numbers = count()

    async def join(_: int, due: float) -> None:
        await newcomers.join(next(numbers), due)

    jobs = ((renewing, crowd.renew), (MANY / 3600, join), (20.0, crowd.read))
    await bench.phase("10,000 renew, others join in an hour", 30, *jobs)
    await bench.phase("and pages are opened", 30, *jobs, (20.0, crowd.view))
    await _watched(bench, chosen, *jobs)
    crowd.promises.renewals.clear()  # proofs of minutes ago may have been forgotten by now, as they should
    for rate in (10.0, 20.0, 40.0):
        p99 = await bench.phase(f"{rate:.0f} join a second", 15, (renewing, crowd.renew), (rate, join))
        if p99 > _GOAL_SECONDS:
            break
    bench.clients.close()
    opened = Database.open(bench.database)
    promises = (crowd.promises, newcomers.promises)
    bench.settings["promises"] = sum(len(each.memberships) + len(each.renewals) for each in promises)
    bench.settings["promises_lost"] = sum(each.broken(opened) for each in promises)
    opened.close()


async def _watched(bench: Bench, chosen: argparse.Namespace, *jobs: tuple[float, LoadJob]) -> None:
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
    await bench.phase(f"{chosen.viewers:,} viewers come", coming, *jobs)
    await bench.phase(f"{chosen.viewers:,} viewers stay", chosen.stay * 0.9, *jobs)
    output, _ = await viewers.communicate()
    seen = json.loads(output)
    print(seen)
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


@contextmanager
def database_for(home: Home, postgresql: bool, volunteers: Sequence[SimulatedVolunteer]) -> Iterator[str]:
    """Yield the address of a database with a full ledger, in which these ``volunteers`` have joined.

    It is the home's own file, or with ``postgresql`` on a server that is there for this alone.
    """
    with ExitStack() as stack:
        address = home.database_url({})
        if postgresql:
            server = stack.enter_context(postgres_server(fsync="on", autovacuum="on", shared_buffers="128MB"))
            address = server.new_database()
        opened = Database.open(address)
        if volunteers:
            fill_many(opened, MANY, _MANY_EPOCHS, _MANY_DAYS)
            enter(opened, volunteers)
        else:
            fill(opened)
        opened.close()
        yield address


def main() -> None:
    chosen = _arguments().parse_args()
    several = f"_{chosen.processes}_processes" if chosen.processes > 1 else ""
    name = f"coordinator_load{'_many' if chosen.many else ''}{'_postgresql' if chosen.postgresql else ''}{several}"
    report = BenchmarkReport(name, MANY_NOTES if chosen.many else NOTES)
    wanted = MANY + _NEWCOMERS if chosen.many else chosen.volunteers
    volunteers = [SimulatedVolunteer(number, key) for number, key in enumerate(machines(wanted))]
    joined = volunteers[:MANY] if chosen.many else []
    with tempfile.TemporaryDirectory() as folder, running_hub() as hub:
        home = make_home(Path(folder) / "home", hub.address)
        with database_for(home, chosen.postgresql, joined) as database:
            bench = Bench(home, database, hub, volunteers)
            uvloop.run(load(bench, chosen))
    processes, viewers = chosen.processes, chosen.viewers
    report.write(bench.rows, folder=chosen.out, processes=processes, viewers=viewers, **bench.settings)


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--postgresql", action="store_true", help="a server of its own, in place of SQLite")
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder for the JSON file")
    parser.add_argument("--many", action="store_true", help="10,000 volunteers, who join within an hour")
    parser.add_argument("--processes", type=int, default=1, help="of the website; several need PostgreSQL")
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
