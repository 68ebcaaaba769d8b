"""A recorder of a swarm that a test makes, at the time that it lets pass."""

from pathlib import Path

import pytest

from coordinator.database.connect import Database
from coordinator.recorder.recorder import Recorder
from tests.coordinator.recorder.stand_in_swarm import RecorderClock, StandInSwarm


@pytest.fixture
def swarm(tmp_path: Path) -> StandInSwarm:
    return StandInSwarm(tmp_path / "run")


@pytest.fixture
def clock() -> RecorderClock:
    return RecorderClock()


@pytest.fixture
def recorder(swarm: StandInSwarm, database: Database, clock: RecorderClock) -> Recorder:
    return swarm.recorder(database, clock)
