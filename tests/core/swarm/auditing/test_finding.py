"""A finding is read as it was written, and of no peer but its auditor."""

from dataclasses import replace

import pytest

from core.admission.peer_key import PeerKey
from core.swarm.auditing.draw import CommittedPlace, draw_of
from core.swarm.auditing.finding import MOST_FINDING_BYTES, AuditFinding
from core.swarm.auditing.verdict import AuditVerdict
from core.swarm.wire.encoding import MalformedPart
from tests.core.swarm.builders import digest_of, identity

KEY = PeerKey(identity(0).private_key._private_key)
PLACE = CommittedPlace("run", 7, digest_of("group")[:20], digest_of("root"))
FINDING = AuditFinding(
    7, PLACE.group, PLACE.root, 3, AuditVerdict.NO_ACCOUNT, draw_of(KEY, PLACE), KEY.public_key
)
VERDICT_AT = 4 + 20 + 32 + 4
UNKNOWN_VERDICT = FINDING.pack()[:VERDICT_AT] + b"\x02" + FINDING.pack()[VERDICT_AT + 1 :]
AUDITOR = identity(0).peer_id.to_bytes()


@pytest.mark.parametrize("verdict", [AuditVerdict.FALSE_AGGREGATE, AuditVerdict.NO_ACCOUNT])
def test_it_survives_its_way(verdict: AuditVerdict) -> None:
    finding = replace(FINDING, verdict=verdict)
    assert AuditFinding.unpack(finding.pack()) == finding
    assert len(finding.pack()) <= 800


def test_it_is_by_its_auditor_alone() -> None:
    assert FINDING.is_by(AUDITOR, "run")
    assert not FINDING.is_by(identity(1).peer_id.to_bytes(), "run")
    assert not FINDING.is_by(AUDITOR, "other")
    assert not replace(FINDING, root=digest_of("other")).is_by(AUDITOR, "run")
    assert not replace(FINDING, draw=bytes(256)).is_by(AUDITOR, "run")


@pytest.mark.parametrize(
    "packed",
    [
        UNKNOWN_VERDICT,
        b"",
        FINDING.pack()[:-1],
        FINDING.pack() + b"x",
        FINDING.pack()[:40],
        bytes(MOST_FINDING_BYTES + 1),
    ],
)
def test_what_is_no_finding_is_refused(packed: bytes) -> None:
    with pytest.raises(MalformedPart):
        AuditFinding.unpack(packed)
