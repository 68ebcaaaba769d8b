"""Answers a user who asks a trainer for pictures of a run whose model draws none."""

from collections.abc import Callable
from typing import Any

from core.errors import GenerationError
from core.messages.events import Event, PictureOrder, PicturesFailed

_REMEDY = "Choose a run whose model draws."


class NoRequests:
    """Refuses every order once."""

    is_busy = False
    """True while there is something to make: never."""

    def __init__(self, report: Callable[[Event], None]) -> None:
        """Refuse orders by events, of which ``report`` is told."""
        self._report = report
        self._order: PictureOrder | None = None

    def knows(self, order: PictureOrder | None) -> bool:
        """Return True if ``order`` was refused already."""
        return order == self._order

    def obey(self, order: PictureOrder | None, model: Any, origin: Any, free: int) -> None:
        """Refuse an ``order``; neither ``model`` and ``origin`` nor the ``free`` bytes matter."""
        if self.knows(order):
            return
        self._order = order
        if order is not None:
            failed = GenerationError("The model of this run makes no pictures.", _REMEDY)
            self._report(
                PicturesFailed(id=order.id, code=failed.code, what=failed.what, remedy=failed.remedy)
            )

    def withdraw(self) -> None:
        """Forget the order."""
        self._order = None

    def draw_on(self) -> bool:
        """Return False: there is nothing to compute."""
        return False
