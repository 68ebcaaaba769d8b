"""User activity by the screen saver service of KDE and some other desktops, which has to be asked again and again."""

from collections.abc import Awaitable, Mapping

from client.api.errors import BusError, SourceLost
from client.machine.activity.logind import LOGIND, session_path
from client.machine.activity.polling import PolledSource
from client.machine.activity.source import REMEDY
from client.machine.bus import Bus
from client.machine.bus_link import BUS
from client.machine.readings import Known, Reading, Unknown

NAME = "org.freedesktop.ScreenSaver"
SCREEN_SAVER = (NAME, "/org/freedesktop/ScreenSaver", NAME)
_KDE = "org.kde.screensaver"


async def open_screen_saver(session: Bus) -> PolledSource:
    """Open the service; raise SourceLost if there is none, or it does not know the idle time."""
    unit = 1000 if await _is_of_kde(session) else 1

    async def idle_seconds() -> float:
        try:
            idle = await session.value(int, *SCREEN_SAVER, "GetSessionIdleTime")
        except BusError as error:
            raise SourceLost(error.what, REMEDY) from error
        return idle / unit

    await idle_seconds()
    return PolledSource("KDE screen saver service" if unit == 1000 else "screen saver service", idle_seconds)


async def _is_of_kde(session: Bus) -> bool:
    """Return true if the service is KDE's, which counts milliseconds; the others count seconds.

    KDE's goes by a name of its own, too.
    """
    try:
        owners = [await session.call(BUS, "/", BUS, "GetNameOwner", "s", name) for name in (NAME, _KDE)]
    except BusError:
        return False
    return owners[0] == owners[1]


_GNOME = ("org.gnome.ScreenSaver", "/org/gnome/ScreenSaver", "org.gnome.ScreenSaver")


async def read_lock(session: Bus, system: Bus, environment: Mapping[str, str]) -> Reading[bool]:
    """Read whether the screen is locked.

    It is if any source reports it: each desktop supports only some of them.
    """
    by_source = [
        ("systemd-logind", await _answered(_hint(system, environment))),
        ("screen saver service", await _answered(_is_active(session, SCREEN_SAVER))),
        ("GNOME screen saver", await _answered(_is_active(session, _GNOME))),
    ]
    answers = [Known(locked, name) for name, locked in by_source if locked is not None]
    if not answers:
        return Unknown("Neither systemd-logind nor a screen saver reports whether the screen is locked.")
    return max(answers, key=lambda answer: answer.value)


async def _answered(answer: Awaitable[bool]) -> bool | None:
    try:
        return await answer
    except BusError:
        return None


async def _hint(system: Bus, environment: Mapping[str, str]) -> bool:
    path = await session_path(system, environment)
    return bool(await system.get(LOGIND, path, f"{LOGIND}.Session", "LockedHint"))


async def _is_active(session: Bus, screen_saver: tuple[str, str, str]) -> bool:
    return await session.value(bool, *screen_saver, "GetActive")
