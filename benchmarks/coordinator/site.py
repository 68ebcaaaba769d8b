"""A coordinator to put under load: a run with full records, the real process of its website, and a writer."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psutil
from sqlalchemy import insert

from coordinator.database.connect import Database
from coordinator.database.tables import Day, Epoch, KnownPeer, Total, User
from coordinator.home import Home
from coordinator.ledger.standings import complete
from coordinator.messages import COUNTS_VARIABLE, FROM_WEB, StartWeb, WebReady
from coordinator.settings import GateSettings, Settings, Web
from core.messages.children import Failed
from core.messages.lines import decode, encode
from core.signing import SigningKey
from tests.gate.gate_life import write_run
from tests.hub.openid import CLIENT_ID

VOLUNTEERS = 1000
EPOCHS = 31_250
"""Epochs of the paper's run."""
_DAYS = 60
EPOCH_SECONDS = 160
CONTRIBUTORS = 100
"""Contributors of each epoch that is recorded, unless others are asked for."""


def make_home(folder: Path, issuer: str) -> Home:
    """Make a run with a gate that asks ``issuer``, behind a proxy: each client has its own address."""
    home = Home(folder)
    home.gate_key.parent.mkdir(parents=True)
    key = SigningKey.generate()
    key.save(home.gate_key)
    write_run(home.manifest, key, SigningKey.generate())
    gate = GateSettings(issuer=issuer, client_id=CLIENT_ID)
    Settings(web=Web(port=0, behind_proxy=True), gate=gate).save(home.settings)
    return home


def fill(database: Database) -> None:
    """Write two months of a thousand volunteers, as the ledger leaves them."""
    now = datetime.now(UTC)
    first = now - timedelta(days=_DAYS)
    everybody = range(1, VOLUNTEERS + 1)
    with database.session() as session:
        session.execute(insert(User), [{"name": f"seasoned-{n}", "created": first} for n in everybody])
        session.execute(
            insert(KnownPeer),
            [
                {"peer_id": peer_name(n), "user_id": n, "created": first, "device": "gpu_16"}
                for n in everybody
            ],
        )
        totals = [
            {
                "user_id": n,
                "samples": n * 37 % 9999,
                "compute_seconds": 91.0 * n,
                "epochs": 100,
                "first": first,
            }
            for n in everybody
        ]
        session.execute(insert(Total), totals)
        days = [
            {
                "user_id": n,
                "day": first.date() + timedelta(days=day),
                "samples": n,
                "compute_seconds": 9.0 * n,
            }
            for n in everybody
            for day in range(_DAYS)
        ]
        session.execute(insert(Day), [{**day, "epochs": 10} for day in days])
        session.execute(
            insert(Epoch),
            [
                epoch_row(number, now - timedelta(seconds=EPOCH_SECONDS * (EPOCHS - number)))
                for number in range(1, EPOCHS + 1)
            ],
        )
    complete(database, now.date())


def epoch_row(number: int, moment: datetime) -> dict[str, object]:
    """Return the row of the epoch with that ``number``, committed at ``moment``."""
    return {
        "generation": 0,
        "epoch": number,
        "time": moment,
        "loss": 2 + 5 / (1 + number / 1000),
        "samples": 4096,
        "peers": 100,
        "seconds": float(EPOCH_SECONDS),
        "root": f"{number:064x}",
        "traffic": 10**9,
    }


def peer_name(number: int) -> str:
    return f"Qm{number:044d}"


@contextmanager
def serving(
    home: Home, database: str, port: int = 0, processes: int = 1
) -> Iterator[tuple[list[psutil.Process], int]]:
    """Start the website's processes as `coordinator serve` does; yield them and their port."""
    environment = dict(os.environ)
    if processes > 1:
        home.counts.mkdir(exist_ok=True)
        environment[COUNTS_VARIABLE] = str(home.counts)
    with ExitStack() as stack:
        started: list[psutil.Process] = []
        for _ in range(processes):
            start = StartWeb(home=home.root, port=port, database=database, processes=processes)
            process = stack.enter_context(_website(start, environment))
            port = _port(process)  # the first finds a free one, at which the others listen too
            started.append(psutil.Process(process.pid))
        yield started, port


@contextmanager
def _website(start: StartWeb, environment: Mapping[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "coordinator.web.process"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment) as process:
        assert process.stdin is not None
        try:
            process.stdin.write(encode(start))
            process.stdin.flush()
            yield process
        finally:
            process.kill()


def _port(process: subprocess.Popen[bytes]) -> int:
    assert process.stdout is not None
    for line in process.stdout:
        message = decode(line, FROM_WEB)
        if isinstance(message, WebReady):
            return int(message.address.rpartition(":")[2])
        if isinstance(message, Failed):
            raise SystemExit(message.what)
    raise SystemExit("The website ended before it answered.")


@contextmanager
def recording(
    database: str, log: Path, contributors: int = CONTRIBUTORS
) -> Iterator[subprocess.Popen[bytes]]:
    """Start a process that writes as a recorder does; ``log`` names each epoch after its commit."""
    command = [sys.executable, "-m", "benchmarks.coordinator.writer", str(contributors)]
    with (
        log.open("ab") as output,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output, text=False) as process,
    ):
        assert process.stdin is not None
        try:
            process.stdin.write(f"{database}\n".encode())  # not as an argument: it may hold a password
            process.stdin.flush()
            yield process
        finally:
            process.kill()
