"""A trial that computes nothing: it ends by telling which GPUs it was given, and which CUDA would be shown."""

import os

from client.api.errors import JoinError
from client.joining.benchmark import BENCHMARKS, StartBenchmark
from core.children import child
from core.messages.lines import Channel


def _report(start: StartBenchmark, _channel: Channel) -> None:
    shown = os.environ["CUDA_VISIBLE_DEVICES"]
    raise JoinError(f"It was given {list(start.allowed.gpus or ())}, shown {shown!r}.", "None.")


if __name__ == "__main__":
    child.live(BENCHMARKS, _report)
