"""A drift is judged by its peer's last tests, and beside those of others: a test that is lost alone is a doubt."""

import pytest

from core.swarm.auditing.drift_scores import TESTS_KEPT, DriftGains, DriftOutcome, after_test, verdict_on
from core.swarm.auditing.trust import WorkVerdict

WON, LOST, USELESS = DriftGains(0.2, 0.1), DriftGains(0.1, 0.2), DriftGains(0.0, 0.1)
HONEST = (DriftOutcome.WON,) * 4


@pytest.mark.parametrize(
    ("own", "others", "outcome"),
    [
        (0.2, 0.1, DriftOutcome.WON),
        (0.1, 0.2, DriftOutcome.LOST),
        (0.0, 0.0, DriftOutcome.USELESS),
        (-0.1, -0.2, DriftOutcome.USELESS),
        (float("nan"), 0.1, DriftOutcome.USELESS),
    ],
)
def test_a_drift_gains_on_its_own_rows_and_no_less_than_on_others(
    own: float, others: float, outcome: DriftOutcome
) -> None:
    assert DriftGains(own, others).outcome is outcome


@pytest.mark.parametrize(
    ("outcomes", "others", "expected"),
    [
        ([WON], [], WorkVerdict.SOUND),
        ([LOST], [HONEST], WorkVerdict.DOUBTFUL),
        ([LOST] * 20, [HONEST], WorkVerdict.DOUBTFUL),
        ([USELESS] * 3, [HONEST], WorkVerdict.USELESS),
        ([USELESS, LOST], [HONEST], WorkVerdict.DOUBTFUL),
        ([USELESS] * 4, [HONEST], WorkVerdict.FALSE),
        ([USELESS, WON] * 4, [HONEST], WorkVerdict.FALSE),
        ([USELESS] * 4 + [WON] * 8, [HONEST], WorkVerdict.SOUND),
        ([USELESS] * 8, [HONEST[:3]], WorkVerdict.DOUBTFUL),
        ([USELESS] * 8, [HONEST, (DriftOutcome.USELESS,) * 5], WorkVerdict.DOUBTFUL),
        ([USELESS] * 8, [HONEST, (DriftOutcome.USELESS,) * 4], WorkVerdict.FALSE),
    ],
)
def test_the_last_tests_decide(
    outcomes: list[DriftGains], others: list[tuple[DriftOutcome, ...]], expected: WorkVerdict
) -> None:
    tests: tuple[DriftOutcome, ...] = ()
    for gains in outcomes:
        tests = after_test(tests, gains)
    assert len(tests) <= TESTS_KEPT
    assert verdict_on(tests, others) is expected
