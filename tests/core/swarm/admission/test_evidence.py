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
from core.swarm.dht import Network, start_dht
from core.swarm.evidence.evidence import Evidence
from core.swarm.evidence.records import EVIDENCE_SECONDS, EvidenceRecord, evidence_key
from core.swarm.evidence.reporting import report
from core.swarm.membership.looks import SwarmLooks
from core.swarm.quorum.votes import sign_vote
from core.swarm.rounds.commit_log import DHTCommitLog
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.own_certificate import OwnCertificate
from core.swarm.wire.records import ProgressRecord, commit_key
from tests.core.swarm.builders import commit_record, identity, progress
from tests.core.swarm.evidence.double_voter import GATE, PREFIX, double_vote
from tests.swarms.hostile_storing import push
from tests.waiting import wait_until


class GatedNode:
    """A node of an admitted peer, which keeps a place in the swarm."""

    def __init__(self, folder: Path, number: int, user: str, known: tuple[str, ...]) -> None:
        self.identity = PeerIdentity.load_or_create(folder / f"identity-{number}")
        self.admission = GATE.admit(self.identity, user)
        self.dht = start_dht(
            Network(initial_peers=known, check_identity=False),
            self.identity,
            prefix=PREFIX,
            total_epochs=200,
            admission=self.admission,
        )
        self._looks = SwarmLooks(
            self.dht,
            PREFIX,
            self.identity.owner,
            answer_seconds=20.0,
            certificate=OwnCertificate(self.admission),
        )

    @property
    def addresses(self) -> tuple[str, ...]:
        return tuple(map(str, self.dht.get_visible_maddrs()))

    def _record(self) -> ProgressRecord:
        return progress(peer_id=self.identity.peer_id.to_bytes(), time=get_dht_time())

    def sees(self) -> set[str]:
        """The users of the other peers, after a look at the swarm."""
        return {item.user for item in self._looks.look(self._record(), publishes=True).others}

    def stored(self) -> set[str]:
        """The users who pass evidence on."""
        found = self.dht.get(evidence_key(PREFIX), latest=True)
        records = (
            (EvidenceRecord.model_validate(item.value) for item in found.value.values()) if found else ()
        )
        return {record.user for record in records}

    def vote(self, word: str, attempt: int) -> None:
        """Store a vote as no honest program does: its number is not that of the time."""
        record, until = OwnCertificate(self.admission).on(
            commit_record(word, attempt=attempt), now=get_dht_time(), until=get_dht_time() + 100
        )
        signed = sign_vote(record, PREFIX, self.identity)
        key = commit_key(PREFIX, record.epoch)
        assert self.dht.store(key, signed.pack(), until, subkey=self.identity.owner)


@pytest.fixture
def nodes(tmp_path: Path) -> Iterator[Callable[..., GatedNode]]:
    made: list[GatedNode] = []

    def add(user: str) -> GatedNode:
        known = made[0].addresses if made else ()
        made.append(GatedNode(tmp_path, len(made), user, known))
        return made[-1]

    yield add
    for node in reversed(made):
        node.dht.shutdown()


def out_of_step(node: GatedNode) -> AdmissionStatus:
    return node.admission.standing


def test_who_votes_twice_is_left_out_by_all_until_the_gate_pardons(nodes: Callable[..., GatedNode]) -> None:
    ada, grace, mallory = nodes("ada"), nodes("grace"), nodes("mallory")
    wait_until(lambda: [len(node.sees()) for node in (ada, grace, mallory)] == [2, 2, 2], "they do not meet")
    log = DHTCommitLog(ada.dht, PREFIX, ada.identity, OwnCertificate(ada.admission))
    for word in ("one", "other"):  # under one number, one after the other
        mallory.vote(word, attempt=1)
        asyncio.run(log.read(commit_record().epoch))
    wait_until(lambda: (ada.sees(), grace.sees()) == ({"grace"}, {"ada"}), "mallory is not left out", 60)
    wait_until(lambda: out_of_step(mallory) is AdmissionStatus.SET_ASIDE, "mallory does not learn of it", 60)
    with pytest.raises(AdmissionError, match=r"signed two votes under one number in epoch 7.*appeal"):
        mallory.admission.require_welcome()
    newcomer = nodes("newcomer")
    wait_until(
        lambda: newcomer.admission.convicted.of("mallory") is not None, "a newcomer does not learn", 60
    )
    wait_until(lambda: len(newcomer.stored()) > 1, "one user alone passes it on", 60)

    now = int(get_dht_time())
    granted = Pardons(GATE.run, serial=now, issued=now, pardons=(Pardon("mallory", 2, 7),))
    signed = pardons.sign(granted, GATE.key)
    assert publish_pardons(newcomer.dht, PREFIX, signed, expires=granted.expires).result()
    everybody = (ada, grace, mallory, newcomer)
    wait_until(
        lambda: all(node.admission.convicted.of("mallory") is None for node in everybody), "no pardon", 60
    )
    assert out_of_step(mallory) is AdmissionStatus.ADMITTED
    wait_until(lambda: "ada" in mallory.sees() and "mallory" in ada.sees(), "mallory does not come back", 60)
    report(ada.dht, double_vote("mallory", epoch=8))
    wait_until(lambda: "mallory" not in ada.sees(), "what came after the pardon does not count")


def test_what_does_not_hold_is_not_stored(nodes: Callable[..., GatedNode]) -> None:
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
