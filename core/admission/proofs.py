"""The messages that volunteer and coordinator sign when one admits the other, byte for byte the same on both.

A coordinator is not trusted: a proof for it must be useless at another one. So the nonce that the Hub puts
into its proof of identity is not the coordinator's own but a digest of it with the run and the peer's key: a
coordinator that passes on the challenge of another one gets a proof that the other one does not accept.
"""

import base64
import hashlib


def identity_nonce(run: str, challenge: str, public_key: bytes) -> str:
    """Return the nonce that a proof of identity (an OpenID id_token) has to carry.

    Args:
        run: Training digest of the run's manifest, which the volunteer has verified.
        challenge: Nonce of the coordinator, valid once.
        public_key: Public key of the peer, as OpenSSH writes it.
    """
    message = b"idlebrush/1/identity\n" + f"{run}\n{challenge}\n{encoded(public_key)}".encode()
    return hashlib.sha256(message).hexdigest()


def joining(run: str, challenge: str) -> bytes:
    """Return the message that a peer's key signs to become a member's key.

    ``run`` is the run's training digest; ``challenge`` is the coordinator's nonce.
    """
    return f"idlebrush/1/join\n{run}\n{challenge}".encode()


def renewal(run: str, public_key: bytes, time: int) -> bytes:
    """Return the message that a peer's key signs to get another token.

    Args:
        run: Training digest of the run's manifest.
        public_key: Public key of the peer, as OpenSSH writes it.
        time: Time by the volunteer's clock, in Unix seconds.
    """
    return f"idlebrush/1/renewal\n{run}\n{encoded(public_key)}\n{time}".encode()


def encoded(public_key: bytes) -> str:
    """Return ``public_key`` as it travels in JSON: in base64."""
    return base64.b64encode(public_key).decode()
