"""Tests of the programs that a coordinator serves."""

import time
from pathlib import Path

import pytest

from coordinator.home import Home
from coordinator.serving.programs import WRITERS_NICENESS, OwnPeers, Programs, Secrets
from coordinator.settings import Settings


@pytest.mark.parametrize(
    ("niceness", "website", "writers"), [(0, 0, WRITERS_NICENESS), (3, 3, WRITERS_NICENESS), (9, 9, 9)]
)
def test_recorder_and_publisher_give_way_to_the_website_and_the_bootstrap_peer_to_nothing(
    tmp_path: Path, niceness: int, website: int, writers: int
) -> None:
    home = Home(tmp_path)
    home.log("web").parent.mkdir()
    programs = Programs(home, Settings(), Secrets("sqlite:///none"), niceness=niceness)
    own = OwnPeers("ab" * 32, None, 600, time.time)
    made = (
        programs.bootstrap(own, []),
        programs.web(0),
        programs.recorder(own, []),
        programs.publisher(own, []),
    )
    assert [program.niceness for program in made] == [0, website, writers, writers]
