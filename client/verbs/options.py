"""What several verbs have in common: options, and how they end."""

from pathlib import Path
from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object, for programs.")]
HomeOption = Annotated[
    Path,
    typer.Option(
        "--home", envvar="IDLEBRUSH_COORDINATOR", help="Folder that `coordinator init` made.", metavar="DIR"
    ),
]
HERE = Path()
INTERRUPTED = 130
"""Exit status after Ctrl-C, as of other programs."""
