"""A server's certificate on loopback, and who trusts it."""

import ipaddress
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


@dataclass(frozen=True)
class Trust:
    server: ssl.SSLContext
    """The context of the server that has the certificate."""
    client: ssl.SSLContext
    """The context of a client that trusts this certificate and no other."""


def loopback_trust(folder: Path) -> Trust:
    """TLS between a server on 127.0.0.1 and its clients, by a certificate that is left in the folder."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([])
    place, now = x509.IPAddress(ipaddress.ip_address("127.0.0.1")), datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([place]), critical=True)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem, file = serialization.Encoding.PEM, folder / "loopback.pem"
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file.write_bytes(secret + certificate.public_bytes(pem))
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(file)
    return Trust(server, ssl.create_default_context(cafile=str(file)))
