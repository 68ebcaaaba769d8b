"""The verbs `generate`, `timelapse` and `evaluate`: what a run's model makes, and how good it is."""

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
    app.command()(timelapse)
    app.command()(evaluate)


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
    guidance: Annotated[
        float | None,
        typer.Option(
            help="How strictly pictures follow the prompt; 1 does not guide them. Default: the run's own, 1.5 if its "
            "model can be guided."
        ),
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
        guidance=guidance,
        seed=secrets.randbits(31) if seed is None else seed,  # which the app's field takes as well
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


def timelapse(
    out: Annotated[
        Path, typer.Argument(help="File to write; its name ends with .webp, .gif or .png.")
    ] = Path("timelapse.webp"),
    run: Annotated[
        Path | None, typer.Option(help="Folder of the run or demo. Default: the joined run, or ./demo.")
    ] = None,
    seconds: Annotated[
        float, typer.Option(min=0.05, max=10.0, help="Seconds that each frame is shown.")
    ] = 0.45,
) -> None:
    """Save how the run's pictures became better, as one moving picture."""
    from rich.console import Console

    from client.generation.joined_frames import timelapse_folder
    from core.generation.animation import save_animation

    frames = save_animation(timelapse_folder(Paths.of_user(), run), out, seconds)
    Console(highlight=False).print(f"{out} shows {frames:,} frames.", soft_wrap=True)


@needs(PackageSet.TRAINER)
def evaluate(
    run: Annotated[
        Path | None,
        typer.Argument(
            help="Folder or manifest of the run. Default: the joined run, ./demo, or the one shipped."
        ),
    ] = None,
    prompts: Annotated[
        Path | None,
        typer.Option(help="Text file with a prompt a line. Default: sample prompts and held-out captions."),
    ] = None,
    out: Annotated[
        Path, typer.Option(help="Folder for the report; an earlier report in it is replaced.")
    ] = Path("evaluation"),
    number: Annotated[
        int,
        typer.Option("--number", "-n", min=1, max=256, help="Drawings of each prompt; the best is judged."),
    ] = 16,
    pictures: Annotated[
        int, typer.Option(min=8, max=1_000_000, help="Most training pictures to look at.")
    ] = 20_000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the drawings.")] = 0,
    checkpoint: Annotated[
        Path | None,
        typer.Option(help="Folder of the checkpoint or model to draw with. Default: the run's newest."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Sort prompts into realistic, failing and generalising, beside the nearest training pictures.

    What was drawn and looked at is kept: an evaluation that was interrupted goes on, and the next one is faster.
    """
    from rich.console import Console

    from client.generation.evaluating import EvaluationChoices, report, run_evaluation

    console = Console(stderr=True, highlight=False)
    choices, paths = EvaluationChoices(run, checkpoint, prompts, out, number, pictures, seed), Paths.of_user()
    try:
        evaluation = run_evaluation(choices, paths, console)
    except KeyboardInterrupt:
        console.print("Interrupted: the same command goes on where it ended.")
        raise typer.Exit(INTERRUPTED) from None
    if as_json:
        print(json.dumps({"folder": str(out), **evaluation.model_dump(mode="json")}))
    else:
        Console(highlight=False).print(report(evaluation, out, paths.evaluations), soft_wrap=True)
