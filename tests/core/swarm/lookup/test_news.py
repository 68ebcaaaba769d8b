"""Two nodes agree on which records the caller knows, and the others alone travel."""

import time
import zlib

import pytest
from hivemind.dht import DHTID
from hivemind.dht.protocol import DHTProtocol
from hivemind.dht.storage import DHTLocalStorage
from hivemind.proto import dht_pb2

from core.swarm.lookup.news import KeptRecord, answer_to, digest_of, entries_in, entries_of, question

KEY = DHTID.generate(source="a key")
LATER = time.time() + 86_400.0
ONE, OTHER = (b"one", b"value of one", LATER), (b"other", b"value of the other", LATER + 1)


def _kept(*entries: KeptRecord) -> DHTLocalStorage:
    storage = DHTLocalStorage()
    for subkey, value, expiration in entries:
        storage.store(KEY, value, expiration, subkey=subkey)
    return storage


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        ([], [ONE, OTHER]),
        ([ONE], [OTHER]),
        ([ONE, OTHER], []),
        ([(b"one", b"value of one", LATER - 1)], [ONE, OTHER]),  # an older one
        ([(b"one", b"another value", LATER)], [ONE, OTHER]),
        ([(b"third", b"", LATER)], [ONE, OTHER]),
    ],
)
def test_what_the_caller_knows_does_not_travel(known: list[KeptRecord], expected: list[KeptRecord]) -> None:
    response = answer_to(question(KEY, known), _kept(ONE, OTHER).get(KEY))
    assert sorted(entries_in(response), key=str) == expected


def test_a_key_may_have_one_value_without_an_owner() -> None:
    only: KeptRecord = (None, b"a list", LATER)
    kept = _kept(only).get(KEY)
    assert list(entries_of(kept)) == [only]
    assert list(entries_in(answer_to(question(KEY, []), kept))) == [only]
    assert list(entries_in(answer_to(question(KEY, [only]), kept))) == []


def test_nothing_is_told_of_a_key_that_nobody_uses() -> None:
    assert list(entries_of(None)) == []
    assert list(entries_in(answer_to(question(KEY, [ONE]), None))) == []


def test_an_answer_is_bounded_and_the_next_one_goes_on() -> None:
    many = [(b"%d" % number, bytes(300_000), LATER) for number in range(5)]
    kept = _kept(*many).get(KEY)
    first = list(entries_in(answer_to(question(KEY, []), kept)))
    second = list(entries_in(answer_to(question(KEY, first), kept)))
    assert (len(first), len(second)) == (3, 2)
    assert {entry[0] for entry in first + second} == {entry[0] for entry in many}


def test_many_earlier_records_hide_no_later_one() -> None:
    flood = [(b"%d" % number, bytes(100_000), LATER) for number in range(20)]
    question_of_a_newcomer, kept = question(KEY, []), _kept(*flood, ONE).get(KEY)
    answers = [list(entries_in(answer_to(question_of_a_newcomer, kept))) for _ in range(100)]
    assert any(ONE in answer for answer in answers)


@pytest.mark.parametrize(
    "value", [[b"one", b"value"], [b"one", "text", LATER], [b"one", b"value", "soon"], "text", 7]
)
def test_a_malformed_answer_is_refused(value: object) -> None:
    response = dht_pb2.FindResponse(results=[dht_pb2.FindResult(value=DHTProtocol.serializer.dumps(value))])
    with pytest.raises(ValueError, match="is"):
        list(entries_in(response))


def test_an_answer_is_compressed_for_who_says_that_it_reads_that() -> None:
    alike = [(b"%d" % number, b"the same value, again and again" * 20, LATER) for number in range(30)]
    kept, asked = _kept(*alike).get(KEY), question(KEY, [])
    compressed = answer_to(asked, kept)
    del asked.in_cache[:]  # as nodes of older programs ask
    plain = answer_to(asked, kept)
    assert sorted(entries_in(compressed)) == sorted(entries_in(plain)) == sorted(alike)
    assert len(plain.results) == len(alike)
    assert compressed.ByteSize() < plain.ByteSize() / 10


def _compressed(packed: bytes, results: int = 1) -> dht_pb2.FindResponse:
    kind = dht_pb2.ResultType.FOUND_DICTIONARY
    return dht_pb2.FindResponse(results=[dht_pb2.FindResult(type=kind, value=packed)] * results)


@pytest.mark.parametrize(
    "response",
    [
        _compressed(b"no stream"),
        _compressed(zlib.compress(b"cut off")[:-3]),
        _compressed(zlib.compress(bytes(100_000_000))),
        _compressed(zlib.compress(DHTProtocol.serializer.dumps([list(ONE)])), results=2),
        _compressed(zlib.compress(DHTProtocol.serializer.dumps(7))),
        _compressed(zlib.compress(DHTProtocol.serializer.dumps([7]))),
    ],
    ids=["not compressed", "cut off", "grows beyond any answer", "two results", "no list", "no record"],
)
def test_a_malformed_compressed_answer_is_refused(response: dht_pb2.FindResponse) -> None:
    with pytest.raises(ValueError, match="is"):
        list(entries_in(response))


def test_a_digest_is_of_owner_value_and_expiration() -> None:
    entries: list[KeptRecord] = [
        ONE,
        OTHER,
        (b"one", b"value of one", LATER + 1),
        (None, b"value of one", LATER),
    ]
    assert len(set(map(digest_of, entries))) == len(entries)


def test_one_who_only_leaves_a_record_is_given_none() -> None:
    assert list(entries_in(answer_to(question(KEY, None, ONE), _kept(OTHER).get(KEY)))) == []
