"""Which ends of a process are worth another try."""

from pathlib import Path

import pytest

from core.children.keeper import RESTARTS, worth_restarting
from core.children.outcome import Ending, Outcome
from core.messages import Failed


@pytest.mark.parametrize(
    ("ending", "code", "restarts", "worth"),
    [
        (Ending.CRASHED, None, 0, True),
        (Ending.CRASHED, None, RESTARTS, False),
        (Ending.HUNG, None, 1, True),
        (Ending.GARBLED, None, 0, False),
        (Ending.FAILED, "swarm", 0, True),
        (Ending.FAILED, "data", 0, False),
        (Ending.FAILED, "manifest", 0, False),
    ],
)
def test_worth_restarting(ending: Ending, code: str | None, restarts: int, worth: bool) -> None:
    failure = Failed(code=code, what="It broke.", remedy="Mend it.") if code else None
    assert worth_restarting(Outcome("trainer", ending, 1, Path("log"), failure), restarts) is worth
