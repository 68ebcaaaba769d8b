"""The run and the lines of paced homes: rules of the procedure, its manifest, and who is behind which router."""

import argparse
from pathlib import Path

from benchmarks.internet.line_options import line_of
from benchmarks.internet.topology import EmulatedSite, Router, SiteLine, Topology
from core.messages.reach import Reach
from core.model.config import ModelConfig
from core.run.aggregation import Aggregation
from core.run.encodings import TopK
from core.run.manifest import RunManifest
from core.run.optimizer_rules import LambRules
from core.run.rules import LocalStepRules, Overlap, ScheduleRules, SwarmRules
from core.run.training.families import picture_rules
from core.signing import SigningKey
from tests.swarms.tiny_run import write_tiny_run

SERVER = "server"
"""Name of the rented server."""
PORT = 31330
"""Port of the entrance, and of homes that are connected to directly."""
_POOR = SiteLine(down=2, up=0.5, delay=0.3, loss=0.01)


def swarm_rules(given: argparse.Namespace) -> SwarmRules:
    """Return the rules of the procedure: the paper's, but for what was ``given``."""
    patience = {
        "allreduce_seconds": given.allreduce_seconds,
        "averaging_seconds": given.allreduce_seconds + 120.0,
    }
    if given.procedure == "gradients":
        return SwarmRules(target_batch_size=given.batch, **patience)
    form = TopK(kept=given.kept)
    local = LocalStepRules(round_seconds=given.round_seconds, drift_encoding=form, mean_encoding=form)
    return SwarmRules(
        target_batch_size=given.batch,
        overlap=Overlap.FULL,
        aggregation=Aggregation(given.aggregation),
        local_steps=local,
        **patience,
    )


def write_run(folder: Path, model: ModelConfig, swarm: SwarmRules) -> Path:
    """Write the manifest of a run of ``model`` under the rules ``swarm``, and return its path.

    The files beside it are a tiny run's, which the homes do not read.
    """
    tiny = picture_rules(RunManifest.load(write_tiny_run(folder)).training)
    training = tiny.model_copy(
        update={
            "model": model,
            "text": tiny.text.model_copy(update={"length": model.text_length, "vocab": model.text_vocab}),
            "optimizer": LambRules(),
            "schedule": ScheduleRules(),
            "swarm": swarm,
        }
    )
    contact = RunManifest.load(folder / "run.toml").contact
    path = folder / "paced.toml"
    RunManifest.create(training, contact, SigningKey.generate()).save(path)
    return path


def topology_of(given: argparse.Namespace) -> Topology:
    """Return the homes, of which the last ones may have a poor line, and the server.

    Where homes are reached directly, each one's router forwards a port.
    """
    lines = [line_of(given)] * (given.homes - given.poor) + [_POOR] * given.poor
    port = PORT if given.reach == Reach.DIRECT else None
    behind = (
        EmulatedSite(name=f"home{number}", line=line, forward=port) for number, line in enumerate(lines, 1)
    )
    return Topology(sites=(EmulatedSite(name=SERVER, router=Router.NONE), *behind))
