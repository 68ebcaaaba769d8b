"""The shipped shards fit the shipped codec, tokenizer and model, and what is held out can be composed."""

import json
from collections.abc import Callable

import pytest
from tokenizers import Tokenizer

from assets.embedded.recipe.build_embedded import CODEC, EMBEDDED
from assets.embedded.recipe.fetch_emoji import caption_of, combinations, load_heldout
from assets.embedded.recipe.scenes import SceneGrammar
from client.joining.embedded import shipped_model
from core.codec.vqgan import weights_in
from core.data.checking.check import check_shards
from core.data.index import ShardIndex
from core.data.shard_file import iterate_rows
from core.model.config import preset
from core.published.model import parameter_shapes
from core.run.filters import FilterSettings, drop_reason
from core.run.manifest import RunManifest
from core.run.training.families import picture_rules
from core.storage.checkpoint import load_weights
from core.storage.files import sha256_of

DATA = EMBEDDED / "data"
MODEL = preset("emoji")
SPLITS = ("starter", "starter-heldout", "all", "all-heldout")


def captions(split: str) -> set[str]:
    entries = ShardIndex.load(DATA).splits[split]
    return {row.caption for entry in entries for row in iterate_rows(DATA / entry.file)}


@pytest.fixture(scope="module")
def everything() -> set[str]:
    return captions("all")


@pytest.fixture(scope="module")
def heldout() -> set[str]:
    return captions("all-heldout")


def test_every_shard_is_sound_and_made_with_the_shipped_codec() -> None:
    report = check_shards(DATA, sha256_of(weights_in(CODEC)))
    assert report.problems == ()
    index = ShardIndex.load(DATA)
    assert (index.grid, index.vocab) == (MODEL.grid, MODEL.image_vocab)
    assert report.rows["starter"] > 4000
    assert report.rows["starter-heldout"] > 200
    assert report.rows["all"] > 3000


def test_the_scenes_are_those_of_the_recipe() -> None:
    grammar = SceneGrammar.load()
    assert captions("starter") == {caption for scene in grammar.training() for caption in scene.captions}
    assert captions("starter-heldout") == {scene.captions[0] for scene in grammar.held_out()}


def test_the_papers_filters_keep_every_shipped_row() -> None:
    for path in DATA.glob("*.parquet"):
        for row in iterate_rows(path):
            reason = drop_reason(
                row.caption, row.nsfw, row.original_width, row.original_height, FilterSettings()
            )
            assert reason is None, row


def test_every_caption_is_tokenised_whole_and_without_unknowns() -> None:
    tokenizer = Tokenizer.from_file(str(EMBEDDED / "tokenizer.json"))
    assert tokenizer.get_vocab_size() == MODEL.text_vocab
    padding, end, unknown = (tokenizer.token_to_id(token) for token in ("<pad>", "</s>", "<unk>"))
    assert (padding, end, unknown) == (0, 1, 2)
    for caption in set[str]().union(*map(captions, SPLITS)):
        ids = tokenizer.encode(caption).ids
        assert len(ids) <= MODEL.text_length, caption
        assert not {unknown, padding} & set(ids), caption
        assert ids.index(1) == len(ids) - 1, caption


@pytest.mark.parametrize("run", ["starter", "all"])
def test_captions_of_a_run_differ_also_as_the_model_sees_them(run: str) -> None:
    tokenizer = Tokenizer.from_file(str(EMBEDDED / "tokenizer.json"))
    known = captions(run) | captions(f"{run}-heldout")
    assert len({tuple(tokenizer.encode(caption).ids) for caption in known}) == len(known)


def test_each_word_of_the_scenes_is_one_token() -> None:
    tokenizer = Tokenizer.from_file(str(EMBEDDED / "tokenizer.json"))
    words = {
        word
        for caption in captions("starter")
        for word in caption.replace(",", "").split()
        if "-" not in word
    }
    assert [word for word in words if len(tokenizer.encode(f"a {word}").ids) != 3] == []


@pytest.mark.parametrize("run", ["starter", "all"])
def test_nothing_held_out_is_trained_on(run: str) -> None:
    assert not captions(f"{run}-heldout") & captions(run)


def gesture_and_tone(caption: str) -> tuple[str, str]:
    gesture, _, tone = caption.partition(", ")
    return gesture, tone


def colour_and_shape(caption: str) -> tuple[str, str]:
    colour, _, shape = caption.rpartition(" ")
    return colour, shape


@pytest.mark.parametrize(("kind", "parts"), [(0, gesture_and_tone), (1, colour_and_shape)])
def test_each_part_of_a_held_out_combination_is_trained_on_in_others(
    everything: set[str], heldout: set[str], kind: int, parts: Callable[[str], tuple[str, str]]
) -> None:
    combined = combinations()[kind]
    trained = {parts(caption) for caption in combined & everything}
    asked = {parts(caption) for caption in combined & heldout}
    assert len(asked) >= 6
    for first, second in asked:
        assert sum(one == first for one, _ in trained) >= 2, first
        assert sum(other == second for _, other in trained) >= 2, second


def test_each_tone_is_held_out_as_often_as_the_others(heldout: set[str]) -> None:
    gestures, shapes = combinations()
    tones = [gesture_and_tone(caption)[1] for caption in heldout & gestures]
    assert {tones.count(tone) for tone in tones} == {4}
    assert heldout == (heldout & gestures) | (heldout & shapes)


@pytest.mark.parametrize(
    ("label", "caption"),
    [
        ("raised hand: light skin tone", "raised hand, light skin tone"),
        ("family: man, woman, boy", "family, man, woman, boy"),
        ("flag: Côte d’Ivoire", "flag of Côte d'Ivoire"),
        ("keycap: 5", "keycap 5"),
        ("Japanese “here” button", 'Japanese "here" button'),
    ],
)
def test_captions_are_made_of_names_by_rule(label: str, caption: str) -> None:
    assert caption_of(label) == caption


def test_a_set_that_names_no_emoji_is_refused() -> None:
    with pytest.raises(SystemExit, match="red heart"):
        load_heldout(captions("all") - {"red heart"})


def test_prompts_come_from_the_sets_that_they_name() -> None:
    prompts = json.loads((EMBEDDED / "prompts.json").read_text())
    assert len(prompts) == 24
    for entry in prompts:
        assert entry["prompt"] in captions(entry["set"])


@pytest.mark.parametrize(("run", "split"), [("run.toml", "starter"), ("run-all.toml", "all")])
def test_a_run_shows_pictures_of_its_own_sets(run: str, split: str) -> None:
    prompts = RunManifest.load(EMBEDDED / run).contact.sample_prompts
    assert len(prompts) == 12
    assert set(prompts) <= captions(split) | captions(f"{split}-heldout")


def test_the_shipped_model_is_of_the_starter_run() -> None:
    run = RunManifest.load(EMBEDDED / "run.toml")
    if (shipped := shipped_model(EMBEDDED)) is not None:
        assert shipped.digest == run.training_digest
        shapes = parameter_shapes(picture_rules(run.training).model)
        assert load_weights(shipped.checkpoint, shapes).epoch == shipped.epoch > 50


def test_the_terms_of_every_source_are_shipped() -> None:
    attribution = (EMBEDDED / "licenses" / "ATTRIBUTION.md").read_text()
    for path in (EMBEDDED / "licenses").glob("*.txt"):
        assert f"`{path.name}`" in attribution
    assert sum(path.stat().st_size for path in DATA.iterdir()) < 1_500_000
