"""In a run with a gate each record belongs to an admitted user, and what was accepted stays so until it ends."""

import random
import time
from dataclasses import replace
from typing import Any

import msgpack
import pytest
from hivemind.dht import DHTID
from hivemind.dht.validation import DHTRecord

from core.admission.access_token import AccessToken
from core.admission.gate_certificate import GateCertificate
from core.swarm.admission.admission import Admission
from core.swarm.membership.summarising import summarise
from core.swarm.wire.group_records import GroupRecord, GroupStage, group_key
from core.swarm.wire.record_rules import RunRecordValidator
from core.swarm.wire.records import (
    CertifiedRecord,
    ContactRecord,
    FrameRecord,
    commit_key,
    contact_key,
    frame_key,
    progress_key,
)
from core.swarm.wire.summaries import summary_key
from tests.core.swarm.builders import commit_record, digest_of, identity, progress
from tests.gate.run_gate import RunGate

PREFIX = "gated"
GATE, WRITER, OTHER = RunGate(), identity(0), identity(1)
PEER = WRITER.peer_id.to_bytes()


def of_all_kinds() -> dict[str, CertifiedRecord]:
    """A record of each kind by its key."""
    own = progress(peer_id=PEER)
    return {
        progress_key(PREFIX): own,
        commit_key(PREFIX, commit_record().epoch): commit_record(),
        frame_key(PREFIX): FrameRecord(
            peer_id=PEER, epoch=3, parameters=digest_of("p"), frame=digest_of("f"), size=9
        ),
        contact_key(PREFIX): ContactRecord(peer_id=PEER, direct=True, relaying=False),
        group_key(PREFIX): GroupRecord(
            peer_id=PEER,
            epoch=7,
            parent=digest_of("parent"),
            group=digest_of("group")[:20],
            members=2,
            peers=2,
            stage=GroupStage.FORMED,
        ),
        summary_key(PREFIX): summarise([own], peer_id=PEER, level=0, now=1000.0, chance=random.Random(0)),
    }


def packed_of(token: str) -> bytes:
    return GateCertificate.of_token(token).pack()


def record(key: str, value: CertifiedRecord, certificate: bytes, *, seconds: float = 60.0) -> DHTRecord:
    certified = value.model_copy(update={"certificate": certificate})
    name = DHTID.generate(source=key).to_bytes()
    return DHTRecord(
        name, msgpack.packb(WRITER.owner), msgpack.packb(certified.pack()), time.time() + seconds
    )


def validator(admission: Admission) -> RunRecordValidator:
    return RunRecordValidator(PREFIX, total_epochs=200, is_certified=admission.certifies)


@pytest.mark.parametrize("key", list(of_all_kinds()))
def test_each_kind_needs_the_certificate_of_its_writer(key: str) -> None:
    rules, value = validator(GATE.admit(OTHER)), of_all_kinds()[key]
    assert rules.validate(record(key, value, packed_of(GATE.token(WRITER))))
    assert not rules.validate(record(key, value, b""))
    assert not rules.validate(record(key, value, packed_of(GATE.token(OTHER))))


@pytest.mark.parametrize(
    "certificate",
    [
        pytest.param(packed_of(RunGate().token(WRITER)), id="another gate's"),
        pytest.param(packed_of(replace(GATE, run="cd" * 32).token(WRITER)), id="another run's"),
        pytest.param(packed_of(GATE.token(WRITER, seconds=50)), id="ends before the record"),
        pytest.param(packed_of(GATE.token(WRITER, seconds=-10, age=600)), id="expired"),
        pytest.param(packed_of(GATE.token(WRITER)).replace(b"ada", b"bob"), id="another user's"),
        pytest.param(b"x" * 95, id="garbage"),
        pytest.param(b"\xff" * 100, id="garbage that is no text"),
    ],
)
def test_no_other_certificate_will_do(certificate: bytes) -> None:
    rules = validator(GATE.admit(OTHER))
    assert not rules.validate(record(progress_key(PREFIX), progress(peer_id=PEER), certificate))


def test_what_was_accepted_stays_acceptable() -> None:
    """hivemind drops all records of a key because of one that is refused: excluded or ended, it stays what it is."""
    admission = GATE.admit(OTHER)
    rules = validator(admission)
    stored = record(
        progress_key(PREFIX),
        progress(peer_id=PEER),
        packed_of(GATE.token(WRITER, "mallory", seconds=3)),
        seconds=1,
    )
    assert rules.validate(stored)
    admission.adopt(GATE.sign(GATE.revoke(serial=1, names=("mallory",))))
    assert rules.validate(stored)
    ended = packed_of(GATE.token(WRITER, seconds=-10, age=600))
    assert rules.validate(record(progress_key(PREFIX), progress(peer_id=PEER), ended, seconds=-20))


def test_a_run_without_a_gate_takes_none() -> None:
    """A peer could name another one as its user there, vote twice, and have that one left out."""
    rules, key = RunRecordValidator(PREFIX, total_epochs=200), commit_key(PREFIX, commit_record().epoch)
    assert rules.validate(record(progress_key(PREFIX), progress(peer_id=PEER), b""))
    assert rules.validate(record(key, commit_record(), b""))
    victim = packed_of(GATE.token(WRITER, "victim")).replace(b"victim", f"/{OTHER.peer_id}".encode())
    assert not rules.validate(record(key, commit_record(), victim))


class CountingAdmission(Admission):
    """An admission that counts the tokens it verifies."""

    verified = 0

    def _read(self, text: str, at: float) -> AccessToken:
        self.verified += 1
        return super()._read(text, at)


def test_a_signature_is_verified_once_and_not_for_each_record() -> None:
    token = GATE.token(OTHER)
    admission = CountingAdmission(gate=GATE.key.public_key, run=GATE.run, peer=OTHER.peer_id, token=token)
    rules, own = validator(admission), packed_of(GATE.token(WRITER))
    before = admission.verified
    for samples in range(20):
        value: Any = progress(peer_id=PEER, samples=samples)
        assert rules.validate(record(progress_key(PREFIX), value, own, seconds=1.0 + samples))
    assert admission.verified == before + 1


def test_the_admission_names_those_whom_its_newest_list_excludes() -> None:
    admission = GATE.admit(OTHER)
    excluded_any = admission.excludes_any
    assert not excluded_any
    admission.adopt(GATE.sign(GATE.revoke(serial=1, names=("mallory",), peers=(WRITER.peer_id.to_base58(),))))
    assert admission.excludes_any
    assert admission.excludes(OTHER.peer_id, "mallory")
    assert admission.excludes(WRITER.peer_id, "ada")
    assert not admission.excludes(OTHER.peer_id, "ada")
