"""Steps are timed, their results told, and none is taken after one that failed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.installed.next_version import later_version
from tests.installed.steps import StepResult, TrialResult, TrialStep, tried
from tests.installed.systems import SYSTEMS, TrialError
from tests.installed.table import sentences_of, table_of


def _ticks() -> Iterator[float]:
    now = 0.0
    while True:
        yield now
        now += 2.5


def _refuse(_: list[str]) -> str:
    raise TrialError("The package is broken.", "Read the log.")


def _note(subject: list[str]) -> str:
    subject.append("done")
    return "well"


def test_steps_are_taken_until_one_fails(tmp_path: Path) -> None:
    ticks, told, subject = _ticks(), list[str](), list[str]()
    steps = [TrialStep("first", _note), TrialStep("second", _refuse), TrialStep("third", _note)]
    log = tmp_path / "log"
    result = tried("Debian", steps, subject, log, clock=lambda: next(ticks), tell=told.append)
    assert subject == ["done"]
    assert [(step.name, step.seconds, step.passed) for step in result.steps] == [
        ("first", 2.5, True),
        ("second", 2.5, False),
    ]
    assert result.not_reached == ("third",)
    assert not result.passed
    assert "The package is broken." in result.steps[1].words
    assert len(told) == 2
    assert "_refuse" in log.read_text(), "the cause is not logged"


def test_a_mistake_of_the_trial_itself_is_no_result(tmp_path: Path) -> None:
    def stumble(_: None) -> str:
        raise KeyError("mistake")

    with pytest.raises(KeyError):
        tried("Debian", [TrialStep("first", stumble)], None, tmp_path / "log", tell=lambda _: None)


def test_the_table_has_a_column_for_each_system() -> None:
    passed = TrialResult(
        "A", (StepResult("install", 3.2, True, "well"),), (), {"package bytes": 61_500_000.0}
    )
    failed = TrialResult("B", (StepResult("install", 3.2, False, "no"),), ("purge",))
    assert table_of([passed, failed]).splitlines() == [
        "|  | A | B |",
        "| --- | --- | --- |",
        "| install | 3 s | failed |",
        "| purge | not reached | not reached |",
        "| package, MB | 61.5 |  |",
    ]
    assert sentences_of([failed]).splitlines() == ["B: install: FAILED: no", "B: purge: not reached"]


@pytest.mark.parametrize(
    ("version", "later"),
    [("0.1.0", "0.1.1"), ("0.1.9-1", "0.1.10-1"), ("1.9", "1.10"), ("2.0~rc1", "2.0~rc2")],
)
def test_a_later_version_follows(version: str, later: str) -> None:
    assert later_version(version) == later


def test_what_has_no_number_has_no_later_version() -> None:
    with pytest.raises(TrialError, match="no number"):
        later_version("main")


def test_each_system_has_a_recipe_of_its_own() -> None:
    assert len({system.digest for system in SYSTEMS.values()}) == len(SYSTEMS)
