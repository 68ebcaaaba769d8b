"""The judge of drawings reads the pictures that it learned, and recognises nothing in noise."""

import pytest
import torch
from torch import Tensor

from assets.embedded.recipe.build_embedded import EMBEDDED
from assets.embedded.recipe.scenes import ComposedScene, SceneGrammar, SceneKind
from benchmarks.measuring.scene_classifier import (
    NOTHING,
    SceneClassifier,
    SceneParts,
    decode,
    train_classifier,
)
from core.codec.vqgan import ImageCodec, load_codec
from core.data.index import ShardIndex
from core.data.shard_file import iterate_codes

THINGS, COLOURS = ("panda", "rocket", "heart"), ("", "red", "green")
GRAMMAR = SceneGrammar.load()


@pytest.fixture(scope="module")
def codec() -> ImageCodec:
    return load_codec(EMBEDDED / "codec" / "config.yaml", EMBEDDED / "codec" / "vqgan.safetensors")


@pytest.fixture(scope="module")
def rows() -> tuple[list[ComposedScene], Tensor]:
    """Some things in some colours, alone and several of them, with their codes."""
    wanted = {
        scene.captions[0]: scene
        for scene in GRAMMAR.training()
        if scene.kind in (SceneKind.ALONE, SceneKind.NUMBERS)
        and scene.thing in THINGS
        and scene.parts[0].colour in COLOURS
    }
    files = [EMBEDDED / "data" / entry.file for entry in ShardIndex.load(EMBEDDED / "data").splits["starter"]]
    found = {
        row.caption: codes
        for file in files
        for row, codes in iterate_codes(file, 8, 1024)
        if row.caption in wanted
    }
    return list(wanted.values()), torch.stack([torch.from_numpy(found[name]).view(8, 8) for name in wanted])


@pytest.fixture(scope="module")
def classifier(rows: tuple[list[ComposedScene], Tensor], codec: ImageCodec) -> SceneClassifier:
    return train_classifier(*rows, codec, passes=20, batch=6)


def test_it_reads_what_it_learned(
    classifier: SceneClassifier, rows: tuple[list[ComposedScene], Tensor], codec: ImageCodec
) -> None:
    scenes, codes = rows
    shown = classifier.read(decode(codec, codes))
    right = [one == SceneParts.of(scene) for one, scene in zip(shown, scenes, strict=True)]
    assert sum(right) > 0.9 * len(right)


def test_it_reads_nothing_off_codes_at_random(classifier: SceneClassifier, codec: ImageCodec) -> None:
    noise = torch.randint(0, 1024, (20, 8, 8), generator=torch.Generator().manual_seed(0))
    assert sum(one.thing == NOTHING for one in classifier.read(decode(codec, noise))) > 15


@pytest.mark.parametrize(
    ("caption", "parts"),
    [
        ("blue panda", SceneParts("panda", "blue", "48:8,8", "", "", "")),
        ("two red pizzas", SceneParts("pizza", "red", "32:0,16 32:32,16", "", "", "")),
        ("owl on green", SceneParts("owl", "", "48:8,8", "green", "", "")),
        ("rocket left of heart", SceneParts("rocket", "", "32:0,16 32:32,16", "", "red heart", "")),
        ("thumbs up, dark skin tone", SceneParts("thumbs up", "dark", "64:0,0", "", "", "")),
    ],
)
def test_the_parts_of_a_scene_are_those_of_its_caption(caption: str, parts: SceneParts) -> None:
    assert SceneParts.of(GRAMMAR.by_caption[caption]) == parts
