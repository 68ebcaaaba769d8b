"""Finds the token with which a command writes to the Hub; huggingface_hub is the only one that gets it."""

import asyncio
from collections.abc import Mapping

from pydantic import SecretStr

from client.account.credentials import CredentialsFile
from client.account.safekeeping import Safekeeping
from client.account.tasks import HubSettings
from client.api.errors import SignInError
from client.paths import Paths
from client.tasks import TaskRunner


def writing_token(paths: Paths, environment: Mapping[str, str], given: SecretStr | None) -> SecretStr:
    """Return ``given``, or else the token of huggingface_hub or the volunteer's kept one.

    That of huggingface_hub comes from HF_TOKEN or from its own sign-in.

    Raises:
        SignInError: there is none, or none that could be one for writing.
        KeyringError, StateError: the kept one cannot be had.
    """
    if given is not None:
        return given
    from huggingface_hub import get_token

    if found := get_token():
        return SecretStr(found)
    return asyncio.run(_kept(paths, HubSettings.of_environment(environment)))


async def _kept(paths: Paths, hub: HubSettings) -> SecretStr:
    file = CredentialsFile(paths.credentials)
    safekeeping = Safekeeping(TaskRunner(paths.log("tasks")), hub.endpoint, paths.account, file)
    note, _ = safekeeping.where()
    credentials = await safekeeping.load(note.keep)
    remedy = (
        f"Create a token with write access at {hub.endpoint}/settings/tokens, and pipe it to --token-stdin."
    )
    if credentials is None:
        raise SignInError("There is no token with write access to the Hub.", remedy)
    if credentials.kind == "oauth":
        raise SignInError("Your browser sign-in identifies you, but it may not write to the Hub.", remedy)
    return credentials.token
