"""Options by which the verbs of data sets are told of images with captions."""

from typing import Annotated

import typer

SOURCE_KINDS = (
    "A folder of images with metadata.jsonl, metadata.csv or text files of captions; .tar archives"
    " such as data/{00000..00099}.tar, or a folder of them; an output of img2dataset; or a data set"
    " on the Hub: owner/name@revision:split."
)
Subset = Annotated[str | None, typer.Option(help="Of a data set on the Hub that has several.")]
ImageColumn = Annotated[str | None, typer.Option(help="Of a data set on the Hub; without, by name.")]
CaptionColumn = Annotated[str | None, typer.Option(help="Likewise.")]
