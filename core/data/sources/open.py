"""Finds out what kind of source a text names: a folder, archives, or a data set on the Hub."""

import re
from collections.abc import Sequence
from itertools import product
from math import prod
from pathlib import Path

from core.data.sources.folder import METADATA_NAMES, CaptionedFiles, ImageFolder, has_captioned_files
from core.data.sources.img2dataset import Img2Dataset, tables_of
from core.data.sources.source import ImageSource
from core.data.sources.webdataset import WebDataset
from core.errors import DataError

MAX_ARCHIVES = 1 << 20

_HUB = re.compile(
    r"(?:hf://datasets/)?(?P<repo>[\w.-]+/[\w.-]+)(?:@(?P<revision>[\w./-]+))?(?::(?P<split>\w+(?:\.\w+)*))?"
)
_BRACES = re.compile(r"\{([^{}]*)\}")
_RANGE = re.compile(r"(\d{1,9})\.\.(\d{1,9})")
_KINDS = (
    "Name a folder of images with a metadata.jsonl or .csv or with text files beside them, .tar archives "
    "such as data/{00000..00099}.tar or a folder of them, an output of img2dataset, or a data set on the Hub "
    "as owner/name@revision:split."
)


def open_source(
    text: str,
    *,
    subset: str | None = None,
    image_column: str | None = None,
    caption_column: str | None = None,
) -> ImageSource:
    """Return the source that a text names: a folder or archives on this machine, or a data set on the Hub.

    Args:
        text: A folder, an archive or a pattern of archives, or a data set as ``owner/name@revision:split``.
        subset: Name of the subset, for a data set on the Hub.
        image_column: Column of images, for a data set on the Hub; None: it is found by its name.
        caption_column: Column of captions, for a data set on the Hub; None: it is found by its name.

    Raises:
        DataError: the text names no source, or one that cannot be read.
    """
    path = Path(text).expanduser()
    if path.is_dir():
        return _folder(path)
    if text.endswith(".tar") and not text.startswith("hf://"):
        return WebDataset([Path(name).expanduser() for name in expand_braces(text)])
    found = _HUB.fullmatch(text)
    if found is None or path.exists():
        raise DataError(f"{text} is not a source of images.", _KINDS)
    from core.data.sources.hub import HubDataset, HubImages  # datasets takes a second to import

    return HubImages(
        HubDataset(
            **found.groupdict(), subset=subset, image_column=image_column, caption_column=caption_column
        )
    )


def expand_braces(pattern: str) -> list[str]:
    """Return the names that ``pattern`` stands for, as a shell expands ``a{00..02}{x,y}``.

    Raises:
        DataError: the pattern stands for more than ``MAX_ARCHIVES`` names.
    """
    parts = _BRACES.split(pattern)
    choices = [_choices(part) if index % 2 else ((part,), "{}") for index, part in enumerate(parts)]
    if prod(len(values) for values, _ in choices) > MAX_ARCHIVES:
        raise DataError(f"{pattern} stands for more than {MAX_ARCHIVES} names.", "Name fewer archives.")
    form = "".join(written for _, written in choices)
    return [form.format(*values) for values in product(*(values for values, _ in choices))]


def _choices(inner: str) -> tuple[Sequence[int | str], str]:
    """Return the values that the inside of braces stands for, and the format of each value."""
    numbers = _RANGE.fullmatch(inner)
    if numbers is None:
        return inner.split(","), "{}"
    return range(int(numbers[1]), int(numbers[2]) + 1), f"{{:0{len(numbers[1])}d}}"


def _folder(path: Path) -> ImageSource:
    if any((path / name).is_file() for name in METADATA_NAMES):
        return ImageFolder(path)
    if tables_of(path):
        return Img2Dataset(path)
    if archives := sorted(path.glob("*.tar")):
        return WebDataset(archives)
    if has_captioned_files(path):
        return CaptionedFiles(path)
    raise DataError(f"{path} holds no images with captions.", _KINDS)
