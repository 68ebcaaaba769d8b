"""The tasks (`client.tasks`) of remote control that need cryptography, which the daemon's own process never loads."""

from typing import Literal

from client.account.credentials import SignedIn, StoredSecret
from client.remote.pairing import Base64Text
from core.messages.lines import Message

KEY_ENTRY = "remote control"
"""Name in the keyring of the password of this computer's key."""


class RemoteKey(SignedIn):
    """Password of the key by which this computer proves itself to the user's others."""

    password: StoredSecret

    @property
    def entry(self) -> str:
        return KEY_ENTRY


class RemoteTask(Message):
    """Base of the tasks of remote control."""


class MakeIdentity(RemoteTask):
    """Make a key and its self-signed certificate."""

    type: Literal["make_identity"] = "make_identity"


class ExchangeTask(RemoteTask):
    """Base of the tasks that begin SPAKE2 on either side."""

    code: StoredSecret
    controlling: Base64Text
    """Identity of the controlling computer (`client.remote.pairing.identity_of`)."""
    controlled: Base64Text
    """Identity of the controlled computer."""


class BeginPairing(ExchangeTask):
    """Begin SPAKE2 on the side that wants to control."""

    type: Literal["begin_pairing"] = "begin_pairing"


class FinishPairing(RemoteTask):
    """Compute the key of SPAKE2 on the side that wants to control."""

    type: Literal["finish_pairing"] = "finish_pairing"
    state: StoredSecret
    share: Base64Text
    """Message of the other side."""


class AnswerPairing(ExchangeTask):
    """Compute message and key of SPAKE2 on the side that shows the code."""

    type: Literal["answer_pairing"] = "answer_pairing"
    share: Base64Text
    """Message of the other side."""


class IdentityMade(Message):
    """A certificate with its key, which a password encrypts."""

    type: Literal["identity_made"] = "identity_made"
    pem: str
    """Certificate and encrypted key, in PEM."""
    password: StoredSecret


class PairingBegun(Message):
    """Message of SPAKE2 to send, and the state from which it is finished."""

    type: Literal["pairing_begun"] = "pairing_begun"
    share: Base64Text
    state: StoredSecret


class PairingKey(Message):
    """Key of SPAKE2, in hexadecimal."""

    type: Literal["pairing_key"] = "pairing_key"
    key: StoredSecret
    share: str = ""
    """Message to send, from the side that shows the code."""


AnyRemoteTask = MakeIdentity | BeginPairing | FinishPairing | AnswerPairing
RemoteAnswer = IdentityMade | PairingBegun | PairingKey
