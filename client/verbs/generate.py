"""The verb `generate`."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from client.paths import Paths
from client.verbs.options import INTERRUPTED, AsJson, needs
from core.packages import PackageSet

if TYPE_CHECKING:
    from core.generation.records import Album
    from core.messages.pictures import GenerationRequest


def register(app: typer.Typer) -> None:
    app.command()(generate)


@needs(PackageSet.TRAINER)
def generate(
    prompt: Annotated[str, typer.Argument(help="Description of the pictures.")],
    number: Annotated[int, typer.Option("--number", "-n", help="Pictures to draw.")] = 16,
    best: Annotated[int | None, typer.Option(help="Number of best pictures to keep. Default: all.")] = None,
    top_k: Annotated[
        int | None, typer.Option(help="Sample from this many of the most likely codes. Default: 1/32 of all.")
    ] = None,
    top_p: Annotated[
        float | None, typer.Option(help="Sample from the most likely codes with this total probability.")
    ] = None,
    temperature: Annotated[
        float | None,
        typer.Option(help="Sampling temperature. Lower values give less varied pictures. Default: 0.7."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(help="The same seed gives the same pictures. Default: a new one each time."),
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder for the pictures; nothing in it is overwritten.")] = Path(
        "pictures"
    ),
    checkpoint: Annotated[
        Path | None,
        typer.Option(help="Folder of the checkpoint or model to draw with. Default: the run's newest."),
    ] = None,
    run: Annotated[
        Path | None, typer.Option(help="Folder or manifest of the run. Default: the joined run, or ./demo.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Draw pictures of a prompt with a trained model, and keep the best."""
    import secrets

    from core.messages.pictures import GenerationRequest

    request = GenerationRequest.of(
        prompt=prompt,
        count=number,
        best=best,
        top_k=top_k,
        top_p=top_p,
        temperature=temperature,
        seed=secrets.randbits(32) if seed is None else seed,
    )
    _show(_drawn(request, run, checkpoint, out), out, as_json)


def _drawn(request: "GenerationRequest", run: Path | None, checkpoint: Path | None, out: Path) -> "Album":
    from rich.console import Console

    console, paths = Console(stderr=True, highlight=False), Paths.of_user()
    try:
        from client.console.drawing import draw
        from client.generation.sources import find_model

        return draw(request, find_model(paths, run, checkpoint), out, paths, console)
    except KeyboardInterrupt:
        console.print("Cancelled: nothing was saved.")
        raise typer.Exit(INTERRUPTED) from None


def _show(album: "Album", out: Path, as_json: bool) -> None:
    from rich.console import Console

    from client.console.drawing import report

    if as_json:
        print(json.dumps({"folder": str(out), **album.model_dump(mode="json")}))
    else:
        Console(highlight=False).print(report(album, out), soft_wrap=True)
