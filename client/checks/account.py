"""Checks of the volunteer's account: whether there is a keyring that could keep a sign-in, and whether it opens."""

from collections.abc import Mapping, Sequence

from client.account.errands import Errands, Found, HubSettings, ReadKeyring
from client.api.errors import KeyringError
from client.doctor import Finding, Verdict
from client.paths import Paths

_SECONDS = 20.0


async def look_at_keyring(paths: Paths, environment: Mapping[str, str]) -> Sequence[Finding]:
    """Never makes it ask for its password."""
    endpoint = HubSettings.of_environment(environment).endpoint
    try:
        errands = Errands(paths.log("doctor"), environment)
        found = await errands.run(ReadKeyring(endpoint=endpoint), Found, _SECONDS)
    except KeyringError as error:
        return [Finding("Keyring", Verdict.WARNING, error.what, error.remedy)]
    holds = "holds your sign-in" if found.credentials else "works; no sign-in is kept in it"
    return [Finding("Keyring", Verdict.OK, f"The system's keyring {holds}.")]
