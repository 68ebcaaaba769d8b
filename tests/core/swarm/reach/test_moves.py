"""A computer that has left a network is told from one that has a second one, or none for a while."""

from dataclasses import dataclass

import pytest

from core.swarm.reach.moves import MoveWatch, is_here

_Own = tuple[str | None, str | None] | None
HOME, AWAY, HOME6, LATER6, AWAY6 = "192.168.1.7", "192.168.7.2", "2a00::7", "2a00::8", "2a01::7"


@dataclass
class Interfaces:
    """The addresses of a computer, and those from which its packets leave."""

    leaving: _Own
    here: set[str]


@pytest.mark.parametrize(
    ("before", "after", "here", "expected"),
    [
        pytest.param((HOME, None), (AWAY, None), {AWAY}, True, id="another network"),
        pytest.param((HOME, HOME6), (AWAY, AWAY6), {AWAY, AWAY6}, True, id="another network with both"),
        pytest.param((HOME, None), (AWAY, None), {AWAY, HOME}, False, id="a second network"),
        pytest.param((HOME, None), (HOME, None), {HOME}, False, id="the same"),
        pytest.param((HOME, None), (HOME, HOME6), {HOME, HOME6}, False, id="IPv6 comes later"),
        pytest.param((HOME, HOME6), (HOME, LATER6), {HOME, LATER6}, False, id="another address of IPv6"),
        pytest.param((None, HOME6), (None, AWAY6), {AWAY6}, True, id="networks of IPv6 alone"),
        pytest.param((HOME, None), None, set(), False, id="no network"),
        pytest.param(None, (HOME, None), {HOME}, False, id="a first network"),
    ],
)
def test_a_computer_has_left_a_network_once_it_has_another_and_no_address_there(
    before: _Own, after: _Own, here: set[str], expected: bool
) -> None:
    there = Interfaces(before, set())
    watch = MoveWatch(lambda: there.leaving, lambda address: address in there.here)
    assert not watch.has_left()
    there.leaving = None
    assert not watch.has_left()
    there.leaving, there.here = after, here
    assert watch.has_left() is expected
    assert not watch.has_left(), "it says so once"


def test_addresses_of_this_computer_are_here() -> None:
    assert is_here("127.0.0.1")
    assert not is_here("192.0.2.1")
