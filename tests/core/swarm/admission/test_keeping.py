"""The keeper of a peer's admission warns once of what fails again and again, and logs when it works again."""

import asyncio
import time
from typing import Any

import pytest

from core.swarm.admission.admission import Admission
from core.swarm.admission.keeping import AdmissionKeeper
from tests.core.swarm.builders import identity
from tests.gate.run_gate import RunGate
from tests.moved_clock import MovedClock

OWN = identity(0)


class AwayNode:
    """The calls of a DHT node that its keeper uses: they fail while ``is_away``."""

    def __init__(self) -> None:
        self.is_away, self.stored = True, 0

    async def store(self, *_: object, **__: object) -> bool:
        self._answer()
        self.stored += 1
        return True

    async def get(self, *_: object, **__: object) -> Any:
        self._answer()

    def _answer(self) -> None:
        if self.is_away:
            raise ConnectionError("the swarm is away")


def test_a_swarm_that_is_away_is_warned_of_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    gate, clock, node = RunGate(), MovedClock(time.time()), AwayNode()
    token = gate.token(OWN)
    admission = Admission(gate=gate.key.public_key, run=gate.run, peer=OWN.peer_id, token=token, clock=clock)
    keeper = AdmissionKeeper(node, admission, "tiny", b"owner", is_first=True)
    for away in (True, True, False, False):
        node.is_away = away
        asyncio.run(keeper.turn())
    showing = [text for text in caplog.messages if "Showing the access token" in text]
    assert showing == [
        "Showing the access token to the swarm failed (ConnectionError: the swarm is away), and is tried again.",
        "Showing the access token to the swarm succeeded at attempt 3, after 0 s.",
    ]
    assert node.stored == 1
    # The list is not due again before five seconds, so the turns in which nothing is asked end no series.
    listed = [text for text in caplog.messages if "list of revocations" in text]
    assert listed == [
        "Looking for the list of revocations failed (ConnectionError: the swarm is away), and is tried again."
    ]
