"""Addresses that fail again and again wait longer and longer, and no number of them takes more memory."""

import sys
from ipaddress import IPv6Network

import pytest

from client.remote.backoff import FREE, LONGEST, MOST_ADDRESSES, Backoff, site_of

HOME = "192.0.2.7"


def failing(times: int, now: float = 0.0) -> Backoff:
    backoff = Backoff()
    for _ in range(times):
        backoff.failed(HOME, now)
    return backoff


@pytest.mark.parametrize(
    ("failures", "wait"), [(FREE, 0.0), (FREE + 1, 1.0), (FREE + 3, 4.0), (FREE + 50, LONGEST)]
)
def test_the_wait_doubles(failures: int, wait: float) -> None:
    backoff = failing(failures)
    assert backoff.refuses(HOME, 0.99 * wait) is (wait > 0)
    assert not backoff.refuses(HOME, wait)


def test_others_do_not_wait() -> None:
    assert not failing(50).refuses("192.0.2.8", 0.0)


def test_a_paired_computer_is_forgiven() -> None:
    backoff = failing(50)
    backoff.succeeded(HOME)
    assert not backoff.refuses(HOME, 0.0)


def test_old_failures_are_forgiven() -> None:
    backoff = failing(FREE + 2)
    backoff.failed(HOME, 10 * LONGEST)
    assert not backoff.refuses(HOME, 10 * LONGEST)


def test_a_flood_of_addresses_takes_no_more_memory() -> None:
    backoff = failing(50)
    for number in range(10 * MOST_ADDRESSES):
        backoff.failed(f"198.51.{number // 250}.{number % 250}", 0.0)
    assert backoff.refuses(HOME, 1.0), "it waits longest, so it is remembered"
    assert sys.getsizeof(backoff._failures) < 64 * 1024
    assert len(backoff._failures) == MOST_ADDRESSES


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:3:4:5:6", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:192.0.2.7", "192.0.2.7", True),
        ("fe80::1%eth0", "fe80::2%eth1", False),
        ("fd12:3456::1", "fd12:3456::2", False),
        ("192.0.2.7", "192.0.2.8", False),
        ("no address", "no address", True),
        ("2001:db8:1:7::1", "2001:db8:1:7::2", False),  # this computer's own network
    ],
)
def test_one_customers_addresses_count_together_but_not_those_at_home(
    one: str, other: str, is_same: bool
) -> None:
    home = (IPv6Network("2001:db8:1:7::/64"),)
    assert (site_of(one, home) == site_of(other, home)) is is_same


def test_a_removed_computer_at_home_does_not_hold_up_the_others() -> None:
    backoff = Backoff(lambda: (IPv6Network("2001:db8:1:7::/64"),))
    for _ in range(50):
        backoff.failed("2001:db8:1:7::1", 0.0)
    assert backoff.refuses("2001:db8:1:7::1", 1.0)
    assert not backoff.refuses("2001:db8:1:7::2", 1.0)
