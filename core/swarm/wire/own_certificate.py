"""Puts the certificate of a peer's present access token into the records that it writes."""

from typing import Protocol, TypeVar

from core.admission.gate_certificate import GateCertificate
from core.swarm.wire.records import CertifiedRecord

_LAST_SHARE = 1e-3
"""Share of the rest of a token's life by which a record ends before the token at least."""
_LEAST_SECONDS = 1e-4

Certified = TypeVar("Certified", bound=CertifiedRecord)


class CertifiedPeer(Protocol):
    """The part of a peer's admission that its records need."""

    @property
    def certificate(self) -> GateCertificate:
        """Certificate of the token that the peer shows at present, expired or not."""


class OwnCertificate:
    """The certificate that a peer gives its records; none in an open run."""

    def __init__(self, peer: CertifiedPeer | None = None) -> None:
        """Give records the certificate of ``peer``; None, in an open run, leaves them as they are."""
        self._peer = peer

    @property
    def packed(self) -> bytes:
        """The packed certificate of the present token; empty in an open run."""
        return self._peer.certificate.pack() if self._peer is not None else b""

    def on(self, record: Certified, *, now: float, until: float) -> tuple[Certified, float]:
        """Return ``record`` with the certificate, and the time at which it ends.

        That is ``until``, or when the token ends. Of two records of one token the later one ends later all the same:
        the DHT keeps that one of them.

        Args:
            record: the record.
            now: DHT time in seconds.
            until: DHT time until which the record is to be kept.
        """
        if self._peer is None:
            return record, until
        own = self._peer.certificate
        last = own.expires - max(_LAST_SHARE * (own.expires - now), _LEAST_SECONDS)
        return record.model_copy(update={"certificate": own.pack()}), min(until, last)


OPEN_RUN = OwnCertificate()
"""The certificate of peers in a run without a gate: none."""
