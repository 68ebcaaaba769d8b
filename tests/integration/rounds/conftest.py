"""Fixtures of tests of rounds: real averagers on loopback, and the file to which all of them log."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.children import logs
from tests.swarms.swarm_peers import LoopbackSwarm, loopback_swarm


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Path]:
    """The file to which averagers log, whose processes are forked from this one; a test that fails shows it."""
    with logs.kept_in(tmp_path / "averagers.log", "core"):
        yield tmp_path / "averagers.log"
    print((tmp_path / "averagers.log").read_text())


@pytest.fixture
def swarm(tmp_path: Path, log: Path) -> Iterator[LoopbackSwarm]:
    with loopback_swarm(tmp_path) as made:
        yield made
