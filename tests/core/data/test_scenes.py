"""The scenes of the starter run: every part is known, no held-out combination is trained on, pictures are as said."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from assets.embedded.recipe.colours import Colour, recoloured
from assets.embedded.recipe.compose import SUBFOLDER, Composer, add_scenes
from assets.embedded.recipe.fetch_emoji import read_records
from assets.embedded.recipe.scenes import NUMBERS, PLACES, ComposedScene, SceneGrammar, SceneKind, ScenePart
from core.oklab import to_oklab, to_srgb

GRAMMAR = SceneGrammar.load()
TRAINING, HELD_OUT = GRAMMAR.training(), GRAMMAR.held_out()
BLUE = GRAMMAR.colours["blue"]
RED = Colour("red", 27.0, 0.22, 0.56)


def combined(scene: ComposedScene) -> set[tuple[str, str]]:
    """Return each thing of a scene with what is said of it: colour, number, place, backdrop and the other thing."""
    things = {thing.emoji: thing.name for thing in GRAMMAR.things}
    if scene.kind is SceneKind.TONES:
        return {(scene.thing, f"tone {scene.attribute}")}
    found = {(things[part.emoji], f"colour {part.colour}") for part in scene.parts if part.colour}
    if scene.kind is SceneKind.PAIRS:
        found.add((things[scene.parts[0].emoji], f"beside {things[scene.parts[1].emoji]}"))
    said = next((word for word in (*NUMBERS, *PLACES) if word in scene.attribute), "")
    if scene.kind in (SceneKind.NUMBERS, SceneKind.PLACES):
        found.add((scene.thing, said))
    if scene.backdrop:
        found.add((scene.thing, f"on {scene.backdrop}"))
    return found


def test_no_two_scenes_have_the_same_caption() -> None:
    captions = Counter(caption for scene in GRAMMAR.scenes() for caption in scene.captions)
    assert [caption for caption, count in captions.items() if count > 1] == []


def test_each_held_out_scene_combines_anew_what_is_known() -> None:
    trained = set[tuple[str, str]]().union(*map(combined, TRAINING))
    things, attributes = {thing for thing, _ in trained}, {attribute for _, attribute in trained}
    for scene in HELD_OUT:
        combinations = combined(scene)
        assert combinations - trained, scene.captions
        assert {thing for thing, _ in combinations} <= things, scene.captions
        assert {attribute for _, attribute in combinations} <= attributes, scene.captions


def test_what_is_held_out_of_a_thing_is_in_no_training_scene() -> None:
    trained = set[tuple[str, str]]().union(*map(combined, TRAINING))
    for thing in GRAMMAR.things:
        lacking = (f"colour {thing.colour}", f"on {thing.backdrop}", thing.number, thing.place)
        assert not {(thing.name, attribute) for attribute in lacking} & trained
    for gesture, tone in GRAMMAR.gestures.items():
        assert (gesture, f"tone {tone}") not in trained


def test_all_attributes_are_held_out_about_equally_often() -> None:
    for of_thing in ("colour", "backdrop", "number", "place"):
        counts = Counter(getattr(thing, of_thing) for thing in GRAMMAR.things).values()
        assert max(counts) - min(counts) <= 1, of_thing


def test_both_sets_have_all_kinds() -> None:
    assert {scene.kind for scene in TRAINING} == set(SceneKind)
    assert {scene.kind for scene in HELD_OUT} == set(SceneKind) - {SceneKind.SIZES}


def test_things_lie_on_the_grid_of_codes_and_within_the_picture() -> None:
    for scene in TRAINING + HELD_OUT:
        for part in scene.parts:
            assert part.left % 8 == part.top % 8 == part.width % 8 == 0
            assert 0 <= min(part.left, part.top) <= max(part.left, part.top) + part.width <= 64


def test_articles_and_plurals_are_english() -> None:
    captions = {caption for scene in GRAMMAR.scenes() for caption in scene.captions}
    assert {"an owl on an orange square", "a blue panda", "three butterflies", "two red cacti"} <= captions
    pairs = {pair for caption in captions for pair in pairwise(caption.split())}
    vowels = {word for article, word in pairs if article == "an"}
    assert vowels == {"orange", "owl", "apple", "umbrella"}
    assert not vowels & {word for article, word in pairs if article == "a"}


@pytest.mark.parametrize("rgb", [(0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (0.9, 0.1, 0.3), (0.2, 0.7, 0.4)])
def test_oklab_leads_there_and_back(rgb: tuple[float, float, float]) -> None:
    np.testing.assert_allclose(to_srgb(to_oklab(np.array(rgb))), rgb, atol=1e-4)


def test_oklab_is_that_of_its_author() -> None:
    """The values are those that he gives for sRGB's red, from linear (1, 0, 0)."""
    np.testing.assert_allclose(to_oklab(np.array([1.0, 0, 0])), (0.628, 0.225, 0.126), atol=1e-3)


def test_a_recoloured_picture_keeps_its_shape_and_its_lights_and_darks() -> None:
    levels = np.linspace(0.1, 0.9, 16)
    picture = np.stack([np.tile(levels, (4, 1))] * 3 + [np.ones((4, 16))], axis=-1)
    picture[:, 3, 3] = 0.0
    changed = recoloured(picture, RED)
    assert np.array_equal(changed[..., 3], picture[..., 3])
    lightness = to_oklab(changed[..., :3])[0, :, 0]
    assert (np.diff(lightness) >= -1e-6).all()
    hues = to_oklab(changed[..., :3])[0, 4:12]
    angles = np.rad2deg(np.arctan2(hues[:, 2], hues[:, 1]))
    np.testing.assert_allclose(angles, RED.hue, atol=8)  # what sRGB cannot show is cut off


def emoji_in(folder: Path) -> Path:
    """Write a folder as fetch_emoji does: each thing is a white disc, each gesture a grey one."""
    import json

    things = [thing.emoji for thing in GRAMMAR.things]
    toned = [
        part.emoji for scene in GRAMMAR.scenes() if scene.kind is SceneKind.TONES for part in scene.parts
    ]
    rows, columns = np.mgrid[:64, :64]
    disc = (((rows - 31.5) ** 2 + (columns - 31.5) ** 2) < 24**2)[..., None]
    Image.fromarray((disc * np.array([200, 200, 200, 255])).astype(np.uint8)).save(folder / "disc.png")
    records = [
        {"file_name": "disc.png", "caption": caption, "split": ["all"], "NSFW": "UNLIKELY"}
        for caption in things + toned
    ]
    (folder / "metadata.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    return folder


def test_a_scene_is_drawn_as_its_caption_says(tmp_path: Path) -> None:
    composer = Composer(GRAMMAR, emoji_in(tmp_path))
    scene = GRAMMAR.by_caption["blue panda on yellow"]
    pixels = np.asarray(composer.draw(scene))
    assert tuple(pixels[0, 0]) == GRAMMAR.colours["yellow"].rgb
    red, _, blue = pixels[32, 32].astype(int)
    assert blue > red + 60
    edge = pixels[32, 32 + 18 + 2]  # the disc ends 18 pixels from the middle
    assert edge.min() > 240, "a white rim is between thing and backdrop"


@pytest.mark.parametrize(
    ("caption", "parts"), [("two pandas", 2), ("four red cats", 4), ("rocket left of heart", 2)]
)
def test_so_many_things_stand_apart(tmp_path: Path, caption: str, parts: int) -> None:
    scene = GRAMMAR.by_caption[caption]
    assert len(scene.parts) == parts
    pixels = np.asarray(Composer(GRAMMAR, emoji_in(tmp_path)).draw(scene)).astype(int)
    centres = {(part.left + part.width // 2, part.top + part.width // 2) for part in scene.parts}
    assert len(centres) == parts
    assert all(pixels[top, left].min() < 240 for left, top in centres)


def test_scenes_that_are_added_again_take_the_place_of_the_first(tmp_path: Path) -> None:
    few = SceneGrammar(GRAMMAR.things[:2], {}, {"blue": BLUE, "red": RED}, GRAMMAR.shares)
    add_scenes(few, emoji_in(tmp_path))
    first = read_records(tmp_path)
    add_scenes(few, tmp_path)
    assert read_records(tmp_path) == first
    splits = Counter(split for record in first for split in record["split"])
    assert min(splits["starter"], splits["starter-heldout"]) > 0
    assert all((tmp_path / record["file_name"]).is_file() for record in first)
    names = {record["file_name"] for record in first if record["split"] != ["all"]}
    assert all(name.startswith(f"{SUBFOLDER}/") for name in names)


def test_a_part_has_the_colours_of_its_picture_unless_it_says_otherwise(tmp_path: Path) -> None:
    composer = Composer(GRAMMAR, emoji_in(tmp_path))
    own = ComposedScene(SceneKind.ALONE, "panda", "", ("panda",), (ScenePart("panda", "", 64, 0, 0),))
    assert tuple(np.asarray(composer.draw(own))[32, 32]) == (200, 200, 200)
