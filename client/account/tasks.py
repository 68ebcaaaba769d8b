"""The tasks (`client.tasks`) about the volunteer's account: calls to the Hub and to the system's keyring."""

from collections.abc import Mapping
from typing import Literal, Self

from client.account.credentials import Credentials, StoredSecret
from core.messages.lines import Message

CLIENT_ID = ""
"""Client ID of the OAuth app that a release registers with the Hub; this version was never registered."""
CLIENT_ID_VARIABLE = "IDLEBRUSH_OAUTH_CLIENT_ID"
ENDPOINT_VARIABLE = "HF_ENDPOINT"
_HUB = "https://huggingface.co"


class HubSettings(Message):
    """Address of the Hub to sign in to, and the app to sign in as."""

    endpoint: str = _HUB
    client_id: str = CLIENT_ID
    """Public OAuth client id; the app has no secret."""
    scopes: tuple[str, ...] = ("openid", "profile")
    """Scopes that the app asks for: they identify the volunteer and grant nothing else."""

    @classmethod
    def of_environment(cls, environment: Mapping[str, str]) -> Self:
        return cls(
            endpoint=(environment.get(ENDPOINT_VARIABLE) or _HUB).rstrip("/"),
            client_id=environment.get(CLIENT_ID_VARIABLE) or CLIENT_ID,
        )


class HubTask(Message):
    """Base of the tasks that need the network."""

    hub: HubSettings


class KeyringTask(Message):
    """Base of the tasks that need the system's keyring."""


class GrantByCode(HubTask):
    """Wait until the volunteer has entered the code that is shown."""

    type: Literal["grant_by_code"] = "grant_by_code"


class CheckToken(HubTask):
    """Find out whose token it is."""

    type: Literal["check_token"] = "check_token"
    token: StoredSecret


class Renew(HubTask):
    type: Literal["renew"] = "renew"
    credentials: Credentials


class Revoke(HubTask):
    """Revoke the credentials at the Hub, if the Hub offers that."""

    type: Literal["revoke"] = "revoke"
    credentials: Credentials


class OpenKeyring(KeyringTask):
    """Check that there is a keyring and that it can be used."""

    type: Literal["open_keyring"] = "open_keyring"


class ReadKeyring(KeyringTask):
    type: Literal["read_keyring"] = "read_keyring"
    entry: str


class SaveToKeyring(KeyringTask):
    type: Literal["save_to_keyring"] = "save_to_keyring"
    entry: str
    secret: StoredSecret


class RemoveFromKeyring(KeyringTask):
    type: Literal["remove_from_keyring"] = "remove_from_keyring"
    entry: str


class CodeShown(Message):
    """Code that the volunteer has to enter at that address; sent before the grant."""

    type: Literal["code_shown"] = "code_shown"
    address: str
    code: str
    seconds: float
    """Seconds for which the code is valid."""


class SignInGrant(Message):
    type: Literal["sign_in_grant"] = "sign_in_grant"
    credentials: Credentials


class KeyringEntry(Message):
    type: Literal["keyring_entry"] = "keyring_entry"
    secret: StoredSecret | None


class CarriedOut(Message):
    type: Literal["carried_out"] = "carried_out"
    offered: bool = True
    """False if the other side does not offer renewal at all."""


AccountTask = (
    GrantByCode | CheckToken | Renew | Revoke | OpenKeyring | ReadKeyring | SaveToKeyring | RemoveFromKeyring
)
