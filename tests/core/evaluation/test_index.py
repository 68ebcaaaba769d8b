"""The index of training pictures grows part by part, and its searches find what a search of all at once finds."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from core.errors import DataError, RankingError
from core.evaluation.caption_keys import caption_keys
from core.evaluation.cell_colours import cells_of_all, changed_shares, colour_likenesses
from core.evaluation.index import PictureIndex, build_index
from core.evaluation.index_part import IndexPart
from core.evaluation.nearest import NOWHERE, Nearest
from core.evaluation.searches import (
    OwnRows,
    fits,
    known_captions,
    most_similar_pictures,
    pictures_by_texts,
)
from core.evaluation.training_pictures import PictureEncoder, TrainingPictures
from tests.swarms.drawable_run import parts_of

COUNT = 24


@pytest.fixture(scope="module")
def index(
    tmp_path_factory: pytest.TempPathFactory, training: TrainingPictures, encoder: PictureEncoder
) -> PictureIndex:
    """An index of three parts."""
    folder = tmp_path_factory.mktemp("index")
    for most in (7, 8, COUNT):
        found = build_index(folder, training, encoder, most)
    return found


def together(index: PictureIndex) -> IndexPart:
    return index.fetch(range(index.pictures))


def test_an_index_that_goes_on_has_the_pictures_of_one_that_was_not_interrupted(
    index: PictureIndex, training: TrainingPictures, encoder: PictureEncoder, tmp_path: Path
) -> None:
    whole = build_index(tmp_path, training, encoder, COUNT)
    assert [len(part.captions) for part in index.parts()] == [7, 1, COUNT - 8]
    assert whole.pictures == index.pictures == COUNT
    assert together(whole).captions == together(index).captions
    np.testing.assert_array_equal(together(whole).codes, together(index).codes)
    np.testing.assert_allclose(together(whole).images, together(index).images, atol=2e-3)


def test_an_index_shows_fewer_pictures_where_fewer_are_wanted_and_ends_with_the_data(
    training: TrainingPictures, encoder: PictureEncoder, tmp_path: Path
) -> None:
    reported: list[int] = []
    whole = build_index(tmp_path, training, encoder, 10**6, reported.append)
    assert whole.is_whole
    assert reported[-1] == whole.pictures
    few = build_index(tmp_path, training, encoder, 5)
    assert (few.pictures, few.is_whole) == (5, False)
    assert together(few).captions == together(whole).captions[:5]


def test_an_index_of_other_data_is_replaced_and_a_damaged_part_is_reported(
    training: TrainingPictures, encoder: PictureEncoder, tmp_path: Path
) -> None:
    build_index(tmp_path, training, encoder, 5)
    state = json.loads((tmp_path / "index.json").read_text())
    (tmp_path / "index.json").write_text(json.dumps({**state, "digest": "other"}))
    (tmp_path / "part-00007.safetensors").touch()
    index = build_index(tmp_path, training, encoder, 6)
    assert index.pictures == 6
    assert len(list(tmp_path.glob("part-*"))) == 1
    part = tmp_path / "part-00000.safetensors"
    part.write_bytes(part.read_bytes()[:-9])
    with pytest.raises(DataError, match="damaged"):
        together(index)


def test_neighbours_that_pass_by_in_parts_are_those_of_all_at_once() -> None:
    draw = np.random.default_rng(0)
    queries, vectors = (draw.normal(size=(count, 5)).astype(np.float32) for count in (3, 50))
    excluded = draw.random((3, 50)) < 0.3
    nearest, start = Nearest(queries, 4), 0
    for size in (1, 2, 17, 30):
        nearest.add(vectors[start : start + size], excluded[:, start : start + size])
        start += size
    scores = np.where(excluded, -np.inf, queries @ vectors.T)
    np.testing.assert_array_equal(nearest.places, np.argsort(-scores, axis=1, kind="stable")[:, :4])


def test_fewer_neighbours_than_wanted_are_nowhere() -> None:
    nearest = Nearest(np.eye(2, dtype=np.float32), 3)
    nearest.add(np.eye(2, dtype=np.float32), np.array([[True, False], [False, False]]))
    assert nearest.places.tolist() == [[1, NOWHERE, NOWHERE], [1, 0, NOWHERE]]


def test_fits_are_measured_against_the_best_other_caption(index: PictureIndex) -> None:
    rows = together(index)
    keys = caption_keys(rows.captions)
    found = fits(index, rows.images, rows.texts, keys)
    cosines = rows.images @ rows.texts.T
    rivals = np.where(keys[:, None] == keys[None], -1, cosines).max(axis=1)
    np.testing.assert_allclose([fit.margin for fit in found], np.diag(cosines) - rivals, atol=1e-5)


def test_a_captions_own_pictures_are_no_others(index: PictureIndex) -> None:
    rows = together(index)
    nearest = pictures_by_texts(index, rows.texts, 3, OwnRows.of(rows))
    for row, places in enumerate(nearest.places.tolist()):
        others = [place for place in places if place != NOWHERE]
        assert others
        assert all(rows.captions[place] != rows.captions[row] for place in others)


def test_what_looks_most_like_a_training_picture_is_that_picture(index: PictureIndex) -> None:
    rows = together(index)
    keys = caption_keys(rows.captions)
    for row, found in enumerate(most_similar_pictures(index, rows.cells, keys)):
        np.testing.assert_array_equal(rows.cells[found.place], rows.cells[row])
        assert (found.changed, found.changed_from_own) == (0, 0)
    (other,) = most_similar_pictures(index, rows.cells[:1] + 1, caption_keys(["no such caption"]))
    assert (other.changed, other.changed_from_own) == (1, None)


def test_a_caption_is_known_whatever_its_capitals(index: PictureIndex) -> None:
    caption = together(index).captions[0]
    assert known_captions(index, [f" {caption.upper()}. ", "no such caption"]) == [True, False]


def test_colours_are_alike_wherever_they_lie_and_places_are_not() -> None:
    left, right = torch.zeros(2, 3, 8, 8)
    left[0, :, :4], right[0, :, 4:] = 1, 1
    black = torch.zeros(3, 8, 8)
    one, *others = cells_of_all(torch.stack([left, right, black]))
    likenesses = colour_likenesses(one, np.stack(others))
    assert likenesses[0] == pytest.approx(1)
    assert likenesses[1] < 0.8
    assert changed_shares(one, np.stack(others)).tolist() == [1, 0.5]


def test_without_a_ranker_there_is_no_evaluation_and_it_says_why(run: Path) -> None:
    with pytest.raises(RankingError, match="Nobody ranks"):
        PictureEncoder.of(parts_of(run))
