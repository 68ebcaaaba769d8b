"""Remedies for pause reasons and problems, by the client's codes."""

from dataclasses import dataclass
from enum import Enum, auto

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


class RemedyKind(Enum):
    """The action of a button beside a reason or a problem."""

    RESUME = auto()
    RETRY = auto()
    CHOOSE_RUN = auto()
    SIGN_IN = auto()
    ENTER_GATE = auto()
    SHOW_PREFERENCE = auto()
    SHOW_GALLERY = auto()
    SHOW_LOG = auto()
    UPDATE = auto()


@dataclass(frozen=True)
class ReasonRemedy:
    """One button beside a reason or a problem."""

    help: RemedyKind
    preference: str = ""
    """Name of the preference to show; empty for all preferences."""

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
    "high_price": "highest-price",
    "high_carbon": "highest-carbon",
    "metered": "metered-pause",
    "quota_used": "monthly-quota",
    "disk_full": "disk-free",
    "disk_limit": "disk-limit",
    "target_cpu_temperature": "cpu-target-temperature",
    "target_gpu_temperature": "gpu-target-temperature",
    "gpu_power": "gpu-power",
    "share": "share-of-time",
}
"""The preference that controls each reason."""
CONVENIENCE = {
    "in_use",
    "full_screen",
    "exclusive_application",
    "video",
    "other_cpu_load",
    "other_gpu_load",
    "on_battery",
    "out_of_hours",
    "high_carbon",
}
"""Reasons that do not apply while training is set to always."""
_OWN_REMEDIES = {
    "paused": ReasonRemedy(RemedyKind.RESUME),
    "snoozed": ReasonRemedy(RemedyKind.RESUME),
    "not_asked": ReasonRemedy(RemedyKind.CHOOSE_RUN),
    "update_needed": ReasonRemedy(RemedyKind.UPDATE),
}
_PROBLEMS = {
    **dict.fromkeys(
        ("hub", "keyring", "no_keyring", "keyring_locked", "sign_in", "rejected"), RemedyKind.SIGN_IN
    ),
    **dict.fromkeys(("gate", "membership", "admission"), RemedyKind.ENTER_GATE),
    **dict.fromkeys(("manifest", "join"), RemedyKind.CHOOSE_RUN),
    **dict.fromkeys(("version", "update", "broken_version"), RemedyKind.UPDATE),
    "preference": RemedyKind.SHOW_PREFERENCE,
}


def against_reason(code: str) -> ReasonRemedy | None:
    """Return the remedy for a reason; None for an unknown reason."""
    if code in _OWN_REMEDIES:
        return _OWN_REMEDIES[code]
    return ReasonRemedy(RemedyKind.SHOW_PREFERENCE, PREFERENCES[code]) if code in PREFERENCES else None


def against_problem(code: str) -> tuple[ReasonRemedy, ...]:
    """Return the remedies for a problem, the most likely first."""
    return ReasonRemedy(_PROBLEMS.get(code, RemedyKind.RETRY)), ReasonRemedy(RemedyKind.SHOW_LOG)


def _labels() -> dict[RemedyKind, str]:
    return {
        RemedyKind.RESUME: translate("NowReasons", "Resume"),
        RemedyKind.RETRY: translate("NowReasons", "Try again"),
        RemedyKind.CHOOSE_RUN: translate("NowReasons", "Choose a run"),
        RemedyKind.SIGN_IN: translate("NowReasons", "Sign in"),
        RemedyKind.ENTER_GATE: translate("NowReasons", "Sign in to this run"),
        RemedyKind.SHOW_PREFERENCE: translate("NowReasons", "Change this"),
        RemedyKind.SHOW_GALLERY: translate("NowReasons", "Open the gallery"),
        RemedyKind.SHOW_LOG: translate("NowReasons", "Open the log"),
        RemedyKind.UPDATE: translate("NowReasons", "Show updates"),
    }
