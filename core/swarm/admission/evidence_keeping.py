"""Runs beside a DHT node, in its process: takes in evidence and pardons, and passes on what few others pass on.

Who finds evidence may leave, and a record ends with its writer's token. So each node that has verified evidence looks
whether the swarm still has it from two users, and stores it itself if not. The coordinator takes no part in that.
"""

import random
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from hivemind.utils import get_dht_time

from core.swarm.admission.admission import Admission, AdmissionStatus
from core.swarm.admission.convicted import Conviction
from core.swarm.admission.evidence_records import evidence_in
from core.swarm.evidence.records import (
    EVIDENCE_SECONDS,
    MOST_OF_RECORD,
    EvidenceRecord,
    evidence_key,
    pardons_key,
)
from core.swarm.wire.identity import peer_id_of
from core.swarm.wire.own_certificate import OwnCertificate
from core.swarm.wire.records import bounded

LOOK_SECONDS = 10.0
"""Seconds between two looks for evidence and pardons."""
REST_SECONDS = 30.0
"""Seconds between two records of a node: where more is known than one holds, the pieces take turns."""
_COPIES = 2
"""Users of whom each piece of evidence is to be stored."""
_SPREAD_SECONDS = 5.0
"""Seconds over which the nodes that find evidence at one moment spread: the first of them store it."""
_KEPT_SHARE = 2 / 3
"""Share of a record's life after which its writer looks again whether others pass its evidence on."""


class EvidenceKeeper:
    """Keeps the evidence of one node, and of the swarm where it would be lost."""

    def __init__(
        self,
        node: Any,
        admission: Admission,
        prefix: str,
        owner: bytes,
        *,
        clock: Callable[[], float] = time.monotonic,
        draw: Callable[[], float] = random.random,
    ) -> None:
        """Prepare to keep the evidence.

        Args:
            node: hivemind's DHT node, in whose process this object is.
            admission: the peer's admission, with which the node was started.
            prefix: the run's DHT prefix.
            owner: the peer's owner key, under which it stores evidence.
            clock: gives monotonic seconds.
            draw: gives random numbers from 0 to 1.
        """
        self._node, self._admission, self._prefix, self._owner = node, admission, prefix, owner
        self._certificate, self._clock, self._draw = OwnCertificate(admission), clock, draw
        self._looked_at = float("-inf")
        self._due: dict[Conviction, float] = {}
        """Times at which evidence that few pass on is passed on, by what it shows."""
        self._copies = Counter[Conviction]()
        """Number of users that passed evidence on at the last look, by what it shows."""
        self._passed: dict[Conviction, float] = {}
        """Times until which this node passes evidence on, by what it shows: the content of its record."""
        self._rests_until = float("-inf")

    async def turn(self) -> bool:
        """Do what is due; return true if anything was."""
        is_time = self._clock() - self._looked_at >= LOOK_SECONDS
        self._note_rare()
        is_free = self._clock() >= self._rests_until
        ready = [conviction for conviction, due in self._due.items() if is_free and due <= self._clock()]
        if not (is_time or ready):
            return False
        await self._look()
        if rare := [conviction for conviction in ready if self._is_rare(conviction)]:
            await self._pass_on(rare)
        for conviction in ready:
            self._due.pop(conviction, None)
        return True

    async def _look(self) -> None:
        """Take in the evidence and the pardons that the swarm has now."""
        self._looked_at = self._clock()
        found = await self._node.get(pardons_key(self._prefix), latest=True)
        if found is not None and isinstance(found.value, bytes):
            self._admission.convicted.pardons.adopt(found.value)
        stored = await self._node.get(evidence_key(self._prefix), latest=True)
        there = evidence_in(stored.value if stored is not None else None)
        for _, evidence in there:
            self._admission.convicted.take(evidence.packed)
        shown = {(writer, self._admission.convicted.shown_by(item)) for writer, item in there}
        self._copies = Counter(conviction for _, conviction in shown if conviction is not None)

    def _note_rare(self) -> None:
        if self._admission.standing is not AdmissionStatus.ADMITTED:
            return  # others do not take its records
        for conviction in self._admission.convicted.standing:
            if self._is_rare(conviction) and conviction not in self._due:
                self._due[conviction] = self._clock() + _SPREAD_SECONDS * self._draw()

    def _is_rare(self, conviction: Conviction) -> bool:
        if self._passed.get(conviction, float("-inf")) > self._clock() or self._copies[conviction] >= _COPIES:
            return False
        return self._admission.convicted.of(conviction.user) == conviction

    async def _pass_on(self, rare: list[Conviction]) -> None:
        """Store the evidence that fewest pass on, the ``rare`` pieces before others, in place of the last record."""
        writer = peer_id_of(self._owner)
        if writer is None:
            return
        standing = self._admission.convicted.standing
        by_copies = sorted(standing, key=lambda shown: (self._copies[shown], shown not in rare))
        chosen = by_copies[:MOST_OF_RECORD]
        packed = [standing[conviction].packed for conviction in chosen]
        now = get_dht_time()
        record, until = self._certificate.on(
            EvidenceRecord(peer_id=writer.to_bytes(), evidence=packed), now=now, until=now + EVIDENCE_SECONDS
        )
        key = evidence_key(self._prefix)
        if await self._node.store(key, bounded(record.pack()), until, subkey=self._owner):
            self._passed = dict.fromkeys(chosen, self._clock() + _KEPT_SHARE * (until - now))
            self._rests_until = self._clock() + REST_SECONDS
