"""The program of the agent: ``run`` serves one child, ``sweep IDENTIFIER SECONDS`` ends what another agent has left.

    python -P -m core.children.agent run
    python -P -m core.children.agent sweep IDENTIFIER SECONDS
    python -P -m core.children.agent rest
    python -P -m core.children.agent version

``run`` communicates over standard input and output by `core.children.agent.frames`. ``sweep`` ends with the status 0
once nothing with that IDENTIFIER is left, or with 1 after SECONDS. ``rest`` gives the memory of cached files back
to the system that runs the distribution, and ends with the status 1 while another agent has a child. ``version``
prints the greeting of ``run``, which names the version of the lines.
"""

import asyncio
import logging
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from core.children import logs
from core.children.agent import leftovers
from core.children.agent.agent import Agent, prepare_process
from core.children.agent.contained import read_from, write_to
from core.children.agent.frames import GREETING, MAX_FRAME, FrameError

NOT_UNDERSTOOD = 2
"""Exit status for arguments or a first line that this version does not know."""
_DROP_CACHES = Path("/proc/sys/vm/drop_caches")

_log = logging.getLogger("core.children.agent")


def main(
    arguments: Sequence[str],
    drop_caches: Path = _DROP_CACHES,
    agents_work: Callable[[], bool] = leftovers.agents_work,
) -> int:
    """Do what ``arguments`` say, and return the exit status.

    ``drop_caches`` is the kernel's file for cached files, and ``agents_work`` says if an agent has a child now.
    """
    match arguments:
        case ["run"]:
            return _run()
        case ["sweep", identifier, seconds]:
            return 0 if leftovers.sweep(identifier, float(seconds)) else 1
        case ["rest"]:
            return _rest(drop_caches, agents_work)
        case ["version"]:
            print(GREETING.decode(), end="")
            return 0
    print(__doc__, file=sys.stderr)
    return NOT_UNDERSTOOD


def _run() -> int:
    prepare_process()
    try:
        asyncio.run(_serve())
    except (EOFError, TimeoutError):
        _log.warning("No order to start has come.")
    except FrameError as error:
        _log.error("Host and agent are not of the same version: %s.", error)
        return NOT_UNDERSTOOD
    return 0


async def _serve() -> None:
    # The child gets descriptors 0 and 1 of its own; nothing but the agent holds an end of the channel.
    reading, writing = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(2, 1)
    await Agent(await read_from(reading, MAX_FRAME), await write_to(writing)).run()


def _rest(drop_caches: Path, agents_work: Callable[[], bool]) -> int:
    """Order the kernel to forget cached files once all is written; return 1 if this distribution has work to do."""
    if agents_work():
        return 1
    os.sync()
    try:
        drop_caches.write_text("1\n", encoding="ascii")
    except OSError as error:
        _log.error("The memory of cached files cannot be given back: %s", error)
    return 0


if __name__ == "__main__":
    logs.to_standard_error()
    sys.exit(main(sys.argv[1:]))
