"""Reads values of Apple's CoreFoundation, and releases every reference that this process owns.

CoreFoundation counts references. A function with "Create" or "Copy" in its name gives the caller a reference to
release once; any other gives none, and its result lives as long as its container (Create Rule and Get Rule, in the
Memory Management Programming Guide for Core Foundation). So `owned` stands around each Create and each Copy, and
around nothing else.

Prototypes and constants are those of CFBase.h, CFString.h, CFNumber.h, CFArray.h and CFDictionary.h in the macOS SDK,
for 64-bit systems. No Mac has run this yet.
"""

import contextlib
import ctypes
import functools
from collections.abc import Callable, Iterator, Mapping
from typing import Any

Reference = int
"""Address of an object of CoreFoundation (CFTypeRef); never 0."""
Scalar = str | int | float | bool
LoadFramework = Callable[[str], Any]
"""Function that loads a framework by its name, such as ``IOKit``; raises OSError if there is none."""

_UTF8 = 0x08000100
"""kCFStringEncodingUTF8."""
_INT64, _FLOAT64 = 4, 6
"""kCFNumberSInt64Type and kCFNumberFloat64Type."""
_BYTES_PER_UNIT = 3
"""Bytes of UTF-8 at most for one UTF-16 code unit, in which CoreFoundation counts lengths."""

_POINTER, _POINTERS = ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)
_TYPE_ID, _INDEX, _BOOLEAN, _ENCODING = ctypes.c_ulong, ctypes.c_long, ctypes.c_ubyte, ctypes.c_uint32
Prototypes = Mapping[str, tuple[Any, ...]]
"""Names of functions, each with the types of its result and of its arguments."""
_PROTOTYPES: Prototypes = {
    "CFRelease": (None, _POINTER),
    "CFGetTypeID": (_TYPE_ID, _POINTER),
    "CFStringGetTypeID": (_TYPE_ID,),
    "CFStringCreateWithCString": (_POINTER, _POINTER, ctypes.c_char_p, _ENCODING),
    "CFStringGetLength": (_INDEX, _POINTER),
    "CFStringGetCString": (_BOOLEAN, _POINTER, ctypes.c_char_p, _INDEX, _ENCODING),
    "CFBooleanGetTypeID": (_TYPE_ID,),
    "CFBooleanGetValue": (_BOOLEAN, _POINTER),
    "CFNumberGetTypeID": (_TYPE_ID,),
    "CFNumberIsFloatType": (_BOOLEAN, _POINTER),
    "CFNumberGetValue": (_BOOLEAN, _POINTER, _INDEX, _POINTER),
    "CFArrayGetTypeID": (_TYPE_ID,),
    "CFArrayGetCount": (_INDEX, _POINTER),
    "CFArrayGetValueAtIndex": (_POINTER, _POINTER, _INDEX),
    "CFDictionaryGetTypeID": (_TYPE_ID,),
    "CFDictionaryGetCount": (_INDEX, _POINTER),
    "CFDictionaryGetValue": (_POINTER, _POINTER, _POINTER),
    "CFDictionaryGetKeysAndValues": (None, _POINTER, _POINTERS, _POINTERS),
}


@functools.cache
def framework(name: str) -> ctypes.CDLL:
    """Load a framework of macOS; raise OSError if this is no macOS."""
    return ctypes.CDLL(f"/System/Library/Frameworks/{name}.framework/{name}")


def declare(library: Any, prototypes: Prototypes) -> dict[str, Any]:
    """Return functions of a library, with their types set; raise OSError if this macOS lacks one."""
    functions = {}
    for name, (result, *arguments) in prototypes.items():
        try:
            functions[name] = function = getattr(library, name)
        except AttributeError as error:
            raise OSError(f"this macOS has no {name}") from error
        function.restype, function.argtypes = result, arguments
    return functions


class CoreFoundation:
    """Objects of CoreFoundation as Python's values; what has another type than expected counts as absent."""

    def __init__(self, library: Any) -> None:
        """Prepare to read by `library`, the framework CoreFoundation; raise OSError if it lacks a function."""
        self._functions = declare(library, _PROTOTYPES)
        self._readers: dict[int, Callable[[Reference], Scalar | None]] = {
            self._call("CFStringGetTypeID"): self._text,
            self._call("CFBooleanGetTypeID"): self._truth,
            self._call("CFNumberGetTypeID"): self._number,
        }
        self._array: int = self._call("CFArrayGetTypeID")
        self._dictionary: int = self._call("CFDictionaryGetTypeID")

    @contextlib.contextmanager
    def owned(self, reference: Reference | None) -> Iterator[Reference | None]:
        """Release the result of a Create or Copy when the context ends; None: there is nothing to release."""
        try:
            yield reference
        finally:
            if reference:  # CFRelease ends the process at NULL
                self._call("CFRelease", reference)

    @contextlib.contextmanager
    def keys(self, *names: str) -> Iterator[Mapping[str, Reference]]:
        """Make keys to look dictionaries up by, until the context ends.

        Raise OSError if there is no memory for them.
        """
        with contextlib.ExitStack() as stack:
            yield {name: self._key(name, stack) for name in names}

    def fields(self, dictionary: Reference | None, keys: Mapping[str, Reference]) -> dict[str, Scalar]:
        """Return the strings, numbers and truth values of a dictionary under the keys that it has."""
        found = {name: self.value(self.entry(dictionary, key)) for name, key in keys.items()}
        return {name: value for name, value in found.items() if value is not None}

    def entry(self, dictionary: Reference | None, key: Reference) -> Reference | None:
        """Return what a dictionary has under a key, which lives as long as the dictionary."""
        if not self._is(dictionary, self._dictionary):
            return None
        found: Reference | None = self._call("CFDictionaryGetValue", dictionary, key)
        return found

    def value(self, reference: Reference | None) -> Scalar | None:
        """Return a string, number or truth value; None for anything else."""
        if reference is None:
            return None
        read = self._readers.get(self._call("CFGetTypeID", reference))
        return read(reference) if read else None

    def items(self, array: Reference | None) -> list[Reference]:
        """Return the elements of an array, which live as long as it."""
        if not self._is(array, self._array):
            return []
        count: int = self._call("CFArrayGetCount", array)
        return [self._call("CFArrayGetValueAtIndex", array, index) for index in range(count)]

    def values(self, dictionary: Reference | None) -> list[Reference]:
        """Return the values of a dictionary, which live as long as it."""
        if not self._is(dictionary, self._dictionary):
            return []
        found = (ctypes.c_void_p * self._call("CFDictionaryGetCount", dictionary))()
        self._call("CFDictionaryGetKeysAndValues", dictionary, None, found)
        return [reference for reference in found if reference]

    def _call(self, name: str, *arguments: Any) -> Any:
        return self._functions[name](*arguments)

    def _key(self, name: str, stack: contextlib.ExitStack) -> Reference:
        made = self._call("CFStringCreateWithCString", None, name.encode(), _UTF8)
        key = stack.enter_context(self.owned(made))
        if key is None:
            raise OSError("CoreFoundation has no memory for a string")
        return key

    def _is(self, reference: Reference | None, type_id: int) -> bool:
        return reference is not None and self._call("CFGetTypeID", reference) == type_id

    def _text(self, reference: Reference) -> str | None:
        size = self._call("CFStringGetLength", reference) * _BYTES_PER_UNIT + 1
        buffer = ctypes.create_string_buffer(size)
        if not self._call("CFStringGetCString", reference, buffer, size, _UTF8):
            return None
        return buffer.value.decode(errors="replace")

    def _truth(self, reference: Reference) -> bool:
        return bool(self._call("CFBooleanGetValue", reference))

    def _number(self, reference: Reference) -> float | int | None:
        of_floats = self._call("CFNumberIsFloatType", reference)
        value = ctypes.c_double() if of_floats else ctypes.c_int64()
        type_id = _FLOAT64 if of_floats else _INT64
        if not self._call("CFNumberGetValue", reference, type_id, ctypes.byref(value)):
            return None
        return value.value
