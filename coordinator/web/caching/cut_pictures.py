"""Keeps the pictures that were cut from frames lately: a visitor who saves one often has company."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable

MOST_KEPT = 128
"""Most pictures in memory, of some tens of kilobytes each."""


class CutPictures:
    """Cuts one picture at a time, since many requests take one processor; for all threads."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        """Begin without pictures; at most ``most`` are kept."""
        self._most = most
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._cutting = threading.Lock()

    def of(self, key: Hashable, cut: Callable[[], bytes]) -> bytes:
        """Return what is kept under a key, or what ``cut`` returns; an error of it is raised, and nothing is kept."""
        with self._cutting:
            kept = self._kept.pop(key, None)
            content = cut() if kept is None else kept
            self._kept[key] = content
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return content
