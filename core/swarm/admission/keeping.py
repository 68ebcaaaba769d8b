"""Runs beside a DHT node, in its process: shows the peer's token to the swarm, and reads lists and evidence."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import hivemind

from core.failure_series import FailureSeries
from core.swarm.admission.admission import Admission, AdmissionStatus
from core.swarm.admission.evidence_keeping import EvidenceKeeper
from core.swarm.admission.records import SHOWN_SECONDS, admissions_key, revocations_key
from core.swarm.neighbours import FAULTS, knows_others

_TURN_SECONDS = 1.0
_TIMES_SHOWN = 3
"""Times that a token is shown in the seconds for which the swarm keeps it."""
_LIST_SECONDS = 10.0
"""Seconds between looks for a newer list of revocations."""
_log = logging.getLogger(__name__)

_tasks: set[asyncio.Task[None]] = set()


def keep_admitted(dht: "hivemind.DHT", prefix: str, owner: bytes) -> None:
    """Run an AdmissionKeeper beside ``dht``, a node that was started with an Admission, until the node ends.

    Returns once the AdmissionKeeper has begun. ``prefix`` is the run's DHT prefix, and ``owner`` the peer's owner
    key, under which its token is stored.
    """
    dht.run_coroutine(partial(_begin, prefix=prefix, owner=owner))


async def _begin(dht: "hivemind.DHT", node: Any, *, prefix: str, owner: bytes) -> None:
    keeper = AdmissionKeeper(node, node.protocol.authorizer, prefix, owner, is_first=not dht.initial_peers)
    await keeper.turn()
    task = asyncio.create_task(keeper.run())
    _tasks.add(task)  # a task without a reference may be collected
    task.add_done_callback(_tasks.discard)


class AdmissionKeeper:
    """Keeps the admission of one DHT node: it shows the token, and takes in lists of revocations and evidence."""

    def __init__(self, node: Any, admission: Admission, prefix: str, owner: bytes, *, is_first: bool) -> None:
        """Prepare to keep the admission; `run` does so until the node ends.

        Args:
            node: hivemind's DHT node, in whose process this object is.
            admission: the peer's admission, with which the node was started.
            prefix: the run's DHT prefix.
            owner: the peer's owner key, under which its token is stored.
            is_first: true if the node entered the swarm by no other one.
        """
        self._node, self._admission, self._prefix, self._owner = node, admission, prefix, owner
        self._is_first = is_first
        self._showed_at = self._looked_at = float("-inf")
        self._showing = FailureSeries(_log, "Showing the access token to the swarm")
        self._looking = FailureSeries(_log, "Looking for the list of revocations")
        self._evidence = EvidenceKeeper(node, admission, prefix, owner)
        self._keeping = FailureSeries(_log, "Looking for evidence")

    async def run(self) -> None:
        """Take a turn every second until the node ends."""
        while self._node.is_alive:
            await asyncio.sleep(_TURN_SECONDS)
            await self.turn()

    async def turn(self) -> None:
        """Do what is due; what fails because peers come and go is tried again."""
        await self._try(self._show, self._showing)
        await self._try(self._look, self._looking)
        await self._try(self._evidence.turn, self._keeping)

    @staticmethod
    async def _try(work: Callable[[], Awaitable[bool]], series: FailureSeries) -> None:
        """Do ``work``, which returns true if anything was due, and note in ``series`` how it ended."""
        try:
            if await work():
                series.succeeded()
        except FAULTS as error:
            series.failed(error)

    @property
    def _is_inside(self) -> bool:
        """True if the node knows others to whom a token can be shown, or has never had an entrance."""
        return self._is_first or knows_others(self._node)

    async def _show(self) -> bool:
        """Show the token to the swarm if it is due, so that averagers know which peers to admit."""
        if self._admission.standing is AdmissionStatus.EXPIRED or not self._is_inside:
            return False
        text, own = self._admission.shown, self._admission.own
        is_new = not self._admission.is_known
        if own is None or not (is_new or self._is_due(self._showed_at, SHOWN_SECONDS / _TIMES_SHOWN)):
            return False
        until = min(own.expires - 1.0, self._admission.clock() + SHOWN_SECONDS)
        await self._node.store(admissions_key(self._prefix), text, until, subkey=self._owner)
        self._showed_at = time.monotonic()
        self._admission.note_known(text)
        return True

    async def _look(self) -> bool:
        """Take in the newest list of revocations if it is due."""
        if not self._is_due(self._looked_at, _LIST_SECONDS):
            return False
        self._looked_at = time.monotonic()
        found = await self._node.get(revocations_key(self._prefix), latest=True)
        if found is not None and isinstance(found.value, bytes):
            self._admission.adopt(found.value)
        return True

    @staticmethod
    def _is_due(last: float, period: float) -> bool:
        return time.monotonic() - last > period
