"""The process that draws the pictures of one order for the daemon, and ends: `python -m client.generator`."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from client.api.messages import GENERATOR_STARTS, ORDERS, AnyOrder, SetBudget, StartGenerator, Traffic
from client.generation.ranker_download import is_downloaded, no_more_than
from core.children import child
from core.messages.events import PicturesProgress, PicturesSaved
from core.messages.lines import Channel, LineError
from core.run.contact import Contact
from core.swarm.bandwidth import Line

_LEAST_PROGRESS = 0.01
"""Smallest progress between two reports."""
_TRAFFIC_SECONDS = 1.0


def main() -> None:
    child.live(GENERATOR_STARTS, _draw)


def _draw(start: StartGenerator, channel: Channel) -> None:
    line = Line(start.budget.upload, start.budget.download)
    threading.Thread(target=_listen, args=(channel, line), daemon=True).start()
    # Imported only once the channel is ours, since importing it takes seconds.
    with child.importing():
        import torch

        from client.machine.capacity import read_machine
        from core.generation.album import prepare_album, publish_album
        from core.generation.parts import DrawingDevice, ModelSource, load_parts
        from core.generation.service import generate
        from core.memory.machine import Allowance
        from core.run.manifest import RunManifest

    torch.set_num_threads(start.threads)
    order = start.order
    manifest = RunManifest.load(start.manifest)
    source = ModelSource(manifest, start.manifest.parent, start.checkpoint, start.is_shipped)
    tokenizer = source.tokenizer()
    tokenizer.encode_prompt(order.request.prompt)
    sampling = order.request.sampling(source.config.image_vocab, source.usual_guidance)
    allowance = Allowance(start.gpu_memory, start.ram)
    machine = read_machine(gpus=start.gpus)
    place = DrawingDevice.of(source.config, machine, allowance, guided=sampling.is_guided)
    with _metered(source.manifest.contact, line, channel):
        parts = load_parts(source, tokenizer, place, no_more_than(start.may_fetch))
    drawn = generate(order.request, parts, _Reporter(order.id, channel).report)
    prepare_album(order.folder, order.request, parts.origin, drawn)
    publish_album(order.folder)
    channel.send(PicturesSaved(id=order.id))


class _Reporter:
    """Reports progress, but not each code."""

    def __init__(self, order: str, channel: Channel) -> None:
        self._order, self._channel, self._reported = order, channel, -1.0

    def report(self, progress: float) -> None:
        if progress - self._reported >= _LEAST_PROGRESS:
            self._reported = progress
            self._channel.send(PicturesProgress(id=self._order, progress=progress), replaceable=True)


@contextmanager
def _metered(contact: Contact, line: Line, channel: Channel) -> Iterator[None]:
    """Meter the download of what ranks pictures, and report the bytes each second and at the end."""
    if not is_downloaded(contact.ranking):
        yield
        return
    from core.data.network.metered import meter_hub  # here because it takes a second

    meter_hub(line.data)
    over = threading.Event()

    def report_traffic() -> None:
        while not over.wait(_TRAFFIC_SECONDS):
            channel.send(Traffic(bytes_received=line.received), replaceable=True)

    reporting = threading.Thread(target=report_traffic, daemon=True)
    reporting.start()
    try:
        yield
    finally:
        over.set()
        reporting.join()
        channel.send(Traffic(bytes_received=line.received))


def obey(order: AnyOrder, line: Line) -> None:
    """Keep to new caps; other orders are for trainers."""
    if isinstance(order, SetBudget):
        line.limit(order.budget.upload, order.budget.download)


def _listen(channel: Channel, line: Line) -> None:
    """Obey orders; the process may end at any time, as nothing is kept before all pictures are drawn."""
    try:
        while (order := channel.receive(ORDERS)) is not None:
            obey(order, line)
    except LineError:
        pass
    os._exit(0)


if __name__ == "__main__":
    main()
