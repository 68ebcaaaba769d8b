"""The errands (`client.errands`) about the volunteer's account: calls to the Hub and to the system's keyring."""

from collections.abc import Mapping
from typing import Literal, Self

from client.account.credentials import Credentials, Secret
from core.lines import Message

CLIENT_ID = ""
"""Of the OAuth app that a release registers with the Hub; this version was never registered."""
CLIENT_ID_VARIABLE = "IDLEBRUSH_OAUTH_CLIENT_ID"
ENDPOINT_VARIABLE = "HF_ENDPOINT"
_HUB = "https://huggingface.co"


class HubSettings(Message):
    """Which Hub to sign in to, and as which app."""

    endpoint: str = _HUB
    client_id: str = CLIENT_ID
    """Public; the app has no secret."""
    scopes: tuple[str, ...] = ("openid", "profile")
    """What the app asks for: who the volunteer is, and nothing else."""

    @classmethod
    def of_environment(cls, environment: Mapping[str, str]) -> Self:
        return cls(
            endpoint=(environment.get(ENDPOINT_VARIABLE) or _HUB).rstrip("/"),
            client_id=environment.get(CLIENT_ID_VARIABLE) or CLIENT_ID,
        )


class HubErrand(Message):
    """Base of the errands that need the network."""

    hub: HubSettings


class KeyringErrand(Message):
    """Base of the errands that need the system's keyring."""


class GrantByCode(HubErrand):
    """Wait until the volunteer has entered the code that is shown."""

    type: Literal["grant_by_code"] = "grant_by_code"


class CheckToken(HubErrand):
    """Find out whose token it is."""

    type: Literal["check_token"] = "check_token"
    token: Secret


class Renew(HubErrand):
    type: Literal["renew"] = "renew"
    credentials: Credentials


class Revoke(HubErrand):
    """Make them worthless, if the Hub offers that."""

    type: Literal["revoke"] = "revoke"
    credentials: Credentials


class OpenKeyring(KeyringErrand):
    """See that there is one, and that it can be used."""

    type: Literal["open_keyring"] = "open_keyring"


class ReadKeyring(KeyringErrand):
    type: Literal["read_keyring"] = "read_keyring"
    entry: str


class SaveToKeyring(KeyringErrand):
    type: Literal["save_to_keyring"] = "save_to_keyring"
    entry: str
    secret: Secret


class RemoveFromKeyring(KeyringErrand):
    type: Literal["remove_from_keyring"] = "remove_from_keyring"
    entry: str


class CodeShown(Message):
    """On the way to a grant: the code that the volunteer is to enter at that address."""

    type: Literal["code_shown"] = "code_shown"
    address: str
    code: str
    seconds: float
    """For which it is good."""


class Granted(Message):
    type: Literal["granted"] = "granted"
    credentials: Credentials


class Found(Message):
    type: Literal["found"] = "found"
    secret: Secret | None


class CarriedOut(Message):
    type: Literal["carried_out"] = "carried_out"
    offered: bool = True
    """Whether the other side offers it at all."""


AccountErrand = (
    GrantByCode | CheckToken | Renew | Revoke | OpenKeyring | ReadKeyring | SaveToKeyring | RemoveFromKeyring
)
