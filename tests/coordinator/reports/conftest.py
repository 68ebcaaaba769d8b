"""The coordinator whose reports are tested."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from coordinator.database.connect import Database
from tests.coordinator.empty_database import empty_database
from tests.coordinator.reports.recorded_coordinator import RecordedCoordinator


@pytest.fixture
def coordinator(tmp_path: Path) -> Iterator[RecordedCoordinator]:
    (tmp_path / "coordinator.sqlite").write_bytes(empty_database())
    with closing(Database.open(f"sqlite:///{tmp_path / 'coordinator.sqlite'}")) as database:
        yield RecordedCoordinator(tmp_path, database)
