"""What the pages are called, in the window's navigation and above each of them."""

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def page_title(name: str) -> str:
    """In the user's language, of the page of that name."""
    return {
        "now": translate("Window", "Now"),
        "gallery": translate("Window", "Gallery"),
        "contribution": translate("Window", "My contribution"),
        "leaderboard": translate("Window", "Leaderboard"),
        "preferences": translate("Window", "Preferences"),
        "log": translate("Window", "Log"),
        "about": translate("Window", "About"),
    }[name]
