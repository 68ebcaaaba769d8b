"""Restores a coordinator's board from receipts while volunteers join, in a process of its own as the command does."""

import asyncio
import sys
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import select

from benchmarks.coordinator.bench import Bench
from coordinator.database.connect import Database
from coordinator.database.tables import User
from coordinator.home import Home
from coordinator.ledger.rebuild import rebuild
from coordinator.ledger.receipts import receipts
from core.run.manifest import RunManifest
from core.signing import SigningKey

_VOLUNTEERS = 300
"""Number of volunteers; each has two months of receipts."""
_SECONDS = 20.0


async def restored(bench: Bench, pace: float) -> None:
    """Add a phase in which volunteers join and renew at that pace while the board is restored."""
    restorer = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "benchmarks.coordinator.restoring", str(bench.home.root)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert restorer.stdin is not None
    assert restorer.stdout is not None
    restorer.stdin.write(f"{bench.database}\n".encode())
    await restorer.stdout.readline()
    restorer.stdin.write(b"go\n")
    jobs = ((pace, bench.crowd.renew), (pace, bench.crowd.join), (20.0, bench.crowd.read))
    await bench.phase(f"{_VOLUNTEERS * 60:,} receipts are entered", _SECONDS, *jobs)
    bench.settings["restoring_seconds"] = float((await restorer.communicate())[0])


def main() -> None:
    home = Home(Path(sys.argv[1]))
    key, run = SigningKey.load(home.gate_key), RunManifest.load(home.manifest).training_digest
    database = Database.open(sys.stdin.readline().strip())  # not as an argument: it may hold a password
    with database.reading() as session:
        users = session.scalars(select(User).order_by(User.id).limit(_VOLUNTEERS)).all()
        signed = [each for user in users for each in receipts(session, user, run, key)]
    texts = [receipt.model_dump_json() for receipt in signed]
    print("ready", flush=True)
    sys.stdin.readline()
    began = datetime.now(UTC)
    rebuild(database, texts, gate=key.public_key, run=run, now=began)
    print((datetime.now(UTC) - began).total_seconds())


if __name__ == "__main__":
    main()
