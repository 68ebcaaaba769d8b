"""Attackers of a large swarm's bookkeeping: summaries of peers that do not exist."""

import os

from hivemind.utils import get_dht_time

from benchmarks.hostility.attackers.attacker import Attacker, again_and_again
from benchmarks.hostility.attackers.record_forger import RecordForger
from core.swarm.lookup.gossip import publish
from core.swarm.wire.records import ProgressRecord
from core.swarm.wire.summaries import (
    SUMMARY_STORED_SECONDS,
    CohortKind,
    CohortRow,
    SummaryRecord,
    SwarmPlace,
    packed_rows,
    summary_key,
)
from core.swarm.wire.voices import VOICE

_PEERS, _LEVEL, _EPOCHS_AHEAD = 400, 4, 50
_PAUSE_SECONDS = 5.0


class FalseSummariser(Attacker):
    """Signs summaries by which 400 peers are at an epoch far ahead, and stores and passes them on.

    No peer should go by the summary of a peer that is neither an entrance nor drawn as a deputy.
    """

    trains = False

    def run(self) -> None:
        """Renew the summary again and again."""
        self._forger, self._identity = RecordForger(self.seat), self.seat.identity_of()
        again_and_again(self._write, _PAUSE_SECONDS)

    def _write(self) -> None:
        honest = self._forger.leading()
        if honest is None:
            return
        record = false_summary(
            honest, self._identity.peer_id.to_bytes(), get_dht_time(), self._forger.certificate()
        )
        self._forger.write(summary_key(self._forger.prefix), record, self._identity, SUMMARY_STORED_SECONDS)
        expires = get_dht_time() + SUMMARY_STORED_SECONDS
        publish(self._forger.dht, self._identity.owner, record.pack(), expires).result(_PAUSE_SECONDS)


def false_summary(honest: ProgressRecord, peer_id: bytes, time: float, certificate: bytes) -> SummaryRecord:
    """Return a summary of a crowd far ahead of the ``honest`` record's peer.

    Args:
        honest: a record of the swarm, whose form the crowd has.
        peer_id: id of the summariser.
        time: DHT time in seconds.
        certificate: packed certificate of the summariser.
    """
    place = SwarmPlace(
        epoch=honest.epoch + _EPOCHS_AHEAD,
        head=os.urandom(32),
        parameters=os.urandom(32),
        sketch=honest.sketch,
        state=os.urandom(32),
    )
    kind = CohortKind(False, False, True, False, True, True, honest.device, honest.reach, None)
    row = CohortRow(peer_id, 0, kind, True, _PEERS, _PEERS * VOICE, 1_000, 10.0, 1.0, 10.0, 60.0)
    return SummaryRecord(
        peer_id=peer_id,
        time=time,
        level=_LEVEL,
        places=[place],
        rows=packed_rows([row]),
        certificate=certificate,
    )
