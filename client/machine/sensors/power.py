"""Reads battery and network: from the system itself, and from Linux's services UPower and NetworkManager."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import psutil

from client.api.errors import BusError
from client.machine.readings import Known, Reading, Unknown

if TYPE_CHECKING:  # D-Bus is on Linux alone, and the system's own battery on all
    from client.machine.bus import Bus

_UPOWER = "org.freedesktop.UPower"
_PATH = "/org/freedesktop/UPower"
_ALL_BATTERIES = f"{_PATH}/devices/DisplayDevice"
_BATTERY, _UPS = 2, 3
_NO_BATTERY = Unknown("This machine has no battery.")


class Power:
    """UPower, or the system itself where UPower does not run."""

    def __init__(self, bus: "Bus", battery: Callable[[], Any] | None = None) -> None:
        """Prepare to read; `bus`: the system's; `battery`: as for `read_supplies`."""
        self._bus = bus
        self._battery = battery

    async def read(self) -> tuple[Reading[bool], Reading[float]]:
        """Return the power source (True: battery) and the charge in percent."""
        try:
            on_battery = Known(bool(await self._bus.get(_UPOWER, _PATH, _UPOWER, "OnBattery")), "UPower")
            return on_battery, await self._charge()
        except BusError as error:
            return read_supplies(self._battery, error.what)

    async def _charge(self) -> Reading[float]:
        """Return the charge of what UPower shows as the one battery, even if there are several."""
        of_device = [await self._of_device(name) for name in ("Type", "IsPresent", "Percentage")]
        kind, is_present, percent = of_device
        if kind not in (_BATTERY, _UPS) or not is_present:
            return _NO_BATTERY
        return Known(float(percent), "UPower")

    async def _of_device(self, name: str) -> Any:
        return await self._bus.get(_UPOWER, _ALL_BATTERIES, f"{_UPOWER}.Device", name)


def read_supplies(
    battery: Callable[[], Any] | None = None, tried: str = ""
) -> tuple[Reading[bool], Reading[float]]:
    """Return the power source (True: battery) and the charge in percent, as the system itself reports them.

    Args:
        battery: As ``psutil.sensors_battery``, which some systems lack; None: psutil's own.
        tried: A sentence on what was asked in vain before.
    """
    battery = battery or getattr(psutil, "sensors_battery", None)
    if not battery:
        unknown = Unknown(f"{tried} This system does not report its battery.".strip())
        return unknown, unknown
    try:
        found = battery()
    except (OSError, ValueError) as error:
        unknown = Unknown(f"{tried} The system's power supplies cannot be read: {error}.".strip())
        return unknown, unknown
    return _of_psutil(found)


def _of_psutil(found: Any) -> tuple[Reading[bool], Reading[float]]:
    source = "the system's power supplies"
    if found is None:
        return Known(False, source), _NO_BATTERY
    if found.power_plugged is None:
        unknown = Unknown("The system has a battery, but does not report whether it is in use.")
        return unknown, Known(float(found.percent), source)
    return Known(not found.power_plugged, source), Known(float(found.percent), source)


_NETWORK = "org.freedesktop.NetworkManager"
_NETWORK_PATH = "/org/freedesktop/NetworkManager"
_METERED = {
    1: Known(True, "NetworkManager"),
    2: Known(False, "NetworkManager"),
    3: Known(True, "NetworkManager's guess"),
    4: Known(False, "NetworkManager's guess"),
}
_UNDECIDED = Unknown(
    "NetworkManager does not know whether the connection is metered. You can set this in the connection's settings."
)


async def read_metered(bus: "Bus") -> Reading[bool]:
    """Return true if the connection to the Internet is metered; `bus`: the system's."""
    try:
        answer = await bus.get(_NETWORK, _NETWORK_PATH, _NETWORK, "Metered")
    except BusError as error:
        return Unknown(f"NetworkManager does not report whether the connection is metered. {error.what}")
    return _METERED.get(answer, _UNDECIDED)
