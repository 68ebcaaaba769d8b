"""Galleries and time-lapses for tests, as the daemon leaves them: small pictures of one colour each."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QImage, QPainter

from client.api.gallery import INDEX, GalleryAlbum, GalleryIndex
from core.generation.records import FRAMES, Album, FrameIndex, PictureRecord, TimelapseFrame, frame_file
from core.messages.pictures import GenerationRequest

NOW = datetime(2026, 3, 1, 14, 30, tzinfo=UTC)
SIDE = 8
COLOURS = ("#c2371b", "#136b54", "#2c3fc7", "#8a5a00", "#7b3aa6")


def square(colour: str) -> QImage:
    image = QImage(QSize(SIDE, SIDE), QImage.Format.Format_RGB32)
    image.fill(QColor(colour))
    return image


def write_gallery(folder: Path, *requests: GenerationRequest, kept: int | None = None) -> Path:
    """An album for each request, the last of them the newest; ``kept``: pictures each, None: all that were drawn."""
    albums = tuple(_album(folder, number, request, kept) for number, request in enumerate(requests))
    folder.mkdir(exist_ok=True)
    (folder / INDEX).write_text(GalleryIndex(albums=albums[::-1]).model_dump_json())
    return folder


def _album(gallery: Path, number: int, request: GenerationRequest, kept: int | None) -> GalleryAlbum:
    name = f"album-{number}"
    (gallery / name).mkdir(parents=True, exist_ok=True)
    pictures = []
    for place in range(kept or request.count):
        file = f"picture-{place}.png"
        square(COLOURS[place % len(COLOURS)]).save(str(gallery / name / file))
        pictures.append(PictureRecord(file=file, number=place, score=1.0 - place / 10 if kept else None))
    album = Album(
        request=request,
        run="emoji",
        epoch=320,
        parameter_digest="ab" * 32,
        pictures=tuple(pictures),
        sheet="sheet.png",
        unranked="" if kept else "Nobody ranks.",
    )
    return GalleryAlbum(id=name, time=NOW + timedelta(minutes=number), album=album)


def write_frames(folder: Path, prompts: Sequence[str], epochs: Sequence[int], columns: int = 2) -> Path:
    """Write frames; in the frame at index n of the epochs, the picture of prompt m has colour n + m."""
    folder.mkdir(exist_ok=True)
    rows = -(-len(prompts) // columns)
    for place, epoch in enumerate(epochs):
        sheet = QImage(QSize(columns * SIDE, rows * SIDE), QImage.Format.Format_RGB32)
        painter = QPainter(sheet)
        for number in range(len(prompts)):
            tile = square(COLOURS[(place + number) % len(COLOURS)])
            painter.drawImage(number % columns * SIDE, number // columns * SIDE, tile)
        painter.end()
        sheet.save(str(folder / frame_file(epoch)), quality=100)
    frames = tuple(TimelapseFrame(epoch=epoch, sha256="ab" * 32) for epoch in epochs)
    index = FrameIndex(prompts=tuple(prompts), columns=columns, frames=frames)
    (folder / FRAMES).write_text(index.model_dump_json())
    return folder


def colour_of(image: QImage | None) -> str:
    """Return the name in `COLOURS` nearest to a picture's middle pixel, or "" if there is no picture."""
    if image is None or image.isNull():
        return ""
    found = image.pixelColor(image.width() // 2, image.height() // 2)
    return min(COLOURS, key=lambda name: _distance(found, QColor(name)))


def _distance(one: QColor, other: QColor) -> int:
    pairs = ((one.red(), other.red()), (one.green(), other.green()), (one.blue(), other.blue()))
    return sum((a - b) ** 2 for a, b in pairs)
