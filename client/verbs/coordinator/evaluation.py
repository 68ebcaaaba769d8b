"""The verbs `coordinator evaluation publish` and `remove`: a report of `idlebrush evaluate` on the website."""

from pathlib import Path
from typing import Annotated

import typer

from client.verbs.options import HERE, HomeOption


def publish_evaluation(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder that `idlebrush evaluate` wrote.")],
    home: HomeOption = HERE,
    without: Annotated[
        list[str] | None,
        typer.Option(metavar="PROMPT", help="Prompt that is not shown; may be given several times."),
    ] = None,
) -> None:
    """Show an evaluation on the website, in place of an earlier one, also while the run is served.

    The folder is checked and copied. The website shows its prompts, drawings and some training pictures to everybody.
    """
    from coordinator.home import Home
    from coordinator.published_evaluation import publish

    evaluation = publish(Home(home), folder, without or ())
    print(f"The website shows it at /evaluation: {len(evaluation.results)} prompts.")


def remove_evaluation(home: HomeOption = HERE) -> None:
    """Take the evaluation off the website."""
    from coordinator.home import Home
    from coordinator.published_evaluation import withdraw

    print("Removed." if withdraw(Home(home)) else "The website shows no evaluation.")
