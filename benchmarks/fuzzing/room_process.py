"""The process that fuzzes the targets of one room: ``python -m benchmarks.fuzzing.room_process FOLDER``.

The room's parsers are imported once under atheris, which notes the branches that they take. Each target then has a
process of its own, which is forked: it may take some memory more than it has by then, so that a parser that asks for
more meets a MemoryError, which none documents. ``python -m benchmarks.fuzzing`` starts this process.
"""

import os
import resource
import sys
import warnings
from pathlib import Path
from typing import NoReturn

import atheris
import psutil

from benchmarks.fuzzing.target import FuzzTarget
from benchmarks.fuzzing.work_folder import RoomOrder, TargetOrder

_INSTRUMENTED = ["core", "client", "coordinator"]
_MIB = 1 << 20


def main() -> None:
    folder = Path(sys.argv[1])
    room = RoomOrder.read(folder)
    with atheris.instrument_imports(include=_INSTRUMENTED):
        from benchmarks.fuzzing.catalogue import targets_in

        targets = targets_in(room.room)
    for name in room.names or targets:
        order = TargetOrder(folder / name, name, room.limits)
        order.write(targets[name].seeds, targets[name].dictionary)
        child = os.fork()
        if not child:
            _fuzz(order, targets[name])
        os.waitpid(child, 0)


def _fuzz(order: TargetOrder, target: FuzzTarget) -> NoReturn:
    """Fuzz until the time is over, or until the first fault; libFuzzer ends the process."""
    log = os.open(order.log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(log, 1)
    os.dup2(log, 2)
    warnings.simplefilter("ignore")
    limit = psutil.Process().memory_info().vms + order.limits.mebibytes * _MIB
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    def once(data: bytes) -> None:
        target.accepts(data)

    atheris.Setup([sys.argv[0], *order.options()], once)
    atheris.Fuzz()
    os._exit(0)


if __name__ == "__main__":
    main()
