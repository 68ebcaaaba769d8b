"""Reads lists of runs for the daemon; only `client.task`'s process loads this."""

import hashlib
import logging
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from client.api.messages import Traffic
from client.api.runs import DirectoryView, FoundRunView, RunFit, RunListView
from client.directory.known_lists import KnownLists
from client.directory.reading import LIST_WORDING, ListNow, add_list, read_all
from client.directory.search import Fit, FoundRun, RoomHere, search
from client.directory.tasks import ListsRead, ReadLists
from client.fetching.web_client import WebClient
from client.joining.allowed import ResourceLimits
from client.machine.capacity import read_machine
from core.excerpt import excerpt
from core.memory.machine import Sizes
from core.messages.lines import MAX_LINE
from core.storage import moving
from core.storage.files import write_atomically
from core.swarm.bandwidth import Line

_log = logging.getLogger(__name__)
MOST_SHOWN = 60
"""Largest number of runs in an answer."""
_LONGEST = MAX_LINE - 2048
"""Largest size of the answer in bytes, within a line of the channel."""
_DESCRIPTION = 200
"""Longest description in characters."""
_PICTURES = "pictures"
_FITS = {Fit.GPU: RunFit.GPU, Fit.PROCESSOR: RunFit.PROCESSOR, Fit.NONE: RunFit.NONE}


def carry_out(task: ReadLists, report: Callable[[Traffic], None]) -> ListsRead:
    """Return the lists as they are now; raise CoreError where one cannot be added or removed."""
    line = Line(download=task.allowed.download)
    with KnownLists.opened(task.folder) as (lists, problem):
        if problem is not None:
            raise problem
        try:
            with WebClient.through(line, LIST_WORDING) as web:
                if task.add:
                    add_list(lists, task.add, web, task.key)
                lists.remove_at(task.remove)
                read = list(read_all(lists, web))
        finally:
            report(Traffic(bytes_received=line.received))
        cards = [(item.known.title, item.found.runs) for item in read if item.found is not None]
        found = search(cards, room_of(task.allowed, Sizes(task.held_gpu, task.held_ram)))
        return ListsRead(directory=_fitting(read, found, task.folder / _PICTURES))


def room_of(allowed: ResourceLimits, held: Sizes = Sizes(0, 0)) -> RoomHere:  # noqa: B008 - frozen
    """Return the memory of this machine that a run may take; ``held`` is that of a trainer that would make room."""
    machine = read_machine(gpus=allowed.gpus)
    gpu = machine.gpu_bytes + held.gpu if machine.gpu_bytes is not None else 0
    return RoomHere(_least(gpu, allowed.gpu_memory), _least(machine.ram_bytes + held.ram, allowed.ram))


def _least(free: int, allowed: int | None) -> int:
    return free if allowed is None else min(free, allowed)


def _fitting(read: Sequence[ListNow], found: Sequence[FoundRun], pictures: Path) -> DirectoryView:
    """Return the lists with as many of the runs as fit one line of the channel."""
    shown = list(found[:MOST_SHOWN])
    view = _directory(read, shown, len(found), _lay_out(shown, pictures))
    while shown and len(view.model_dump_json().encode()) > _LONGEST:
        del shown[-max(1, len(shown) // 8) :]
        view = _directory(read, shown, len(found), _lay_out(shown, pictures))
    return view


def _directory(
    read: Iterable[ListNow], shown: Sequence[FoundRun], found: int, pictures: Sequence[str]
) -> DirectoryView:
    return DirectoryView(
        runs=tuple(_view(run, path) for run, path in zip(shown, pictures, strict=True)),
        lists=tuple(
            RunListView(
                title=item.known.title,
                location=item.known.location,
                fingerprint=item.known.fingerprint,
                problem=excerpt(item.problem.what) if item.problem is not None else "",
            )
            for item in read
        ),
        left_out=found - len(shown),
    )


def _view(run: FoundRun, picture: str) -> FoundRunView:
    card = run.card
    return FoundRunView(
        link=card.link,
        title=card.title,
        description=" ".join(card.description.split())[:_DESCRIPTION],
        gate=card.gate.value,
        fit=_FITS[run.fit],
        parameters=card.parameters,
        bytes_per_day=card.bytes_per_day,
        download_bytes=card.download_bytes,
        volunteers=card.volunteers,
        is_over=card.epochs_left == 0,
        picture=picture,
        lists=run.lists,
    )


def _lay_out(runs: Sequence[FoundRun], folder: Path) -> list[str]:
    """Write the runs' pictures into a folder, and return their paths; empty for one that is missing.

    All other pictures are removed.
    """
    names = [_name_of(run) for run in runs]
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for file in folder.iterdir():
            if file.name not in names:
                moving.remove(file)
        for run, name in zip(runs, names, strict=True):
            if name and not (folder / name).exists():
                write_atomically(folder / name, run.card.picture_bytes)
    except OSError as error:  # runs can be chosen without their pictures
        _log.warning("The pictures of runs cannot be kept in %s: %s", folder, error)
    return [str(folder / name) if name and (folder / name).exists() else "" for name in names]


def _name_of(run: FoundRun) -> str:
    picture = run.card.picture_bytes
    return f"{hashlib.sha256(picture).hexdigest()[:32]}.png" if picture else ""
