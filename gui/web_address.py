"""Opens pages: of the web, whose addresses are checked as they come from elsewhere, and of Windows' settings."""

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from client.api.snapshot import RunView

_SCHEMES = ("https", "http")


def web_address(text: str) -> QUrl | None:
    """Return the address as a URL; None if it is not a web address, such as a file or a program."""
    url = QUrl(text, QUrl.ParsingMode.StrictMode)
    return url if url.isValid() and url.scheme() in _SCHEMES and url.host() else None


def open_page(text: str) -> bool:
    """Open a page in the browser; returns whether that was possible."""
    url = web_address(text)
    return url is not None and QDesktopServices.openUrl(url)


def open_settings(address: str) -> bool:
    """Open a page of Windows' settings by its address of ``ms-settings:``; returns whether that was possible."""
    url = QUrl(address, QUrl.ParsingMode.StrictMode)
    return url.scheme() == "ms-settings" and QDesktopServices.openUrl(url)


def website(run: RunView | None) -> str:
    """Return the website of a run; empty if it has none that a browser can open."""
    address = run.coordinator if run is not None else None
    return address if address and web_address(address) else ""


def handbook(run: RunView | None) -> str:
    """Return the address of the handbook on a run's website; empty if the run has no website."""
    address = website(run)
    return f"{address.rstrip('/')}/docs/" if address else ""
