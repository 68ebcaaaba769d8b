"""Trust grows with sound audits, up to a limit, and falls at once."""

import pytest

from core.swarm.auditing.trust import NEWCOMER, TrustInUser, WorkVerdict, after_audit

SOUND, FALSE, DOUBTFUL, USELESS, UNVERIFIABLE = WorkVerdict


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ([], TrustInUser()),
        ([SOUND, SOUND], TrustInUser(sound=2)),
        ([SOUND] * 40, TrustInUser(sound=15)),
        ([SOUND] * 40 + [FALSE], TrustInUser(false=1)),
        ([FALSE, SOUND], TrustInUser(sound=1, false=1)),
        ([SOUND, UNVERIFIABLE], TrustInUser(sound=1)),
    ],
)
def test_trust_follows_from_audits(verdicts: list[WorkVerdict], expected: TrustInUser) -> None:
    trust = NEWCOMER
    for verdict in verdicts:
        trust = after_audit(trust, verdict)
    assert trust == expected
    assert trust.is_verified == (expected.sound > 0)


def test_doubt_and_accusations_last_until_something_was_recomputed() -> None:
    suspected = TrustInUser(sound=3, is_doubtful=True, accused_in=7)
    assert after_audit(suspected, UNVERIFIABLE) == suspected
    assert after_audit(TrustInUser(sound=3, accused_in=7), DOUBTFUL) == suspected
    assert after_audit(TrustInUser(sound=3, accused_in=7), USELESS) == suspected
    assert after_audit(suspected, SOUND) == TrustInUser(sound=4)
    assert after_audit(suspected, FALSE) == TrustInUser(false=1)


def test_the_suspected_and_newcomers_are_audited_first() -> None:
    doubtful, accused = TrustInUser(15, is_doubtful=True), TrustInUser(15, accused_in=0)
    caught, mended = TrustInUser(false=1), TrustInUser(1, false=1)
    trusts = (doubtful, accused, caught, NEWCOMER, TrustInUser(1), mended, TrustInUser(15))
    assert [trust.need for trust in trusts] == [4.0, 4.0, 4.0, 1.0, 0.5, 0.5, 1 / 16]
