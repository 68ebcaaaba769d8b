"""The process that draws the pictures of one order for the daemon, and ends: `python -m client.generator`."""

import os
import threading

from client.api.messages import GENERATOR_STARTS, ORDERS, PicturesProgress, PicturesSaved, StartGenerator
from core import child
from core.lines import Channel, LineError

_LEAST_PROGRESS = 0.01
"""Between two reports of it."""


def main() -> None:
    child.live(GENERATOR_STARTS, _draw)


def _draw(start: StartGenerator, channel: Channel) -> None:
    threading.Thread(target=_end_with_input, args=(channel,), daemon=True).start()
    # Imported only once the channel is ours, since importing it takes seconds.
    import torch

    from client.machine.reading import read_machine
    from core.generation.album import prepare_album, publish_album
    from core.generation.parts import Place, Source, load_parts
    from core.generation.service import generate
    from core.memory.machine import Allowance
    from core.run import RunManifest

    torch.set_num_threads(start.threads)
    order = start.order
    source = Source(RunManifest.load(start.manifest), start.manifest.parent, start.checkpoint)
    tokenizer = source.tokenizer()
    tokenizer.encode_prompt(order.request.prompt)
    allowance = Allowance(start.gpu_memory, start.ram)
    place = Place.of(source.config, read_machine(gpus=start.gpus), allowance)
    parts = load_parts(source, tokenizer, place)
    drawn = generate(order.request, parts, _Reporter(order.id, channel).report)
    prepare_album(order.folder, order.request, parts.origin, drawn)
    publish_album(order.folder)
    channel.send(PicturesSaved(id=order.id))


class _Reporter:
    """Tells of progress, but not of every code."""

    def __init__(self, order: str, channel: Channel) -> None:
        self._order, self._channel, self._told = order, channel, -1.0

    def report(self, progress: float) -> None:
        if progress - self._told >= _LEAST_PROGRESS:
            self._told = progress
            self._channel.send(PicturesProgress(id=self._order, progress=progress), replaceable=True)


def _end_with_input(channel: Channel) -> None:
    """Nothing that was drawn is kept before all is: whoever is not wanted any more ends at once."""
    try:
        while channel.receive(ORDERS) is not None:
            pass
    except LineError:
        pass
    os._exit(0)


if __name__ == "__main__":
    main()
