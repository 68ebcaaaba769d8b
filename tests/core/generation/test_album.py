"""Pictures on disk: they say what they are, nothing is overwritten, and where one cannot be saved none is."""

from pathlib import Path

import pytest
import torch
from PIL import Image

from core.errors import GenerationError
from core.files import sha256_of
from core.generation.album import read_albums, save_album, save_new_album
from core.generation.records import FILE
from core.generation.request import GenerationRequest
from core.generation.service import Picture, Pictures
from tests.drawable_run import ORIGIN

REQUEST = GenerationRequest(prompt="Ein rötes Herz, 赤!", count=3, best=2, seed=11)


def drawn(*scores: float | None, side: int = 8) -> Pictures:
    """Pictures of noise, with numbers from the last to the first."""
    noise = torch.Generator().manual_seed(0)
    shape = (3, side, side)
    kept = [
        Picture(len(scores) - place - 1, torch.randint(256, shape, generator=noise, dtype=torch.uint8), score)
        for place, score in enumerate(scores)
    ]
    return Pictures(tuple(kept), "" if None not in scores else "Nobody ranks.")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_pictures_are_as_they_were_drawn_and_say_what_they_are(tmp_path: Path) -> None:
    pictures = drawn(0.5, -0.25)
    album = save_album(tmp_path / "new" / "folder", REQUEST, ORIGIN, pictures)
    folder = tmp_path / "new" / "folder"
    assert [item.file for item in album.pictures] == [
        "ein-rotes-herz-seed11-0001.png",
        "ein-rotes-herz-seed11-0000.png",
    ]
    for picture, item in zip(pictures.kept, album.pictures, strict=True):
        with Image.open(folder / item.file) as image:
            assert image.text == {  # type: ignore[attr-defined]
                "Software": "Idlebrush",
                "Description": REQUEST.prompt,
                "Seed": "11",
                "Number": str(picture.number),
                "Run": "tiny",
                "Epoch": "7",
                "Parameters": "ab" * 32,
                "Score": f"{picture.score:.6f}",
            }
            pixels = torch.tensor(list(image.tobytes()), dtype=torch.uint8)
        assert torch.equal(pixels.view(8, 8, 3).permute(2, 0, 1), picture.pixels)
    assert names(folder) == sorted([FILE, album.sheet, *(item.file for item in album.pictures)])
    assert read_albums(folder).albums == (album,)


def test_unranked_pictures_have_no_score_and_the_reason_is_kept(tmp_path: Path) -> None:
    album = save_album(tmp_path, REQUEST, ORIGIN, drawn(None, None))
    assert album.unranked == "Nobody ranks."
    with Image.open(tmp_path / album.pictures[0].file) as image:
        assert "Score" not in image.text  # type: ignore[attr-defined]


def test_equal_pictures_make_equal_files_under_other_names(tmp_path: Path) -> None:
    first, second, third = (save_album(tmp_path, REQUEST, ORIGIN, drawn(None)) for _ in range(3))
    stems = ["ein-rotes-herz-seed11", "ein-rotes-herz-seed11-2", "ein-rotes-herz-seed11-3"]
    assert [album.sheet for album in (first, second, third)] == [f"{stem}-sheet.png" for stem in stems]
    digests = {sha256_of(tmp_path / album.pictures[0].file) for album in (first, second, third)}
    assert len(digests) == 1
    assert read_albums(tmp_path).albums == (first, second, third)


def test_many_pictures_fit_on_a_sheet(tmp_path: Path) -> None:
    album = save_album(tmp_path, REQUEST, ORIGIN, drawn(*[0.0] * 70))
    with Image.open(tmp_path / album.sheet) as sheet:
        assert max(sheet.size) < 1000


@pytest.mark.parametrize("content", ["{}x", '{"format": "somebody else\'s"}', '{"albums": [{"run": 1}]}'])
def test_somebody_elses_file_is_left_as_it_is(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content)
    with pytest.raises(GenerationError, match="not written by this version"):
        save_album(tmp_path, REQUEST, ORIGIN, drawn(None))
    assert names(tmp_path) == [FILE]
    assert (tmp_path / FILE).read_text() == content


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(GenerationError, match="is not a folder"):
        read_albums(tmp_path / "file")


def test_where_one_picture_cannot_be_saved_none_is(tmp_path: Path) -> None:
    taken = tmp_path / "ein-rotes-herz-seed11-0001.png"
    taken.write_text("mine")
    with pytest.raises(GenerationError, match="is there already"):
        save_album(tmp_path, REQUEST, ORIGIN, drawn(None, None, None))
    assert names(tmp_path) == [taken.name]
    assert taken.read_text() == "mine"


def test_a_new_album_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    album = save_new_album(tmp_path / "album", REQUEST, ORIGIN, drawn(None))
    assert names(tmp_path) == ["album"]
    assert read_albums(tmp_path / "album").albums == (album,)
