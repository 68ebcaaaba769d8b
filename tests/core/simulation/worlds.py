"""Small swarms to simulate, of a run whose rounds take seconds."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from core.run.manifest import RunManifest
from core.run.rules import LocalStepRules, Overlap, TrainingRules
from core.simulation.swarm import SimulatedSwarmRun
from core.simulation.topology import MachineGroup, SimulatedTopology
from tests.swarms.tiny_run import write_tiny_run


@cache
def training(target: int = 600, round_seconds: float | None = None) -> TrainingRules:
    """Return the rules of a tiny run with local steps; an epoch has ``target`` samples, or takes so many seconds."""
    local = LocalStepRules(steps=4, round_seconds=round_seconds)
    with TemporaryDirectory() as folder:
        path = write_tiny_run(Path(folder), target_batch_size=target, overlap=Overlap.FULL, local_steps=local)
        return RunManifest.load(path).training


def homes(name: str = "homes", **fields: Any) -> MachineGroup:
    """Return a group of machines at 20/5 Mbit/s that compute 5 samples a second each."""
    given = {"count": 2, "samples_per_second": 5.0, "down": 20.0, "up": 5.0, "micro_batch": 5}
    return MachineGroup(name=name, **(given | fields))


def simulated(*groups: MachineGroup, rules: TrainingRules | None = None, **fields: Any) -> SimulatedSwarmRun:
    """Return a swarm of ``groups`` whose time has not passed yet."""
    topology = SimulatedTopology(run="run.toml", groups=groups, **({"duration_hours": 0.5} | fields))
    return SimulatedSwarmRun(topology, rules or training())
