"""The command line `idlebrush`. What a verb needs is imported when it is called: `--help` must be quick."""

import json
import sys
from dataclasses import asdict
from importlib.metadata import version
from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated

import typer

from client.demo_run import EmbeddedSet
from core.errors import CoreError
from core.memory.models import MODELS
from core.memory.techniques import Activations, Precision
from core.memory.units import parse_size

REFUSED = 2
"""Exit status where what was asked for cannot be done; 1 means that it was tried and did not succeed."""

app = typer.Typer(
    help="Train one text-to-image transformer together, on everybody's idle computers.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
dataset = typer.Typer(help="Make and check code shards.", no_args_is_help=True)
checkpoint = typer.Typer(help="Look after checkpoints.", no_args_is_help=True)
app.add_typer(dataset, name="dataset")
app.add_typer(checkpoint, name="checkpoint")

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object, for programs.")]


def main() -> None:
    """Run the command line; what goes wrong in a foreseen way is told in two lines."""
    try:
        app()
    except CoreError as error:
        print(f"idlebrush: {error.what}\n{error.remedy}", file=sys.stderr)
        sys.exit(REFUSED)
    except OSError as error:
        print(f"idlebrush: {error}\nSee that the disk has space and the folder can be used.", file=sys.stderr)
        sys.exit(REFUSED)


def _size_or_none(text: str) -> int:
    """A size, or 0 where there is none."""
    return 0 if text.strip() == "0" else parse_size(text)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"idlebrush {version('idlebrush')}")
        raise typer.Exit


@app.callback()
def idlebrush(
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="Folder to work in; a demo in it goes on.")] = Path("demo"),
    epochs: Annotated[
        int | None, typer.Option(min=1, help="Stop after so many epochs in all; without, go on until Ctrl-C.")
    ] = None,
    peers: Annotated[int, typer.Option(min=1, max=64, help="Trainer processes.")] = 2,
    kind: Annotated[EmbeddedSet, typer.Option("--set", help="What to learn.")] = EmbeddedSet.STARTER,
    threads: Annotated[
        int | None, typer.Option(min=1, help="Of each trainer; without, the cores are shared out.")
    ] = None,
    headless: Annotated[bool, typer.Option("--headless", help="Open no window.")] = False,
) -> None:
    """Train the embedded run here, by a real swarm of several trainers and its coordinator."""
    from rich.console import Console

    from client.demo import DemoSettings, train_here

    settings = DemoSettings(out, embedded_run(), peers, epochs, kind, threads)
    raise typer.Exit(train_here(settings, Console()))


@app.command()
def bench(
    threads: Annotated[
        int | None, typer.Option(min=1, max=1024, help="To compute with; without, one for each core.")
    ] = None,
    seconds: Annotated[float, typer.Option(min=0, max=3600, help="To measure each model for.")] = 8.0,
    as_json: AsJson = False,
) -> None:
    """Measure how fast this machine trains, beside machines that were measured before."""
    from rich.console import Console

    from client.bench import comparison
    from core.machines import load_machines
    from core.speed import Limit, measure

    if not as_json:
        print(
            "Measuring, for up to a minute. Other programs would make this machine look slow.",
            file=sys.stderr,
        )
    here = measure(limit=Limit(seconds), threads=threads)
    with as_file(files("assets") / "machines.json") as path:
        others = load_machines(path)
    if as_json:
        print(json.dumps({"this_machine": asdict(here), "others": [asdict(machine) for machine in others]}))
    else:
        Console().print(comparison(here, others))


@app.command()
def plan(
    model: Annotated[str, typer.Argument(help=f"One of: {', '.join(MODELS)}.")],
    gpu_memory: Annotated[
        int | None,
        typer.Option(
            parser=_size_or_none,
            metavar="SIZE",
            help="To plan with, such as 8GiB; 0: no GPU. Without, what is free now.",
        ),
    ] = None,
    ram: Annotated[
        int | None,
        typer.Option(
            parser=parse_size, metavar="SIZE", help="To plan with, such as 16GiB. Without, what is free now."
        ),
    ] = None,
    batch: Annotated[int | None, typer.Option(help="Samples of a micro-step; without, as is best.")] = None,
    length: Annotated[
        int | None, typer.Option(help="Positions of a sample; without, the most that the model has.")
    ] = None,
    precision: Annotated[Precision | None, typer.Option(help="Without, as is best.")] = None,
    activations: Annotated[
        Activations | None, typer.Option(help="Of all layers; without, as is best.")
    ] = None,
    shared_layers: Annotated[
        int | None, typer.Option(help="Sets of weights that the layers share; 0: none are shared.")
    ] = None,
    alone: Annotated[bool, typer.Option("--alone", help="Train outside a swarm.")] = False,
    as_json: AsJson = False,
) -> None:
    """Say what training a model takes on this machine or another, and how it would be trained there."""
    from rich.console import Console

    from client.machine.reading import read_machine
    from client.plan_report import document, refusal, report
    from core.memory import plan as plan_memory
    from core.memory.search import MICRO_BATCHES, Choices

    choices = Choices(MICRO_BATCHES if batch is None else (batch,), precision, activations)
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


@dataset.command()
def build(
    source: Annotated[Path, typer.Argument(help="Folder of images with a metadata.jsonl of captions.")],
    out: Annotated[Path, typer.Option(help="Folder for the shards.")],
    codec: Annotated[
        Path | None,
        typer.Option(help="Folder of the codec's config and weights; without, ours."),
    ] = None,
    grid: Annotated[int, typer.Option(min=1, max=256, help="Codes along one side of an image.")] = 8,
) -> None:
    """Turn images and captions into code shards."""
    from core.data.build import BuildSettings, build_from_folder

    settings = BuildSettings(grid=grid)
    index = build_from_folder(source, codec or embedded_run() / "codec", out, settings)
    rows = ", ".join(
        f"{split}: {sum(entry.rows for entry in entries)} rows" for split, entries in index.splits.items()
    )
    print(f"{index.images} images in {out} ({rows}); left out: {sum(index.left_out.values())}")


@dataset.command()
def check(folder: Annotated[Path, typer.Argument(help="Folder of shards.")], as_json: AsJson = False) -> None:
    """Read every row of every shard, and say what is wrong."""
    from core.data.check import check_shards

    report = check_shards(folder)
    if as_json:
        print(json.dumps({**asdict(report), "sound": report.sound}))
    else:
        for split, rows in report.rows.items():
            print(f"{split}: {rows} sound rows")
        for problem in report.problems:
            print(problem)
    raise typer.Exit(0 if report.sound else 1)


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


def embedded_run() -> Path:
    """The folder of the run that is shipped with the program."""
    with as_file(files("assets") / "embedded") as folder:
        return folder


if __name__ == "__main__":
    main()
