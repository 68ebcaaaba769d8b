"""Finds applications that keep the screen on, such as a player that shows a video."""

from collections.abc import Awaitable, Callable

from client.api.errors import BusError
from client.machine.bus import Bus
from client.machine.readings import Known, Reading, Unknown
from client.machine.wake_lock.lock import APPLICATION

_GNOME = "org.gnome.SessionManager"
_GNOME_IDLE = 8
"""Flag of what keeps the session from being taken for idle."""
_KDE = "org.kde.Solid.PowerManagement.PolicyAgent"
_KDE_PATH = "/org/kde/Solid/PowerManagement/PolicyAgent"
_KDE_SCREEN = 4
"""Flag of what keeps the screen from being dimmed and locked."""
_LOGIND = "org.freedesktop.login1"
_MIRRORED = "user session inhibited"
"""Reason by which GNOME's session manager repeats its own inhibitors to logind, without the application's name."""


class Inhibitors:
    """Asks every service that may keep such a list; each desktop has its own."""

    def __init__(self, system: Bus, session: Bus) -> None:
        self._system = system
        self._session = session

    async def read(self) -> Reading[tuple[str, ...]]:
        """Return the applications' names, or the reasons that they give."""
        asked: dict[str, Callable[[], Awaitable[list[str]]]] = {
            "GNOME's session manager": self._of_gnome,
            "KDE's power management": self._of_kde,
            "logind": self._of_logind,
        }
        names, answered, refused = list[str](), list[str](), list[str]()
        for source, ask in asked.items():
            try:
                names += await ask()
                answered.append(source)
            except BusError as error:
                refused.append(error.what)
        if not answered:
            return Unknown(f"It is not known which applications keep the screen on. {refused[-1]}")
        others = (name for name in dict.fromkeys(names) if name != APPLICATION)
        return Known(tuple(others), ", ".join(answered))

    async def _of_gnome(self) -> list[str]:
        (paths,) = await self._session.call(_GNOME, "/org/gnome/SessionManager", _GNOME, "GetInhibitors")
        found = [await self._of_gnome_one(path) for path in paths]
        return [name for name in found if name]

    async def _of_gnome_one(self, path: str) -> str:
        async def ask(method: str) -> str | int:
            (answer,) = await self._session.call(_GNOME, path, f"{_GNOME}.Inhibitor", method)
            assert isinstance(answer, str | int)
            return answer

        try:
            if not int(await ask("GetFlags")) & _GNOME_IDLE:
                return ""
            return str(await ask("GetAppId") or await ask("GetReason") or "an application")
        except BusError:
            return ""  # it ended meanwhile

    async def _of_kde(self) -> list[str]:
        (any_of_screen,) = await self._session.call(_KDE, _KDE_PATH, _KDE, "HasInhibition", "u", _KDE_SCREEN)
        if not any_of_screen:
            return []
        # The list does not say what each one is about.
        (found,) = await self._session.call(_KDE, _KDE_PATH, _KDE, "ListInhibitions")
        return [name or reason for name, reason in found]

    async def _of_logind(self) -> list[str]:
        (found,) = await self._system.call(
            _LOGIND, "/org/freedesktop/login1", f"{_LOGIND}.Manager", "ListInhibitors"
        )
        return [
            who or why
            for what, who, why, mode, _, _ in found
            if "idle" in what.split(":") and mode == "block" and why != _MIRRORED
        ]
