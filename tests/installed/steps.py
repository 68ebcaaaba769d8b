"""The steps of a trial: each is timed, has its result in a sentence, and a failure ends the trial."""

import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

from core.errors import CoreError

Subject = TypeVar("Subject")


@dataclass(frozen=True)
class TrialStep(Generic[Subject]):
    """One step: what is done to the subject of the trial, and what comes of it."""

    name: str
    """Words for the table, such as "first run by keys"."""
    do: Callable[[Subject], str]
    """Does it, and returns the result in a few words; raises an error if it fails."""


@dataclass(frozen=True)
class StepResult:
    """What came of a step."""

    name: str
    seconds: float
    passed: bool
    words: str
    """The result, or why it failed."""


@dataclass(frozen=True)
class TrialResult:
    """What came of a trial."""

    system: str
    """Title of the system."""
    steps: tuple[StepResult, ...]
    not_reached: tuple[str, ...] = ()
    """Names of the steps after one that failed."""
    numbers: Mapping[str, float] = field(default_factory=dict)
    """Sizes in bytes and times in seconds that steps noted, by their names."""

    @property
    def passed(self) -> bool:
        """True if all steps passed."""
        return not self.not_reached and all(step.passed for step in self.steps)


def tried(
    system: str,
    steps: Sequence[TrialStep[Subject]],
    subject: Subject,
    log: Path,
    numbers: Mapping[str, float] | None = None,
    *,
    clock: Callable[[], float] = time.monotonic,
    tell: Callable[[str], None] = print,
) -> TrialResult:
    """Take the ``steps`` in order until one fails, and return the results.

    Args:
        system: Title of the system.
        steps: The steps.
        subject: Given to each step.
        log: File that causes of failures are appended to.
        numbers: What the steps note by the way; None: nothing.
        clock: Returns the time in seconds.
        tell: Shows a line to the person who waits.
    """
    results: list[StepResult] = []
    for step in steps:
        results.append(_take(step, subject, log, clock))
        tell(_line(system, results[-1]))
        if not results[-1].passed:
            break
    left_out = tuple(step.name for step in steps[len(results) :])
    return TrialResult(system, tuple(results), left_out, numbers or {})


def _take(step: TrialStep[Subject], subject: Subject, log: Path, clock: Callable[[], float]) -> StepResult:
    began = clock()
    try:
        words, passed = step.do(subject), True
    except (CoreError, AssertionError, OSError) as error:
        words, passed = " ".join(str(error).split())[:500] or type(error).__name__, False
        with log.open("a") as file:
            file.write(f"{step.name}:\n{traceback.format_exc()}\n")
    return StepResult(step.name, clock() - began, passed, words)


def _line(system: str, result: StepResult) -> str:
    verdict = "" if result.passed else "FAILED: "
    return f"{system}: {result.name:<28} {result.seconds:7.1f} s  {verdict}{result.words}"
