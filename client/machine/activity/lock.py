"""Whether the screen is locked, as the session or a screen saver tells."""

from collections.abc import Awaitable, Mapping

from client.api.errors import BusError
from client.machine.activity.screen_saver import SCREEN_SAVER
from client.machine.activity.session import LOGIND, session_path
from client.machine.bus import Bus
from client.machine.readings import Known, Reading, Unknown

_GNOME = ("org.gnome.ScreenSaver", "/org/gnome/ScreenSaver", "org.gnome.ScreenSaver")


async def read_lock(session: Bus, system: Bus, environment: Mapping[str, str]) -> Reading[bool]:
    """Locked where any of them says so: each desktop tells only some of them."""
    told = [
        ("systemd-logind", await _told(_hint(system, environment))),
        ("screen saver service", await _told(_is_active(session, SCREEN_SAVER))),
        ("GNOME screen saver", await _told(_is_active(session, _GNOME))),
    ]
    answers = [Known(locked, name) for name, locked in told if locked is not None]
    if not answers:
        return Unknown("Neither systemd-logind nor a screen saver tells whether the screen is locked.")
    return max(answers, key=lambda answer: answer.value)


async def _told(answer: Awaitable[bool]) -> bool | None:
    try:
        return await answer
    except BusError:
        return None


async def _hint(system: Bus, environment: Mapping[str, str]) -> bool:
    path = await session_path(system, environment)
    return bool(await system.get(LOGIND, path, f"{LOGIND}.Session", "LockedHint"))


async def _is_active(session: Bus, screen_saver: tuple[str, str, str]) -> bool:
    return await session.value(bool, *screen_saver, "GetActive")
