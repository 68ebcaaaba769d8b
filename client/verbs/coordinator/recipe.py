"""The verbs of `coordinator` about what a run begins with: gather, begin-with."""

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from client.verbs.options import HERE, HomeOption


def gather(
    named: Annotated[
        str,
        typer.Argument(
            metavar="RECIPE", help="Name of a recipe, such as training-transformers-together, or its file."
        ),
    ],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder for the draft and its files.")],
) -> None:
    """Fetch the files that a recipe names on the Hub, and write a draft of a run for `coordinator init`.

    An interrupted download goes on when the command is given again, and a draft that you have changed stays.
    DIR/origins.json says which commit each file came from, and has its digest.
    """
    from rich.console import Console

    from client.recipes import gathering
    from client.recipes.recipe import Recipe
    from client.recipes.session import hub_session
    from coordinator.draft import Draft
    from core.memory.units import format_size
    from core.run.describe import parameter_count

    with hub_session(Console(stderr=True), os.environ) as fetcher:
        gathered = gathering.gather(Recipe.load(named), folder, fetcher)
    draft = Draft.load(gathered.draft, datetime.now(UTC))
    parameters = parameter_count(draft.training.model)
    print(
        f"{gathered.draft} is the draft of {draft.contact.title}, with {parameters:,} parameters. The recipe names:"
    )
    for file in gathered.files:
        print(f"{file.source}, {format_size(file.size)}, SHA-256 {file.sha256}")
    for source in gathered.sources:
        print(source)
    if gathered.is_changed:
        print(f"{gathered.draft} was changed since it was made, and stays as it is.")
    if gathered.newer:
        print(f"{gathered.newer} is what the recipe makes now.")
    print(f"Next: idlebrush coordinator init HOME --run {gathered.draft}")


def begin_with(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="Folder that `checkpoint import` wrote.")],
    home: HomeOption = HERE,
) -> None:
    """Begin a new run with the weights of a published model. Afterwards, `serve` gives them to the trainers.

    Do this before the run is served for the first time. The run begins at epoch 1, with an optimizer that has made no
    step.
    """
    from coordinator.gate.moderation import COMMAND_LINE
    from coordinator.home import Home
    from coordinator.opened import opened
    from coordinator.publisher import first_weights

    with opened(Home(home)) as opened_run:
        manifest = first_weights.begin_with(opened_run, model, by=COMMAND_LINE)
    print(f"{manifest.contact.title} begins with the weights of {model}.")
    print(f"Next: idlebrush coordinator serve {home}")
