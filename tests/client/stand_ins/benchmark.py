"""A trial that computes nothing: it ends by telling its GPUs, those that CUDA shows, and how long threads spin."""

import os

from client.api.errors import JoinError
from client.joining.benchmark import BENCHMARKS, StartBenchmark
from core.children import child
from core.messages.lines import Channel


def _report(start: StartBenchmark, _channel: Channel) -> None:
    shown, spins = os.environ["CUDA_VISIBLE_DEVICES"], os.environ["GOMP_SPINCOUNT"]
    raise JoinError(
        f"It was given {list(start.allowed.gpus or ())}, shown {shown!r}, spins {spins}.", "None."
    )


if __name__ == "__main__":
    child.live(BENCHMARKS, _report)
