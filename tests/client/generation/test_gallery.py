"""The gallery on disk: whole albums alone, newest first, within bounds, whatever became of who drew them."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import torch

from client.api.gallery import INDEX, LARGEST, GalleryAlbum, GalleryIndex
from client.generation.gallery import ALBUMS_KEPT, PictureGallery
from core.generation.album import prepare_album, publish_album
from core.generation.parts import Origin
from core.generation.records import FILE, Album, Albums, PictureRecord
from core.generation.service import Picture, Pictures
from core.messages.pictures import LONGEST_PROMPT, MOST_PICTURES, GenerationRequest

NOW = datetime(2026, 3, 1, 14, 30, tzinfo=UTC)
PIXELS = torch.randint(256, (3, 64, 64), dtype=torch.uint8, generator=torch.Generator().manual_seed(0))


def draw(gallery: PictureGallery, name: str) -> Path:
    """Write an album to the gallery as a generator does, and return its draft folder."""
    request = GenerationRequest(prompt=f"heart {name}")
    drawn = Pictures((Picture(0, PIXELS),), "Nobody ranks.")
    draft = gallery.draft(name)
    prepare_album(draft, request, Origin("tiny", 7, "ab" * 32), drawn)
    publish_album(draft)
    return draft


def keep(gallery: PictureGallery, name: str, now: datetime = NOW) -> None:
    gallery.add(name, draw(gallery, name), now)


def opened(folder: Path, **bounds: int) -> PictureGallery:
    gallery = PictureGallery(folder / "gallery", **bounds)
    gallery.open()
    return gallery


def indexed(gallery: PictureGallery) -> list[str]:
    return [album.id for album in GalleryIndex.read(gallery.folder).albums]


def on_disk(gallery: PictureGallery) -> set[str]:
    return {path.name for path in gallery.folder.iterdir()} - {INDEX}


def test_albums_are_indexed_newest_first_with_all_that_is_known_of_them(tmp_path: Path) -> None:
    gallery = opened(tmp_path)
    for minutes, name in enumerate(("one", "two")):
        keep(gallery, name, NOW + timedelta(minutes=minutes))
    two, one = GalleryIndex.read(gallery.folder).albums
    assert (two.id, one.id) == ("two", "one")
    assert one.time == NOW
    assert one.album.request.prompt == "heart one"
    assert (gallery.place("one") / one.album.pictures[0].file).is_file()


def test_ids_sort_by_time_and_name_folders(tmp_path: Path) -> None:
    gallery = opened(tmp_path)
    names = [gallery.new_id(NOW + timedelta(seconds=seconds)) for seconds in range(3)]
    assert names == sorted(names)
    assert len({gallery.new_id(NOW) for _ in range(50)}) == 50
    keep(gallery, names[0])
    assert indexed(gallery) == names[:1]


@pytest.mark.parametrize(("kept", "left"), [(2, ["c", "b"]), (1, ["c"]), (0, ["c"])])
@pytest.mark.parametrize("bound", ["albums", "size"])
def test_the_oldest_go_once_there_are_too_many_but_never_the_newest(
    tmp_path: Path, bound: str, kept: int, left: list[str]
) -> None:
    album = sum(path.stat().st_size for path in drawn_alone(tmp_path / "alone").iterdir())
    bounds = {"albums": max(1, kept)} if bound == "albums" else {"size": kept * album + album // 2}
    gallery = opened(tmp_path, **bounds)
    for name in "abc":
        keep(gallery, name)
    assert indexed(gallery) == left
    assert on_disk(gallery) == set(left)


def drawn_alone(folder: Path) -> Path:
    gallery = opened(folder)
    return draw(gallery, "a")


def test_what_was_broken_off_goes_and_whole_albums_stay(tmp_path: Path) -> None:
    gallery = opened(tmp_path)
    keep(gallery, "known")
    draw(gallery, "not-indexed").rename(gallery.place("not-indexed"))
    whole = gallery.draft(gallery.new_id(NOW))
    for half in (whole, whole.with_name(f".{whole.name}"), gallery.place(f".{gallery.new_id(NOW)}")):
        half.mkdir()
        (half / "picture.png").write_bytes(b"half")
    gallery.open()
    assert set(indexed(gallery)) == on_disk(gallery) == {"known", "not-indexed"}


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b'{"version": 2}'])
def test_a_damaged_index_costs_no_picture(tmp_path: Path, content: bytes) -> None:
    gallery = opened(tmp_path)
    keep(gallery, "one")
    (gallery.folder / INDEX).write_bytes(content)
    gallery.open()
    assert indexed(gallery) == ["one"]


def test_another_users_folder_is_neither_shown_nor_removed(tmp_path: Path) -> None:
    gallery = opened(tmp_path)
    for name in ("mine", ".mine"):
        gallery.place(name).mkdir()
    gallery.open()
    keep(gallery, "one")
    assert indexed(gallery) == ["one"]
    assert on_disk(gallery) == {"one", "mine", ".mine"}


def test_an_album_that_is_not_wanted_any_more_leaves_nothing(tmp_path: Path) -> None:
    gallery = opened(tmp_path)
    keep(gallery, "one")
    draw(gallery, "two")
    half = gallery.draft("two")
    half.with_name(f".{half.name}").mkdir()
    for name in ("one", "two", "three"):
        gallery.drop(name)
    assert (indexed(gallery), on_disk(gallery)) == ([], set())


def test_what_was_never_drawn_cannot_be_taken_in(tmp_path: Path) -> None:
    gallery = opened(tmp_path)
    with pytest.raises(OSError, match="No such file"):
        gallery.add("one", gallery.draft("one"), NOW)
    assert indexed(gallery) == []


def test_a_list_of_no_pictures_is_no_album(tmp_path: Path) -> None:
    gallery = opened(tmp_path)
    draft = gallery.draft("one")
    draft.mkdir()
    (draft / FILE).write_text(Albums().model_dump_json())
    with pytest.raises(ValueError, match="lists no pictures"):
        gallery.add("one", draft, NOW)
    gallery.drop("one")
    assert (indexed(gallery), on_disk(gallery)) == ([], set())


def test_an_index_of_all_that_is_kept_can_be_read() -> None:
    request = GenerationRequest(prompt="🙂" * (LONGEST_PROMPT - 1) + "a", count=MOST_PICTURES, seed=2**63 - 1)
    pictures = tuple(
        PictureRecord(file=f"{'a' * 40}-seed{2**63 - 1}-9999-{number:04d}.png", number=number, score=-1 / 3)
        for number in range(MOST_PICTURES)
    )
    album = Album(
        request=request,
        run="r" * 100,
        epoch=10**7,
        parameter_digest="ab" * 32,
        pictures=pictures,
        sheet=pictures[0].file,
        unranked="u" * 1000,
    )
    index = GalleryIndex(albums=(GalleryAlbum(id="a" * 64, time=NOW, album=album),))
    assert len(index.model_dump_json(indent=1).encode()) * ALBUMS_KEPT < LARGEST
