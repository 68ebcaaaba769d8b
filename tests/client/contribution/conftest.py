"""A record of the contribution, and the problems that it tells of."""

from collections.abc import Callable
from datetime import UTC
from pathlib import Path

import pytest

from client.api.errors import StatsError
from client.contribution.stats import Contribution
from client.contribution.tally import Calendar


@pytest.fixture
def problems() -> list[StatsError]:
    return []


@pytest.fixture
def begin(tmp_path: Path, problems: list[StatsError]) -> Callable[[], Contribution]:
    return lambda: Contribution(tmp_path / "stats.sqlite", problems.append, Calendar(UTC))
