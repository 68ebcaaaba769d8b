"""The process that tries a run out on this machine (`client.joining.trial`) and ends: `python -m client.trial`."""

import time

from client.joining.trial import TRIALS, StartTrial, Tried
from core import child
from core.lines import Channel


def main() -> None:
    child.live(TRIALS, _work)


def _work(start: StartTrial, channel: Channel) -> None:
    """Time micro-steps until the time is over."""
    # Imported only once the channel is ours, since importing it takes seconds.
    import torch

    from core.trial import micro_steps

    torch.set_num_threads(start.allowed.threads)
    steps = micro_steps(start.training.model, start.allowed.plan(start.training))
    next(steps)
    samples, began = 0, time.monotonic()
    while samples == 0 or time.monotonic() - began < start.seconds:
        samples += next(steps)
        channel.send(Tried(samples=samples, seconds=time.monotonic() - began), replaceable=True)


if __name__ == "__main__":
    main()
