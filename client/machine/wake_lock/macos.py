"""Keeps macOS awake by a power assertion; tried with stand-ins for Apple's frameworks only.

Prototypes and values are those of pwr_mgt/IOPMLib.h in the macOS SDK. The assertion is about idle sleep of the
system; the display may sleep. macOS releases it when the process ends.
"""

import ctypes

from client.api.errors import WakeLockError
from client.machine.macos.core_foundation import CoreFoundation, LoadFramework, Prototypes, declare, framework
from client.machine.wake_lock.lock import APPLICATION, REASON, KeptAwake

_TYPE = "PreventUserIdleSystemSleep"
"""Value of kIOPMAssertionTypePreventUserIdleSystemSleep."""
_ON = 255
"""kIOPMAssertionLevelOn."""
_CREATE, _RELEASE = "IOPMAssertionCreateWithName", "IOPMAssertionRelease"
_REMEDY = "Change macOS' settings for sleep."
_NAME = f"{APPLICATION}: {REASON}"
_PROTOTYPES: Prototypes = {
    _CREATE: (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_uint32,
        ctypes.c_void_p,
        ctypes.POINTER(ctypes.c_uint32),
    ),
    _RELEASE: (ctypes.c_int32, ctypes.c_uint32),
}


class MacWakeLock:
    """Holds at most one assertion."""

    def __init__(self, load: LoadFramework = framework) -> None:
        """Prepare to call the frameworks CoreFoundation and IOKit, which `load` gives."""
        self._load = load
        self._assertion: int | None = None

    def hold(self) -> KeptAwake:
        """Create the assertion, unless there is one; raises WakeLockError if macOS refuses."""
        if self._assertion is None:
            try:
                self._assertion = self._create()
            except OSError as error:
                raise WakeLockError(f"The system is not kept awake: {error}.", _REMEDY) from error
        return KeptAwake("macOS power assertions")

    def release(self) -> None:
        """Release the assertion, if there is one; raises WakeLockError if macOS lacks what releases it."""
        if self._assertion is None:
            return
        try:
            declare(self._load("IOKit"), _PROTOTYPES)[_RELEASE](self._assertion)
        except OSError as error:
            raise WakeLockError(f"The system is still kept awake: {error}.", _REMEDY) from error
        self._assertion = None

    def _create(self) -> int:
        core, power = CoreFoundation(self._load("CoreFoundation")), declare(self._load("IOKit"), _PROTOTYPES)
        made = ctypes.c_uint32()
        with core.keys(_TYPE, _NAME) as texts:
            refused = power[_CREATE](texts[_TYPE], _ON, texts[_NAME], ctypes.byref(made))
        if refused:
            raise OSError(f"power management refuses (IOReturn {refused & 0xFFFFFFFF:#x})")
        return made.value
