"""Reads on Windows whether the connection to the Internet is metered, from the Network List Manager.

The manager is reached through COM, whose interfaces are tables of functions. Each reading opens COM in its thread,
and leaves nothing open. Tried with a stand-in for COM only.
"""

import contextlib
import ctypes
from collections.abc import Callable, Iterator
from ctypes import byref, c_int32, c_uint32, c_void_p
from typing import Any
from uuid import UUID

from client.machine.readings import Known, Reading, Unknown
from client.machine.windows.libraries import Libraries, reading_of, refusal, succeed

_NETWORK_LIST_MANAGER = UUID("DCB00C01-570F-4A9B-8D69-199FDBA5723B")
_COST_MANAGER = UUID("DCB00008-570F-4A9B-8D69-199FDBA5723B")
_RELEASE, _GET_COST = 2, 3
"""Places in the table of INetworkCostManager, which begins with the three functions of IUnknown (netlistmgr.idl)."""
_MULTITHREADED, _ANY_PLACE = 0, 0x17
"""COINIT_MULTITHREADED, and CLSCTX_ALL, of objbase.h."""
_OTHER_MODE = 0x80010106
"""RPC_E_CHANGED_MODE: the thread has opened COM already, in another way, which does as well."""

_UNRESTRICTED, _FIXED, _VARIABLE = 0x1, 0x2, 0x4
_OVER_LIMIT, _ROAMING, _NEAR_LIMIT = 0x10000, 0x40000, 0x80000
"""NLM_CONNECTION_COST of netlistmgr.h; the one that is left out, that the provider is congested, costs nothing."""
_SOURCE = "Windows Network List Manager"
_UNDECIDED = Unknown(
    "Windows does not know whether the connection is metered. You can set this in the connection's properties."
)


def read_metered(libraries: Libraries) -> Reading[bool]:
    """Read whether the connection to the Internet is metered."""
    failing = "Windows does not report whether the connection is metered."
    return reading_of(failing, lambda: metered_by(_cost(libraries)))


def metered_by(cost: int) -> Reading[bool]:
    """Return true if traffic costs, by the flags of NLM_CONNECTION_COST.

    A data limit that is reached or near, and roaming, are about money also where the plan itself is not known.
    """
    if cost & (_FIXED | _VARIABLE | _OVER_LIMIT | _ROAMING | _NEAR_LIMIT):
        return Known(True, _SOURCE)
    return Known(False, _SOURCE) if cost & _UNRESTRICTED else _UNDECIDED


def _cost(libraries: Libraries) -> int:
    with _com(libraries), _cost_manager(libraries) as manager:
        get_cost = _method(manager, _GET_COST, c_int32, ctypes.POINTER(c_uint32), c_void_p)
        cost, any_destination = c_uint32(), None
        succeed("INetworkCostManager::GetCost", get_cost(manager, byref(cost), any_destination))
        return cost.value


@contextlib.contextmanager
def _com(libraries: Libraries) -> Iterator[None]:
    begin = libraries.function("ole32", "CoInitializeEx", c_int32, c_void_p, c_uint32)
    end = libraries.function("ole32", "CoUninitialize", None)
    begun = begin(None, _MULTITHREADED)
    if begun < 0 and begun & 0xFFFFFFFF != _OTHER_MODE:
        raise refusal("CoInitializeEx", begun)
    try:
        yield
    finally:
        if begun >= 0:
            end()


@contextlib.contextmanager
def _cost_manager(libraries: Libraries) -> Iterator[int]:
    create = libraries.function(
        "ole32", "CoCreateInstance", c_int32, c_void_p, c_void_p, c_uint32, c_void_p, ctypes.POINTER(c_void_p)
    )
    made, alone = c_void_p(), None
    code = create(_NETWORK_LIST_MANAGER.bytes_le, alone, _ANY_PLACE, _COST_MANAGER.bytes_le, byref(made))
    succeed("CoCreateInstance of the Network List Manager", code)
    if not made.value:
        raise OSError("CoCreateInstance gives no Network List Manager")
    try:
        yield made.value
    finally:
        _method(made.value, _RELEASE, c_uint32)(made.value)


def _method(instance: int, place: int, result: Any, *arguments: Any) -> Callable[..., Any]:
    """Return a function of an object, which takes the object first, from the table that the object begins with."""
    table = c_void_p.from_address(instance).value or 0
    address = c_void_p.from_address(table + place * ctypes.sizeof(c_void_p)).value or 0
    return ctypes.CFUNCTYPE(result, c_void_p, *arguments)(address)
