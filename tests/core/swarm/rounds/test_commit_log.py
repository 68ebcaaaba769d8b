"""A log of commits leaves out records whose bytes nobody gave, and no other for their sake."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

from core.swarm.rounds.commit_log import DHTCommitLog
from core.swarm.wire.records import CommitRecord
from tests.core.swarm.builders import commit_record


class RecordsOfAll:
    """A DHT that has these records under the key, by their writers."""

    def __init__(self, *records: CommitRecord) -> None:
        self._found = {
            bytes([number]): SimpleNamespace(value=record.pack()) for number, record in enumerate(records)
        }

    async def get(self, key: str, **options: Any) -> Any:
        return SimpleNamespace(value=self._found)


def test_a_record_whose_bytes_nobody_gives_is_left_out_after_three_attempts_and_no_copy_of_its_root() -> None:
    honest, other = commit_record("honest", samples=10.0), commit_record("other")
    liar = honest.model_copy(update={"group": b"g" * 20, "samples": 20.0})
    log = DHTCommitLog(cast(Any, RecordsOfAll(honest, liar, other)), "run", b"")
    for _ in range(3):
        assert list(asyncio.run(log.read())) == [honest, liar, other]
        log.doubt(liar)
    assert list(asyncio.run(log.read())) == [honest, other]


def test_doubts_of_endless_records_take_no_endless_memory() -> None:
    record = commit_record("honest")
    log = DHTCommitLog(cast(Any, RecordsOfAll(record)), "run", b"")
    for _ in range(3):
        log.doubt(record)
    for samples in range(1, 2000):
        log.doubt(record.model_copy(update={"samples": float(samples)}))
    assert list(asyncio.run(log.read())) == [record], "its doubts are too old to be known"
