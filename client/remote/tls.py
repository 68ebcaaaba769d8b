"""TLS between a user's computers: version 1.3 alone, both sides by self-signed certificates that were pinned.

Session tickets are off, so that a computer that was removed cannot resume an earlier session. Callers compare the
fingerprint after each handshake as well (`peer_certificate`).
"""

import hashlib
import ssl
from asyncio import BaseTransport
from collections.abc import Iterable
from pathlib import Path

from client.api.errors import RemoteError
from core.fingerprint import fingerprint_of


def server_context(
    identity: Path, password: str, trusted: Iterable[bytes], *, admits_strangers: bool
) -> ssl.SSLContext:
    """Return the context of a computer that is controlled.

    Args:
        identity: File with its certificate and its encrypted key.
        password: Password of the key.
        trusted: Certificates in DER of the computers that may control it.
        admits_strangers: True while a code is valid: clients without any certificate are let in, to be paired.

    Raises RemoteError if the identity cannot be used.
    """
    context = _context(ssl.PROTOCOL_TLS_SERVER, identity, password)
    context.num_tickets = 0
    context.verify_mode = ssl.CERT_OPTIONAL if admits_strangers else ssl.CERT_REQUIRED
    _trust(context, trusted)
    return context


def control_context(identity: Path, password: str, computer: bytes) -> ssl.SSLContext:
    """Return the context by which to control the ``computer`` with that certificate (DER).

    Raises RemoteError if this computer's ``identity``, whose key has that ``password``, cannot be used.
    """
    context = _context(ssl.PROTOCOL_TLS_CLIENT, identity, password)
    context.check_hostname = False  # it is pinned, whatever its address
    context.verify_mode = ssl.CERT_REQUIRED
    _trust(context, [computer])
    return context


def pairing_context() -> ssl.SSLContext:
    """Return the context by which to be paired: whom it leads to is proved by the code afterwards."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _context(protocol: int, identity: Path, password: str) -> ssl.SSLContext:
    context = ssl.SSLContext(protocol)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    try:
        context.load_cert_chain(identity, password=password)
    except (OSError, ssl.SSLError) as error:
        raise RemoteError(
            f"The certificate of this computer, {identity}, cannot be used: {error.strerror or error}.",
            "Remove the file, start Idlebrush again, and pair your computers again.",
        ) from error
    return context


def _trust(context: ssl.SSLContext, certificates: Iterable[bytes]) -> None:
    """Trust the certificates; one that is damaged admits no computer."""
    for certificate in certificates:
        try:
            context.load_verify_locations(cadata=certificate)
        except (ssl.SSLError, ValueError):
            continue


def is_certificate(data: bytes) -> bool:
    """Return true if OpenSSL can read ``data`` as one certificate in DER."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        context.load_verify_locations(cadata=data)
    except (ssl.SSLError, ValueError):
        return False
    return context.cert_store_stats()["x509"] == 1


def peer_certificate(transport: BaseTransport) -> bytes | None:
    """Return the certificate (DER) of the other end of a TLS connection; None if it has shown none."""
    connection = transport.get_extra_info("ssl_object")
    certificate: bytes | None = connection.getpeercert(binary_form=True) if connection else None
    return certificate or None


def fingerprint(certificate: bytes) -> str:
    """Return the fingerprint of a ``certificate`` (DER) in a form to read aloud."""
    return fingerprint_of(hashlib.sha256(certificate).hexdigest())


def own_certificate(identity: Path) -> bytes:
    """Return the certificate (DER) in a file of an identity; RemoteError if there is none."""
    try:
        text = identity.read_text("ascii")
        begin, end = text.index(ssl.PEM_HEADER), text.index(ssl.PEM_FOOTER) + len(ssl.PEM_FOOTER)
        return ssl.PEM_cert_to_DER_cert(text[begin:end])
    except (OSError, ValueError) as error:
        raise RemoteError(
            f"The certificate of this computer, {identity}, cannot be read.",
            "Remove the file, start Idlebrush again, and pair your computers again.",
        ) from error
