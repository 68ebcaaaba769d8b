"""What a volunteer may name a run by, as it comes out of a field, a file dialog or a drop."""

from collections.abc import Iterable
from enum import Enum
from pathlib import Path

from PySide6.QtCore import QUrl

LONGEST = 4096


class Source(Enum):
    """Where the run comes from; the order is that of the choices on the screen."""

    EMBEDDED = 0
    LINK = 1
    FILE = 2


def source_of(location: str) -> Source:
    """The choice that a location belongs to."""
    if location in ("embedded", "embedded-all"):
        return Source.EMBEDDED
    return Source.LINK if is_link(location) else Source.FILE


def is_link(text: str) -> bool:
    """Whether it looks like a join link or an address; the daemon says what is wrong with it otherwise."""
    return text.strip().lower().startswith(("idlebrush:", "https://", "http://"))


def of_link(text: str) -> str:
    """What was typed or pasted, which messengers like to break over lines; empty: it is no location."""
    joined = "".join(text.split())
    return joined if is_link(joined) and len(joined) <= LONGEST else ""


def of_drop(urls: Iterable[QUrl]) -> str:
    """The one file or address that was dropped; empty: none, or several."""
    found = [url.toLocalFile() if url.isLocalFile() else url.toString() for url in urls]
    if len(found) != 1 or len(found[0]) > LONGEST:
        return ""
    return found[0] if Path(found[0]).is_absolute() or is_link(found[0]) else ""
