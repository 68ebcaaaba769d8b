"""The life of a child process of ours: it claims the channel, reads its start message, works, and ends."""

import gc
import importlib
import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any, NoReturn, TypeVar

from core.children import logs, parent_death
from core.errors import CoreError
from core.messages.children import Failed, Heartbeat, Hello
from core.messages.lines import Channel, Message, MessageKinds
from core.packages import not_installed

REFUSED = 2
"""Exit status of a child that said why it cannot go on."""
_BEAT_SECONDS = 2.0

S = TypeVar("S", bound=Message)


def live(
    starts: MessageKinds[S],
    work: Callable[[S, Channel], None],
    idle_seconds: Callable[[], float] = lambda: 0.0,
) -> NoReturn:
    """Do the work that the first message asks for, and exit without waiting for threads and children.

    hivemind leaves both behind; the guard ends them.

    Args:
        starts: Kinds of the first message, such as a type adapter.
        work: Called with the first message and the channel; a CoreError that it raises is sent as `Failed`, and so is
            the lack of a package.
        idle_seconds: Returns the seconds since the main loop last gave a sign of life.
    """
    status = 1
    try:
        status = _live(starts, work, idle_seconds)
    except BaseException:  # the top of the process: whatever it is belongs in the log
        logging.getLogger(__name__).exception("The process ended by an error that it did not expect.")
    sys.stderr.flush()
    os._exit(status)


def _live(
    starts: MessageKinds[S], work: Callable[[S, Channel], None], idle_seconds: Callable[[], float]
) -> int:
    parent_death.tie_forks()
    logs.to_standard_error()
    postpone("scipy.optimize")  # hivemind imports it for an averager that ours replaces: 0.5 s and 40 MB
    channel = Channel.claim()
    try:
        start = channel.receive(starts)
        if start is not None:
            channel.send(Hello(pid=os.getpid()))
            threading.Thread(target=_beat, args=(channel, idle_seconds), daemon=True).start()
            work(start, channel)
    except (CoreError, ModuleNotFoundError) as error:
        logging.getLogger(__name__).exception("The process cannot continue.")
        known = not_installed(error) if isinstance(error, ModuleNotFoundError) else error
        channel.send(Failed.of(known))
        return REFUSED
    finally:
        channel.close()
    return 0


class _Postponed(ModuleType):
    """A module that is loaded when something in it is used."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name != "__path__":  # asked of all modules by inspect and others
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(importlib.import_module(self.__name__), name)


def postpone(module: str) -> None:
    """Delay the loading of ``module`` until something in it is used."""
    sys.modules.setdefault(module, _Postponed(module))


@contextmanager
def importing() -> Iterator[None]:
    """Import without collecting garbage meanwhile, and leave all that is there by then out of later collections.

    Modules stay, so each collection would read their objects to find none to free. Importing torch and hivemind takes
    15 % less of the processor.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        if collects:
            gc.enable()


def _beat(channel: Channel, idle_seconds: Callable[[], float]) -> None:
    while True:
        channel.send(Heartbeat(idle_seconds=idle_seconds()), replaceable=True)
        time.sleep(_BEAT_SECONDS)
