"""A trainer that learns nothing and says whose access token it has, and that its run was taken back if it was.

What it says of a token is the name in it: the gate has signed it, and nobody has to hide it.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from client.api.messages import Start
from client.trainer import Commands, main
from core.admission import access_token
from core.errors import AdmissionError, SwarmError
from core.messages.events import Command, EpochCommitted, Event, Finished, Joined, Notice, Superseded
from core.run.manifest import RunManifest

_SUPERSEDED_BY = "IDLEBRUSH_TEST_GENERATION"
_UNREACHABLE = "IDLEBRUSH_TEST_UNREACHABLE"
_REFUSED_BY = "IDLEBRUSH_TEST_REFUSED"
_COMMITS = "IDLEBRUSH_TEST_COMMITS"


def member_settings(
    taken_back_by: Path | None = None,
    unreachable: str = "",
    refused_by: Path | None = None,
    commits: int = 0,
) -> dict[str, Any]:
    """Return the settings of `tests.integration.loopback_daemon` for these trainers.

    Args:
        taken_back_by: once this file is there, trainers of the generation before it say so and end.
        unreachable: an initial peer without which no swarm is entered.
        commits: so many epochs, each with ten own samples, are done as soon as the swarm is entered.
        refused_by: the first trainer that comes while this file is there takes it away, and is not admitted.
    """
    environment = {
        _SUPERSEDED_BY: str(taken_back_by or ""),
        _UNREACHABLE: unreachable,
        _REFUSED_BY: str(refused_by or ""),
        _COMMITS: str(commits),
    }
    return {"trainer": __name__, "environment": environment}


def loop(start: Start, report: Callable[[Event], None], commands: Commands) -> None:
    manifest = RunManifest.load(start.manifest)
    if (wanted := os.environ[_UNREACHABLE]) and wanted not in manifest.contact.initial_peers:
        raise SwarmError("No peer answers.", "Check the address.")
    if (file := os.environ[_REFUSED_BY]) and Path(file).exists():
        Path(file).unlink()
        raise AdmissionError("The access token has expired.", "A new one comes.")
    report(Joined(peer_id="stand-in", epoch=0, parameters=1))
    for epoch in range(1, int(os.environ[_COMMITS]) + 1):
        report(_committed(epoch))
    token, generation = start.admission, manifest.state.generation
    report(Notice(text=f"Generation {generation}, admitted as {_name(token, manifest)}."))
    while commands.wait(0.1) is not Command.STOP:
        if commands.admission not in (None, token):
            token = commands.admission
            report(Notice(text=f"Admitted again as {_name(token, manifest)}."))
        if generation == 0 and (file := os.environ[_SUPERSEDED_BY]) and Path(file).exists():
            report(Superseded(generation=1))
            return
    report(Finished(epoch=1, parameter_digest=""))


def _committed(epoch: int) -> EpochCommitted:
    return EpochCommitted(
        epoch=epoch,
        loss=5.0 - epoch / 10,
        samples=64,
        own_samples=10,
        peers=2,
        seconds=1.0,
        parameter_digest="",
        bytes_sent=1,
        bytes_received=1,
    )


def _name(token: str | None, manifest: RunManifest) -> str:
    gate = manifest.contact.gate
    assert gate is not None
    read = access_token.read(token or "", gate=gate.key, run=manifest.training_digest, now=time.time())
    return read.name


if __name__ == "__main__":
    main(loop)
