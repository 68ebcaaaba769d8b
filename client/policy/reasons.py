"""Reasons and severities of pauses: the names that policy, daemon and front ends share."""

from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum, StrEnum


class Effect(IntEnum):
    """Effect of a decision on the trainer; the largest wins."""

    RUN = 0
    THROTTLE = 1
    """Compute for a share of the time."""
    PAUSE = 2
    """Freeze, and stay in memory."""
    LEAVE = 3
    """End the trainer in order, and give its memory back."""


class PauseReason(StrEnum):
    """Reasons, in the order in which they are listed."""

    NOT_ASKED = "not_asked"  # the first start asks for consent
    NEVER = "never"
    PAUSED = "paused"  # by the volunteer, until resumed
    SNOOZED = "snoozed"
    MEASURING_SPEED = "measuring_speed"  # another run, which the volunteer looks at
    UPDATE_NEEDED = "update_needed"  # by the run's organiser
    IN_USE = "in_use"
    FULL_SCREEN = "full_screen"
    EXCLUSIVE_APPLICATION = "exclusive_application"
    VIDEO = "video"
    GPU_MEMORY_NEEDED = "gpu_memory_needed"
    RAM_NEEDED = "ram_needed"
    OTHER_CPU_LOAD = "other_cpu_load"
    OTHER_GPU_LOAD = "other_gpu_load"
    TOO_HOT_CPU = "too_hot_cpu"
    TOO_HOT_GPU = "too_hot_gpu"
    ON_BATTERY = "on_battery"
    BATTERY_LOW = "battery_low"
    OUT_OF_HOURS = "out_of_hours"
    HIGH_PRICE = "high_price"  # of electricity
    HIGH_CARBON = "high_carbon"
    METERED = "metered"
    QUOTA_USED = "quota_used"
    DISK_FULL = "disk_full"
    DISK_LIMIT = "disk_limit"
    TARGET_CPU_TEMPERATURE = "target_cpu_temperature"  # held by the share of the time
    TARGET_GPU_TEMPERATURE = "target_gpu_temperature"
    GPU_POWER = "gpu_power"
    SHARE = "share"  # the volunteer lets it compute for a share of the time only


@dataclass(frozen=True)
class Reason:
    code: PauseReason
    text: str
    """Words that follow "Paused: ", such as "you are using the computer"."""
    effect: Effect
    about: str = ""
    """The programs that it is about, by their names."""
    until: datetime | None = None
    """End of the reason, where it is known."""

    @property
    def sentence(self) -> str:
        return f"{self.text[:1].upper()}{self.text[1:]}."
