"""The pauses that the app offers: a quarter of an hour, an hour, and until tomorrow."""

from datetime import datetime
from enum import Enum

from PySide6.QtCore import QCoreApplication

from client.api.snoozing import snooze_seconds

translate = QCoreApplication.translate


class Snooze(Enum):
    """By what one would ask for on the command line."""

    QUARTER = "15m"
    HOUR = "1h"
    TOMORROW = "tomorrow"


def seconds(snooze: Snooze, now: datetime) -> float:
    """How long it lasts from then on; tomorrow begins in the morning."""
    return snooze_seconds(snooze.value, now)


def words(snooze: Snooze) -> str:
    """What it is called in a menu."""
    return {
        Snooze.QUARTER: translate("Snooze", "15 minutes"),
        Snooze.HOUR: translate("Snooze", "1 hour"),
        Snooze.TOMORROW: translate("Snooze", "Until tomorrow"),
    }[snooze]
