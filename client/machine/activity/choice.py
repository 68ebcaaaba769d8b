"""Picks the best source of the user's activity that works here, and reports why better ones do not."""

import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass

from client.api.errors import ClientError, DisplayError
from client.machine.activity.gnome import GnomeSource
from client.machine.activity.logind import login_environment, open_logind
from client.machine.activity.screen_saver import open_screen_saver
from client.machine.activity.source import IdleSource
from client.machine.activity.wayland import WaylandSource
from client.machine.activity.x11 import X11Source
from client.machine.bus import Bus
from client.machine.display.desktop import is_wayland


@dataclass(frozen=True)
class SourceCandidate:
    """A source that may work here."""

    name: str
    open: Callable[[], Awaitable[IdleSource]]
    """Raises if it does not."""


@dataclass(frozen=True)
class SourceChoice:
    """Result of trying the sources in order."""

    source: IdleSource | None
    refusals: tuple[str, ...]
    """Sentences for the user: each source that failed, and its reason."""


def candidates(
    environment: Mapping[str, str], session: Bus, system: Bus, platform: str = sys.platform
) -> list[SourceCandidate]:
    """Return the sources of activity that this system may have, the best one first."""
    if platform == "darwin":
        return [SourceCandidate("macOS", _open_macos)]
    if platform == "win32":
        return [SourceCandidate("Windows", _open_windows)]
    others = [
        SourceCandidate("display of the login", lambda: _open_of_login(environment, session)),
        SourceCandidate("screen saver service", lambda: open_screen_saver(session)),
        SourceCandidate("systemd-logind", lambda: open_logind(system, environment)),
    ]
    gnome = SourceCandidate("GNOME", lambda: GnomeSource.open(session))
    display = _displays(environment)
    return [gnome, *display, *others] if is_wayland(environment) else [*display, gnome, *others]


async def choose(tried: Iterable[SourceCandidate]) -> SourceChoice:
    """Return the first source that opens, with the reasons why those before it did not."""
    refusals: list[str] = []
    for candidate in tried:
        try:
            return SourceChoice(await candidate.open(), tuple(refusals))
        except Exception as error:  # noqa: BLE001 - whatever a display or a service answers, there are others
            refusals.append(f"{candidate.name}: {_in_words(error)}")
    return SourceChoice(None, tuple(refusals))


def _in_words(error: Exception) -> str:
    if isinstance(error, ClientError):
        return error.what
    return str(error) if isinstance(error, OSError) else f"It sent an invalid answer ({error!r})."


def _displays(environment: Mapping[str, str]) -> list[SourceCandidate]:
    # Beside Wayland, X11's idle time counts only what goes to windows of X11.
    if is_wayland(environment):
        return [SourceCandidate("Wayland", lambda: WaylandSource.open(environment))]
    return [SourceCandidate("X11", lambda: X11Source.open(environment))] if environment.get("DISPLAY") else []


async def _open_of_login(environment: Mapping[str, str], session: Bus) -> IdleSource:
    choice = await choose(_displays(await login_environment(session, environment)))
    if choice.source is None:
        raise DisplayError("It does not answer.", " ".join(choice.refusals))
    return choice.source


async def _open_macos() -> IdleSource:
    from client.machine.activity.polling import open_macos

    return open_macos()


async def _open_windows() -> IdleSource:
    from client.machine.activity.polling import open_windows

    return open_windows()
