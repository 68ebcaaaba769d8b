"""Writes to a coordinator's database what its recorder would: numbers every second, an epoch every few."""

import os
import sys
import time
from datetime import UTC, datetime
from select import select

import sqlalchemy

from benchmarks.coordinator.site import peer_name
from coordinator.database.connect import Database
from coordinator.database.tables import Epoch, SwarmNow
from coordinator.ledger.credit import Claim, CommittedEpoch
from coordinator.ledger.ledger import Ledger
from coordinator.run_now import PeersOfClass, RunNow
from coordinator.serving.programs import WRITERS_NICENESS
from core.swarm.wire.device_class import DeviceClass

SAMPLES_EACH = 40.0
_SECONDS_BETWEEN_EPOCHS = 20
_OPERATIONS = 1e12


def main() -> None:
    os.nice(WRITERS_NICENESS)
    contributors = int(sys.argv[1])
    database = Database.open(sys.stdin.readline().strip())
    ledger = Ledger(database, _OPERATIONS)
    with database.reading() as session:
        epoch = session.scalar(sqlalchemy.select(sqlalchemy.func.max(Epoch.epoch))) or 0
    turn = 0
    while not select([sys.stdin], [], [], 1.0)[0]:  # until the process that started it is gone
        if turn % _SECONDS_BETWEEN_EPOCHS == 0:
            epoch += 1
            if ledger.record(_committed(epoch, contributors)):
                print(epoch, flush=True)
        _say(database, epoch, contributors)
        turn += 1


def _committed(epoch: int, count: int) -> CommittedEpoch:
    contributors = {peer_name(number): SAMPLES_EACH for number in range(1, count + 1)}
    return CommittedEpoch(
        generation=0,
        epoch=epoch,
        time=datetime.now(UTC),
        seconds=600.0,
        samples=SAMPLES_EACH * count,
        root=f"{epoch:064x}",
        loss=2.0,
        contributors=contributors,
        claims={peer: Claim(SAMPLES_EACH, 1.0, DeviceClass.GPU_16) for peer in contributors},
        traffic=10**9,
    )


def _say(database: Database, epoch: int, contributors: int) -> None:
    now = RunNow(
        time=datetime.now(UTC),
        generation=0,
        epoch=epoch,
        total_epochs=40_000,
        loss=2.0,
        samples_per_second=25.0,
        gathered=int(time.time()) % 4096,
        target=4096,
        seconds_to_next=5.0,
        peers={"gpu_16": PeersOfClass(training=contributors)},
    )
    with database.session() as session:
        session.merge(SwarmNow(id=1, time=now.time, content=now.model_dump(mode="json")))


if __name__ == "__main__":
    main()
