"""Stand-ins for Apple's frameworks, which keep real reference counts; no Mac is at hand.

Their functions are C functions, reached as those of a library are: without a prototype, ctypes takes results for
32-bit integers, and their objects lie above 4 GiB. So a function without one breaks here as it would on a Mac.
"""

import ctypes
import itertools
import struct
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

CFValue = Any
"""What Python has for an object: str, bool, int, float, a list, a dict, or bytes for data that is read by nobody."""
_TYPE_IDS = {str: 7, bool: 21, int: 22, float: 22, list: 19, dict: 18, bytes: 20}
_FIRST_ADDRESS, _STEP = 0x6000_0000_1000, 0x20
_UTF8, _INT64, _FLOAT64 = 0x08000100, 4, 6
_P, _PP = ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)
_LONG, _UNSIGNED, _BYTE, _U32, _I32 = (
    ctypes.c_long,
    ctypes.c_ulong,
    ctypes.c_ubyte,
    ctypes.c_uint32,
    ctypes.c_int32,
)


class Heap:
    """Objects with their counts; containers hold a reference to what they contain."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        """What would have ended a process on a Mac, or corrupted its memory."""
        self._objects: dict[int, CFValue] = {}
        self._counts: dict[int, int] = {}
        self._addresses = itertools.count(_FIRST_ADDRESS, _STEP)

    def make(self, value: CFValue) -> int:
        """Make an object for the caller to release, as a function with Create or Copy in its name does."""
        if isinstance(value, list):
            value = [self.make(item) for item in value]
        elif isinstance(value, dict):
            value = {self.make(key): self.make(item) for key, item in value.items()}
        address = next(self._addresses)
        self._objects[address], self._counts[address] = value, 1
        return address

    def release(self, address: int | None) -> None:
        if self.read(address, "CFRelease") is None or address is None:
            return
        self._counts[address] -= 1
        if self._counts[address]:
            return
        value = self._objects.pop(address)
        for inside in (
            [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else ()
        ):
            self.release(inside)

    def read(self, address: int | None, use: str, *kinds: type) -> CFValue:
        """Return the value at an address; None, and a fault, if there is no living one of these kinds."""
        value = self._objects.get(address) if address else None
        if value is None or (kinds and type(value) not in kinds):
            self.faults.append(f"{use} of {address and hex(address)}: {value!r}")
            return None
        return value

    @property
    def living(self) -> list[CFValue]:
        """Objects that were never released."""
        return list(self._objects.values())


class FakeCoreFoundation(SimpleNamespace):
    """The framework CoreFoundation, as far as it is used."""

    def __init__(self, heap: Heap, lacks: Sequence[str] = (), no_memory: bool = False) -> None:
        self._heap, self._no_memory = heap, no_memory
        functions: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
            "CFRelease": (heap.release, (None, _P)),
            "CFGetTypeID": (self._type_id, (_UNSIGNED, _P)),
            "CFStringGetTypeID": (lambda: _TYPE_IDS[str], (_UNSIGNED,)),
            "CFBooleanGetTypeID": (lambda: _TYPE_IDS[bool], (_UNSIGNED,)),
            "CFNumberGetTypeID": (lambda: _TYPE_IDS[int], (_UNSIGNED,)),
            "CFArrayGetTypeID": (lambda: _TYPE_IDS[list], (_UNSIGNED,)),
            "CFDictionaryGetTypeID": (lambda: _TYPE_IDS[dict], (_UNSIGNED,)),
            "CFStringCreateWithCString": (self._make_text, (_P, _P, ctypes.c_char_p, _U32)),
            "CFStringGetLength": (self._length, (_LONG, _P)),
            "CFStringGetCString": (self._copy_text, (_BYTE, _P, _P, _LONG, _U32)),
            "CFBooleanGetValue": (lambda at: heap.read(at, "CFBooleanGetValue", bool) or False, (_BYTE, _P)),
            "CFNumberIsFloatType": (
                lambda at: isinstance(heap.read(at, "CFNumberIsFloatType", int, float), float),
                (_BYTE, _P),
            ),
            "CFNumberGetValue": (self._copy_number, (_BYTE, _P, _LONG, _P)),
            "CFArrayGetCount": (lambda at: len(heap.read(at, "CFArrayGetCount", list) or ()), (_LONG, _P)),
            "CFArrayGetValueAtIndex": (self._item, (_P, _P, _LONG)),
            "CFDictionaryGetCount": (
                lambda at: len(heap.read(at, "CFDictionaryGetCount", dict) or ()),
                (_LONG, _P),
            ),
            "CFDictionaryGetValue": (self._entry, (_P, _P, _P)),
            "CFDictionaryGetKeysAndValues": (self._copy_entries, (None, _P, _P, _PP)),
        }
        made = {
            name: exported(function, *types)
            for name, (function, types) in functions.items()
            if name not in lacks
        }
        super().__init__(**made)

    def _type_id(self, at: int | None) -> int:
        return _TYPE_IDS.get(type(self._heap.read(at, "CFGetTypeID")), 0)

    def _make_text(self, allocator: int | None, text: bytes, encoding: int) -> int | None:
        assert (allocator, encoding) == (None, _UTF8)
        return None if self._no_memory else self._heap.make(text.decode())

    def _length(self, at: int | None) -> int:
        """Count as CoreFoundation does, in units of UTF-16."""
        return (
            len((self._heap.read(at, "CFStringGetLength", str) or "").encode("utf-16-le", "surrogatepass"))
            // 2
        )

    def _copy_text(self, at: int | None, buffer: int, size: int, encoding: int) -> bool:
        assert encoding == _UTF8
        try:
            data = (self._heap.read(at, "CFStringGetCString", str) or "").encode() + b"\0"
        except UnicodeEncodeError:
            return False
        if len(data) > size:
            return False
        ctypes.memmove(buffer, data, len(data))
        return True

    def _copy_number(self, at: int | None, kind: int, target: int) -> bool:
        value = self._heap.read(at, "CFNumberGetValue", int, float)
        if value is None or (kind == _INT64 and abs(value) >= 1 << 63):
            return False
        data = struct.pack({_INT64: "q", _FLOAT64: "d"}[kind], value)
        ctypes.memmove(target, data, len(data))
        return True

    def _item(self, at: int | None, index: int) -> int | None:
        items: list[int] = self._heap.read(at, "CFArrayGetValueAtIndex", list) or []
        return items[index]

    def _entry(self, at: int | None, key: int | None) -> int | None:
        wanted = self._heap.read(key, "CFDictionaryGetValue's key")
        entries: dict[int, int] = self._heap.read(at, "CFDictionaryGetValue", dict) or {}
        return next(
            (value for name, value in entries.items() if self._heap.read(name, "a key") == wanted), None
        )

    def _copy_entries(self, at: int | None, keys: int | None, values: Any) -> None:
        assert keys is None
        for index, value in enumerate(
            (self._heap.read(at, "CFDictionaryGetKeysAndValues", dict) or {}).values()
        ):
            values[index] = value


def exported(function: Callable[..., Any], result: Any, *arguments: Any) -> Any:
    """Return a Python function as a C function of a library, whose prototype ctypes does not know."""
    callback = ctypes.CFUNCTYPE(result, *arguments)(function)
    found: Any = ctypes.CDLL(None)._FuncPtr(ctypes.cast(callback, ctypes.c_void_p).value or 0)
    found.callback = callback  # which must live as long as its address is used
    return found


def fake_load(heap: Heap, **frameworks: Any) -> Callable[[str], Any]:
    """Return a loader of CoreFoundation and of the given frameworks; any other is absent, as off a Mac."""
    present: Mapping[str, Any] = {"CoreFoundation": FakeCoreFoundation(heap), **frameworks}

    def load(name: str) -> Any:
        if name not in present:
            raise OSError(f"{name}.framework: no such file")
        return present[name]

    return load
