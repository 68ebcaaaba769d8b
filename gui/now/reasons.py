"""What helps against a reason to pause, or a problem: pure, by the codes of the client."""

from dataclasses import dataclass
from enum import Enum, auto

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


class Help(Enum):
    """What a button beside a reason or a problem does."""

    RESUME = auto()
    RETRY = auto()
    CHOOSE_RUN = auto()
    SIGN_IN = auto()
    ENTER_GATE = auto()
    SHOW_PREFERENCE = auto()
    SHOW_GALLERY = auto()
    SHOW_LOG = auto()


@dataclass(frozen=True)
class Remedy:
    """One button."""

    help: Help
    preference: str = ""
    """Name of the one to show; empty: all of them."""

    @property
    def label(self) -> str:
        return _labels()[self.help]


PREFERENCES = {
    "never": "run-mode",
    "in_use": "while-in-use-cpu",
    "full_screen": "full-screen-pause",
    "exclusive_application": "exclusive-applications",
    "video": "video-pause",
    "gpu_memory_needed": "gpu-headroom",
    "ram_needed": "ram-free",
    "other_cpu_load": "other-cpu-load",
    "other_gpu_load": "other-gpu-load",
    "too_hot_cpu": "cpu-temperature",
    "too_hot_gpu": "gpu-temperature",
    "on_battery": "on-battery",
    "battery_low": "minimum-charge",
    "out_of_hours": "hours",
    "metered": "metered-pause",
    "quota_used": "monthly-quota",
    "disk_full": "disk-free",
    "disk_limit": "disk-limit",
    "share": "share-of-time",
}
"""The preference that decides on a reason."""
CONVENIENCE = {
    "in_use",
    "full_screen",
    "exclusive_application",
    "video",
    "other_cpu_load",
    "other_gpu_load",
    "on_battery",
    "out_of_hours",
}
"""Reasons that do not hold where the volunteer wants to train always."""
_SAID = {
    "paused": Remedy(Help.RESUME),
    "snoozed": Remedy(Help.RESUME),
    "not_asked": Remedy(Help.CHOOSE_RUN),
}
_PROBLEMS = {
    **dict.fromkeys(("hub", "keyring", "no_keyring", "keyring_locked", "sign_in", "rejected"), Help.SIGN_IN),
    **dict.fromkeys(("gate", "membership", "admission"), Help.ENTER_GATE),
    **dict.fromkeys(("manifest", "join"), Help.CHOOSE_RUN),
    "preference": Help.SHOW_PREFERENCE,
}


def against_reason(code: str) -> Remedy | None:
    """None for a reason that this app does not know."""
    if code in _SAID:
        return _SAID[code]
    return Remedy(Help.SHOW_PREFERENCE, PREFERENCES[code]) if code in PREFERENCES else None


def against_problem(code: str) -> tuple[Remedy, ...]:
    """The likeliest first."""
    return Remedy(_PROBLEMS.get(code, Help.RETRY)), Remedy(Help.SHOW_LOG)


def _labels() -> dict[Help, str]:
    return {
        Help.RESUME: translate("NowReasons", "Resume"),
        Help.RETRY: translate("NowReasons", "Try again"),
        Help.CHOOSE_RUN: translate("NowReasons", "Choose a run"),
        Help.SIGN_IN: translate("NowReasons", "Sign in"),
        Help.ENTER_GATE: translate("NowReasons", "Sign in to this run"),
        Help.SHOW_PREFERENCE: translate("NowReasons", "Change this"),
        Help.SHOW_GALLERY: translate("NowReasons", "Open the gallery"),
        Help.SHOW_LOG: translate("NowReasons", "Open the log"),
    }
