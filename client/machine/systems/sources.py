"""The readings that each operating system takes in a way of its own, and the choice of this system's.

All else that the survey reads comes from libraries that are the same on every system, such as psutil and NVML.
"""

import contextlib
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from client.machine.activity.choice import SourceCandidate
from client.machine.readings import Reading
from client.side_thread import SideThread

T = TypeVar("T")


@dataclass(frozen=True)
class SystemSources:
    """Sources of one system's readings; each of them raises nothing, and reads Unknown where the system refuses.

    What may block is asked in threads of the sources' own, so it delays neither the event loop nor what the survey
    reads in its threads.
    """

    activity: Callable[[], Iterable[SourceCandidate]]
    """Lists the sources of the time since the last input, the best one first."""
    locked: Callable[[], Awaitable[Reading[bool]]]
    """Reads whether the screen is locked."""
    full_screen: Callable[[], Awaitable[Reading[str | None]]]
    """Reads which application fills the screen; None: none does."""
    power: Callable[[], Awaitable[tuple[Reading[bool], Reading[float]]]]
    """Reads whether the computer runs on its battery, and the charge in percent."""
    awake: Callable[[], Awaitable[Reading[tuple[str, ...]]]]
    """Reads which applications keep the screen on."""
    cpu_celsius: Callable[[], Awaitable[Reading[float]]]
    """Reads the processor's temperature in degrees Celsius."""
    metered: Callable[[], Awaitable[Reading[bool]]]
    """Reads whether the connection to the Internet is metered."""
    close: Callable[[], Awaitable[None]]
    """Releases all that the sources hold, without waiting for what hangs."""


def beside(thread: SideThread, read: Callable[[], T]) -> Callable[[], Awaitable[T]]:
    """Make of a function that may block one that runs it in the thread."""
    return lambda: thread.do(read)


@contextlib.asynccontextmanager
async def system_sources(
    environment: Mapping[str, str], platform: str = sys.platform
) -> AsyncIterator[SystemSources]:
    """Give the sources of a system, and close them when the context ends.

    Args:
        environment: Environment of the user's session.
        platform: Name of the system, as ``sys.platform`` has it.
    """
    sources = _sources_of(platform, environment)
    try:
        yield sources
    finally:
        await sources.close()


def _sources_of(platform: str, environment: Mapping[str, str]) -> SystemSources:
    """Import the modules of that system alone: those of others need packages that are not installed here."""
    if platform == "win32":
        from client.machine.systems.windows import windows_sources

        return windows_sources()
    if platform == "darwin":
        from client.machine.systems.macos import macos_sources

        return macos_sources()
    from client.machine.systems.linux import linux_sources

    return linux_sources(environment)
