"""Sizes of memory as people write them, and as they are shown."""

import re

from core.errors import MemoryPlanError

_POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}
_WRITTEN = re.compile(r"\s*(\d+(?:\.\d+)?|\.\d+)\s*([KMGT]?)(I?)(B?)\s*", re.IGNORECASE | re.ASCII)
_LARGEST = 1 << 60


def parse_size(text: str) -> int:
    """Parse a size of memory such as ``8GiB``, ``8 gb``, ``1.5T``, ``512MiB`` or ``4096``.

    KiB, MiB, GiB and TiB, and K, M, G and T alone, are powers of 1024, as memory is counted; KB, MB, GB and
    TB are powers of 1000.

    Args:
        text: The size.

    Returns:
        Bytes.

    Raises:
        MemoryPlanError: ``text`` is none of these, or not between 1 byte and 1 EiB.
    """
    found = _WRITTEN.fullmatch(text)
    if found is None:
        raise _unfit(text)
    number, prefix, binary, unit = found.groups()
    if binary and not prefix:
        raise _unfit(text)
    base = 1000 if unit and not binary else 1024
    size = int(float(number) * base ** _POWERS[prefix.upper()])
    if not 0 < size <= _LARGEST:
        raise _unfit(text)
    return size


def format_size(size: int) -> str:
    """Return ``size`` bytes as text with about three digits, in powers of 1024.

    Examples are ``7.45 GiB``, ``512 MiB`` and ``0 B``.
    """
    if abs(size) < 1024:
        return f"{size} B"
    value, power = float(size), 0
    while abs(value) >= 999.5 and power < 4:
        value, power = value / 1024, power + 1
    digits = max(0, 3 - len(str(int(abs(value)))))
    written = f"{value:.{digits}f}"
    return f"{written.rstrip('0').rstrip('.') if '.' in written else written} {'BKMGT'[power]}iB"


def _unfit(text: str) -> MemoryPlanError:
    return MemoryPlanError(
        f"{text!r} is not an amount of memory.",
        "Write a number and a unit: KiB, MiB, GiB or TiB (powers of 1024), or KB, MB, GB or TB; such as 8GiB.",
    )
