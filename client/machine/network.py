"""Whether the machine's connection is paid for by volume, as NetworkManager knows or guesses."""

from client.api.errors import BusError
from client.machine.bus import Bus
from client.machine.readings import Known, Reading, Unknown

_NAME = "org.freedesktop.NetworkManager"
_PATH = "/org/freedesktop/NetworkManager"
_ANSWERS = {
    1: Known(True, "NetworkManager"),
    2: Known(False, "NetworkManager"),
    3: Known(True, "NetworkManager's guess"),
    4: Known(False, "NetworkManager's guess"),
}
_UNDECIDED = Unknown(
    "NetworkManager does not know whether the connection is metered. You can tell it in the connection's settings."
)


async def read_metered(bus: Bus) -> Reading[bool]:
    """Of the connection that leads to the Internet; `bus`: the system's."""
    try:
        answer = await bus.get(_NAME, _PATH, _NAME, "Metered")
    except BusError as error:
        return Unknown(f"NetworkManager does not tell whether the connection is metered. {error.what}")
    return _ANSWERS.get(answer, _UNDECIDED)
