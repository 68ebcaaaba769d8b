"""A generator that draws nothing: what it does instead is its order's prompt."""

import os
import signal
import threading
import time

from client.api.messages import GENERATOR_STARTS, ORDERS, SetBudget, StartGenerator, Traffic
from core.children import child
from core.errors import GenerationError, MemoryPlanError
from core.generation.records import FILE, Album, Albums, PictureRecord
from core.messages.events import PictureOrder, PicturesProgress, PicturesSaved
from core.messages.lines import Channel

RECEIVED = (100, 250)
"""Bytes that it reports as downloaded so far, one number for each report."""


def main() -> None:
    child.live(GENERATOR_STARTS, _work)


def _work(start: StartGenerator, channel: Channel) -> None:
    order, other_cap = start.order, threading.Event()
    threading.Thread(target=_listen, args=(channel, start, other_cap), daemon=True).start()
    if start.ram is not None:
        raise MemoryPlanError("Drawing takes a lot of memory.", "Close other programs.")
    channel.send(PicturesProgress(id=order.id, progress=0.5))
    made = order.folder.with_name(f".{order.folder.name}")
    made.mkdir()
    match order.request.prompt:
        case "fail":
            raise GenerationError("There is no paint left.", "Buy some.")
        case "hang":
            time.sleep(600)
        case "die":
            os.kill(os.getpid(), signal.SIGKILL)
        case "download":
            for received in RECEIVED:
                channel.send(Traffic(bytes_received=received))
        case "wait for another cap":
            other_cap.wait()
    write(order)
    made.rename(order.folder)
    channel.send(PicturesSaved(id=order.id))


def write(order: PictureOrder) -> None:
    """An album whose pictures are missing, beside its place."""
    album = Album(
        request=order.request,
        run="tiny",
        epoch=7,
        parameter_digest="ab" * 32,
        pictures=(PictureRecord(file="picture-0000.png", number=0),),
        sheet="picture-sheet.png",
    )
    folder = order.folder.with_name(f".{order.folder.name}")
    folder.mkdir(exist_ok=True)
    (folder / FILE).write_text(Albums(albums=(album,)).model_dump_json())


def _listen(channel: Channel, start: StartGenerator, other_cap: threading.Event) -> None:
    while (order := channel.receive(ORDERS)) is not None:
        if isinstance(order, SetBudget) and order.budget.download != start.budget.download:
            other_cap.set()
    os._exit(0)


if __name__ == "__main__":
    main()
