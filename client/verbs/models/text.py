"""The verbs `write` and `samples`: what a language model writes for a prompt, and what a run's wrote so far."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from client.paths import Paths
from client.verbs.options import AsJson, needs
from core.packages import PackageSet

if TYPE_CHECKING:
    from core.model.family.publishing import TextWriter


def register(app: typer.Typer) -> None:
    app.command()(write)
    app.command()(samples)


@needs(PackageSet.TRAINER)
def write(
    prompt: Annotated[str, typer.Argument(help="Beginning of the text.")],
    tokens: Annotated[int, typer.Option(min=1, max=4096, help="Tokens to write, at most.")] = 64,
    temperature: Annotated[
        float, typer.Option(min=0.05, max=5.0, help="Lower values give more predictable texts.")
    ] = 0.8,
    top_k: Annotated[int, typer.Option(min=1, help="Choose from this many of the most likely tokens.")] = 40,
    seed: Annotated[int, typer.Option(min=0, max=2**63 - 1, help="The same seed gives the same text.")] = 0,
    checkpoint: Annotated[
        Path | None,
        typer.Option(help="Folder of the checkpoint or model to write with. Default: that of the run."),
    ] = None,
    run: Annotated[
        Path | None, typer.Option(help="Folder or manifest of the run. Default: the joined run, or ./demo.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Continue a text with a trained language model."""
    from core.excerpt import passage
    from core.model.family.publishing import WritingChoices

    writer = _writer(run, checkpoint)
    if (room := writer.room(prompt, tokens)) < tokens:
        print(f"The model looks back at too little for {tokens} tokens: it writes {room}.", file=sys.stderr)
    text = writer.write(prompt, WritingChoices(tokens, temperature, top_k, seed))
    if as_json:
        print(json.dumps({"prompt": prompt, "continuation": text, "seed": seed}))
    else:
        whole = prompt + text
        # A tab takes four characters.
        print(passage(whole, longest=1 + 4 * len(whole), most_lines=1 + len(whole)))


def _writer(run: Path | None, checkpoint: Path | None) -> "TextWriter":
    from client.generation.sources import text_source
    from core.published.export import published_form
    from core.run.training.families import publishing_of

    if checkpoint is not None and (form := published_form(checkpoint)) is not None:
        return form.writer(checkpoint)
    found = text_source(Paths.of_user(), run, checkpoint)
    return publishing_of(found.manifest.training.kind).writer_of_run(
        found.checkpoint, found.manifest, found.base
    )


def samples(
    epoch: Annotated[
        int | None, typer.Option(min=0, help="Epoch to show, or the last one before it. Default: the newest.")
    ] = None,
    run: Annotated[
        Path | None, typer.Option(help="Folder of the run or demo. Default: the joined run, or ./demo.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print what the model of a text run wrote after the run's prompts."""
    from client.generation.joined_frames import timelapse_folder
    from client.generation.written_samples import report, written_samples

    found = written_samples(timelapse_folder(Paths.of_user(), run), epoch)
    print(json.dumps(found.as_json()) if as_json else report(found))
