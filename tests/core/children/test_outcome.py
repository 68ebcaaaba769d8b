"""Each way in which a process can end has a verdict and a sentence."""

from pathlib import Path

import pytest

from core.children.outcome import Ending, Outcome, judge
from core.messages.children import Failed

FAILED = Failed(code="swarm", what="Nobody answers.", remedy="Check the address.")


@pytest.mark.parametrize(
    ("given_up", "failure", "stopping", "status", "ending"),
    [
        (None, None, False, 0, Ending.FINISHED),
        (None, None, True, 0, Ending.STOPPED),
        (None, None, True, 139, Ending.CRASHED),
        (None, None, False, 1, Ending.CRASHED),
        (None, FAILED, False, 2, Ending.FAILED),
        (None, FAILED, True, 2, Ending.FAILED),
        (Ending.HUNG, FAILED, False, 137, Ending.HUNG),
        (Ending.FORCED, None, True, 137, Ending.FORCED),
    ],
)
def test_judge(
    given_up: Ending | None, failure: Failed | None, stopping: bool, status: int, ending: Ending
) -> None:
    assert judge(given_up, failure, stopping, status) is ending


@pytest.mark.parametrize(
    ("ending", "status", "words"),
    [
        (Ending.CRASHED, 139, "SIGSEGV"),
        (Ending.CRASHED, 137, "memory ran out"),
        (Ending.CRASHED, 1, "exit status 1"),
        (Ending.CRASHED, 250, "exit status 250"),
        (Ending.CRASHED, 0xC000_0005, "exit status 0xC0000005"),
        (Ending.HUNG, 137, "stopped responding"),
        (Ending.FORCED, 137, "did not stop in time"),
        (Ending.STUCK, 137, "cannot be ended by the system"),
        (Ending.FAILED, 2, "Nobody answers. Check the address."),
    ],
)
def test_every_ending_has_its_sentence(ending: Ending, status: int, words: str) -> None:
    assert words in Outcome("trainer", ending, status, Path("log"), FAILED).sentence()
