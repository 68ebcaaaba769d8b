"""The commands of the emulated Internet take their homes' line from the same options."""

import argparse

import pytest

from benchmarks.internet.line_options import add_line_options, line_of
from benchmarks.internet.topology import SiteLine, TopologyError


def given(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_line_options(parser)
    return parser.parse_args(words)


def test_without_options_a_home_has_a_common_line() -> None:
    assert line_of(given()) == SiteLine(down=20, up=5, delay=0.05)


def test_a_line_is_as_its_options_say() -> None:
    words = given("--down", "2", "--up", "0.5", "--delay", "0.3s")
    assert line_of(words) == SiteLine(down=2, up=0.5, delay=0.3)
    assert line_of(words, jitter=0.01, loss=0.02) == SiteLine(
        down=2, up=0.5, delay=0.3, jitter=0.01, loss=0.02
    )


def test_a_line_that_cannot_be_is_refused() -> None:
    with pytest.raises(TopologyError, match="not a duration"):
        line_of(given("--delay", "50"))
    with pytest.raises(ValueError, match="greater than 0"):
        line_of(given("--up", "0"))
