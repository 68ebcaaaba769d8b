"""Reads whether this user may administer Windows: whether consent, without another person's password, is enough.

Tried with stand-ins for the libraries.
"""

import contextlib
import ctypes
from collections.abc import Iterator
from ctypes import byref, c_int32, c_uint32, c_void_p

from client.machine.readings import Known, Reading
from client.machine.windows.libraries import Libraries, reading_of, refusal

_QUERY = 0x8
"""TOKEN_QUERY: the right to read a token."""
_ELEVATION_TYPE, _ELEVATION = 18, 20
"""TokenElevationType and TokenElevation of TOKEN_INFORMATION_CLASS; both answer a number of 32 bits."""
_FULL, _LIMITED = 2, 3
"""Types of a token that has a second one beside it: that of an administrator, and that without his rights."""


def read_administers(libraries: Libraries) -> Reading[bool]:
    """Read whether this user may administer the computer, after having agreed where Windows asks for consent.

    A process of an administrator holds the limited one of two tokens, and is given the full one on consent. A user
    with one token alone is a standard user, unless the token is elevated as it is: where User Account Control is
    turned off, or for the account Administrator. Windows gives two tokens to members of other privileged groups as
    well, such as Backup Operators; they count as administrators here.
    """
    failing = "Windows does not report whether this user may administer the computer."
    return reading_of(failing, lambda: _administers(libraries))


def _administers(libraries: Libraries) -> Reading[bool]:
    with _own_token(libraries) as token:
        has_two = _number_of(libraries, token, _ELEVATION_TYPE) in (_FULL, _LIMITED)
        return Known(has_two or _number_of(libraries, token, _ELEVATION) != 0, "Windows access token")


@contextlib.contextmanager
def _own_token(libraries: Libraries) -> Iterator[c_void_p]:
    """Give the token of this process."""
    itself = libraries.function("kernel32", "GetCurrentProcess", c_void_p)
    open_token = libraries.function(
        "advapi32", "OpenProcessToken", c_int32, c_void_p, c_uint32, ctypes.POINTER(c_void_p)
    )
    close = libraries.function("kernel32", "CloseHandle", c_int32, c_void_p)
    token = c_void_p()
    if not open_token(itself(), _QUERY, byref(token)):
        raise refusal("OpenProcessToken", libraries.last_error())
    try:
        yield token
    finally:
        close(token)


def _number_of(libraries: Libraries, token: c_void_p, kind: int) -> int:
    """Return what the token says under ``kind``."""
    ask = libraries.function(
        "advapi32",
        "GetTokenInformation",
        c_int32,
        c_void_p,
        c_int32,
        c_void_p,
        c_uint32,
        ctypes.POINTER(c_uint32),
    )
    number, size = c_uint32(), c_uint32()
    if not ask(token, kind, byref(number), ctypes.sizeof(number), byref(size)):
        raise refusal("GetTokenInformation", libraries.last_error())
    return number.value
