"""Writes pictures to a folder, all or none: PNGs that say what they are, a sheet of them, and ``pictures.json``."""

import re
import shutil
import tempfile
import unicodedata
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import torch
from PIL.PngImagePlugin import PngInfo
from pydantic import ValidationError

from core.errors import GenerationError
from core.files import read_bounded, write_atomically
from core.generation.parts import Origin
from core.generation.records import FILE, LARGEST, Album, Albums, PictureRecord
from core.generation.request import GenerationRequest
from core.generation.service import Picture, Pictures
from core.pictures import as_picture, save_sheet

_NAME_LETTERS = 40
_ON_A_SHEET = 64
"""Pictures, the first ones: the sheet is in memory as a whole."""
_LARGE = 128
"""Pixels on a side from which on pictures are shown on the sheet as large as they are."""


def read_albums(folder: Path) -> Albums:
    """What ``pictures.json`` of a folder tells; nothing where there is none, GenerationError if it is another's."""
    try:
        return Albums.model_validate_json(read_bounded(folder / FILE, LARGEST))
    except FileNotFoundError:
        return Albums()
    except NotADirectoryError as error:
        raise GenerationError(f"{folder} is not a folder.", "Choose another folder by --out.") from error
    except (ValidationError, ValueError) as error:
        raise GenerationError(
            f"{folder / FILE} was not written by this version of Idlebrush, and is left as it is.",
            "Choose another folder by --out.",
        ) from error


def save_album(folder: Path, request: GenerationRequest, origin: Origin, drawn: Pictures) -> Album:
    """Add pictures to a folder, which is made if it is missing; nothing that lies there is overwritten.

    Equal pictures of equal requests make equal files. Raises GenerationError for a folder of somebody else's, and
    OSError where it cannot be written to: nothing of the pictures is left there then.
    """
    folder.mkdir(parents=True, exist_ok=True)
    albums = read_albums(folder)
    name = _free_name(folder, request)
    records = tuple(
        PictureRecord(file=f"{name}-{item.number:04d}.png", number=item.number, score=item.score)
        for item in drawn.kept
    )
    album = Album(
        request=request,
        run=origin.run,
        epoch=origin.epoch,
        parameter_digest=origin.parameter_digest,
        pictures=records,
        sheet=f"{name}-sheet.png",
        unranked=drawn.unranked,
    )
    with tempfile.TemporaryDirectory(dir=folder, prefix=".drawn-") as made:
        for picture, record in zip(drawn.kept, records, strict=True):
            as_picture(picture.pixels / 255).save(
                Path(made, record.file), pnginfo=_texts(album, record), optimize=True
            )
        _save_sheet(Path(made, album.sheet), drawn.kept)
        _move_in(Path(made), folder)
    text = Albums(albums=(*albums.albums, album)).model_dump_json(indent=1)
    write_atomically(folder / FILE, f"{text}\n".encode())
    return album


def save_new_album(folder: Path, request: GenerationRequest, origin: Origin, drawn: Pictures) -> Album:
    """As `save_album`, but the folder appears whole: until then it is hidden beside its place by a leading dot."""
    made = folder.with_name(f".{folder.name}")
    album = save_album(made, request, origin, drawn)
    made.rename(folder)
    return album


def _free_name(folder: Path, request: GenerationRequest) -> str:
    """What the files' names begin with: the prompt and the seed, and a number where that is taken."""
    plain = unicodedata.normalize("NFKD", request.prompt).encode("ascii", "ignore").decode().lower()
    words = re.sub(r"[^a-z0-9]+", "-", plain)[:_NAME_LETTERS].strip("-") or "pictures"
    first = f"{words}-seed{request.seed}"
    taken = {path.name for path in folder.glob(f"{first}*-sheet.png")}
    name, times = first, 1
    while f"{name}-sheet.png" in taken:
        times += 1
        name = f"{first}-{times}"
    return name


def _move_in(made: Path, folder: Path) -> None:
    """Link all files into the folder under names that are free, or none of them."""
    moved: list[Path] = []
    try:
        for file in sorted(made.iterdir()):
            target = folder / file.name
            if target.exists():
                raise GenerationError(
                    f"{target} is there already.", "Move it, or choose another folder by --out."
                )
            moved.append(target)
            shutil.move(file, target)
    except BaseException:
        for target in moved:
            target.unlink(missing_ok=True)
        raise


def _texts(album: Album, record: PictureRecord) -> PngInfo:
    """What a picture says of itself, as PNG text chunks (in UTF-8, as prompts may be in any script)."""
    texts = PngInfo()
    score = {} if record.score is None else {"Score": f"{record.score:.6f}"}
    for key, value in {
        "Software": "Idlebrush",
        "Description": album.request.prompt,
        "Seed": str(album.request.seed),
        "Number": str(record.number),
        "Run": album.run,
        "Epoch": str(album.epoch),
        "Parameters": album.parameter_digest,
        **score,
    }.items():
        texts.add_itxt(key, value)
    return texts


def _save_sheet(path: Path, pictures: Iterable[Picture]) -> None:
    kept = list(islice(pictures, _ON_A_SHEET))
    images = torch.stack([item.pixels for item in kept]).float() / 255
    labels = [
        f"{item.number}" if item.score is None else f"{item.number}  {item.score:+.3f}" for item in kept
    ]
    columns = max(4, round(len(kept) ** 0.5))
    save_sheet(images, labels, path, columns=columns, scale=2 if images.shape[-1] < _LARGE else 1)
