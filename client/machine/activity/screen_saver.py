"""User activity by the screen saver service of KDE and some other desktops, which has to be asked again and again."""

from client.api.errors import BusError, SourceLost
from client.machine.activity.polling import PolledSource
from client.machine.activity.source import REMEDY
from client.machine.bus import Bus
from client.machine.bus_link import BUS

NAME = "org.freedesktop.ScreenSaver"
SCREEN_SAVER = (NAME, "/org/freedesktop/ScreenSaver", NAME)
_KDE = "org.kde.screensaver"


async def open_screen_saver(session: Bus) -> PolledSource:
    """SourceLost if there is no such service, or it does not know the idle time."""
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
    """KDE's, which goes by a name of its own too, counts milliseconds; the others count seconds."""
    try:
        owners = [await session.call(BUS, "/", BUS, "GetNameOwner", "s", name) for name in (NAME, _KDE)]
    except BusError:
        return False
    return owners[0] == owners[1]
