"""A trial that computes nothing: it ends by telling which GPUs it was given, and which CUDA would be shown."""

import os

from client.api.errors import JoinError
from client.joining.trial import TRIALS, StartTrial
from core import child
from core.lines import Channel


def _tell(start: StartTrial, _channel: Channel) -> None:
    shown = os.environ["CUDA_VISIBLE_DEVICES"]
    raise JoinError(f"It was given {list(start.allowed.gpus or ())}, shown {shown!r}.", "None.")


if __name__ == "__main__":
    child.live(TRIALS, _tell)
