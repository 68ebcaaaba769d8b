"""Handles interrupts of a cell: they are ignored while a run is left, and elsewhere the cell says what goes on."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from client.notebook.cells import NotebookError


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Pass over interrupts within the context; only the main thread gets any."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL if before is None else before)


@contextmanager
def interrupts_in_words() -> Iterator[None]:
    """Raise a NotebookError in place of an interrupt, which ends the cell and not what the daemon does."""
    try:
        yield
    except KeyboardInterrupt:
        raise NotebookError(
            "You interrupted the cell. What it began goes on in the background.",
            "Run the cell again to see how far it is, or end it with `training.leave()`.",
        ) from None
