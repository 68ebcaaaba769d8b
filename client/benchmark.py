"""The process that measures how fast this machine trains a run, and ends: `python -m client.benchmark`."""

import time

from client.joining.benchmark import BENCHMARKS, SpeedMeasurement, StartBenchmark
from core.children import child
from core.messages.lines import Channel


def main() -> None:
    child.live(BENCHMARKS, _work)


def _work(start: StartBenchmark, channel: Channel) -> None:
    """Time micro-steps until the time is over."""
    # Imported only once the channel is ours, since importing it takes seconds.
    with child.importing():
        import torch

        from core.trainer.benchmark import micro_steps

    torch.set_num_threads(start.allowed.threads)
    steps = micro_steps(start.training, start.allowed.plan(start.training))
    next(steps)
    samples, began, passed = 0, time.monotonic(), 0.0
    while samples == 0 or passed < start.seconds:  # by what is told, so that the last is long enough
        samples += next(steps)
        passed = time.monotonic() - began
        channel.send(SpeedMeasurement(samples=samples, seconds=passed), replaceable=True)


if __name__ == "__main__":
    main()
