"""The preferences in the user's language: their sections, what each is called and does, and what its words mean."""

from PySide6.QtCore import QCoreApplication

from client.api.choices import PreferenceView
from gui.wording.preference_words import TABLES, Words

translate = QCoreApplication.translate


def section(name: str) -> str:
    """Of `PreferenceView.section`."""
    return _sections().get(name, name)


def words(view: PreferenceView) -> Words:
    """Of one that is not known here: as the daemon has it."""
    known = TABLES[view.section]() if view.section in TABLES else {}
    return known.get(view.name) or Words(view.name, view.help)


def choice(name: str, value: str) -> str:
    """What a word is called as the value of that preference."""
    return _choices().get((name, value)) or _common_words().get(value, value)


def _sections() -> dict[str, str]:
    return {
        "WHEN": translate("Preferences", "When to train"),
        "IN_USE": translate("Preferences", "While you use the computer"),
        "POWER": translate("Preferences", "Battery and heat"),
        "OTHERS": translate("Preferences", "Other programs"),
        "LIMITS": translate("Preferences", "How much to use"),
        "MEMORY": translate("Preferences", "Memory"),
        "NETWORK": translate("Preferences", "Network"),
        "START": translate("Preferences", "Start"),
    }


def _choices() -> dict[tuple[str, str], str]:
    """Words that mean something of their own for one preference."""
    return {
        ("run-mode", "always"): translate("Preferences", "Always"),
        ("run-mode", "preferences"): translate("Preferences", "As set here"),
        ("run-mode", "never"): translate("Preferences", "Never"),
        ("hours", "always"): translate("Preferences", "At all hours"),
        ("while-in-use-cpu", "pause"): translate("Preferences", "Pause"),
        ("while-in-use-gpu", "pause"): translate("Preferences", "Pause"),
        ("on-battery", "pause"): translate("Preferences", "Pause"),
        ("on-battery", "allow"): translate("Preferences", "Train"),
        ("gpus", "all"): translate("Preferences", "All"),
    }


def _common_words() -> dict[str, str]:
    """Words that mean the same wherever they stand."""
    return {
        "unlimited": translate("Preferences", "Unlimited"),
        "off": translate("Preferences", "Off"),
        "on": translate("Preferences", "On"),
        "auto": translate("Preferences", "Automatic"),
        "none": translate("Preferences", "None"),
    }
