"""Options and exit codes that several verbs share."""

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


SOURCE_KINDS = (
    "A folder of images with metadata.jsonl, metadata.csv or text files of captions; .tar archives"
    " such as data/{00000..00099}.tar, or a folder of them; an output of img2dataset; or a data set"
    " on the Hub: owner/name@revision:split."
)
Subset = Annotated[str | None, typer.Option(help="Subset of a data set on the Hub that has several.")]
ImageColumn = Annotated[
    str | None, typer.Option(help="Column of images in a data set on the Hub. Default: found by its name.")
]
CaptionColumn = Annotated[
    str | None,
    typer.Option(help="Column of captions in a data set on the Hub. Default: found by its name."),
]
