"""A peer's admission: what it shows, whom it takes for admitted, and how it stands itself."""

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.errors import AdmissionError
from core.run.contact import Contact, GateRules
from core.run.manifest import RunManifest
from core.signing import SigningKey
from core.swarm.admission.admission import REFUSED_SECONDS, Admission, AdmissionStatus
from core.swarm.admission.refusal import PeerRefused
from tests.core.swarm.builders import identity
from tests.core.swarm.evidence.double_voter import double_vote
from tests.gate.run_gate import RunGate
from tests.moved_clock import MovedClock
from tests.swarms.tiny_run import write_tiny_run

GATE = RunGate()
OWN, OTHER = identity(0), identity(1)


@pytest.fixture
def clock() -> MovedClock[float]:
    return MovedClock(time.time())


@pytest.fixture
def admission(clock: MovedClock[float]) -> Admission:
    """Ada's, good for ten minutes."""
    token = GATE.token(OWN)
    return Admission(gate=GATE.key.public_key, run=GATE.run, peer=OWN.peer_id, token=token, clock=clock)


def revoke(admission: Admission, serial: int, *names: str, peers: tuple[str, ...] = ()) -> None:
    admission.adopt(GATE.sign(GATE.revoke(serial=serial, names=names, peers=peers)))


def standing_of(admission: Admission) -> AdmissionStatus:
    return admission.standing


def test_another_peer_with_a_good_token_is_admitted(admission: Admission) -> None:
    assert admission.examine(GATE.token(OTHER, "bob"), OTHER.peer_id).name == "bob"


REFUSED: list[tuple[str, Callable[[], str], str]] = [
    ("no token", lambda: "", "not one that this run's gate signed"),
    ("another gate's", lambda: RunGate().token(OTHER), "not one that this run's gate signed"),
    ("another run's", lambda: replace(GATE, run="cd" * 32).token(OTHER), "for another run"),
    ("expired", lambda: GATE.token(OTHER, seconds=-1, age=600), "expired"),
    ("stolen", lambda: GATE.token(OWN), "for another peer"),
    ("of a user who is excluded", lambda: GATE.token(OTHER, "mallory"), "excluded"),
]


@pytest.mark.parametrize(("token", "why"), [pytest.param(*row, id=name) for name, *row in REFUSED])
def test_others_are_not(admission: Admission, token: Callable[[], str], why: str) -> None:
    revoke(admission, 1, "mallory")
    with pytest.raises(PeerRefused, match=why):
        admission.examine(token(), OTHER.peer_id)


def test_a_peer_is_excluded_with_its_old_token_and_a_new_one(admission: Admission) -> None:
    old = GATE.token(OTHER, "bob")
    admission.examine(old, OTHER.peer_id)
    revoke(admission, 1, peers=(OTHER.peer_id.to_base58(),))
    for token in (old, GATE.token(OTHER, "bob")):
        with pytest.raises(PeerRefused, match="excluded"):
            admission.examine(token, OTHER.peer_id)


def test_a_token_that_was_good_is_not_when_it_has_run_out(
    admission: Admission, clock: MovedClock[float]
) -> None:
    token = GATE.token(OTHER, seconds=60)
    admission.examine(token, OTHER.peer_id)
    clock.now += 61
    with pytest.raises(PeerRefused, match="expired"):
        admission.examine(token, OTHER.peer_id)


def test_the_newest_list_counts_in_whatever_order_they_come(admission: Admission) -> None:
    token = GATE.token(OTHER, "bob")
    revoke(admission, 5)
    revoke(admission, 4, "bob")
    admission.adopt(RunGate().sign(GATE.revoke(serial=9, names=("bob",))))
    admission.examine(token, OTHER.peer_id)
    revoke(admission, 6, "bob")
    with pytest.raises(PeerRefused):
        admission.examine(token, OTHER.peer_id)
    revoke(admission, 7)
    admission.examine(token, OTHER.peer_id)


def test_a_refusal_carries_the_list_that_names_the_peer(
    admission: Admission, clock: MovedClock[float]
) -> None:
    revoke(admission, 1, "bob")
    with pytest.raises(PeerRefused) as refusal:
        admission.examine(GATE.token(OTHER, "bob"), OTHER.peer_id)
    refused = PeerRefused.behind(ConnectionError(f"Failed to call: {refusal.value!r}"))
    assert refused is not None
    bob = Admission(
        gate=GATE.key.public_key,
        run=GATE.run,
        peer=OTHER.peer_id,
        token=GATE.token(OTHER, "bob"),
        clock=clock,
    )
    bob.note_refusal(refused)
    assert bob.standing is AdmissionStatus.REVOKED
    with pytest.raises(AdmissionError, match="excluded you"):
        bob.require_welcome()


def test_another_error_is_no_refusal() -> None:
    assert PeerRefused.behind(ConnectionError("protocol not supported")) is None
    refused = PeerRefused.behind(ConnectionError("Refused: because <not base64!>"))
    assert refused is None


def test_an_expired_token_can_be_renewed(admission: Admission, clock: MovedClock[float]) -> None:
    first = admission.shown
    clock.now += 601
    assert standing_of(admission) is AdmissionStatus.EXPIRED
    admission.require_welcome()
    with pytest.raises(PeerRefused, match="expired"):
        admission.presented()
    admission.renew(GATE.token(OWN, seconds=1200))
    assert standing_of(admission) is AdmissionStatus.ADMITTED
    assert admission.presented() == admission.shown != first


@pytest.mark.parametrize(
    "token", [GATE.token(OTHER), RunGate().token(OWN), GATE.token(OWN, seconds=-1, age=60), "garbage"]
)
def test_what_is_no_good_token_of_its_own_changes_nothing(admission: Admission, token: str) -> None:
    before = admission.shown
    with pytest.raises(AdmissionError):
        admission.renew(token)
    assert admission.shown == before


def test_a_peer_that_nobody_answers_for_long_is_not_welcome(
    admission: Admission, clock: MovedClock[float]
) -> None:
    admission.note_refusal(PeerRefused("why"))
    with pytest.raises(AdmissionError, match="its peers refuse you"):
        admission.require_not_refused()
    clock.now += REFUSED_SECONDS + 1
    admission.require_welcome()  # it may have been out of the net since
    admission.note_refusal(PeerRefused("why"))
    with pytest.raises(AdmissionError, match="none of its peers answers"):
        admission.require_welcome()


def test_one_answer_or_a_new_token_makes_good_for_it(admission: Admission, clock: MovedClock[float]) -> None:
    for make_good in (admission.note_answer, lambda: admission.renew(GATE.token(OWN, seconds=1200))):
        admission.note_refusal(PeerRefused("why"))
        clock.now += REFUSED_SECONDS + 1
        admission.note_refusal(PeerRefused("why"))
        assert standing_of(admission) is AdmissionStatus.REFUSED
        make_good()
        assert standing_of(admission) is AdmissionStatus.ADMITTED
        admission.require_not_refused()


def manifest(folder: Path, gate: GateRules | None) -> RunManifest:
    key = SigningKey.generate()
    plain = RunManifest.load(write_tiny_run(folder))
    contact = Contact(title="A run", issued_at=datetime(2026, 1, 1, tzinfo=UTC), gate=gate)
    return RunManifest.create(plain.training, contact, key)


def test_an_open_run_asks_for_nothing(tmp_path: Path) -> None:
    assert Admission.of_run(manifest(tmp_path, None), OWN.peer_id, None) is None


def test_a_run_with_a_gate_asks_to_sign_in(tmp_path: Path) -> None:
    made = manifest(tmp_path, GateRules(key=GATE.key.public_key))
    with pytest.raises(AdmissionError, match=r"A run admits only .* idlebrush join"):
        Admission.of_run(made, OWN.peer_id, None)
    token = replace(GATE, run=made.training_digest).token(OWN)
    found = Admission.of_run(made, OWN.peer_id, token)
    assert found is not None
    assert found.standing is AdmissionStatus.ADMITTED


def test_evidence_of_places_that_the_manifest_has_not_sets_nobody_aside(tmp_path: Path) -> None:
    made = manifest(tmp_path, GateRules(key=GATE.key.public_key))
    gate = replace(GATE, run=made.training_digest)
    found = Admission.of_run(made, OWN.peer_id, gate.token(OWN))
    assert found is not None
    past, total = made.dht_prefix, made.training.schedule.total_epochs
    later = made.dht_prefix.replace("-0-v", "-1-v")
    for prefix, epoch, taken in ((past, total, False), (later, 0, False), (past, total - 1, True)):
        evidence = double_vote("mallory", gate=gate, prefix=prefix, epoch=epoch)
        assert (found.convicted.take(evidence.packed) is not None) == taken
