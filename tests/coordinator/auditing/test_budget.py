"""The budget of audits as a table."""

import pytest

from coordinator.auditing.budget import AuditBudget


@pytest.mark.parametrize(
    ("seconds_an_hour", "spent", "draw", "pause"),
    [(60, 2.0, 0.0, 120.0), (60, 2.0, 1.0, 240.0), (3600, 2.0, 0.5, 3.0), (1, 10.0, 0.0, 36_000.0)],
)
def test_an_audit_is_paid_for_by_a_pause(
    seconds_an_hour: float, spent: float, draw: float, pause: float
) -> None:
    assert AuditBudget(seconds_an_hour).pause_after(spent, draw) == pause


@pytest.mark.parametrize("draws", [[0.0], [0.3, 0.9], [1.0]])
def test_no_course_of_audits_exceeds_the_budget(draws: list[float]) -> None:
    budget, seconds, spent = AuditBudget(60), 0.0, 0.0
    for number in range(100):
        cost = 0.1 + number % 7
        seconds += cost + budget.pause_after(cost, draws[number % len(draws)])
        spent += cost
    assert spent <= seconds * 60 / 3600


def test_no_audit_takes_more_than_a_days_budget() -> None:
    assert AuditBudget(60).most_seconds == 24 * 60
