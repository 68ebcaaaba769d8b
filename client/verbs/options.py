"""What several verbs have in common: options, and how they end."""

from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object, for programs.")]
INTERRUPTED = 130
"""Exit status after Ctrl-C, as of other programs."""
