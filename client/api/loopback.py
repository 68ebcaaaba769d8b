"""Endpoint of the control channel where there are no Unix sockets: TCP on loopback, and a secret in a file.

Any program on the computer can connect to the port, and can listen at it once the daemon has ended. So each side
proves that it knows the secret, without revealing it, before it sends anything else. The file lies in a folder
of the user's own, which on Windows is closed to others by inherited permissions.
"""

import asyncio
import hmac
import secrets
import socket
import time
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_serializer

from client.api.endpoint import BACKLOG, ONLY_OWNER, cannot_listen, no_connection
from core.storage import moving
from core.storage.files import read_bounded, write_atomically

_HOST = "127.0.0.1"
_BYTES = 32
"""Length of the secret, of each challenge, and of each proof."""
_MAX_FILE = 4096
_PATIENCE = 5.0
"""Seconds that a front end may take to prove itself."""


class _LoopbackAddress(BaseModel):
    """The contents of the file."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    port: int = Field(gt=0, lt=2**16)
    secret: SecretStr

    @field_serializer("secret")
    def _reveal(self, secret: SecretStr) -> str:
        return secret.get_secret_value()

    def proof(self, side: bytes, challenge: bytes) -> bytes:
        """Answer to a challenge that only a holder of the secret can compute; `side` keeps it from being echoed."""
        return hmac.digest(self.secret.get_secret_value().encode(), side + challenge, "sha256")


class LoopbackEndpoint:
    """Endpoint on loopback TCP; see `client.api.endpoint.Endpoint`."""

    def __init__(self, path: Path) -> None:
        """Keep ``path``, that of the file with port and secret; nothing is opened before `listen` or `connect`."""
        self._path = path
        self._address: _LoopbackAddress | None = None

    def listen(self) -> socket.socket:
        """Listen at a free port, and write the port and a new secret to the file at the path.

        Raises ControlError if either is impossible.
        """
        listening = socket.socket(socket.AF_INET)
        try:
            listening.bind((_HOST, 0))
            listening.listen(BACKLOG)
            self._address = _LoopbackAddress(
                port=listening.getsockname()[1], secret=SecretStr(secrets.token_hex(_BYTES))
            )
            write_atomically(self._path, self._address.model_dump_json().encode(), ONLY_OWNER)
        except OSError as error:
            listening.close()
            raise cannot_listen(error, self._path) from error
        return listening

    async def admits(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Return true if the program that has connected proves in time that it knows the secret.

        ``reader`` and ``writer`` are the streams of its connection.
        """
        assert self._address, "it listens"
        challenge = secrets.token_bytes(_BYTES)
        writer.write(challenge)
        try:
            async with asyncio.timeout(_PATIENCE):
                answer = await reader.readexactly(2 * _BYTES)
        except (TimeoutError, ConnectionError, asyncio.IncompleteReadError):
            return False
        proof, their_challenge = answer[:_BYTES], answer[_BYTES:]
        if not hmac.compare_digest(proof, self._address.proof(b"front end", challenge)):
            return False
        writer.write(self._address.proof(b"daemon", their_challenge))
        return True

    def connect(self, seconds: float) -> socket.socket:
        """Connect to the daemon within ``seconds``; both sides prove that they know the secret.

        Raises ControlError if there is no connection.
        """
        deadline = time.monotonic() + seconds
        connection = socket.socket(socket.AF_INET)
        try:
            connection.settimeout(seconds)
            address = _read(self._path)
            connection.connect((_HOST, address.port))
            _prove_both(connection, address, deadline)
        except OSError as error:
            connection.close()
            raise no_connection(error, self._path) from error
        return connection

    def is_there(self) -> bool:
        """Return true if there is a file at the path."""
        return self._path.exists()

    def remove(self) -> None:
        """Remove the file at the path, if there is one."""
        moving.remove(self._path)


def _prove_both(connection: socket.socket, address: _LoopbackAddress, deadline: float) -> None:
    """Answer the daemon's challenge, and verify its answer to ours; raises PermissionError if it fails."""
    challenge = _receive(connection, deadline)
    own_challenge = secrets.token_bytes(_BYTES)
    connection.sendall(address.proof(b"front end", challenge) + own_challenge)
    if not hmac.compare_digest(_receive(connection, deadline), address.proof(b"daemon", own_challenge)):
        raise PermissionError


def _receive(connection: socket.socket, deadline: float) -> bytes:
    received = b""
    while len(received) < _BYTES:
        connection.settimeout(max(deadline - time.monotonic(), 1e-3))
        piece = connection.recv(_BYTES - len(received))
        if not piece:
            raise ConnectionResetError
        received += piece
    return received


def _read(path: Path) -> _LoopbackAddress:
    """Read the address that a daemon has written; raises ConnectionRefusedError for anything else."""
    try:
        return _LoopbackAddress.model_validate_json(read_bounded(path, _MAX_FILE))
    except ValueError as error:
        raise ConnectionRefusedError(str(error)) from error
