"""The verb `checkpoint verify`."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from client.verbs.options import AsJson

checkpoint = typer.Typer(help="Look after checkpoints.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.add_typer(checkpoint, name="checkpoint")


@checkpoint.command()
def verify(
    folder: Annotated[Path, typer.Argument(help="Folder of the checkpoint.")], as_json: AsJson = False
) -> None:
    """Check every byte of a checkpoint, and say what it holds."""
    from core.checkpoint import verify as verify_checkpoint

    report = verify_checkpoint(folder)
    if as_json:
        print(json.dumps(asdict(report)))
    else:
        print(f"A sound checkpoint of the run {report.run} after epoch {report.epoch}:")
        print(f"{report.parameters:,} parameters with the digest {report.parameter_digest}.")
