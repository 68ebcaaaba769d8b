"""Options, exit codes and package checks that several verbs share."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, ParamSpec, TypeVar

import typer

from core.packages import PackageSet, require

P = ParamSpec("P")
R = TypeVar("R")

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


def needs(*packages: PackageSet) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator for a verb that refuses to begin where one of these sets of packages is not installed."""

    def decorate(verb: Callable[P, R]) -> Callable[P, R]:
        @wraps(verb)
        def guarded(*args: P.args, **options: P.kwargs) -> R:
            require(*packages)
            return verb(*args, **options)

        return guarded

    return decorate
