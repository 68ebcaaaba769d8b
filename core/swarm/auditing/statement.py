"""The statement of a member on each part that it sends, signed so that its reducer can show it to others.

A statement is signed by a key of the process alone (Ed25519, 64 bytes), which the peer's own key introduces once:
an RSA signature for each part would take longer than encoding a small one, and as many bytes.
"""

import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hivemind.proto import runtime_pb2

from core.admission.peer_key import MAX_PUBLIC_KEY_BYTES, PeerKey, peer_hash, read_public_key, verify
from core.swarm.wire.encoding import MalformedPart

SIGNATURE_BYTES = 64
_KEY_BYTES = 32
_MOST_RSA_BYTES = 512
_MOST_INTRODUCTION = 2 + MAX_PUBLIC_KEY_BYTES + _KEY_BYTES + _MOST_RSA_BYTES
_MOST_PEERS = 2048
_INTRODUCTION, _STATEMENT = b"idlebrush: key of statements\0", b"idlebrush: statement of a part\0"
"""Beginnings of what is signed, so that no signature passes for another one."""


@dataclass(frozen=True)
class PartStatement:
    """A member's statement of what it sent of one part in one round."""

    run: str
    """DHT prefix of the run."""
    epoch: int
    parent: bytes
    """Root of the commit that led to the epoch."""
    group: bytes
    """Id of the group, which covers its members."""
    part: int
    """Index of the part in the round."""
    weight: float
    """Number of samples behind the values."""
    digest: bytes
    """SHA-256 of the encoded values (`digest_of`)."""
    rows: bytes | None = None
    """The packed claim of the rows behind the values (`RowClaim`); None in runs whose work is not recomputed."""

    @property
    def signed_bytes(self) -> bytes:
        """The bytes that are signed."""
        fields = self.run, self.epoch, self.parent, self.group, self.part, self.weight.hex(), self.digest
        claimed = fields if self.rows is None else (*fields, self.rows)
        return _STATEMENT + hashlib.sha256(repr(claimed).encode()).digest()


def digest_of(tensor: runtime_pb2.Tensor) -> bytes:
    """Return the SHA-256 of the bytes of an encoded ``tensor`` of shape (values,), and of how they are encoded."""
    head = repr((tensor.compression, list(tensor.size), tensor.dtype)).encode()
    return hashlib.sha256(head + tensor.buffer).digest()


class StatementKey:
    """The key by which one process signs statements in one run."""

    def __init__(self, key: PeerKey, run: str) -> None:
        """Make a key, and introduce it by the peer's own ``key`` for the ``run`` with that DHT prefix."""
        self._key, self._owner, self._run = Ed25519PrivateKey.generate(), key, run

    @cached_property
    def introduction(self) -> bytes:
        """The peer's public key, the key of its statements, and the signature under that: about 700 bytes."""
        public, statements = self._owner.public_key, self._key.public_key().public_bytes_raw()
        signature = self._owner.sign(_introduced(self._run, statements))
        return len(public).to_bytes(2, "little") + public + statements + signature

    def sign(self, statement: PartStatement) -> bytes:
        """Return the signature under ``statement``, 64 bytes."""
        return self._key.sign(statement.signed_bytes)


class IntroducedKeys:
    """The keys of statements that other peers have introduced; one introduction is checked once."""

    def __init__(self, run: str) -> None:
        """Know no key yet of the ``run`` with that DHT prefix."""
        self._run = run
        self._known: OrderedDict[bytes, Ed25519PublicKey] = OrderedDict()

    def require(
        self, peer_id: bytes, introduction: bytes, statement: PartStatement, signature: bytes
    ) -> None:
        """Require that the peer with ``peer_id`` signed ``statement``.

        Raises MalformedPart if its ``introduction`` is not its own, or ``signature`` is not by the key in there.
        """
        try:
            self._key_of(peer_id, introduction).verify(signature, statement.signed_bytes)
        except InvalidSignature as error:
            raise MalformedPart("A part came with a statement of other values.") from error

    def _key_of(self, peer_id: bytes, introduction: bytes) -> Ed25519PublicKey:
        name = hashlib.sha256(peer_id + introduction).digest()
        if (known := self._known.get(name)) is not None:
            return known
        found = self._known[name] = self._read(peer_id, introduction)
        while len(self._known) > _MOST_PEERS:
            self._known.popitem(last=False)
        return found

    def _read(self, peer_id: bytes, introduction: bytes) -> Ed25519PublicKey:
        stop = 2 + int.from_bytes(introduction[:2], "little")
        public, statements = introduction[2:stop], introduction[stop : stop + _KEY_BYTES]
        signature = introduction[stop + _KEY_BYTES :]
        if len(introduction) > _MOST_INTRODUCTION or len(statements) != _KEY_BYTES:
            raise MalformedPart("A peer introduced the key of its statements in a malformed way.")
        try:
            own = peer_hash(read_public_key(public)) == peer_id
        except ValueError as error:
            raise MalformedPart("A peer introduced the key of its statements without its own.") from error
        if not own or not verify(public, _introduced(self._run, statements), signature):
            raise MalformedPart("A peer did not sign the introduction of the key of its statements.")
        return Ed25519PublicKey.from_public_bytes(statements)


def _introduced(run: str, statements: bytes) -> bytes:
    return _INTRODUCTION + hashlib.sha256(repr((run, statements)).encode()).digest()
