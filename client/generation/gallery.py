"""The gallery on disk: takes in what was drawn, keeps the newest within bounds, removes what was broken off.

The daemon alone writes here, but for the albums themselves: each is written by the process that drew it, hidden until
it is whole.
"""

import re
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from client.api.gallery import INDEX, GalleryAlbum, GalleryIndex
from core.generation.records import FILE, LARGEST, Album, Albums
from core.storage import moving
from core.storage.files import read_bounded, write_atomically

ALBUMS_KEPT = 200
BYTES_KEPT = 1 << 30
_BROKEN_OFF = re.compile(r"\.{1,2}\d{8}-\d{6}-[0-9a-f]{6}(\.[0-9a-f]{6})?")
"""Hidden folders of albums that were not finished, and of what is being written there; others are none of ours."""


class PictureGallery:
    """Gallery of one volunteer; its methods touch the disk and may be called from one thread at a time."""

    def __init__(self, folder: Path, *, albums: int = ALBUMS_KEPT, size: int = BYTES_KEPT) -> None:
        """Prepare to keep at most ``albums`` albums and ``size`` bytes, and always the newest album."""
        self.folder, self._albums, self._size = folder, albums, size

    def new_id(self, now: datetime) -> str:
        """Return a new ID for an album: IDs are unique, and sort by time."""
        return f"{now:%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"

    def place(self, album: str) -> Path:
        """Return the folder of the album with that ID, which need not exist yet."""
        return self.folder / album

    def draft(self, album: str) -> Path:
        """Return a new hidden folder to draw that album in, which no other process has used or will use."""
        return self.folder / f".{album}.{secrets.token_hex(3)}"

    def open(self) -> None:
        """Make the folder if it is missing, remove what was broken off, and index what the folder contains."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        known = {item.id: item for item in self._read().albums}
        found = []
        for place in filter(Path.is_dir, self.folder.iterdir()):
            if _BROKEN_OFF.fullmatch(place.name):
                moving.discard_folder(place)
            elif item := known.get(place.name) or _recovered(place):
                found.append(item)
        self._write(sorted(found, key=lambda item: item.time, reverse=True))

    def add(self, album: str, draft: Path, now: datetime) -> None:
        """Take in the album that is in a draft, and forget the oldest; OSError or ValueError where there is none."""
        newest = GalleryAlbum(id=album, time=now, album=_album_in(draft))
        moving.rename(draft, self.place(album))
        albums = [newest, *(item for item in self._read().albums if item.id != album)]
        kept = self._within_bounds(albums)
        self._write(albums[:kept])
        for item in albums[kept:]:
            moving.discard_folder(self.place(item.id))

    def drop(self, album: str) -> None:
        """Remove what there is of an album, drafts or whole."""
        drafts = (place for dots in (".", "..") for place in self.folder.glob(f"{dots}{album}.*"))
        for place in (self.place(album), *drafts):
            moving.discard_folder(place)
        self._write([item for item in self._read().albums if item.id != album])

    def _within_bounds(self, albums: Sequence[GalleryAlbum]) -> int:
        """Count the albums, from the first, that are kept."""
        room = self._size
        for kept, item in enumerate(albums[: self._albums]):
            room -= sum(file.stat().st_size for file in self.place(item.id).glob("*"))
            if room < 0:
                return max(1, kept)
        return min(len(albums), self._albums)

    def _read(self) -> GalleryIndex:
        try:
            return GalleryIndex.read(self.folder)
        except (OSError, ValueError):
            return GalleryIndex()

    def _write(self, albums: Sequence[GalleryAlbum]) -> None:
        text = GalleryIndex(albums=tuple(albums)).model_dump_json(indent=1)
        write_atomically(self.folder / INDEX, f"{text}\n".encode(), mode=0o600)


def _album_in(place: Path) -> Album:
    albums = Albums.model_validate_json(read_bounded(place / FILE, LARGEST)).albums
    if not albums:
        raise ValueError(f"{place / FILE} lists no pictures")
    return albums[-1]


def _recovered(place: Path) -> GalleryAlbum | None:
    """Return the album of a folder that the index lacks; None if the folder holds none.

    The index lacks it because the daemon was killed before it could write the index.
    """
    try:
        time = datetime.fromtimestamp((place / FILE).stat().st_mtime, UTC)
        return GalleryAlbum(id=place.name, time=time, album=_album_in(place))
    except (OSError, ValueError):
        return None
