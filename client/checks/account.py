"""Checks of the volunteer's account: whether there is a keyring that could keep a sign-in, and whether it opens."""

from collections.abc import Mapping, Sequence

from client.account.errands import Found, HubSettings, ReadKeyring
from client.api.errors import KeyringError
from client.doctor import Finding, Verdict
from client.errands import Errands
from client.paths import Paths

_SECONDS = 20.0
_WHERE_IT_IS = ("DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "DISPLAY", "WAYLAND_DISPLAY")
"""What of an environment leads to a keyring; the rest may hold tokens, which are no business of an errand."""


async def look_at_keyring(paths: Paths, environment: Mapping[str, str]) -> Sequence[Finding]:
    """Never makes it ask for its password."""
    endpoint = HubSettings.of_environment(environment).endpoint
    try:
        there = {name: environment[name] for name in _WHERE_IT_IS if name in environment}
        errands = Errands(paths.log("doctor"), there)
        found = await errands.run(ReadKeyring(entry=endpoint), Found, _SECONDS)
    except KeyringError as error:
        return [Finding("Keyring", Verdict.WARNING, error.what, error.remedy)]
    holds = "holds your sign-in" if found.secret else "works; no sign-in is kept in it"
    return [Finding("Keyring", Verdict.OK, f"The system's keyring {holds}.")]
