"""A pass by which a computer without a browser is admitted to a run that has a gate: a membership and a peer's key.

It is made where there is a browser (`client.unattended.pass_making`), and brought to the server in a file or a
variable. The gate knows a member by both, so each computer needs a pass of its own. Errors quote nothing of it.
"""

import base64
import binascii
import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, Self

from pydantic import ConfigDict, ValidationError

from client.account.credentials import LARGEST, StoredSecret
from client.admission.gate_info import base_of
from client.admission.membership import RunMembership
from client.api.errors import GateError
from client.api.launch import PASS_VARIABLE
from core.admission.peer_key import PeerKey
from core.errors import SwarmError
from core.messages.lines import Message
from core.run.manifest import RunManifest
from core.storage.files import read_bounded, write_atomically

FILE_VARIABLE = "IDLEBRUSH_PASS_FILE"
"""Variable with the path of the file."""
CREDENTIALS_VARIABLE = "CREDENTIALS_DIRECTORY"
"""Variable in which systemd names the folder of a unit's credentials."""
CREDENTIAL = "pass"
"""Name of the file in that folder."""
_OWNER_ONLY = 0o600
_REMEDY = "Make it on a computer with a browser: `idlebrush server-pass LINK FILE`."


class ServerPass(Message):
    """Membership of a run, and the key of the one peer that is registered with it."""

    model_config = ConfigDict(hide_input_in_errors=True)

    format: Literal[1] = 1
    membership: RunMembership
    identity: StoredSecret
    """File of the peer's key, in base64."""

    @classmethod
    def of(cls, membership: RunMembership, identity: Path) -> Self:
        """Return the pass of a membership and the peer's key in a file."""
        key = base64.b64encode(identity.read_bytes()).decode()
        return cls.model_validate({"membership": membership, "identity": key})

    @property
    def digest(self) -> str:
        """SHA-256 of the pass, by which it is known again; it tells nothing of the secrets."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()

    def save(self, file: Path) -> None:
        """Write the pass into a file that only its owner can read; raise OSError if that fails."""
        write_atomically(file, self.model_dump_json().encode() + b"\n", mode=_OWNER_ONLY)

    def require_run(self, manifest: RunManifest) -> None:
        """Raise GateError unless it is for this run and its coordinator, the only one that it is sent to."""
        is_of_run = self.membership.run == manifest.training_digest
        own, asked = base_of(self.membership.coordinator), base_of(manifest.contact.coordinator or "")
        if not is_of_run or own != asked:
            raise GateError("The pass is for another run or another coordinator.", _REMEDY)

    def lay_identity(self, place: Path) -> None:
        """Write the peer's key to its place, over an earlier one.

        Raise GateError if it is no key, and OSError if it cannot be written.
        """
        try:
            key = base64.b64decode(self.identity.get_secret_value(), validate=True)
            PeerKey.parse(key)
        except (binascii.Error, SwarmError):
            raise GateError("The pass holds no peer's key.", _REMEDY) from None
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_atomically(place, key, mode=_OWNER_ONLY)


def brought_pass(file: Path | None, environment: Mapping[str, str]) -> ServerPass | None:
    """Return the pass that was brought to this computer, or None.

    Args:
        file: File that was named; None: the environment may name one, or have the pass itself.
        environment: Variables of this process.

    Raises:
        GateError: The file cannot be read, or is no pass.
    """
    if file is None and (text := environment.get(PASS_VARIABLE)):
        return _read(text.encode(), PASS_VARIABLE)
    found = file or _named(environment)
    if found is None:
        return None
    try:
        content = read_bounded(found, LARGEST)
    except OSError as error:
        raise GateError(f"{found} cannot be read: {error.strerror or error}.", _REMEDY) from error
    except ValueError:
        raise GateError(f"{found} is too large for a pass.", _REMEDY) from None
    return _read(content, str(found))


def _named(environment: Mapping[str, str]) -> Path | None:
    """Return the file that the environment names, or None; systemd's credential is optional."""
    if path := environment.get(FILE_VARIABLE):
        return Path(path)
    if folder := environment.get(CREDENTIALS_VARIABLE):
        credential = Path(folder) / CREDENTIAL
        return credential if credential.exists() else None
    return None


def _read(text: bytes, source: str) -> ServerPass:
    try:
        return ServerPass.model_validate_json(text)
    except ValidationError:
        pass  # it may quote the text, so it goes no further
    raise GateError(f"{source} is no pass of a run.", _REMEDY)
