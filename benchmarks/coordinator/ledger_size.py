"""Measures the ledger of a large run: times of pages and of an epoch, the disk that a day takes, and its archive.

``python -m benchmarks.coordinator.ledger_size [--postgresql] [--out FOLDER]``
"""

import argparse
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import fields
from datetime import UTC, date, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import insert, literal, select, text
from starlette.testclient import TestClient

from benchmarks.coordinator.site import EPOCH_SECONDS, epoch_row, make_home, peer_name
from benchmarks.measuring.report import RESULTS, BenchmarkReport
from coordinator.database.connect import Database
from coordinator.database.engines import connect, parse
from coordinator.database.tables import DailyRank, Day, Epoch, KnownPeer, SwarmNow, Total, User
from coordinator.ledger.archive import archive_oldest
from coordinator.ledger.credit import Claim, CommittedEpoch
from coordinator.ledger.ledger import Ledger
from coordinator.ledger.standings import complete
from coordinator.run_now import PeersOfClass, RunNow
from coordinator.settings import Settings
from coordinator.web.app import create_app
from coordinator.web.context import WebContext
from coordinator.web.limits import Rate, Rates
from core.signing import SigningKey
from core.swarm.wire.device_class import DeviceClass
from tests.postgres import postgres_server

NOTES = (
    "The pages are computed anew each time, past the cache of a second, in one process. Every volunteer contributes "
    "on every day of the run, or on the last ones. Epochs of the last day are recorded one by one, as the recorder "
    "does it; then the next day begins, and they are archived while another thread writes every 20 ms. Megabytes are "
    "those of the database, but those of an archived day are the file's. Other work ran beside on the same two "
    "cores: the least time of a page is nearest to what it takes alone."
)
DAY_EPOCHS = 86_400 // EPOCH_SECONDS
_REPEATS = 20
_MANY = Rate(per_second=1e6, burst=1_000_000)
_OPERATIONS = 1e12
_PAGES = (
    "/",
    "/dashboard",
    "/leaderboard",
    "/leaderboard?since=week",
    "/leaderboard?by=time&offset=5000",
    "/leaderboard?name=seasoned-500",
    "/volunteers/seasoned-500",
    "/join",
    "/api/status",
    "/api/pace",
    "/api/history?points=500",
    "/api/leaderboard?around=seasoned-500",
)


def fill(database: Database, volunteers: int, epochs: int, days: int | None = None) -> datetime:
    """Write all but the last day of a run, as the ledger leaves it; return the beginning of the last day.

    Volunteers contributed on that many of the last ``days``, or on all of them.
    """
    today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=1)
    days = epochs // DAY_EPOCHS if days is None else days
    first = today - timedelta(days=days)
    with database.session() as session:
        everybody = range(1, volunteers + 1)
        session.execute(insert(User), [{"name": f"seasoned-{n}", "created": first} for n in everybody])
        peers = [
            {"peer_id": peer_name(n), "user_id": n, "created": first, "device": "gpu_16"} for n in everybody
        ]
        session.execute(insert(KnownPeer), peers)
        session.execute(
            insert(Epoch),
            [
                epoch_row(n, today - timedelta(seconds=EPOCH_SECONDS * (epochs - n + 1)))
                for n in range(1, epochs + 1)
            ],
        )
        total = (
            User.id,
            20 * User.id * days,
            9.0 * User.id * days,
            literal(10 * days),
            literal(first, Total.first.type),
        )
        columns = ["user_id", "samples", "compute_seconds", "epochs", "first"]
        session.execute(insert(Total).from_select(columns, select(*total)))
    for number in range(days):
        _fill_day(database, first.date() + timedelta(days=number))
    return today


def _fill_day(database: Database, day: date) -> None:
    with database.session() as session:
        tally = (User.id, literal(day, Day.day.type), 20 * User.id, 9.0 * User.id, literal(10))
        columns = ["user_id", "day", "samples", "compute_seconds", "epochs"]
        session.execute(insert(Day).from_select(columns, select(*tally)))
        rank = (User.id, literal(day, Day.day.type), 1 + User.id)
        session.execute(insert(DailyRank).from_select(["user_id", "day", "rank"], select(*rank)))


def record_day(database: Database, begin: datetime, chosen: argparse.Namespace) -> list[float]:
    """Record epochs of a day, each with other volunteers; return the seconds that each took."""
    first, contributors, volunteers = chosen.epochs + 1, chosen.contributors, chosen.volunteers
    ledger, took = Ledger(database, _OPERATIONS), []
    for number in range(chosen.day_epochs):
        peers = {peer_name(1 + (number * 37 + n) % volunteers): 40.0 for n in range(contributors)}
        made = CommittedEpoch(
            generation=0,
            epoch=first + number,
            time=begin + timedelta(seconds=EPOCH_SECONDS * number),
            seconds=float(EPOCH_SECONDS),
            samples=40.0 * contributors,
            root=f"{first + number:064x}",
            loss=2.0,
            contributors=peers,
            claims={peer: Claim(40.0, 1.0, DeviceClass.GPU_16) for peer in peers},
            traffic=10**9,
        )
        began = time.perf_counter()
        assert ledger.record(made)
        took.append(time.perf_counter() - began)
    return took


def megabytes(database: Database) -> float:
    """Return the size of the database on the disk, of SQLite's without what is free in its file."""
    with database.reading() as session:
        if session.get_bind().dialect.name == "postgresql":
            used = session.scalar(text("SELECT pg_database_size(current_database())"))
        else:
            pages, free, size = (
                int(session.scalar(text(f"PRAGMA {name}")) or 0)
                for name in ("page_count", "freelist_count", "page_size")
            )
            used = (pages - free) * size
    return round(int(used or 0) / 1e6, 1)


def page_rows(context: WebContext) -> Iterator[dict[str, Any]]:
    ticks = count(0, 10)
    rates = Rates(**dict.fromkeys((one.name for one in fields(Rates)), _MANY))
    with TestClient(create_app(context, rates, lambda: float(next(ticks)))) as client:
        for path in _PAGES:
            client.get(path, headers={"Accept": "text/html"})
            took = []
            for _ in range(_REPEATS):
                began = time.perf_counter()
                answer = client.get(path, headers={"Accept": "text/html"})
                took.append(time.perf_counter() - began)
                assert answer.status_code == 200, (path, answer.text)
            yield _row(f"page {path}", took)


def _row(what: str, took: list[float], **more: Any) -> dict[str, Any]:
    row = {
        "what": what,
        "count": len(took),
        "least_ms": round(1e3 * min(took), 1),
        "median_ms": round(1e3 * statistics.median(took), 1),
        "most_ms": round(1e3 * max(took), 1),
        "megabytes": None,
        **more,
    }
    print(row, flush=True)
    return row


@contextmanager
def writing_beside(database: Database) -> Iterator[list[float]]:
    """Write a row every 20 ms, as who joins does, and note the seconds that each write takes."""
    over = threading.Event()
    took: list[float] = []

    def write() -> None:
        while not over.wait(0.02):
            began = time.perf_counter()
            with database.session() as session:
                session.merge(SwarmNow(id=1, time=datetime.now(UTC), content=_NOW))
            took.append(time.perf_counter() - began)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield took
    finally:
        over.set()
        thread.join()


_NOW: dict[str, Any] = {}


def measure(context: WebContext, address: str, chosen: argparse.Namespace) -> Iterator[dict[str, Any]]:
    database = context.database
    began = time.perf_counter()
    day = fill(database, chosen.volunteers, chosen.epochs, chosen.days)
    _say_now(database, chosen)
    size = megabytes(database)
    yield _row("filling", [time.perf_counter() - began], megabytes=size)
    took = record_day(database, day, chosen)
    yield _row("recording an epoch", took)
    following = day.date() + timedelta(days=1)
    yield _row("ranks of a day", [_timed(lambda: complete(database, following))])
    grown = megabytes(database)
    yield _row("disk of a day", [0.0], megabytes=round(grown - size, 1))
    yield from page_rows(context)
    with writing_beside(database) as writes:
        began = time.perf_counter()
        done = archive_oldest(database, context.home.archive, following)
        seconds = time.perf_counter() - began
    assert done is not None
    assert done.rows == chosen.day_epochs * chosen.contributors
    yield _row("archiving a day", [seconds], megabytes=round(done.file.stat().st_size / 1e6, 1))
    yield _row("a write beside it", writes)
    _reclaim(chosen.postgresql, address)
    yield _row("disk after that", [0.0], megabytes=round(megabytes(database) - size, 1))


def _reclaim(postgresql: bool, address: str) -> None:
    """Free the space of deleted rows, as PostgreSQL does from time to time."""
    if postgresql:
        engine = connect(parse(address)).execution_options(isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(text("VACUUM"))
        engine.dispose()


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _say_now(database: Database, chosen: argparse.Namespace) -> None:
    now = RunNow(
        time=datetime.now(UTC),
        generation=0,
        epoch=chosen.epochs,
        total_epochs=chosen.epochs * 2,
        loss=2.0,
        samples_per_second=25.0,
        gathered=100,
        target=4096,
        seconds_to_next=5.0,
        peers={"gpu_16": PeersOfClass(training=chosen.contributors)},
    )
    _NOW.update(now.model_dump(mode="json"))
    with database.session() as session:
        session.merge(SwarmNow(id=1, time=now.time, content=_NOW))


@contextmanager
def database_for(home_database: str, postgresql: bool) -> Iterator[str]:
    """Yield the address of a new database: the home's own file, or one on a server that is there for this alone."""
    if not postgresql:
        yield home_database
        return
    with postgres_server(fsync="on", autovacuum="on", shared_buffers="128MB") as server:
        yield server.new_database()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--postgresql", action="store_true", help="a server of its own, in place of SQLite")
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder for the JSON file")
    parser.add_argument("--volunteers", type=int, default=10_000)
    parser.add_argument("--epochs", type=int, default=100_000)
    parser.add_argument("--contributors", type=int, default=4000, help="of each epoch of the last day")
    parser.add_argument(
        "--day-epochs", type=int, default=DAY_EPOCHS, help="that are recorded of the last day"
    )
    parser.add_argument(
        "--days", type=int, help="of each volunteer's contribution; as many as the run has, unless given"
    )
    chosen = parser.parse_args()
    report = BenchmarkReport(f"ledger_size{'_postgresql' if chosen.postgresql else ''}", NOTES)
    with tempfile.TemporaryDirectory() as folder:
        home = make_home(Path(folder) / "home", "http://127.0.0.1:1")
        with (
            database_for(home.database_url({}), chosen.postgresql) as address,
            closing(Database.open(address)) as database,
        ):
            key = SigningKey.load(home.gate_key)
            settings = Settings.load(home.settings)
            context = WebContext(home, settings, database, key, lambda: datetime.now(UTC))
            rows = list(measure(context, address, chosen))
    report.write(
        rows,
        folder=chosen.out,
        volunteers=chosen.volunteers,
        epochs=chosen.epochs,
        contributors=chosen.contributors,
        day_epochs=chosen.day_epochs,
        days=chosen.days,
    )


if __name__ == "__main__":
    main()
