"""A DHT node accepts valid records of admission, and would accept them again the next day."""

import time
from dataclasses import replace

import msgpack
import pytest
from hivemind.dht import DHTID
from hivemind.dht.validation import DHTRecord

from core.swarm.admission.admission import Admission
from core.swarm.admission.records import AdmissionValidator, admissions_key, revocations_key
from tests.core.swarm.builders import identity
from tests.gate.run_gate import RunGate

PREFIX = "test"
GATE, OWN, OTHER = RunGate(), identity(0), identity(1)
NO_SUBKEY = msgpack.packb(None)


@pytest.fixture
def admission() -> Admission:
    return GATE.admit(OWN)


@pytest.fixture
def validator(admission: Admission) -> AdmissionValidator:
    return AdmissionValidator(PREFIX, admission)


def shown(token: object, writer: bytes = OTHER.owner, *, seconds: float = 60) -> DHTRecord:
    key = DHTID.generate(source=admissions_key(PREFIX)).to_bytes()
    return DHTRecord(key, msgpack.packb(writer), msgpack.packb(token), time.time() + seconds)


def test_a_peers_own_token_is_taken_in(validator: AdmissionValidator) -> None:
    assert validator.validate(shown(GATE.token(OTHER)))


@pytest.mark.parametrize(
    "record",
    [
        pytest.param(shown(GATE.token(OWN)), id="another peer's"),
        pytest.param(shown(GATE.token(OTHER), b"mine"), id="under nobody's mark"),
        pytest.param(shown(RunGate().token(OTHER)), id="another gate's"),
        pytest.param(shown(GATE.token(OTHER, seconds=50)), id="kept for longer than it is good"),
        pytest.param(shown({"token": 1}), id="no text"),
        pytest.param(shown("garbage"), id="garbage"),
        pytest.param(replace(shown(GATE.token(OTHER)), subkey=b"\xc1"), id="a subkey that is none"),
    ],
)
def test_nothing_else_is_taken_for_one(validator: AdmissionValidator, record: DHTRecord) -> None:
    assert not validator.validate(record)


def test_one_peers_bad_luck_does_not_hide_the_others(
    validator: AdmissionValidator, admission: Admission
) -> None:
    """hivemind drops a key's records altogether for one that is refused: expired or excluded, it stays what it is."""
    record = shown(GATE.token(OTHER, "mallory", seconds=3), seconds=1)
    assert validator.validate(record)
    admission.adopt(GATE.sign(GATE.revoke(serial=1, names=("mallory",))))
    assert validator.validate(record)
    expired = GATE.token(OTHER, seconds=-10, age=600)
    assert validator.validate(shown(expired, seconds=-20))


def listed(serial: int, gate: RunGate = GATE, *, subkey: bytes = NO_SUBKEY, longer: float = 0) -> DHTRecord:
    key = DHTID.generate(source=revocations_key(PREFIX)).to_bytes()
    found = gate.revoke(serial=serial, names=("mallory",))
    return DHTRecord(key, subkey, msgpack.packb(gate.sign(found)), float(found.expires + longer))


def test_the_gates_list_is_taken_in(validator: AdmissionValidator) -> None:
    assert validator.validate(listed(1))


@pytest.mark.parametrize(
    "record",
    [
        pytest.param(listed(1, RunGate()), id="another gate's"),
        pytest.param(listed(1, replace(GATE, run="cd" * 32)), id="another run's"),
        pytest.param(listed(1, longer=3600), id="made to outlive its successor"),
        pytest.param(listed(1, subkey=msgpack.packb(b"x")), id="beside others"),
        pytest.param(replace(listed(1), value=msgpack.packb("text")), id="no bytes"),
        pytest.param(replace(listed(1), value=b""), id="nothing"),
    ],
)
def test_nothing_else_is_taken_for_the_list(validator: AdmissionValidator, record: DHTRecord) -> None:
    assert not validator.validate(record)


def test_an_older_list_is_not_taken_once_a_newer_one_was(
    validator: AdmissionValidator, admission: Admission
) -> None:
    older, newer = listed(1), listed(2)
    assert validator.validate(older)
    admission.adopt(msgpack.unpackb(newer.value))
    assert not validator.validate(older)
    assert validator.validate(newer)


def test_other_records_are_none_of_its_business(validator: AdmissionValidator) -> None:
    assert validator.validate(replace(shown("garbage"), key=DHTID.generate(source="else").to_bytes()))
