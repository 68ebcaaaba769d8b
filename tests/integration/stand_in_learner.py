"""The stand-in trainer as a daemon starts it, which draws its seed: what it does stands in its environment."""

import os
from collections.abc import Callable
from typing import Any

from client.api.messages import Start
from client.trainer import Commands, main
from core.messages.events import Event, Planned
from tests.client.stand_ins import trainer
from tests.client.stand_ins.trainer import Deed

GPU_BYTES = 4 << 30
"""Bytes that it claims to hold if it was given a GPU."""
_DEED = "IDLEBRUSH_TEST_DEED"


def learner_settings(deed: Deed = Deed.LEARN, **beside: Any) -> dict[str, Any]:
    """Return the settings of `tests.integration.loopback_daemon` that make its trainers do that."""
    return {"trainer": __name__, "environment": {_DEED: deed.name}, **beside}


def loop(start: Start, report: Callable[[Event], None], commands: Commands) -> None:
    if start.gpus:
        report(Planned(reason="It fits.", micro_batch=1, gpu_bytes=GPU_BYTES, ram_bytes=1 << 28))
    deed = Deed[os.environ[_DEED]]
    trainer.loop(start.model_copy(update={"seed": deed}), report, commands)


if __name__ == "__main__":
    main(loop)
