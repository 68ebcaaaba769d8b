"""The recorder's part in evidence: it keeps what the swarm has found, and tells it whose appeal was granted."""

import asyncio
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from coordinator.database.connect import Database
from coordinator.database.tables import EvidenceFound
from coordinator.gate.evidence import EvidenceStanding, FoundEvidence, enter, pardons
from core.admission.pardons import Pardon, Pardons, sign
from core.run.manifest import RunManifest
from core.signing import SigningKey
from core.swarm.admission.evidence_records import evidence_in
from core.swarm.admission.records import publish_pardons
from core.swarm.evidence.evidence import Evidence, PlaceInRun, verified
from core.swarm.evidence.records import evidence_key
from core.swarm.evidence.reporting import report
from core.tasks import within

if TYPE_CHECKING:
    import hivemind

_ANSWER_SECONDS = 20.0
_REMINDER_SECONDS = 300.0
"""Seconds after which the pardons are stored again, for peers of the DHT that came since."""


class EvidenceUpdates:
    """Takes evidence over from the swarm of a run with a gate, and gives it the pardons."""

    def __init__(
        self, database: Database, key: SigningKey, manifest: RunManifest, dht: "hivemind.DHT"
    ) -> None:
        """Prepare the updates; ``key``, the gate's, signs the pardons."""
        self._database, self._key, self._dht = database, key, dht
        self._run, self._prefix = manifest.training_digest, manifest.dht_prefix
        self._last = PlaceInRun.last_of(manifest)
        self._known: set[str] = set()
        """Numbers of the evidence in the swarm at the last look, which was entered or need not be."""
        self._has_reminded = False
        self._published: tuple[Pardon, ...] | None = None
        self._published_at = time.monotonic()

    async def turn(self) -> None:
        """Enter what is new in the swarm, and publish the pardons if they are; raises DatabaseError."""
        if not self._has_reminded:
            for packed in await asyncio.to_thread(self._standing):
                report(self._dht, Evidence.unpack(packed))
            self._has_reminded = True
        found = await self._find()
        if new := [item for item in found if item.number not in self._known]:
            await asyncio.to_thread(self._enter, new)
        self._known = {item.number for item in found}
        await self._publish()

    def _standing(self) -> list[bytes]:
        """Return the evidence that stands, of earlier generations as well: the swarm may have forgotten it."""
        asked = select(EvidenceFound.packed).where(EvidenceFound.standing != EvidenceStanding.LIFTED.value)
        with self._database.reading() as session:
            return list(session.scalars(asked))

    async def _find(self) -> list[Evidence]:
        """Return the evidence in the swarm that holds."""
        asked: Any = self._dht.get(evidence_key(self._prefix), latest=True, return_future=True)
        found = await within(_ANSWER_SECONDS, asked)
        each = {item.packed for _, item in evidence_in(found.value if found is not None else None)}
        gate, run, last = self._key.public_key, self._run, self._last
        held = (verified(packed, gate=gate, run=run, last=last) for packed in sorted(each))
        return [item for item in held if item is not None]

    def _enter(self, found: Sequence[Evidence]) -> None:
        with self._database.session() as session:
            enter(session, [in_row(item) for item in found], datetime.now(UTC))

    async def _publish(self) -> None:
        listed = await asyncio.to_thread(self._pardons)
        is_old = time.monotonic() - self._published_at > _REMINDER_SECONDS
        if listed.pardons == (self._published or ()) and not (is_old and listed.pardons):
            return
        signed = sign(listed, self._key)
        if await publish_pardons(self._dht, self._prefix, signed, expires=listed.expires):
            self._published, self._published_at = listed.pardons, time.monotonic()

    def _pardons(self) -> Pardons:
        with self._database.reading() as session:
            return pardons(session, self._run, datetime.now(UTC))


def in_row(evidence: Evidence) -> FoundEvidence:
    """Return ``evidence``, which holds, as the coordinator keeps it."""
    return FoundEvidence(
        number=evidence.number,
        name=evidence.user,
        peer_id=evidence.peer,
        misdeed=evidence.misdeed.value,
        generation=evidence.place.generation,
        epoch=evidence.place.epoch,
        words=evidence.proof.in_words(),
        packed=evidence.packed,
    )
