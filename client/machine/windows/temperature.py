"""Reads temperatures on Windows from its performance counters, which show the firmware's thermal zones.

Windows tells no program the processor's own sensors without a driver. Tried with a stand-in for the counters only.
"""

import contextlib
import ctypes
from collections.abc import Iterable, Iterator
from ctypes import byref, c_double, c_int32, c_size_t, c_uint32, c_void_p

from client.machine.readings import Known, Reading, Unknown
from client.machine.sensors.temperature import is_plausible
from client.machine.windows.libraries import Libraries, reading_of, succeed

_COUNTER = r"\Thermal Zone Information(*)\High Precision Temperature"
_DOUBLE_UNCAPPED = 0x200 | 0x8000
"""PDH_FMT_DOUBLE and PDH_FMT_NOCAP100 of pdh.h: values above 100 stay as they are."""
_MORE_DATA = 0x800007D2
_VALID = (0, 1)
"""PDH_CSTATUS_VALID_DATA and PDH_CSTATUS_NEW_DATA."""
_ZERO_CELSIUS = 2732
"""Tenths of kelvin that ACPI's firmware counts as 0 degrees Celsius, and shows for a zone without a sensor."""
_VALUES = "PdhGetFormattedCounterArrayW"


class CounterItem(ctypes.Structure):
    """PDH_FMT_COUNTERVALUE_ITEM_W of pdh.h, whose union has the member for numbers with a fraction."""

    _fields_ = (("name", c_void_p), ("status", c_uint32), ("value", c_double))


def read_temperature(libraries: Libraries) -> Reading[float]:
    """Return the temperature of the hottest thermal zone in degrees Celsius."""
    return reading_of(
        "Windows shows no temperature of this computer.", lambda: temperature_of(_tenths_of_kelvin(libraries))
    )


def temperature_of(tenths_of_kelvin: Iterable[float]) -> Reading[float]:
    """Return the highest plausible temperature in degrees Celsius."""
    zones = [(tenths - _ZERO_CELSIUS) / 10 for tenths in tenths_of_kelvin]
    hottest = max((celsius for celsius in zones if celsius != 0 and is_plausible(celsius)), default=None)
    if hottest is None:
        return Unknown(f"Windows shows {len(zones)} thermal zones, none with a plausible temperature.")
    return Known(hottest, "hottest thermal zone of the firmware")


def _tenths_of_kelvin(libraries: Libraries) -> list[float]:
    with _query(libraries) as query:
        add = libraries.function(
            "pdh",
            "PdhAddEnglishCounterW",
            c_int32,
            c_void_p,
            c_void_p,
            c_size_t,
            ctypes.POINTER(c_void_p),
        )
        counter = c_void_p()
        succeed("PdhAddEnglishCounterW", add(query, f"{_COUNTER}\0".encode("utf-16-le"), 0, byref(counter)))
        collect = libraries.function("pdh", "PdhCollectQueryData", c_int32, c_void_p)
        succeed("PdhCollectQueryData", collect(query))
        return _values(libraries, counter)


@contextlib.contextmanager
def _query(libraries: Libraries) -> Iterator[c_void_p]:
    open_query = libraries.function(
        "pdh", "PdhOpenQueryW", c_int32, c_void_p, c_size_t, ctypes.POINTER(c_void_p)
    )
    close = libraries.function("pdh", "PdhCloseQuery", c_int32, c_void_p)
    query, live = c_void_p(), None
    succeed("PdhOpenQueryW", open_query(live, 0, byref(query)))
    try:
        yield query
    finally:
        close(query)


def _values(libraries: Libraries, counter: c_void_p) -> list[float]:
    """Return the valid values; Windows tells first how many bytes they take, names included."""
    number = ctypes.POINTER(c_uint32)
    ask = libraries.function("pdh", _VALUES, c_int32, c_void_p, c_uint32, number, number, c_void_p)
    size, count = c_uint32(), c_uint32()
    code = ask(counter, _DOUBLE_UNCAPPED, byref(size), byref(count), None)
    if code & 0xFFFFFFFF != _MORE_DATA:
        succeed(_VALUES, code)
        return []
    memory = ctypes.create_string_buffer(size.value)
    succeed(_VALUES, ask(counter, _DOUBLE_UNCAPPED, byref(size), byref(count), memory))
    whole = min(count.value, size.value // ctypes.sizeof(CounterItem))
    items = (CounterItem * whole).from_buffer(memory)
    return [item.value for item in items if item.status in _VALID]
