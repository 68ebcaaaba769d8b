"""Examines an installation: checks that are bounded in time and apart, so that none hides what others find."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.errors import CoreError

_REPORT = "Try again; if it stays so, report it with the output of `idlebrush doctor --json`."


class CheckVerdict(StrEnum):
    OK = "ok"
    WARNING = "warning"
    """Training works, but not as well as it could."""
    PROBLEM = "problem"
    """Training does not work, or something that was asked for."""


@dataclass(frozen=True)
class Finding:
    """Result of a check."""

    name: str
    """Subject of the check, such as "GPU"."""
    verdict: CheckVerdict
    found: str
    """A sentence or two for people."""
    remedy: str = ""
    """Remedy; empty if nothing has to be done."""


@dataclass(frozen=True)
class Check:
    name: str
    look: Callable[[], Awaitable[Sequence[Finding]]]
    seconds: float = 10.0
    """Seconds after which the check is given up."""


@dataclass(frozen=True)
class Examination:
    findings: tuple[Finding, ...]
    """Findings in the order of the checks."""

    @property
    def healthy(self) -> bool:
        """True if there is no problem; warnings do not count."""
        return all(finding.verdict is not CheckVerdict.PROBLEM for finding in self.findings)


async def examine(checks: Sequence[Check]) -> Examination:
    """Make all checks at the same time."""
    running = [asyncio.ensure_future(_within(check)) for check in checks]
    await asyncio.wait(running)
    outcomes = zip(checks, running, strict=True)
    return Examination(tuple(finding for check, task in outcomes for finding in _outcome(check, task)))


async def _within(check: Check) -> Sequence[Finding]:
    async with asyncio.timeout(check.seconds):
        return await check.look()


def _outcome(check: Check, task: "asyncio.Task[Sequence[Finding]]") -> Sequence[Finding]:
    error = asyncio.CancelledError() if task.cancelled() else task.exception()
    if error is None:
        return task.result()
    if isinstance(error, CoreError):
        return [Finding(check.name, CheckVerdict.WARNING, error.what, error.remedy)]
    if isinstance(error, TimeoutError):
        found = f"It did not answer in {check.seconds:.0f} seconds."
    else:
        found = f"It cannot be looked at ({type(error).__name__}: {error})."
    return [Finding(check.name, CheckVerdict.WARNING, found, _REPORT)]
