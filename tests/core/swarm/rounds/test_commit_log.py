"""A log of votes takes what its writers have signed for its run, under numbers that no restart uses again."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

from core.swarm.quorum.electorate import UNKNOWN, Electorate
from core.swarm.quorum.votes import sign_vote, voice_of
from core.swarm.rounds.commit_log import DHTCommitLog
from core.swarm.wire.records import COMMIT_KEYS, CommitRecord
from tests.core.swarm.builders import HandClock, commit_record, digest_of, identity

PREFIX, PARENT = "run", digest_of("parent")


class DHTOfAll:
    """A DHT that has what was stored, by key and owner key."""

    def __init__(self) -> None:
        self.stored: dict[str, dict[bytes, Any]] = {}

    def put(self, number: int, record: CommitRecord, *, signer: int | None = None) -> None:
        signed = sign_vote(record, PREFIX, identity(number if signer is None else signer))
        key = f"{PREFIX}_commits_{record.epoch % COMMIT_KEYS}"
        found = self.stored.setdefault(key, {})
        found[identity(number).owner] = SimpleNamespace(value=signed.pack())

    async def get(self, key: str, **options: Any) -> Any:
        return SimpleNamespace(value=dict(self.stored.get(key, {})))

    async def store(self, key: str, *, subkey: bytes, value: Any, **options: Any) -> bool:
        self.stored.setdefault(key, {})[subkey] = SimpleNamespace(value=value)
        return True


def log_of(dht: DHTOfAll, number: int | None = None) -> DHTCommitLog:
    return DHTCommitLog(cast(Any, dht), PREFIX, None if number is None else identity(number))


def test_votes_of_an_epoch_are_read_and_no_record_that_its_writer_has_not_signed() -> None:
    dht = DHTOfAll()
    dht.put(0, commit_record("a"))
    dht.put(1, commit_record("forged"), signer=2)
    dht.put(2, commit_record("far ahead", epoch=7 + COMMIT_KEYS))
    found = asyncio.run(log_of(dht).read(7))
    assert [vote.writer for vote in found] == [identity(0).peer_id.to_bytes()]


def test_what_was_written_is_read_by_others_and_counts() -> None:
    dht = DHTOfAll()
    for number in range(2):
        assert asyncio.run(log_of(dht, number).write(commit_record("a")))
    found = asyncio.run(log_of(dht).decision(7, PARENT, UNKNOWN))
    assert found is not None
    assert (found.record.root, float(found.votes)) == (digest_of("a"), 2.0)
    names = frozenset(voice_of("", identity(number).peer_id.to_bytes()) for number in range(4))
    assert asyncio.run(log_of(dht).decision(7, PARENT, Electorate(4, names))) is None


def test_a_peer_that_was_started_again_signs_no_other_root_under_the_same_number() -> None:
    dht, clock = DHTOfAll(), HandClock()
    reader = log_of(dht)
    for word in "ab":
        writer = DHTCommitLog(cast(Any, dht), PREFIX, identity(0), dht_clock=clock)
        asyncio.run(writer.write(commit_record(word)))
        asyncio.run(reader.read(7))
        asyncio.run(writer.write(commit_record(word * 2)))
        asyncio.run(reader.read(7))
        clock.now += 5.0
    assert not reader.book.proofs
    assert [vote.record.attempt for vote in reader.book.all_votes(7)] == [50, 51, 55, 56]


def test_a_vote_stays_known_though_the_dht_forgets_it() -> None:
    dht = DHTOfAll()
    dht.put(0, commit_record("a"))
    log = log_of(dht)
    asyncio.run(log.read(7))
    dht.stored.clear()
    assert len(asyncio.run(log.read(7))) == 1


def test_later_votes_and_the_newest_of_each_writer_are_found_under_all_keys() -> None:
    dht = DHTOfAll()
    for number, epoch in enumerate((6, 8, 9, 70)):
        dht.put(number, commit_record("a", epoch=epoch))
    dht.put(0, commit_record("a", epoch=7))
    log = log_of(dht)
    later = asyncio.run(log.read_later(7, 32))
    assert {epoch: len(votes) for epoch, votes in later.items()} == {8: 1, 9: 1}
    newest = asyncio.run(log.newest())
    assert sorted(record.epoch for record in newest.values()) == [7, 8, 9, 70]


def test_votes_for_far_epochs_displace_none_of_the_epochs_to_come() -> None:
    """Two peers with a vote under each key made one that had fallen behind blind for 40 epochs."""
    dht = DHTOfAll()
    for number in range(2):
        for epoch in range(48 + number * COMMIT_KEYS, 48 + (number + 1) * COMMIT_KEYS):
            dht.put(number, commit_record("noise", epoch=epoch))
    dht.put(2, commit_record("a"))
    log = log_of(dht)
    assert len(asyncio.run(log.read_later(6, 128))) > COMMIT_KEYS
    assert [vote.record.root for vote in asyncio.run(log.read(7))] == [digest_of("a")]
    assert len(log.book.votes(7)) == 1
