"""A user is set aside for longer each time, and as one that never was once it has behaved for a while."""

import pytest

from core.swarm.admission.set_aside import UsersSetAside
from tests.core.swarm.builders import HandClock


def test_the_time_doubles_up_to_a_bound_and_is_forgotten_after_as_long_again() -> None:
    clock = HandClock()
    aside, found = UsersSetAside(clock), list[float]()
    for _ in range(7):
        found.append(aside.add("eve", 60.0))
        clock.now += found[-1] + 1.0
    assert found == [60.0 * factor for factor in (1, 2, 4, 8, 8, 8, 8)]
    clock.now += 8 * 60.0 + 60.0
    assert aside.add("eve", 60.0) == 60.0


def test_several_peers_of_a_user_that_fail_at_once_count_once() -> None:
    aside = UsersSetAside(HandClock())
    assert [aside.add("eve", 60.0) for _ in range(32)] == [60.0] * 32


@pytest.mark.parametrize(("passed", "is_aside"), [(0.0, True), (60.0, True), (60.1, False)])
def test_a_user_is_set_aside_for_its_time_alone(passed: float, is_aside: bool) -> None:
    clock = HandClock()
    aside = UsersSetAside(clock)
    aside.add(b"peer", 60.0)
    clock.now += passed
    assert (aside.has(b"peer"), aside.has("peer")) == (is_aside, False)


def test_one_that_gave_what_it_claimed_is_forgiven_and_a_flood_of_users_is_bounded() -> None:
    aside = UsersSetAside(HandClock())
    aside.add("ada", 60.0)
    aside.forgive("ada")
    assert not aside.has("ada")
    for number in range(2000):
        aside.add(str(number), 60.0)
    assert sum(aside.has(str(number)) for number in range(2000)) == 1024
