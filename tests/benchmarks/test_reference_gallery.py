"""The gallery gives known results for drawings that are memorised, exchanged or equal."""

import pytest
import torch
from torch import Tensor

from assets.embedded.recipe.combination import Combination
from benchmarks.measuring.reference_gallery import EvaluationRows, ReferenceGallery
from core.codec.autoencoder import Autoencoder
from core.codec.config import CodecConfig
from core.codec.vqgan import ImageCodec
from tests.swarms.tiny_run import MODEL

SHAPES = {"heart": ["red", "green", "blue"], "circle": ["red", "green", "blue"], "square": ["black"]}
CAPTIONS = ("red heart", "green heart", "red circle", "blue circle", "cat", "blue heart", "green circle")
HELDOUT = 2  # the last ones
CODES = MODEL.image_vocab
BACKBONE = {
    "z_channels": 4,
    "resolution": 8,
    "in_channels": 3,
    "out_ch": 3,
    "ch": 32,
    "ch_mult": (1, 2),
    "num_res_blocks": 1,
    "attn_resolutions": (),
}


def rows_of(codes: Tensor, captions: tuple[str, ...] = CAPTIONS, heldout: int = HELDOUT) -> EvaluationRows:
    return EvaluationRows(captions, codes, tuple(Combination.parse(one, SHAPES) for one in captions), heldout)


@pytest.fixture
def rows() -> EvaluationRows:
    draws = torch.Generator().manual_seed(0)
    return rows_of(torch.randint(0, CODES, (len(CAPTIONS), MODEL.image_length), generator=draws))


@pytest.fixture(scope="module")
def codec() -> ImageCodec:
    """Untrained, so that unlike codes are unlike pictures."""
    params = {"embed_dim": 4, "n_embed": CODES, "ddconfig": BACKBONE}
    config = CodecConfig.model_validate(
        {"model": {"target": "taming.models.vqgan.VQModel", "params": params}}
    )
    torch.manual_seed(0)
    return ImageCodec(Autoencoder(config))


@pytest.mark.parametrize(
    ("caption", "thing", "attribute"),
    [
        ("thumbs up, medium-dark skin tone", "thumbs up", "medium-dark"),
        ("woman running, dark skin tone, facing right", "woman running, facing right", "dark"),
        ("red heart", "heart", "red"),
        ("broken heart", "broken heart", ""),
        ("red square", "red square", ""),
        ("thumbs up", "thumbs up", ""),
        ("heart", "heart", ""),
    ],
)
def test_a_caption_comes_apart_into_thing_and_attribute(caption: str, thing: str, attribute: str) -> None:
    assert Combination.parse(caption, SHAPES) == Combination(thing, attribute)


def test_drawings_of_the_very_pictures_are_found(rows: EvaluationRows, codec: ImageCodec) -> None:
    gallery = ReferenceGallery(rows, codec)
    nearest = gallery.nearest(rows.codes)
    torch.testing.assert_close(nearest, torch.eye(len(CAPTIONS)))
    likeness = gallery.likeness(nearest, range(len(CAPTIONS)))
    assert (likeness.picture, likeness.thing, likeness.attribute) == (1, 1, 1)


def test_a_drawing_that_differs_in_one_code_is_still_nearest_to_its_picture(
    rows: EvaluationRows, codec: ImageCodec
) -> None:
    almost = rows.codes.clone()
    almost[:, 0] = (almost[:, 0] + 1) % CODES
    assert ReferenceGallery(rows, codec).nearest(almost).argmax(dim=1).tolist() == list(range(len(CAPTIONS)))


def test_a_memorised_variant_has_the_right_thing_but_is_not_the_picture(
    rows: EvaluationRows, codec: ImageCodec
) -> None:
    gallery = ReferenceGallery(rows, codec)
    hearts_and_a_green_heart = gallery.nearest(rows.codes[[0, 1]])  # red heart, green heart
    likeness = gallery.likeness(hearts_and_a_green_heart, [5, 6])  # for blue heart, green circle
    assert (likeness.picture, likeness.thing, likeness.attribute) == (0, 0.5, 0.5)


def test_rows_with_equal_codes_are_one_picture(rows: EvaluationRows, codec: ImageCodec) -> None:
    codes = rows.codes.clone()
    codes[6] = codes[0]  # "green circle" looks like "red heart"
    gallery = ReferenceGallery(rows_of(codes), codec)
    nearest = gallery.nearest(codes[[6]])
    assert nearest[0].tolist() == [0.5, 0, 0, 0, 0, 0, 0.5]
    likeness = gallery.likeness(nearest, [6])
    assert (likeness.picture, likeness.thing, likeness.attribute) == (1, 0.5, 0.5)


def test_chance_counts_the_rows_that_would_be_right(rows: EvaluationRows, codec: ImageCodec) -> None:
    gallery = ReferenceGallery(rows, codec)
    chance = gallery.likeness(gallery.anywhere(2), [5, 6])
    assert chance.picture == pytest.approx(1 / 7)
    assert chance.thing == pytest.approx(3 / 7)
    assert chance.attribute == pytest.approx(2 / 7)
