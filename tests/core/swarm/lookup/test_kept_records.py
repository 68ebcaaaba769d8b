"""A node keeps no more than its bounds, and only their own holder pushes records out."""

import time
from typing import Any

import pytest
from hivemind.dht import DHTID
from hivemind.dht.storage import DictionaryDHTValue

from core.swarm.lookup.kept_records import BoundedStorage, StorageBounds
from core.swarm.wire.records import MAX_RECORD_BYTES
from tests.moved_clock import MovedClock

KEYS = [DHTID.generate(source=f"key {number}") for number in range(4000)]
RECORD = bytes(1000)


def first_letters(subkey: Any) -> bytes | None:
    """Subkeys of these tests begin with their holder's name; nothing is stored for mallory."""
    name = b"run" if subkey is None else bytes(subkey.partition(b" ")[0])
    return None if name == b"mallory" else name


def storage(
    *, holder: int = 10_000, everyone: int = 100_000, clock: MovedClock[float] | None = None
) -> BoundedStorage:
    bounds = StorageBounds(holder=holder, all=everyone)
    return BoundedStorage(first_letters, bounds, clock or MovedClock(0.0))


def put(
    kept: BoundedStorage, key: int, subkey: bytes | None, value: bytes = RECORD, *, seconds: float = 60
) -> bool:
    return kept.store(KEYS[key], value, time.time() + seconds, subkey=subkey)


def found(kept: BoundedStorage, key: int) -> dict[bytes, bytes]:
    item = kept.get(KEYS[key])
    if item is None or not isinstance(item.value, DictionaryDHTValue):
        return {}
    return {subkey: entry.value for subkey, entry in item.value.items()}


def test_it_keeps_records_as_hivemind_does() -> None:
    kept = storage()
    assert put(kept, 0, b"ada")
    assert put(kept, 0, b"grace", b"x")
    assert put(kept, 1, None, b"only")
    assert found(kept, 0) == {b"ada": RECORD, b"grace": b"x"}
    alone = kept.get(KEYS[1])
    assert alone is not None
    assert alone.value == b"only"


def test_a_holder_over_its_bound_loses_its_oldest_record_and_no_other_loses_any() -> None:
    kept = storage()
    assert put(kept, 0, b"grace")
    for number in range(20):
        assert put(kept, 0, b"ada %d" % number)
    names = found(kept, 0)
    assert b"grace" in names
    assert b"ada 19" in names
    assert b"ada 0" not in names
    assert kept.bytes_held <= 10_000 + 2_000


def test_a_record_that_is_renewed_is_the_newest_again() -> None:
    kept = storage()
    assert put(kept, 0, b"ada first")
    for number in range(20):
        assert put(kept, 0, b"ada first", seconds=61 + number)
        assert put(kept, 0, b"ada %d" % number)
    assert b"ada first" in found(kept, 0)


def test_where_all_is_full_those_who_are_there_stay_and_newcomers_are_refused(
    caplog: pytest.LogCaptureFixture,
) -> None:
    kept = storage(everyone=50_000)
    assert put(kept, 0, b"honest")
    refused = [number for number in range(3000) if not put(kept, 1 + number, b"sybil%d" % number)]
    assert refused
    assert kept.bytes_held <= 50_000
    assert put(kept, 0, b"honest", b"the newest", seconds=90)
    assert found(kept, 0) == {b"honest": b"the newest"}
    assert len([text for text in caplog.messages if "takes in none of others" in text]) == 1


def test_what_has_ended_makes_room() -> None:
    clock = MovedClock(0.0)
    kept = storage(everyone=50_000, clock=clock)
    while put(kept, int(kept.bytes_held) % 4000, b"ada%d" % kept.bytes_held, seconds=0.2):
        pass
    time.sleep(0.3)
    clock.now = 10.0
    assert put(kept, 0, b"grace")
    assert kept.bytes_held < 2_000


@pytest.mark.parametrize(
    ("subkey", "value", "seconds"),
    [
        pytest.param(b"ada", RECORD, -1.0, id="ended"),
        pytest.param(b"ada", bytes(MAX_RECORD_BYTES + 2000), 60.0, id="larger than any record"),
        pytest.param(b"mallory", RECORD, 60.0, id="of an excluded holder"),
        pytest.param(bytes(3 * MAX_RECORD_BYTES), RECORD, 60.0, id="under a subkey that is larger"),
    ],
)
def test_it_takes_in_nothing_that_is(subkey: bytes, value: bytes, seconds: float) -> None:
    kept = storage()
    assert not put(kept, 0, subkey, value, seconds=seconds)
    assert kept.bytes_held == 0


def test_an_earlier_end_shortens_no_ones_record() -> None:
    """hivemind took a record away at the earliest end with which anyone had stored it once more."""
    kept = storage()
    assert put(kept, 0, b"ada", b"newest", seconds=60)
    assert not put(kept, 0, b"ada", b"replayed", seconds=0.2)
    time.sleep(0.3)
    assert found(kept, 0) == {b"ada": b"newest"}


def test_many_attempts_leave_nothing_behind() -> None:
    kept = storage()
    for number in range(3000):
        assert put(kept, 0, b"ada", seconds=60 + number / 100)
        assert not put(kept, 0, b"ada", seconds=30)
    inner = kept.data[KEYS[0]].value
    assert isinstance(inner, DictionaryDHTValue)
    assert max(len(inner.expiration_heap), len(kept.expiration_heap)) < 100
