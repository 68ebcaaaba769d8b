"""The verb `simulate`."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from client.verbs.options import AsJson


def simulate(
    topology: Annotated[
        Path, typer.Argument(help="TOML file that describes the machines and names the run.", metavar="FILE")
    ],
    seed: Annotated[
        int | None, typer.Option(min=0, help="Seed of all chance. Default: the one in the file.")
    ] = None,
    hours: Annotated[
        float | None, typer.Option(help="Hours to simulate. Default: those in the file.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Simulate the swarm of a run before anyone joins: epochs an hour, traffic, time to join, lost work."""
    from rich.console import Console
    from rich.progress import Progress

    from client.console.simulation_report import report
    from core.run.manifest import RunManifest
    from core.simulation.report import summary_of
    from core.simulation.swarm import SimulatedSwarmRun
    from core.simulation.topology import SimulatedTopology

    described = SimulatedTopology.load(topology).changed(seed=seed, duration_hours=hours)
    training = RunManifest.load(topology.parent / described.run).training
    run = SimulatedSwarmRun(described, training, training.swarm.most_groups)
    with Progress(console=Console(stderr=True), transient=True, disable=as_json) as progress:
        task = progress.add_task("Simulating", total=1.0)
        run.run(lambda share: progress.update(task, completed=share))
    summary = summary_of(run)
    if as_json:
        print(json.dumps({"topology": described.model_dump(mode="json"), "summary": asdict(summary)}))
    else:
        Console(highlight=False).print(report(training.name, summary))
