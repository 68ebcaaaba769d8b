"""Leave to bring a window up, as Wayland compositors give it to what somebody has just clicked on or started."""

import os

_VARIABLE = "XDG_ACTIVATION_TOKEN"
"""Where Qt looks for it when a window is to become the active one."""


def given() -> str:
    """What this program was started with; empty: nothing."""
    return os.environ.get(_VARIABLE, "")


def take(token: str) -> None:
    """Use it for the next window that comes up."""
    if token:
        os.environ[_VARIABLE] = token
