"""What volunteer and coordinator sign or have signed when one admits the other, byte for byte the same on both sides.

A coordinator is not trusted: what it is given must be worth nothing at another. So the nonce that the Hub puts into
its proof of identity is not the coordinator's own but a digest of it with the run and the peer's key: a coordinator
that passes somebody else's challenge on gets a proof which that somebody does not accept.
"""

import base64
import hashlib


def identity_nonce(run: str, challenge: str, public_key: bytes) -> str:
    """The nonce that a proof of identity (an OpenID id_token) has to carry.

    Args:
        run: training digest of the run's manifest, which the volunteer has verified.
        challenge: the coordinator's nonce, good once.
        public_key: the peer's, as OpenSSH writes it.
    """
    message = b"idlebrush/1/identity\n" + f"{run}\n{challenge}\n{encoded(public_key)}".encode()
    return hashlib.sha256(message).hexdigest()


def joining(run: str, challenge: str) -> bytes:
    """What a peer's key signs so that it becomes a member's."""
    return f"idlebrush/1/join\n{run}\n{challenge}".encode()


def renewal(run: str, public_key: bytes, time: int) -> bytes:
    """What a peer's key signs for another access token; ``time`` in unix seconds by the volunteer's clock."""
    return f"idlebrush/1/renewal\n{run}\n{encoded(public_key)}\n{time}".encode()


def encoded(public_key: bytes) -> str:
    """A key as it travels in JSON."""
    return base64.b64encode(public_key).decode()
