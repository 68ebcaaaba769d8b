"""What the daemon has done by a short-lived process: calls to the Hub and to the system's keyring.

A keyring that waits for its password hangs that process, which is ended in time, and what those calls load
never is in the daemon's memory. Secrets travel on the process's standard input and output only.
"""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Literal, Self, TypeVar

from pydantic import ConfigDict, Field, TypeAdapter

from client.account.credentials import Credentials, Secret
from client.api import errors
from client.api.errors import ClientError, HubError, KeyringLocked
from core.children.outcome import Outcome
from core.children.supervisor import Program, Supervisor
from core.errors import ChildError
from core.lines import Message
from core.messages import Failed, Heartbeat, Hello

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
    endpoint: str


class SaveToKeyring(KeyringErrand):
    type: Literal["save_to_keyring"] = "save_to_keyring"
    credentials: Credentials


class RemoveFromKeyring(KeyringErrand):
    type: Literal["remove_from_keyring"] = "remove_from_keyring"
    endpoint: str


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
    credentials: Credentials | None


class CarriedOut(Message):
    type: Literal["carried_out"] = "carried_out"
    offered: bool = True
    """Whether the other side offers it at all."""


AnyErrand = (
    GrantByCode | CheckToken | Renew | Revoke | OpenKeyring | ReadKeyring | SaveToKeyring | RemoveFromKeyring
)
ErrandMessage = Hello | Heartbeat | Failed | CodeShown | Granted | Found | CarriedOut
# Whatever is malformed here may be a token: no error quotes it.
_SILENT = ConfigDict(hide_input_in_errors=True)
ERRANDS: TypeAdapter[AnyErrand] = TypeAdapter(
    Annotated[AnyErrand, Field(discriminator="type")], config=_SILENT
)
FROM_ERRAND: TypeAdapter[ErrandMessage] = TypeAdapter(
    Annotated[ErrandMessage, Field(discriminator="type")], config=_SILENT
)

A = TypeVar("A", Granted, Found, CarriedOut)


def _ignore(_: CodeShown) -> None:
    pass


class Errands:
    """Runs errands, each in a process of its own behind the guard."""

    def __init__(self, log: Path, environment: Mapping[str, str] | None = None) -> None:
        self._log = log
        self._environment = environment or {}

    async def run(
        self,
        errand: AnyErrand,
        answer: type[A],
        seconds: float,
        show: Callable[[CodeShown], None] = _ignore,
    ) -> A:
        """Its answer, of the kind that is expected; ClientError where there is none in so many seconds."""
        answers: list[A] = []

        def note(message: ErrandMessage) -> None:
            if isinstance(message, CodeShown):
                show(message)
            elif isinstance(message, answer):
                answers.append(message)

        program = Program(
            "sign-in process", "client.errand", errand, self._log, environment=self._environment
        )
        try:
            async with asyncio.timeout(seconds):
                outcome = await Supervisor(program, FROM_ERRAND).run(note)
        except TimeoutError:
            raise _late(errand, seconds) from None
        except ChildError as error:
            raise ClientError.of(error) from error
        if not answers:
            raise _error(outcome)
        return answers[0]


def _late(errand: AnyErrand, seconds: float) -> ClientError:
    if isinstance(errand, KeyringErrand):
        return KeyringLocked(
            f"The keyring did not answer in {seconds:.0f} seconds: it is locked, or waits for its password.",
            "Unlock this computer's keyring, or log in to the desktop anew, and try again.",
        )
    return HubError(
        f"{errand.hub.endpoint} did not answer in {seconds:.0f} seconds.",
        "See that this computer is online, and try again later.",
    )


def _error(outcome: Outcome) -> ClientError:
    """What the process said of its failure, as the error that it was there."""
    if outcome.failure is None:
        return ClientError.of(outcome.error())
    kind = _kinds().get(outcome.failure.code, ClientError)
    return kind(outcome.failure.what, outcome.failure.remedy)


def _kinds() -> dict[str, type[ClientError]]:
    kinds: tuple[type[ClientError], ...] = (
        errors.HubError,
        errors.KeyringError,
        errors.NoKeyring,
        errors.KeyringLocked,
        errors.SignInError,
        errors.CredentialsRejected,
    )
    return {kind.code: kind for kind in kinds}
