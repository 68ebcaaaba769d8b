"""Runs Python's cyclic garbage collector on the event loop alone, never on the thread that happens to allocate.

Python collects on whichever thread crosses a threshold. Cycles of the app hold Qt objects, which PySide destroys on
that thread and without Python's lock: while the event loop or other threads used them, that ended in a segmentation
fault or a deadlock.
"""

import gc

from PySide6.QtCore import QObject, QTimer

_INTERVAL_MS = 1_000
"""Milliseconds between two looks at what was allocated."""
_GROWTH = 1.25
"""Growth of the oldest generation after which all of it is collected, which takes 0.1 s; Python's own rule."""


class GarbageCollector(QObject):
    """Collects on the thread that made it, at Python's own thresholds; nothing collects automatically any more."""

    def __init__(self, parent: QObject, interval: int = _INTERVAL_MS) -> None:
        super().__init__(parent)
        gc.disable()
        self._kept = len(gc.get_objects(2))
        """Objects that the last look through all objects has left."""
        timer = QTimer(self, interval=interval)
        timer.timeout.connect(self._collect_if_due)
        timer.start()

    def _collect_if_due(self) -> None:
        young, middle, old = (
            count > threshold for count, threshold in zip(gc.get_count(), gc.get_threshold(), strict=True)
        )
        if old and len(gc.get_objects(2)) > _GROWTH * self._kept:
            gc.collect()
            self._kept = len(gc.get_objects(2))
        elif middle or old:
            gc.collect(1)
        elif young:
            gc.collect(0)
