"""Addresses that came from elsewhere, before a browser is sent there: those of the web, and no others."""

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from client.api.snapshot import RunView

_SCHEMES = ("https", "http")


def web_address(text: str) -> QUrl | None:
    """None for what is no address of a web page, such as a file or a program."""
    url = QUrl(text, QUrl.ParsingMode.StrictMode)
    return url if url.isValid() and url.scheme() in _SCHEMES and url.host() else None


def open_page(text: str) -> bool:
    """Send the volunteer's browser there; whether that was possible."""
    url = web_address(text)
    return url is not None and QDesktopServices.openUrl(url)


def website(run: RunView | None) -> str:
    """Of a run; empty where it has none that a browser can be sent to."""
    address = run.coordinator if run is not None else None
    return address if address and web_address(address) else ""
