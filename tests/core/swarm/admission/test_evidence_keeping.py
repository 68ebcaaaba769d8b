"""The keeper of evidence passes on what counts now and few others pass on, in a swarm that a test holds."""

import asyncio
from typing import Any

import pytest
from hivemind.utils import ValueWithExpiration

from core.admission import pardons
from core.admission.gate_certificate import GateCertificate
from core.admission.pardons import Pardon, Pardons
from core.swarm.admission.admission import Admission
from core.swarm.admission.evidence_keeping import REST_SECONDS, EvidenceKeeper
from core.swarm.evidence.evidence import Evidence
from core.swarm.evidence.records import MOST_OF_RECORD, EvidenceRecord, evidence_key
from core.swarm.wire.identity import PeerIdentity
from tests.core.swarm.builders import identity
from tests.core.swarm.evidence.double_voter import GATE, PREFIX, double_vote

OWN = identity(1)


class EvidenceStore:
    """The records of evidence in a swarm, by the owner keys of their writers."""

    def __init__(self) -> None:
        self.records: dict[bytes, Any] = {}
        self.is_full = False

    def put(self, writer: PeerIdentity, user: str, *evidence: Evidence) -> None:
        """Store what another peer passes on."""
        certificate = GateCertificate.of_token(GATE.token(writer, user)).pack()
        packed = [item.packed for item in evidence]
        record = EvidenceRecord(peer_id=writer.peer_id.to_bytes(), evidence=packed, certificate=certificate)
        self.records[writer.owner] = record.pack()

    async def get(self, key: str, **_: object) -> Any:
        """All records, as a node of hivemind's answers."""
        if key != evidence_key(PREFIX) or not self.records:
            return None
        found = {owner: ValueWithExpiration(value, 1.0) for owner, value in self.records.items()}
        return ValueWithExpiration(found, 1.0)

    async def store(self, _key: str, value: Any, _until: float, *, subkey: bytes) -> bool:
        """Replace the record of a writer, unless the store is full."""
        if not self.is_full:
            self.records[subkey] = value
        return not self.is_full


class EvidenceKeeping:
    """A keeper in that swarm, whose clock is the test's."""

    def __init__(self) -> None:
        self.swarm, self.now = EvidenceStore(), 0.0
        self.admission: Admission = GATE.admit(OWN, "ada")
        self._keeper = EvidenceKeeper(
            self.swarm, self.admission, PREFIX, OWN.owner, clock=lambda: self.now, draw=lambda: 0.0
        )

    def take(self, *evidence: Evidence) -> None:
        for item in evidence:
            self.admission.convicted.take(item.packed)

    def pardon(self, user: str, epoch: int) -> None:
        granted = Pardons(GATE.run, serial=1, issued=1, pardons=(Pardon(user, 2, epoch),))
        self.admission.convicted.pardons.adopt(pardons.sign(granted, GATE.key))

    def passed_on(self) -> set[tuple[str, int]]:
        """Users and epochs in this node's record, after a turn when the node may store one again."""
        self.now += REST_SECONDS
        asyncio.run(self._keeper.turn())
        value = self.swarm.records.get(OWN.owner)
        packed = EvidenceRecord.model_validate(value).evidence if value is not None else []
        return {(item.user, item.place.epoch) for item in map(Evidence.unpack, packed)}


@pytest.fixture
def keeping() -> EvidenceKeeping:
    return EvidenceKeeping()


def test_what_two_others_pass_on_is_left_to_them(keeping: EvidenceKeeping) -> None:
    evidence = double_vote("mallory")
    keeping.take(evidence)
    keeping.swarm.put(identity(2), "grace", evidence)
    keeping.swarm.put(identity(3), "bob", evidence)
    keeping.passed_on()
    assert keeping.passed_on() == set()


def test_friends_who_store_what_was_pardoned_hide_nothing_later(keeping: EvidenceKeeping) -> None:
    for number, friend in ((2, "grace"), (3, "bob")):
        keeping.swarm.put(identity(number), friend, double_vote("mallory", epoch=7))
    keeping.passed_on()
    keeping.pardon("mallory", 7)
    keeping.take(double_vote("mallory", epoch=8))
    assert keeping.passed_on() == {("mallory", 8)}


def test_what_was_passed_on_before_a_pardon_hides_nothing_later(keeping: EvidenceKeeping) -> None:
    keeping.take(double_vote("mallory", epoch=7))
    assert keeping.passed_on() == {("mallory", 7)}
    keeping.pardon("mallory", 7)
    keeping.take(double_vote("mallory", epoch=8))
    assert keeping.passed_on() == {("mallory", 8)}


def test_what_the_swarm_did_not_store_is_tried_again(keeping: EvidenceKeeping) -> None:
    keeping.swarm.is_full = True
    keeping.take(double_vote("mallory"))
    assert keeping.passed_on() == set()
    keeping.swarm.is_full = False
    assert keeping.passed_on() == {("mallory", 7)}


def test_more_than_a_record_holds_takes_turns_and_the_rarest_comes_first(keeping: EvidenceKeeping) -> None:
    users = [f"mallory-{number}" for number in range(MOST_OF_RECORD + 2)]
    evidence = [double_vote(user) for user in users]
    keeping.take(*evidence)
    keeping.swarm.put(identity(2), "grace", *evidence[:MOST_OF_RECORD])
    first = keeping.passed_on()
    assert {(user, 7) for user in users[MOST_OF_RECORD:]} < first
    shown = {user for _ in range(4) for user, _ in keeping.passed_on()}
    assert shown == set(users)
