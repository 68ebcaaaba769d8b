"""Reads whether the screen of a macOS login session is locked.

The prototype and the key of the console are those of CGSession.h in the macOS SDK. The key of the lock is in no
header, but programs have long relied on it: it is there, and true, only while the screen is locked. No Mac has run
this yet.
"""

import ctypes
from collections.abc import Mapping

from client.machine.macos.core_foundation import (
    CoreFoundation,
    LoadFramework,
    Scalar,
    declare,
    framework,
)
from client.machine.readings import Known, Reading, Unknown

_COPY = "CGSessionCopyCurrentDictionary"
_LOCKED = "CGSSessionScreenIsLocked"
_ON_CONSOLE = "kCGSSessionOnConsoleKey"
"""Value of kCGSessionOnConsoleKey; the header promises that such values stay."""
_SOURCE = "macOS login session"
_NO_SESSION = Unknown(
    "The client was started outside of a desktop session, so it does not see the lock of its screen."
)
_IN_BACKGROUND = Unknown(
    "The screen shows another user's session, so the lock of this one does not tell who is at the computer."
)


def read_lock(load: LoadFramework = framework) -> Reading[bool]:
    """Return true if the screen is locked; blocks while the window server answers.

    `load` gives the frameworks CoreFoundation and ApplicationServices.
    """
    try:
        core = CoreFoundation(load("CoreFoundation"))
        functions = declare(load("ApplicationServices"), {_COPY: (ctypes.c_void_p,)})
        with core.keys(_LOCKED, _ON_CONSOLE) as keys, core.owned(functions[_COPY]()) as session:
            return judge_session(None if session is None else core.fields(session, keys))
    except OSError as error:
        return Unknown(f"macOS does not report whether the screen is locked: {error}.")


def judge_session(session: Mapping[str, Scalar] | None) -> Reading[bool]:
    """Return true for a locked session, and unknown for one behind another user's session.

    The other user may sit there, and this session does not see that user's input. If it counted as locked, training
    would begin within seconds. As it is unknown, training begins no sooner than on an unlocked screen.

    Args:
        session: The entries of the session's dictionary; None: this process belongs to no session.
    """
    if session is None:
        return _NO_SESSION
    if not session.get(_ON_CONSOLE, True):
        return _IN_BACKGROUND
    return Known(bool(session.get(_LOCKED, False)), _SOURCE)
