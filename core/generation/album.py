"""Writes pictures to a folder, all or none: PNGs that say what they are, a sheet of them, and ``pictures.json``."""

import re
import tempfile
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, count, islice
from pathlib import Path

import torch
from PIL.PngImagePlugin import PngInfo
from pydantic import ValidationError

from core.errors import GenerationError
from core.generation.parts import Origin
from core.generation.records import (
    FILE,
    LARGEST,
    Album,
    Albums,
    PictureRecord,
    picture_texts,
    settings_text,
)
from core.generation.service import Picture, Pictures
from core.generation.sheet import as_picture, save_sheet
from core.messages.pictures import GenerationRequest
from core.storage import moving
from core.storage.files import read_bounded, write_atomically

_NAME_LETTERS = 40
_ON_A_SHEET = 64
"""Most pictures on a sheet, the first of the album: the whole sheet is in memory."""
_LARGE = 128
"""Least side in pixels at which pictures keep their size on the sheet; smaller ones are doubled."""
_UNFINISHED = ".drawn-"
"""Prefix of the name of the temporary folder that pictures are written to first."""


def read_albums(folder: Path) -> Albums:
    """Return the albums that ``pictures.json`` of ``folder`` lists; none if the file is missing.

    Raises:
        GenerationError: ``folder`` is no folder, or the file was not written by this version of Idlebrush.
    """
    try:
        return Albums.model_validate_json(read_bounded(folder / FILE, LARGEST))
    except FileNotFoundError:
        return Albums()
    except NotADirectoryError as error:
        raise GenerationError(f"{folder} is not a folder.", "Choose another folder with --out.") from error
    except (ValidationError, ValueError) as error:
        raise GenerationError(
            f"{folder / FILE} was not written by this version of Idlebrush, and is left as it is.",
            "Choose another folder with --out.",
        ) from error


def check_folder(folder: Path) -> None:
    """Check before drawing that `save_album` will be able to write to ``folder``; the check leaves no file.

    Raises GenerationError as `save_album` does.
    """
    with _writing(folder):
        read_albums(folder)
        there = next(path for path in (folder, *folder.parents) if path.exists())
        with tempfile.TemporaryDirectory(dir=there, prefix=_UNFINISHED):
            pass


def save_album(folder: Path, request: GenerationRequest, origin: Origin, drawn: Pictures) -> Album:
    """Add the pictures of a request to a folder; existing files are not overwritten.

    Equal pictures of equal requests make equal files.

    Args:
        folder: Folder to write to; it is created if it is missing.
        request: Request that the pictures were drawn for.
        origin: Model that drew them.
        drawn: Pictures to save, and the reason if they are not ranked.

    Returns:
        The entry that was added to ``pictures.json``.

    Raises:
        GenerationError: ``pictures.json`` there was not written by this version, or the folder cannot be
            written to; none of the pictures is left there then.
    """
    with _writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        albums = read_albums(folder).albums
        album = _described(_free_name(folder, request), request, origin, drawn)
        text = Albums(albums=(*albums, album)).model_dump_json(indent=1)
        with tempfile.TemporaryDirectory(dir=folder, prefix=_UNFINISHED) as made:
            _write_pictures(Path(made), album, drawn)
            with _moved_in(Path(made), folder):
                write_atomically(folder / FILE, f"{text}\n".encode())
    return album


def prepare_album(folder: Path, request: GenerationRequest, origin: Origin, drawn: Pictures) -> Album:
    """Save pictures as `save_album` does, but in a hidden folder beside ``folder`` until they are published.

    What was prepared for ``folder`` before is discarded; ``request``, ``origin`` and ``drawn`` are as in
    `save_album`.
    """
    discard_album(folder)
    return save_album(_hidden(folder), request, origin, drawn)


def publish_album(folder: Path) -> None:
    """Rename the hidden folder of `prepare_album` to ``folder``, so that all its files appear at once.

    Raises GenerationError if it cannot be renamed.
    """
    with _writing(folder):
        moving.rename(_hidden(folder), folder)


def discard_album(folder: Path) -> None:
    """Remove the hidden folder that was prepared for ``folder`` and not published."""
    moving.discard_folder(_hidden(folder))


def _hidden(folder: Path) -> Path:
    return folder.with_name(f".{folder.name}")


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise GenerationError(
            f"Pictures cannot be saved in {folder}: {error.strerror or error}.",
            "Free some space on that disk, or choose a folder that can be written to.",
        ) from error


def _described(name: str, request: GenerationRequest, origin: Origin, drawn: Pictures) -> Album:
    records = tuple(
        PictureRecord(file=f"{name}-{item.number:04d}.png", number=item.number, score=item.score)
        for item in drawn.kept
    )
    return Album(
        request=request,
        run=origin.run,
        epoch=origin.epoch,
        parameter_digest=origin.parameter_digest,
        title=origin.title,
        is_shipped=origin.is_shipped,
        pictures=records,
        sheet=f"{name}-sheet.png",
        unranked=drawn.unranked,
    )


def _free_name(folder: Path, request: GenerationRequest) -> str:
    """Return the prefix of the files' names: prompt and seed, with a number if such files exist."""
    plain = unicodedata.normalize("NFKD", request.prompt).encode("ascii", "ignore").decode().lower()
    words = re.sub(r"[^a-z0-9]+", "-", plain)[:_NAME_LETTERS].strip("-") or "pictures"
    first = f"{words}-seed{request.seed}"
    there = [path.name for path in folder.glob(f"{first}*")]
    names = chain([first], (f"{first}-{times}" for times in count(2)))
    return next(name for name in names if not any(other.startswith(f"{name}-") for other in there))


def _write_pictures(folder: Path, album: Album, drawn: Pictures) -> None:
    for picture, record in zip(drawn.kept, album.pictures, strict=True):
        image = as_picture(picture.pixels / 255)
        image.save(folder / record.file, pnginfo=_texts(album, record), optimize=True)
    _save_sheet(folder / album.sheet, drawn.kept)


@contextmanager
def _moved_in(made: Path, folder: Path) -> Iterator[None]:
    """Move all files into the folder; remove them again if one's name is taken or the body fails."""
    moved: list[Path] = []
    try:
        for file in sorted(made.iterdir()):
            target = folder / file.name
            target.touch(exist_ok=False)  # a rename would replace a file that just appeared
            moved.append(target)
            moving.replace(file, target)
        yield
    except BaseException:
        for target in moved:
            moving.remove(target)
        raise


def _texts(album: Album, record: PictureRecord) -> PngInfo:
    """Return a picture's metadata as PNG text chunks, in UTF-8, as prompts may be in any script."""
    texts, request = PngInfo(), album.request
    settings = settings_text(request)
    for key, value in {
        **picture_texts(request.prompt, request.seed, record.number, album.run, album.epoch),
        "Model": album.model,
        "Parameters": album.parameter_digest,
        **({"Settings": settings} if settings else {}),
        **({} if record.score is None else {"Score": f"{record.score:.6f}"}),
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
