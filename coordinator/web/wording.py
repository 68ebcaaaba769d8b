"""Formats numbers, times and names for the site's pages."""

from datetime import UTC, date, datetime
from urllib.parse import quote

from coordinator.run_now import WAITED_FOR
from core.memory.units import format_size

NOTHING = "–"
_SCALES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e4, "k"))
_VOLUMES = ("B", "kB", "MB", "GB", "TB", "PB")
_DEVICES = {
    "cpu": "Processor",
    "gpu_8": "GPU up to 8 GiB",
    "gpu_16": "GPU up to 16 GiB",
    "gpu_24": "GPU up to 24 GiB",
    "gpu_large": "GPU above 24 GiB",
}
_WAYS_OF_REACH = {
    "direct": "Directly",
    "mapped": "At a port that the router forwards on request (UPnP or NAT-PMP)",
    "relayed": "Through a relay",
    "outgoing": "Not at all: outgoing connections only",
}


def whole(number: float | None) -> str:
    """Format a count with thousands separators: 31,250."""
    return NOTHING if number is None else f"{round(number):,}"


def short(number: float | None) -> str:
    """Format a count with three digits and its scale: 1.12 G, 45.2 k; below 10,000 without a scale."""
    if number is None:
        return NOTHING
    for scale, letter in _SCALES:
        if abs(number) >= scale:
            value = number / (1e3 if letter == "k" else scale)
            return f"{value:.{max(0, 3 - len(str(int(abs(value)))))}f}\u00a0{letter}"
    return whole(number)


def rate(number: float | None) -> str:
    """Format a rate per second, with two decimals if it is small."""
    if number is None:
        return NOTHING
    return f"{number:.2f}" if number < 10 else f"{number:.1f}" if number < 100 else whole(number)


def loss(value: float | None) -> str:
    """Format a loss with four decimals."""
    return NOTHING if value is None else f"{value:.4f}"


def size(number: float | None) -> str:
    """Format bytes of memory in powers of 1024: 7.45 GiB."""
    return NOTHING if number is None else format_size(round(number)).replace(" ", "\u00a0")


def volume(number: float | None) -> str:
    """Format bytes of files or traffic in powers of 1000, with three digits: 153 MB."""
    if number is None:
        return NOTHING
    value, unit = float(round(number)), 0
    while value >= 999.5 and unit < len(_VOLUMES) - 1:
        value, unit = value / 1000, unit + 1
    return f"{float(f'{value:.3g}'):g}\u00a0{_VOLUMES[unit]}"


def duration(seconds: float | None) -> str:
    """Format a length of time in its two largest units: 3 d 4 h, 2 h 5 min, 40 s."""
    if seconds is None:
        return NOTHING
    parts: list[str] = []
    left = round(seconds)
    for length, unit in ((86_400, "d"), (3600, "h"), (60, "min"), (1, "s")):
        count, left = divmod(left, length)
        if count or parts:
            parts.append(f"{count}\u00a0{unit}")
    return " ".join(part for part in parts[:2] if not part.startswith("0")) or "0\u00a0s"


def day(moment: datetime | date | None) -> str:
    """Format a date: 3 May 2026."""
    return NOTHING if moment is None else f"{moment.day} {moment:%B %Y}"


def minute(moment: datetime | None) -> str:
    """Format a date and a time of day, in UTC."""
    return NOTHING if moment is None else f"{day(moment)}, {moment.astimezone(UTC):%H:%M} UTC"


def reach(name: str) -> str:
    """Return in words how others reach a computer."""
    return _WAYS_OF_REACH.get(name, "Not checked")


def waiting(name: str) -> str:
    """Return in words what a computer waits for."""
    words = WAITED_FOR.get(name, "something that this version does not know")
    return words[0].upper() + words[1:]


def device(name: str) -> str:
    """Return a device class in words."""
    return _DEVICES.get(name, "Not reported")


def segment(name: str) -> str:
    """Return a name as a segment of a path."""
    return quote(name, safe="")


FILTERS = {
    "whole": whole,
    "short": short,
    "rate": rate,
    "loss": loss,
    "size": size,
    "volume": volume,
    "duration": duration,
    "day": day,
    "minute": minute,
    "device": device,
    "reach": reach,
    "waiting": waiting,
    "segment": segment,
}
