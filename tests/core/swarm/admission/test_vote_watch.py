"""A node compares the votes that it is given, and remembers a bounded number of them."""

import msgpack
from hivemind.dht import DHTID
from hivemind.dht.validation import DHTRecord

from core.admission.gate_certificate import GateCertificate
from core.swarm.admission.admission import Admission
from core.swarm.admission.vote_watch import VoteWatch
from core.swarm.quorum.votes import sign_vote
from core.swarm.wire.records import CommitRecord, commit_key, progress_key
from tests.core.swarm.builders import commit_record, identity
from tests.core.swarm.evidence.double_voter import GATE, PREFIX

MALLORY = identity(0)
CERTIFICATE = GateCertificate.of_token(GATE.token(MALLORY, "mallory")).pack()


def watch() -> tuple[VoteWatch, Admission]:
    admission = GATE.admit(identity(1), "ada")
    return VoteWatch(PREFIX, admission), admission


def given(vote: CommitRecord, key: str | None = None) -> DHTRecord:
    """The record of a vote, as it is after the check of the DHT's own signature."""
    place = DHTID.generate(source=key or commit_key(PREFIX, vote.epoch)).to_bytes()
    return DHTRecord(place, msgpack.packb(MALLORY.owner), msgpack.packb(vote.pack()), 1e10)


def vote(word: str, attempt: int = 1, *, withdrawn: bool = False, signed: bool = True) -> CommitRecord:
    record = commit_record(word, attempt=attempt, withdrawn=withdrawn, certificate=CERTIFICATE)
    return sign_vote(record, PREFIX, MALLORY) if signed else record


def convicts(*votes: CommitRecord) -> bool:
    watching, admission = watch()
    assert all(watching.validate(given(item)) for item in votes), "it refuses nothing"
    return admission.convicted.of("mallory") is not None


def test_two_roots_under_one_number_set_their_user_aside() -> None:
    assert convicts(vote("one"), vote("other"))
    assert convicts(vote("one"), vote("third", 2), vote("other"))


def test_what_an_honest_peer_writes_does_not() -> None:
    assert not convicts(vote("one"), vote("one"))
    assert not convicts(vote("one"), vote("one", 2, withdrawn=True), vote("other", 3))


def test_a_vote_that_is_not_signed_neither_counts_nor_hides_one_that_is() -> None:
    assert not convicts(vote("one"), vote("other", signed=False))
    assert convicts(vote("forged", signed=False), vote("one"), vote("other"))


def test_further_votes_are_dropped_beyond_a_bound() -> None:
    many = (vote("late", 2 + number) for number in range(8))
    assert not convicts(vote("one"), *many, vote("other"))


def test_what_lies_elsewhere_or_makes_no_sense_is_let_pass() -> None:
    watching, admission = watch()
    for item in (vote("one"), vote("other")):
        assert watching.validate(given(item, progress_key(PREFIX)))
    place = given(vote("one")).key
    assert watching.validate(DHTRecord(place, b"\xc1", b"\xc1", 1e10))
    assert not admission.convicted.any
