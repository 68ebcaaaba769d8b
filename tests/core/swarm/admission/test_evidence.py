"""Real DHT nodes leave out a user by evidence, without the coordinator, until the gate grants a pardon."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hivemind.utils import get_dht_time

from core.admission import pardons
from core.admission.pardons import Pardon, Pardons
from core.errors import AdmissionError
from core.swarm.admission.admission import AdmissionStatus
from core.swarm.admission.records import publish_pardons
from core.swarm.evidence.evidence import Evidence
from core.swarm.evidence.records import EVIDENCE_SECONDS, EvidenceRecord, evidence_key
from core.swarm.evidence.reporting import report
from core.swarm.quorum.votes import sign_vote
from core.swarm.rounds.commit_log import DHTCommitLog
from core.swarm.wire.own_certificate import OwnCertificate
from core.swarm.wire.records import commit_key
from tests.core.swarm.admission.admitted_nodes import AdmittedNode, admitted_nodes
from tests.core.swarm.builders import commit_record, identity
from tests.core.swarm.evidence.double_voter import GATE, PREFIX, double_vote
from tests.swarms.hostile_storing import push
from tests.waiting import wait_until


@pytest.fixture
def nodes(tmp_path: Path) -> Iterator[Callable[[str], AdmittedNode]]:
    with admitted_nodes(GATE, PREFIX, tmp_path) as add:
        yield add


def users_seen(node: AdmittedNode) -> set[str]:
    """The users of the other peers, after a look at the swarm."""
    return set(node.sees().values())


def accusers(node: AdmittedNode) -> set[str]:
    """The users who pass evidence on."""
    found = node.dht.get(evidence_key(PREFIX), latest=True)
    records = (EvidenceRecord.model_validate(item.value) for item in found.value.values()) if found else ()
    return {record.user for record in records}


def vote(node: AdmittedNode, word: str, attempt: int) -> bool:
    """Store a vote as no honest program does: its number is not that of the time. Return true if it is stored."""
    record, until = OwnCertificate(node.admission).on(
        commit_record(word, attempt=attempt), now=get_dht_time(), until=get_dht_time() + 100
    )
    signed = sign_vote(record, PREFIX, node.identity)
    key = commit_key(PREFIX, record.epoch)
    return bool(node.dht.store(key, signed.pack(), until, subkey=node.identity.owner))


def test_who_votes_twice_is_left_out_by_all_until_the_gate_pardons(
    nodes: Callable[[str], AdmittedNode],
) -> None:
    ada, grace, mallory = nodes("ada"), nodes("grace"), nodes("mallory")
    wait_until(
        lambda: [len(users_seen(node)) for node in (ada, grace, mallory)] == [2, 2, 2], "they do not meet"
    )
    log = DHTCommitLog(ada.dht, PREFIX, ada.identity, OwnCertificate(ada.admission))
    assert vote(mallory, "one", attempt=1)
    asyncio.run(log.read(commit_record().epoch))
    vote(mallory, "other", attempt=1)  # who has kept the first one refuses what comes after this
    asyncio.run(log.read(commit_record().epoch))
    wait_until(
        lambda: (users_seen(ada), users_seen(grace)) == ({"grace"}, {"ada"}), "mallory is not left out", 60
    )
    wait_until(
        lambda: mallory.admission.standing is AdmissionStatus.SET_ASIDE, "mallory does not learn of it", 60
    )
    with pytest.raises(AdmissionError, match=r"signed two votes under one number in epoch 7.*appeal"):
        mallory.admission.require_welcome()
    newcomer = nodes("newcomer")
    wait_until(
        lambda: newcomer.admission.convicted.of("mallory") is not None, "a newcomer does not learn", 60
    )
    wait_until(lambda: len(accusers(newcomer)) > 1, "one user alone passes it on", 60)

    now = int(get_dht_time())
    granted = Pardons(GATE.run, serial=now, issued=now, pardons=(Pardon("mallory", 2, 7),))
    signed = pardons.sign(granted, GATE.key)
    assert publish_pardons(newcomer.dht, PREFIX, signed, expires=granted.expires).result()
    everybody = (ada, grace, mallory, newcomer)
    wait_until(
        lambda: all(node.admission.convicted.of("mallory") is None for node in everybody), "no pardon", 60
    )
    assert mallory.admission.standing is AdmissionStatus.ADMITTED
    wait_until(
        lambda: "ada" in users_seen(mallory) and "mallory" in users_seen(ada),
        "mallory does not come back",
        60,
    )
    report(ada.dht, double_vote("mallory", epoch=8))
    wait_until(lambda: "mallory" not in users_seen(ada), "what came after the pardon does not count")


def show(node: AdmittedNode, other: AdmittedNode, word: str, until: float) -> None:
    """Have the ``other`` node keep a vote of ``node``, until that moment."""
    record, _ = OwnCertificate(node.admission).on(
        commit_record(word, attempt=1), now=get_dht_time(), until=until
    )
    signed = sign_vote(record, PREFIX, node.identity)
    key = commit_key(PREFIX, record.epoch)
    victim = other.dht.peer_id
    assert push(node.dht, victim, key, signed.pack(), expiration=until, writer=node.identity)


def test_who_shows_each_half_another_vote_is_found_out_by_any_that_looks(
    nodes: Callable[[str], AdmittedNode],
) -> None:
    ada, grace, mallory = nodes("ada"), nodes("grace"), nodes("mallory")
    wait_until(
        lambda: [len(users_seen(node)) for node in (ada, grace, mallory)] == [2, 2, 2], "they do not meet"
    )
    until = float(int(get_dht_time()) + 100)  # one moment for both: neither replaces the other
    show(mallory, ada, "one", until)
    show(mallory, grace, "other", until)
    log = DHTCommitLog(ada.dht, PREFIX, ada.identity, OwnCertificate(ada.admission))
    for _ in range(2):
        assert len(asyncio.run(log.read(commit_record().epoch))) <= 1, "what it reads is one vote"
    assert not log.book.proofs
    assert ada.admission.convicted.of("mallory") is not None
    assert grace.admission.convicted.of("ada") is None


def test_what_does_not_hold_is_not_stored(nodes: Callable[[str], AdmittedNode]) -> None:
    ada, mallory = nodes("ada"), nodes("mallory")
    good = double_vote("grace")
    forged = Evidence(good.prefix, mallory.admission.certificate.pack(), good.proof)
    for evidence, taken in (
        ([good.packed, good.packed], False),
        ([forged.packed], False),
        ([good.packed], True),
    ):
        record = EvidenceRecord(peer_id=mallory.identity.peer_id.to_bytes(), evidence=evidence)
        certified = record.model_copy(update={"certificate": mallory.admission.certificate.pack()})
        until = get_dht_time() + 100
        stored = push(
            mallory.dht,
            ada.dht.peer_id,
            evidence_key(PREFIX),
            certified.pack(),
            expiration=until,
            writer=mallory.identity,
        )
        assert stored == taken
    ghost = EvidenceRecord(peer_id=identity(5).peer_id.to_bytes(), evidence=[good.packed])
    for value in (ghost.pack(), {"evidence": 7}):
        until = get_dht_time() + EVIDENCE_SECONDS / 2
        assert not push(
            mallory.dht, ada.dht.peer_id, evidence_key(PREFIX), value, expiration=until, writer=identity(5)
        )
