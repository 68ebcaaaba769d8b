"""Carries out the tasks of `client.remote.tasks`, in a process of their own."""

import secrets
from datetime import UTC, datetime

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, PrivateFormat
from cryptography.x509.oid import NameOID
from pydantic import SecretStr
from spake2 import SPAKE2_A, SPAKE2_B
from spake2.ed25519_basic import NotOnCurve
from spake2.spake2 import SPAKEError

from client.api.errors import RemoteError
from client.remote.pairing import b64, to_b64
from client.remote.tasks import (
    AnswerPairing,
    AnyRemoteTask,
    BeginPairing,
    ExchangeTask,
    FinishPairing,
    IdentityMade,
    PairingBegun,
    PairingKey,
    RemoteAnswer,
)

_BEGIN = datetime(2020, 1, 1, tzinfo=UTC)
"""Begin of a certificate's validity, long ago: clocks of home computers differ."""
_END = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
"""The end that means none (RFC 5280, 4.1.2.5): a pairing ends when it is removed."""
_SHARE_BYTES = 33
"""Length of a message of SPAKE2: a letter for the side, and a point."""


def carry_out(task: AnyRemoteTask) -> RemoteAnswer:
    """Return the answer to a task; RemoteError if the other computer's message is invalid."""
    match task:
        case AnswerPairing():
            return _answered(task)
        case BeginPairing():
            return _begun(task)
        case FinishPairing():
            return _finished(task)
    return _identity()


def _identity() -> IdentityMade:
    """Make an Ed25519 key with a certificate that is no authority: it can vouch for no other."""
    key, password = Ed25519PrivateKey.generate(), secrets.token_hex(32)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Idlebrush {secrets.token_hex(8)}")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(_BEGIN)
        .not_valid_after(_END)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .sign(key, None)
    )
    encrypted = key.private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(password.encode())
    )
    pem = certificate.public_bytes(Encoding.PEM) + encrypted
    return IdentityMade(pem=pem.decode(), password=SecretStr(password))


def _begun(task: BeginPairing) -> PairingBegun:
    side = SPAKE2_A(_code(task), idA=b64(task.controlling), idB=b64(task.controlled))
    share = side.start()
    return PairingBegun(share=to_b64(share), state=SecretStr(side.serialize().decode()))


def _finished(task: FinishPairing) -> PairingKey:
    side = SPAKE2_A.from_serialized(task.state.get_secret_value().encode())
    return PairingKey(key=_key(side, task.share))


def _answered(task: AnswerPairing) -> PairingKey:
    side = SPAKE2_B(_code(task), idA=b64(task.controlling), idB=b64(task.controlled))
    share = side.start()
    return PairingKey(key=_key(side, task.share), share=to_b64(share))


def _code(task: ExchangeTask) -> bytes:
    return task.code.get_secret_value().encode()


def _key(side: SPAKE2_A | SPAKE2_B, share: str) -> SecretStr:
    """Return the key; RemoteError for a message of the same side, or a point that is none of the group."""
    message = b64(share)
    try:
        if len(message) != _SHARE_BYTES:
            raise ValueError(len(message))
        return SecretStr(side.finish(message).hex())
    except (SPAKEError, NotOnCurve, ValueError):
        raise RemoteError(
            "The other computer sent an invalid message.", "Try again with a new code."
        ) from None
