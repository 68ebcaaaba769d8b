"""The verb `plan`."""

import json
from enum import StrEnum
from typing import Annotated

import typer

from client.verbs.options import AsJson
from core.memory.models import MODELS
from core.memory.units import parse_size
from core.model.techniques import Activations, Precision


class OptimizerBits(StrEnum):
    """Bits that a moment of the optimizer takes."""

    EIGHT = "8"
    THIRTY_TWO = "32"


def register(app: typer.Typer) -> None:
    app.command()(plan)


def _size_or_none(text: str) -> int:
    """Return the size that a text stands for, or 0 where it is 0."""
    return 0 if text.strip() == "0" else parse_size(text)


def _models(incomplete: str) -> list[str]:
    return [name for name in MODELS if name.startswith(incomplete.lower())]


def plan(
    model: Annotated[str, typer.Argument(help=f"One of: {', '.join(MODELS)}.", autocompletion=_models)],
    gpu_memory: Annotated[
        int | None,
        typer.Option(
            parser=_size_or_none,
            metavar="SIZE",
            help="GPU memory to plan with, such as 8GiB; 0: no GPU. Default: what is free now.",
        ),
    ] = None,
    ram: Annotated[
        int | None,
        typer.Option(
            parser=parse_size,
            metavar="SIZE",
            help="RAM to plan with, such as 16GiB. Default: what is free now.",
        ),
    ] = None,
    batch: Annotated[
        int | None, typer.Option(help="Samples in a micro-batch. Default: the best that fits.")
    ] = None,
    length: Annotated[
        int | None, typer.Option(help="Positions of a sample. Default: the maximum of the model.")
    ] = None,
    precision: Annotated[
        Precision | None, typer.Option(help="Number format. Default: the best that fits.")
    ] = None,
    activations: Annotated[
        Activations | None,
        typer.Option(help="Treatment of activations in all layers. Default: the best that fits."),
    ] = None,
    shared_layers: Annotated[
        int | None, typer.Option(help="Sets of weights that the layers share; 0: none are shared.")
    ] = None,
    optimizer_bits: Annotated[
        OptimizerBits | None,
        typer.Option(help="Bits of each optimizer moment. Default: 8 in a swarm, else the best that fits."),
    ] = None,
    offload: Annotated[
        bool | None,
        typer.Option(
            "--offload/--no-offload", help="Run the optimizer on the CPU. In a swarm it always runs there."
        ),
    ] = None,
    alone: Annotated[bool, typer.Option("--alone", help="Train outside a swarm.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show what training a model takes on this machine or another, and how it would be trained."""
    from rich.console import Console

    from client.console.plan_report import document, refusal, report
    from client.machine.capacity import read_machine
    from core.memory import plan as plan_memory
    from core.memory.search import MICRO_BATCHES, PlanChoices

    choices = PlanChoices(
        MICRO_BATCHES if batch is None else (batch,),
        precision,
        activations,
        None if optimizer_bits is None else optimizer_bits is OptimizerBits.EIGHT,
        offload,
    )
    found = plan_memory(
        model,
        read_machine(gpu_memory, ram),
        in_swarm=not alone,
        choices=choices,
        sequence_length=length,
        shared_layers=shared_layers,
    )
    if as_json:
        print(json.dumps(document(model, found)))
    else:
        Console(highlight=False).print(report(model, found))
    if not found.fits:
        raise refusal(found)
