"""Albums of the gallery as the page shows them: values made of the index, and words about them."""

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

_QUOTED = 40
"""Characters of a prompt by which a notice about it is known."""
_UNFIT = re.compile(r'[\x00-\x1f<>:"/\\|?*]+')
"""What some system does not allow in a file's name."""
_LONGEST_NAME = 60


@dataclass(frozen=True)
class Picture:
    """One picture of an album."""

    file: Path
    number: int
    """Of its request, from 1."""
    place: int
    """Among those that were kept, from 1: the best first, if they were ranked."""
    score: float | None


@dataclass(frozen=True)
class AlbumView:
    """The pictures of one request."""

    id: str
    folder: Path
    time: datetime
    epoch: int
    request: GenerationRequest
    pictures: tuple[Picture, ...]
    unranked: str
    """Why all were kept, in English; empty if they were ranked."""


def albums_in(gallery: Path) -> tuple[AlbumView, ...]:
    """All albums, newest first; OSError or ValueError for a gallery that cannot be read."""
    return tuple(_view(album, gallery / album.id) for album in GalleryIndex.read(gallery).albums)


def _view(album: GalleryAlbum, folder: Path) -> AlbumView:
    of = album.album
    pictures = (
        Picture(folder / picture.file, picture.number + 1, place, picture.score)
        for place, picture in enumerate(of.pictures, start=1)
    )
    return AlbumView(album.id, folder, album.time, of.epoch, of.request, tuple(pictures), of.unranked)


def facts(album: AlbumView, now: datetime) -> str:
    """Where the pictures come from, in a line."""
    of, kept = album.request, len(album.pictures)
    if kept < of.count:
        #: Of the pictures that were drawn, so many were kept.
        amount = translate("Albums", "best {kept} of {drawn}").format(
            kept=amounts.count(kept), drawn=amounts.count(of.count)
        )
    else:
        amount = translate("Albums", "%Ln picture(s)", "", kept)
    epoch = translate("Albums", "epoch {epoch}").format(epoch=amounts.count(album.epoch))
    return "  ·  ".join((amounts.moment(album.time, now), epoch, amount))


def ranking_note(album: AlbumView) -> str:
    """Why all were kept though the best were asked for; empty where there is nothing to say."""
    if album.request.best is None or not album.unranked:
        return ""
    #: {reason} is a whole English sentence.
    note = translate("Albums", "All were kept, as they could not be ranked. {reason}")
    return note.format(reason=album.unranked)


def details(album: AlbumView, picture: Picture) -> tuple[tuple[str, str], ...]:
    """What is known of a picture: names and values."""
    of = album.request
    found = [
        (translate("Albums", "Epoch"), amounts.count(album.epoch)),
        (translate("Albums", "Seed"), str(of.seed)),
        (translate("Albums", "Number"), number_of(picture.number, of.count)),
    ]
    if picture.score is not None:
        found.append((translate("Albums", "Score"), amounts.decimal(picture.score, 3)))
    if of.temperature is not None:
        found.append((translate("Albums", "Temperature"), amounts.decimal(of.temperature, 2)))
    if of.top_k is not None:
        found.append((translate("Albums", "Likeliest codes"), amounts.count(of.top_k)))
    return tuple(found)


def number_of(number: int, total: int) -> str:
    """Which of how many."""
    #: Such as "3 of 16".
    return translate("Albums", "{number} of {total}").format(
        number=amounts.count(number), total=amounts.count(total)
    )


def place_of(picture: Picture, album: AlbumView) -> str:
    """Which of the album's pictures it is."""
    return number_of(picture.place, len(album.pictures))


def spoken(picture: Picture, album: AlbumView) -> str:
    """The name of a picture for those who do not see it."""
    return translate("Albums", "{prompt}, picture {number} of {total}").format(
        prompt=album.request.prompt,
        number=amounts.count(picture.place),
        total=amounts.count(len(album.pictures)),
    )


def file_name(picture: Picture, album: AlbumView) -> str:
    """What a copy of a picture is called unless the person says otherwise; such as ``red heart 7-12.png``."""
    words = " ".join(_UNFIT.sub(" ", album.request.prompt).split())[:_LONGEST_NAME].strip(" .")
    return f"{words or album.id} {album.request.seed}-{picture.number}.png"


def ended(before: Sequence[GenerationView], now: Sequence[GenerationView]) -> tuple[GenerationView, ...]:
    """Requests that are not waited for any more, whatever became of them."""
    ids = {view.id for view in now}
    return tuple(view for view in before if view.id not in ids)


def why_failed(prompt: str, notices: Sequence[NoticeView]) -> str:
    """The newest notice about pictures of that prompt; empty: there is none."""
    quote = f"“{prompt[:_QUOTED]}"
    return next((notice.text for notice in reversed(notices) if quote in notice.text), "")
