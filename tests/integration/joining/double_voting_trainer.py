"""The real trainer, which votes for two results in each attempt if it starts while a file is there."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from client.api.messages import Start
from client.trainer import Commands, main
from core.children import child
from core.messages.events import Event
from tests.integration import paced_trainer

_WHILE = "IDLEBRUSH_TEST_DOUBLE_VOTES"


def double_voting_settings(hostile_while: Path) -> dict[str, Any]:
    """Return the settings of `tests.integration.loopback_daemon` for these trainers, honest without that file."""
    return {"trainer": __name__, "environment": {_WHILE: str(hostile_while)}}


def loop(start: Start, report: Callable[[Event], None], commands: Commands) -> None:
    if Path(os.environ[_WHILE]).exists():
        with child.importing():
            from benchmarks.hostility.attackers.double_votes import DoubleVotes

        DoubleVotes(None).prepare()  # type: ignore[arg-type]  # it needs no seat
    paced_trainer.loop(start, report, commands)


if __name__ == "__main__":
    main(loop)
