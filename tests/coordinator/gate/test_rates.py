"""Requests to the gate are counted together by all who share a database: each token is taken once."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from sqlalchemy import func, select

from coordinator.database.connect import Database
from coordinator.database.tables import ClientRate
from coordinator.gate.rates import SharedRates
from core.signing import SigningKey
from tests.coordinator.gate.conftest import SecondsClock

_KEY = SigningKey.generate()


@pytest.fixture
def two(address: str, clock: SecondsClock) -> Iterator[list[SharedRates]]:
    """The counts of two processes."""
    with ExitStack() as stack:
        databases = [Database.open(address) for _ in range(2)]
        for database in databases:
            stack.callback(database.close)
        yield [SharedRates(database, _KEY, clock) for database in databases]


def test_a_bucket_is_emptied_from_both_sides_and_fills_again(
    two: list[SharedRates], clock: SecondsClock
) -> None:
    one, other = two
    assert [rates.wait("1.2.3.4", "joining", 0.5, 3) for rates in (one, other, one)] == [0.0] * 3
    assert other.wait("1.2.3.4", "joining", 0.5, 3) == pytest.approx(2.0)
    assert one.wait("5.6.7.8", "joining", 0.5, 3) == 0.0
    assert one.wait("1.2.3.4", "renewing", 0.5, 3) == 0.0
    clock.now += 1.5
    assert one.wait("1.2.3.4", "joining", 0.5, 3) == pytest.approx(0.5)
    clock.now += 0.5
    assert one.wait("1.2.3.4", "joining", 0.5, 3) == 0.0
    assert other.wait("1.2.3.4", "joining", 0.5, 3) == pytest.approx(2.0)


def test_no_token_is_taken_twice_by_those_who_ask_at_once(two: list[SharedRates]) -> None:
    with ThreadPoolExecutor(8) as threads:
        waits = list(
            threads.map(lambda number: two[number % 2].wait("1.2.3.4", "joining", 0.5, 10), range(40))
        )
    assert waits.count(0.0) == 10


def test_no_address_is_kept_and_no_client_for_longer_than_it_counts(
    two: list[SharedRates], clock: SecondsClock, address: str
) -> None:
    one, _ = two
    for number in range(5):
        one.wait(f"1.2.3.{number}", "joining", 0.5, 3)
    database = Database.open(address)
    with database.reading() as session:
        assert not [client for client in session.scalars(select(ClientRate.client)) if "1.2.3" in client]
    clock.now += 100
    one.wait("5.6.7.8", "joining", 0.5, 3)
    with database.reading() as session:
        assert session.scalar(select(func.count()).select_from(ClientRate)) == 1
    database.close()
