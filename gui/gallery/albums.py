"""Albums of the gallery: values read from the index, and sentences about them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from client.api.gallery import GalleryAlbum, GalleryIndex, GenerationRequest
from client.api.snapshot import GenerationView, NoticeView
from gui.wording import amounts

translate = QCoreApplication.translate

_QUOTED = 60
"""Characters of a prompt that the daemon quotes in a notice, with the ellipsis of a longer one."""
"""Number of characters of a prompt by which its notice is recognised."""
_UNFIT = re.compile(r'[\x00-\x1f<>:"/\\|?*]+')
"""Characters that some file system does not allow in a file name."""
_LONGEST_NAME = 60


@dataclass(frozen=True)
class AlbumPicture:
    """One picture of an album."""

    file: Path
    number: int
    """Number within its request, from 1."""
    place: int
    """Position among the kept pictures, from 1; ranked pictures start with the best."""
    score: float | None


@dataclass(frozen=True)
class AlbumView:
    """The pictures of one request."""

    id: str
    folder: Path
    time: datetime
    epoch: int
    run: str
    """Title of the run, or its name."""
    is_shipped: bool
    """True if the model that comes with Idlebrush drew them."""
    request: GenerationRequest
    pictures: tuple[AlbumPicture, ...]
    unranked: str
    """Reason why no picture was ranked, in English; empty if they were ranked."""


def albums_in(gallery: Path) -> tuple[AlbumView, ...]:
    """Return all albums, newest first. Raise OSError or ValueError if the gallery cannot be read."""
    return tuple(_view(album, gallery / album.id) for album in GalleryIndex.read(gallery).albums)


def _view(album: GalleryAlbum, folder: Path) -> AlbumView:
    of = album.album
    pictures = (
        AlbumPicture(folder / picture.file, picture.number + 1, place, picture.score)
        for place, picture in enumerate(of.pictures, start=1)
    )
    return AlbumView(
        id=album.id,
        folder=folder,
        time=album.time,
        epoch=of.epoch,
        run=of.title or of.run,
        is_shipped=of.is_shipped,
        request=of.request,
        pictures=tuple(pictures),
        unranked=of.unranked,
    )


def facts(album: AlbumView, now: datetime) -> str:
    """Return an album's time, model and number of pictures, in one line."""
    of, kept = album.request, len(album.pictures)
    if kept < of.count:
        #: Of the pictures that were drawn, so many were kept.
        amount = translate("Albums", "best {kept} of {drawn}").format(
            kept=amounts.count(kept), drawn=amounts.count(of.count)
        )
    else:
        amount = translate("Albums", "%Ln picture(s)", "", kept)
    return "  ·  ".join((amounts.moment(album.time, now), drawn_by(album), amount))


def drawn_by(album: AlbumView) -> str:
    """Return the model that drew an album."""
    epoch = amounts.count(album.epoch)
    if album.is_shipped:
        text = translate("Albums", "the model that comes with Idlebrush, epoch {epoch} of {run}")
    else:
        #: {run} is the title of a run.
        text = translate("Albums", "epoch {epoch} of {run}")
    return text.format(epoch=epoch, run=album.run)


def ranking_note(album: AlbumView) -> str:
    """Return the reason why all pictures were kept although the best were requested; empty otherwise."""
    if album.request.best is None or not album.unranked:
        return ""
    #: {reason} is a whole English sentence.
    note = translate("Albums", "All pictures were kept because they could not be ranked. {reason}")
    return note.format(reason=album.unranked)


def details(album: AlbumView, picture: AlbumPicture) -> tuple[tuple[str, str], ...]:
    """Return the names and values of a picture's details."""
    of = album.request
    found = [
        (translate("Albums", "Model"), drawn_by(album)),
        (translate("Albums", "Seed"), str(of.seed)),
        (translate("Albums", "Number"), number_of(picture.number, of.count)),
    ]
    if picture.score is not None:
        found.append((translate("Albums", "Score"), amounts.decimal(picture.score, 3)))
    if of.temperature is not None:
        found.append((translate("Albums", "Temperature"), amounts.decimal(of.temperature, 2)))
    if of.top_k is not None:
        found.append((translate("Albums", "Most likely codes"), amounts.count(of.top_k)))
    if of.guidance is not None:
        found.append((translate("Albums", "Guidance"), amounts.decimal(of.guidance, 1)))
    return tuple(found)


def seed_words(album: AlbumView, picture: AlbumPicture) -> str:
    """Return the prompt and the details by which others draw the same picture, a line each."""
    return "\n".join((album.request.prompt, *(f"{name}: {value}" for name, value in details(album, picture))))


def number_of(number: int, total: int) -> str:
    """Return a position among a total, such as "3 of 16"."""
    #: Such as "3 of 16".
    return translate("Albums", "{number} of {total}").format(
        number=amounts.count(number), total=amounts.count(total)
    )


def place_of(picture: AlbumPicture, album: AlbumView) -> str:
    """Return the picture's position in its album."""
    return number_of(picture.place, len(album.pictures))


def spoken(picture: AlbumPicture, album: AlbumView) -> str:
    """Return the accessible name of a picture."""
    return translate("Albums", "{prompt}, picture {number} of {total}").format(
        prompt=album.request.prompt,
        number=amounts.count(picture.place),
        total=amounts.count(len(album.pictures)),
    )


def file_name(picture: AlbumPicture, album: AlbumView) -> str:
    """Return the default file name of a copy, such as ``red heart 7-12.png``."""
    words = " ".join(_UNFIT.sub(" ", album.request.prompt).split())[:_LONGEST_NAME].strip(" .")
    return f"{words or album.id} {album.request.seed}-{picture.number}.png"


def ended(before: Sequence[GenerationView], now: Sequence[GenerationView]) -> tuple[GenerationView, ...]:
    """Return the requests that have left the queue."""
    ids = {view.id for view in now}
    return tuple(view for view in before if view.id not in ids)


def why_failed(prompt: str, notices: Sequence[NoticeView]) -> str:
    """Return the newest notice about pictures of that prompt; empty if there is none."""
    quote = f"“{prompt}”" if len(prompt) <= _QUOTED else f"“{prompt[: _QUOTED - 1]}…”"
    return next((notice.text for notice in reversed(notices) if quote in notice.text), "")
