"""Attackers that write records of peers which do not exist, or of places at which nobody is."""

import os
from collections.abc import Sequence
from enum import StrEnum
from functools import partial
from typing import Any

from hivemind.utils import get_dht_time

from benchmarks.hostility.attackers.attacker import Attacker, again_and_again
from benchmarks.hostility.attackers.record_forger import RecordForger, signed_value
from benchmarks.hostility.seat import PeerSeat
from core.run.look_schedule import STORED_SECONDS
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.records import ProgressRecord, progress_key

_EPOCHS_AHEAD = 5
_PAUSE_SECONDS = 1.0
_MOST_SAMPLES = 99_999_999
_AT_ONCE = 4
"""Records in one call: more would not fit a DHT process's arguments."""


class Papers(StrEnum):
    """The certificate in a ghost's record."""

    NONE = "none"
    OWN = "own"  # the gate's, for that very peer
    REPLAYED = "replayed"  # the gate's, for an honest peer, out of its record
    EXPIRED = "expired"  # the gate's, for that very peer, out of date


class Ghosts(Attacker):
    """Writes records of peers that are far ahead on a branch of their own, and do not exist (row 3).

    Records without a good certificate of their writer should be stored nowhere. With one, all of a user's peers
    should have one voice, and a donor that gives nothing should be set aside by its user.
    """

    trains = False

    def __init__(self, seat: PeerSeat, *, ghosts: int, papers: str = Papers.NONE) -> None:
        """Write records of a number of ``ghosts``, each with ``papers`` (`Papers`)."""
        super().__init__(seat)
        self._papers = Papers(papers)
        self._ghosts = [seat.identity_of(number) for number in range(1, ghosts + 1)]
        self._branch = tuple(os.urandom(32) for _ in range(3))

    def run(self) -> None:
        """Renew the records again and again."""
        self._forger = RecordForger(self.seat)
        again_and_again(self._write, _PAUSE_SECONDS)

    def _write(self) -> None:
        own = [ghost.peer_id.to_bytes() for ghost in self._ghosts]
        honest = self._forger.leading(without=own)
        if honest is None:
            return
        head, parameters, state = self._branch
        for first in range(0, len(self._ghosts), _AT_ONCE):
            chosen = self._ghosts[first : first + _AT_ONCE]
            records = [
                honest.model_copy(
                    update={
                        "peer_id": ghost.peer_id.to_bytes(),
                        "epoch": honest.epoch + _EPOCHS_AHEAD,
                        "head": head,
                        "parameters": parameters,
                        "state": state,
                        "time": get_dht_time(),
                        "reducing": True,
                        "gives": True,
                        "certificate": self._certificate(first + number + 1, honest),
                    }
                )
                for number, ghost in enumerate(chosen)
            ]
            self._send(records, chosen)

    def _certificate(self, number: int, honest: ProgressRecord) -> bytes:
        if self._papers is Papers.REPLAYED:
            return honest.certificate
        return b"" if self._papers is Papers.NONE else self._forger.certificate(number)

    def _send(self, records: Sequence[ProgressRecord], writers: Sequence[PeerIdentity]) -> None:
        pairs = zip(records, writers, strict=True)
        sign = partial(signed_value, progress_key(self._forger.prefix), seconds=STORED_SECONDS)
        self._forger.send([sign(record, identity) for record, identity in pairs])


class SampleClaimant(Attacker):
    """Writes the place of the others as its own, and claims 100 million samples there (row 12).

    Claims beyond what a machine of its class computes should not end a batch early, nor have a round wait for a
    peer that does not come.
    """

    trains = False

    def run(self) -> None:
        """Renew the record again and again."""
        self._forger, self._identity = RecordForger(self.seat), self.seat.identity_of()
        again_and_again(self._write, _PAUSE_SECONDS / 2)

    def _write(self) -> None:
        own = self._identity.peer_id.to_bytes()
        honest = self._forger.leading(without=(own,))
        if honest is None:
            return
        record = claiming(honest, own, get_dht_time(), self._forger.certificate())
        self._forger.write(progress_key(self._forger.prefix), record, self._identity, STORED_SECONDS)


def claiming(honest: ProgressRecord, peer_id: bytes, time: float, certificate: bytes) -> ProgressRecord:
    """Return the record of a peer at the place of an ``honest`` one, that claims more samples than anyone can have.

    Args:
        honest: the record whose place is copied.
        peer_id: id of the peer that claims.
        time: DHT time in seconds.
        certificate: packed certificate of that peer.
    """
    changes: dict[str, Any] = {"peer_id": peer_id, "time": time, "certificate": certificate}
    return honest.model_copy(update={**changes, "samples": _MOST_SAMPLES, "samples_per_second": 0.0})
