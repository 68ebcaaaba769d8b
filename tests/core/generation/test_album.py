"""Pictures on disk: they say what they are, nothing is overwritten, and where one cannot be saved none is."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import torch
from PIL import Image

from core.errors import GenerationError
from core.generation.album import (
    check_folder,
    discard_album,
    prepare_album,
    publish_album,
    read_albums,
    save_album,
)
from core.generation.parts import Origin
from core.generation.records import FILE, Albums
from core.generation.service import Picture, Pictures
from core.messages.pictures import GenerationRequest
from core.storage.files import sha256_of
from tests.swarms.drawable_run import ORIGIN

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
                "Model": "epoch 7 of tiny",
                "Run": "tiny",
                "Epoch": "7",
                "Parameters": "ab" * 32,
                "Score": f"{picture.score:.6f}",
            }
            pixels = torch.tensor(list(image.tobytes()), dtype=torch.uint8)
        assert torch.equal(pixels.view(8, 8, 3).permute(2, 0, 1), picture.pixels)
    assert names(folder) == sorted([FILE, album.sheet, *(item.file for item in album.pictures)])
    assert read_albums(folder).albums == (album,)


def test_a_picture_says_the_settings_without_which_its_seed_draws_another(tmp_path: Path) -> None:
    request = REQUEST.model_copy(update={"temperature": 0.5, "top_k": 20, "guidance": 3.0})
    album = save_album(tmp_path, request, ORIGIN, drawn(0.5))
    with Image.open(tmp_path / album.pictures[0].file) as image:
        assert image.text["Settings"] == "--temperature 0.5 --top-k 20 --guidance 3"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("origin", "model"),
    [
        (Origin("tiny", 7, "ab" * 32, "A tiny run"), "epoch 7 of A tiny run"),
        (
            Origin("tiny", 1_600, "ab" * 32, "A tiny run", is_shipped=True),
            "the model that comes with Idlebrush, epoch 1,600 of A tiny run",
        ),
        (Origin("weights.pt", 0, "ab" * 32), "weights.pt"),
    ],
)
def test_the_model_that_drew_is_named(tmp_path: Path, origin: Origin, model: str) -> None:
    album = save_album(tmp_path, REQUEST, origin, drawn(None))
    assert read_albums(tmp_path).albums[0].model == model
    with Image.open(tmp_path / album.pictures[0].file) as image:
        assert image.text["Model"] == model  # type: ignore[attr-defined]


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
def test_another_users_file_is_left_as_it_is(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content)
    with pytest.raises(GenerationError, match="not written by this version"):
        save_album(tmp_path, REQUEST, ORIGIN, drawn(None))
    assert names(tmp_path) == [FILE]
    assert (tmp_path / FILE).read_text() == content


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(GenerationError, match="is not a folder"):
        read_albums(tmp_path / "file")


@pytest.mark.parametrize("taken", ["0001.png", "0777.png", "sheet.png"])
def test_names_that_are_taken_are_left_and_others_are_found(tmp_path: Path, taken: str) -> None:
    mine = tmp_path / f"ein-rotes-herz-seed11-{taken}"
    mine.write_text("mine")
    album = save_album(tmp_path, REQUEST, ORIGIN, drawn(None, None, None))
    assert album.sheet == "ein-rotes-herz-seed11-2-sheet.png"
    assert mine.read_text() == "mine"
    assert len(names(tmp_path)) == 1 + 3 + 2


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """Limit the size of files in bytes, as a disk with little free space does."""
    before, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (before, hard))


@pytest.mark.parametrize("size", [50, 50_000], ids=["not even a picture", "all but the list of them"])
def test_where_not_all_can_be_saved_nothing_is(tmp_path: Path, size: int) -> None:
    first = save_album(tmp_path, REQUEST, ORIGIN, drawn(None))
    (tmp_path / FILE).write_text(Albums(albums=(first,) * 200).model_dump_json())
    before = {name: (tmp_path / name).read_bytes() for name in names(tmp_path)}
    with (
        files_of_at_most(size),
        pytest.raises(GenerationError, match=r"cannot be saved in .*: File too large"),
    ):
        save_album(tmp_path, REQUEST, ORIGIN, drawn(None, None, None))
    assert {name: (tmp_path / name).read_bytes() for name in names(tmp_path)} == before


def test_a_folder_is_tried_before_anything_is_drawn(tmp_path: Path) -> None:
    check_folder(tmp_path / "new" / "folder")
    assert names(tmp_path) == []
    for folder, says in (
        (Path("/proc/new"), "cannot be saved in /proc/new"),
        (tmp_path / ("a" * 300), "cannot"),
    ):
        with pytest.raises(GenerationError, match=says):
            check_folder(folder)
    (tmp_path / FILE).mkdir()
    with pytest.raises(GenerationError, match="Is a directory"):
        check_folder(tmp_path)


def test_a_new_album_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    folder = tmp_path / "album"
    prepare_album(folder, REQUEST, ORIGIN, drawn(None))
    assert names(tmp_path) == [".album"], "hidden"
    album = prepare_album(folder, REQUEST, ORIGIN, drawn(None))
    publish_album(folder)
    assert names(tmp_path) == ["album"]
    assert read_albums(folder).albums == (album,), "what was prepared before is gone"
    prepare_album(folder, REQUEST, ORIGIN, drawn(None))
    with pytest.raises(GenerationError, match="not empty"):
        publish_album(folder)
    discard_album(folder)
    discard_album(folder)
    assert names(tmp_path) == ["album"]
