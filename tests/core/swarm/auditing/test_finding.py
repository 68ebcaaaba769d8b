"""A finding is read as it was written, and of no peer but its auditor."""

from dataclasses import replace

import pytest

from core.admission.peer_key import PeerKey
from core.swarm.auditing.draw import CommittedPlace, draw_of
from core.swarm.auditing.finding import MOST_FINDING_BYTES, AuditFinding
from core.swarm.wire.encoding import MalformedPart
from tests.core.swarm.builders import digest_of, identity

KEY = PeerKey(identity(0).private_key._private_key)
PLACE = CommittedPlace("run", 7, digest_of("group")[:20], digest_of("root"))
FINDING = AuditFinding(7, PLACE.group, PLACE.root, 3, draw_of(KEY, PLACE), KEY.public_key)
AUDITOR = identity(0).peer_id.to_bytes()


def test_it_survives_its_way() -> None:
    packed = FINDING.pack()
    assert AuditFinding.unpack(packed) == FINDING
    assert len(packed) <= 800


def test_it_is_by_its_auditor_alone() -> None:
    assert FINDING.is_by(AUDITOR, "run")
    assert not FINDING.is_by(identity(1).peer_id.to_bytes(), "run")
    assert not FINDING.is_by(AUDITOR, "other")
    assert not replace(FINDING, root=digest_of("other")).is_by(AUDITOR, "run")
    assert not replace(FINDING, draw=bytes(256)).is_by(AUDITOR, "run")


@pytest.mark.parametrize(
    "packed",
    [b"", FINDING.pack()[:-1], FINDING.pack() + b"x", FINDING.pack()[:40], bytes(MOST_FINDING_BYTES + 1)],
)
def test_what_is_no_finding_is_refused(packed: bytes) -> None:
    with pytest.raises(MalformedPart):
        AuditFinding.unpack(packed)
