"""What a badge is called and given for, by its code."""

import re

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate

_COUNTED = re.compile(r"([a-z_]+)_(\d+)")


def title(code: str) -> str:
    """Such as "A week in a row"; where a badge has no name of its own, what it is given for."""
    return _titles().get(code) or about(code)


def about(code: str) -> str:
    """What it is given for, such as "Trained on 1,000 samples"."""
    found = _COUNTED.fullmatch(code)
    text = _plural(found[1], int(found[2])) if found else None
    return text or code.replace("_", " ")


def _plural(family: str, n: int) -> str | None:
    if family == "samples":
        return translate("Badges", "Trained on %Ln sample(s)", "", n)
    if family == "hours":
        return translate("Badges", "Gave %Ln hour(s) of computing", "", n)
    if family == "streak":
        return translate("Badges", "Contributed on %Ln day(s) in a row", "", n)
    if family == "epochs":
        return translate("Badges", "Took part in %Ln epoch(s) of the swarm", "", n)
    if family == "nights":
        return translate("Badges", "Trained through %Ln night(s)", "", n)
    return None


def _titles() -> dict[str, str]:
    return {
        "samples_100": translate("Badges", "One hundred"),
        "samples_1000": translate("Badges", "One thousand"),
        "samples_10000": translate("Badges", "Ten thousand"),
        "samples_100000": translate("Badges", "A hundred thousand"),
        "samples_1000000": translate("Badges", "One million"),
        "hours_10": translate("Badges", "Ten hours"),
        "hours_24": translate("Badges", "Around the clock"),
        "hours_100": translate("Badges", "A hundred hours"),
        "hours_1000": translate("Badges", "A thousand hours"),
        "streak_3": translate("Badges", "Three days in a row"),
        "streak_7": translate("Badges", "A week in a row"),
        "streak_30": translate("Badges", "A month in a row"),
        "streak_100": translate("Badges", "A hundred days in a row"),
        "epochs_1": translate("Badges", "First epoch"),
        "epochs_100": translate("Badges", "A hundred epochs"),
        "epochs_1000": translate("Badges", "A thousand epochs"),
        "nights_1": translate("Badges", "Night painter"),
        "nights_30": translate("Badges", "A month of nights"),
    }
