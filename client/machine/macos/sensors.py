"""Finds applications that keep the screen of macOS on, and states what macOS does not report.

The prototype, keys and types are those of pwr_mgt/IOPMLib.h in the macOS SDK. The key of the process's name is
powerd's own, and in no public header. No Mac has run this yet.
"""

import ctypes
from collections.abc import Iterable, Mapping
from typing import Any

from client.machine.macos.core_foundation import (
    CoreFoundation,
    LoadFramework,
    Prototypes,
    Reference,
    Scalar,
    declare,
    framework,
)
from client.machine.readings import Known, Reading, Unknown

METERED = Unknown(
    "Idlebrush cannot read on macOS whether the connection is metered. Limit its traffic by the preferences upload, "
    "download and monthly-quota, or pause training while you use a phone's connection."
)
"""macOS reports this (nw_path_is_expensive of Network.framework) only to a block of Objective-C that it calls later.

A mistake in a block made by hand ends the process, and none can be tried without a Mac.
"""
CPU_CELSIUS = Unknown(
    "macOS has no public interface for the processor's temperature. It slows a hot processor down by itself."
)

_COPY = "IOPMCopyAssertionsByProcess"
_PROTOTYPES: Prototypes = {_COPY: (ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))}
_TYPE, _LEVEL, _NAME, _PROCESS = "AssertType", "AssertLevel", "AssertName", "Process Name"
"""Values of kIOPMAssertionTypeKey, kIOPMAssertionLevelKey and kIOPMAssertionNameKey, and powerd's own key."""
_SCREEN_ON = ("PreventUserIdleDisplaySleep", "NoDisplaySleepAssertion")
"""Values of kIOPMAssertionTypePreventUserIdleDisplaySleep and kIOPMAssertionTypeNoDisplaySleep."""
_ON = 255
"""kIOPMAssertionLevelOn."""


def read_awake(load: LoadFramework = framework) -> Reading[tuple[str, ...]]:
    """Return the applications that keep the screen on, or the reasons that they give; blocks while powerd answers.

    `load` gives the frameworks CoreFoundation and IOKit.
    """
    try:
        assertions = _assertions(CoreFoundation(load("CoreFoundation")), declare(load("IOKit"), _PROTOTYPES))
    except OSError as error:
        return Unknown(f"It is not known which applications keep the screen on: {error}.")
    return Known(keeping_screen_on(assertions), "macOS power assertions")


def keeping_screen_on(assertions: Iterable[Mapping[str, Scalar]]) -> tuple[str, ...]:
    """Return each application once that keeps the screen on, in alphabetical order."""
    names = {
        str(assertion.get(_PROCESS) or assertion.get(_NAME) or "an application")
        for assertion in assertions
        if assertion.get(_TYPE) in _SCREEN_ON and assertion.get(_LEVEL) == _ON
    }
    return tuple(sorted(names))


def _assertions(core: CoreFoundation, power: Mapping[str, Any]) -> list[Mapping[str, Scalar]]:
    """Return the assertions of all processes; raise OSError if powerd refuses."""
    found = ctypes.c_void_p()
    refused = power[_COPY](ctypes.byref(found))
    # Where there is no assertion, it succeeds and leaves the pointer as it was.
    with core.owned(found.value) as by_process, core.keys(_TYPE, _LEVEL, _NAME, _PROCESS) as keys:
        if refused:
            raise OSError(f"power management refuses to list them (IOReturn {refused & 0xFFFFFFFF:#x})")
        return [core.fields(assertion, keys) for assertion in _each(core, by_process)]


def _each(core: CoreFoundation, by_process: Reference | None) -> list[Reference]:
    return [assertion for listed in core.values(by_process) for assertion in core.items(listed)]
