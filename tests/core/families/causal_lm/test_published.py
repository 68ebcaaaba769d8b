"""A published language model is what transformers loads as GPT-2, and what Idlebrush reads back."""

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F
import yaml
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM, AutoTokenizer, GPT2LMHeadModel

from core.digest import digest
from core.errors import CheckpointError, CoreError
from core.families.causal_lm.config import CausalConfig
from core.families.causal_lm.gpt2_layout import from_gpt2, gpt2_settings, to_gpt2
from core.families.causal_lm.model import CausalTransformer
from core.families.causal_lm.published_folder import (
    LanguageModel,
    parameter_shapes,
    read_language_model,
    write_language_model,
)
from core.families.causal_lm.publishing import PUBLISHING
from core.model.family.publishing import WritingChoices
from core.published.document import RunOrigin
from core.published.export import export_checkpoint, published_form
from core.published.family_document import read_document
from core.run.manifest import RunManifest
from core.storage.checkpoint import TrainingState, save
from core.storage.files import FileRef
from tests.swarms.text_run import MODEL, byte_tokenizer, write_text_run

CONFIG = CausalConfig(dim=32, depth=3, heads=4, length=16, vocab=300, feed_forward_factor=3)
SHARING = CONFIG.model_copy(update={"depth": 5, "shared_layers": 2})
ORIGIN = RunOrigin(run="a-run", training_digest="ab" * 32, epoch=3, data="org/texts")
CHOICES = WritingChoices(tokens=8, temperature=0.8, top_k=40, seed=1)


def model_of(config: CausalConfig = CONFIG) -> CausalTransformer:
    """A model all of whose parameters count."""
    draws = torch.Generator().manual_seed(2)
    model = CausalTransformer(config, draws)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.rand(parameter.shape, generator=draws) * 0.2 - 0.1)
    return model


@pytest.fixture
def language(tmp_path: Path) -> LanguageModel:
    byte_tokenizer().save(str(tmp_path / "tokenizer.json"))
    return LanguageModel(CONFIG, dict(model_of().state_dict()), tmp_path / "tokenizer.json", 0, ORIGIN)


@pytest.fixture
def folder(language: LanguageModel, tmp_path: Path) -> Path:
    write_language_model(tmp_path / "model", language, "mit")
    return tmp_path / "model"


@pytest.fixture
def sharing(language: LanguageModel, tmp_path: Path) -> LanguageModel:
    """A model whose layers 0, 2 and 4 share weights, and 1 and 3."""
    return LanguageModel(SHARING, dict(model_of(SHARING).state_dict()), language.tokenizer, 0, ORIGIN)


def test_transformers_computes_the_same_logits_of_every_position(folder: Path) -> None:
    assert_same_logits(folder, model_of())


def test_layers_that_share_weights_are_published_each_with_its_own(
    sharing: LanguageModel, tmp_path: Path
) -> None:
    write_language_model(tmp_path / "shared", sharing)
    assert_same_logits(tmp_path / "shared", model_of(SHARING))
    found = read_language_model(tmp_path / "shared")
    assert found.config == SHARING
    assert digest(found.parameters) == digest(sharing.parameters)
    assert "use 2 sets of weights in turns" in (tmp_path / "shared" / "README.md").read_text()
    PUBLISHING.export_again(tmp_path / "shared", tmp_path / "again", None)
    assert (tmp_path / "again" / "model.safetensors").read_bytes() == (
        tmp_path / "shared" / "model.safetensors"
    ).read_bytes()


def test_layers_that_only_claim_to_share_weights_are_refused(sharing: LanguageModel) -> None:
    theirs = to_gpt2(sharing.parameters, SHARING)
    theirs["transformer.h.4.ln_1.bias"] = theirs["transformer.h.4.ln_1.bias"] + 1
    with pytest.raises(CheckpointError, match=r"layers that share layers\.0\.attention_norm\.bias have"):
        from_gpt2(theirs, SHARING, parameter_shapes(SHARING))


def test_a_model_that_cannot_be_read_back_replaces_nothing(
    folder: Path, language: LanguageModel, tmp_path: Path
) -> None:
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    other = CONFIG.model_copy(update={"depth": 2})
    with pytest.raises(CheckpointError, match="cannot be read back"):
        write_language_model(folder, dataclasses.replace(language, config=other))
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


def assert_same_logits(folder: Path, ours: CausalTransformer) -> None:
    loaded, report = GPT2LMHeadModel.from_pretrained(str(folder), output_loading_info=True)
    assert not any(report.values()), "nothing is missing, unexpected or of another shape"
    ids = torch.randint(0, CONFIG.vocab, (2, CONFIG.length), generator=torch.Generator().manual_seed(4))
    with torch.no_grad():
        hidden, _ = ours.encode(ids, remember=False)
        expected = F.linear(hidden, ours.vocabulary.weight)
        found = loaded.eval()(ids).logits
    assert expected.std() > 0.3
    torch.testing.assert_close(found, expected, rtol=1e-5, atol=5e-6)


def test_transformers_finds_tokenizer_and_settings_of_writing(folder: Path) -> None:
    tokenizer = AutoTokenizer.from_pretrained(str(folder))
    assert tokenizer("Hi é 数").input_ids == byte_tokenizer().encode("Hi é 数").ids
    assert tokenizer.decode(tokenizer("Hi é 数").input_ids) == "Hi é 数"
    assert (tokenizer.eos_token_id, tokenizer.model_max_length) == (0, CONFIG.length)
    model = AutoModelForCausalLM.from_pretrained(str(folder))
    settings = model.generation_config
    assert (settings.eos_token_id, settings.temperature, settings.top_k) == (0, 0.8, 40)
    assert model.generate(**tokenizer("The", return_tensors="pt"), max_new_tokens=3).shape[1] <= 6


def test_what_is_read_back_is_what_was_written(folder: Path, language: LanguageModel, tmp_path: Path) -> None:
    found = read_language_model(folder)
    assert (found.config, found.end_id, found.origin) == (CONFIG, 0, ORIGIN)
    assert digest(found.parameters) == digest(language.parameters)
    PUBLISHING.export_again(folder, tmp_path / "again", "mit")
    for file in folder.iterdir():
        assert (tmp_path / "again" / file.name).read_bytes() == file.read_bytes(), file.name


def test_the_mapping_keeps_every_value_and_ties_the_head() -> None:
    parameters = dict(model_of().state_dict())
    theirs = to_gpt2(parameters, CONFIG)
    assert len(theirs) == len(parameters)
    assert "lm_head.weight" not in theirs
    back = from_gpt2(theirs, CONFIG, parameter_shapes(CONFIG))
    assert all(torch.equal(back[name], value) for name, value in parameters.items())


def test_the_card_names_licence_data_and_run(folder: Path) -> None:
    card = (folder / "README.md").read_text()
    head = yaml.safe_load(card.split("---\n")[1])
    assert (head["license"], head["datasets"], head["library_name"]) == ("mit", ["org/texts"], "transformers")
    assert "# a-run, epoch 3" in card


def test_layers_that_gpt2_does_not_have_are_refused(language: LanguageModel, tmp_path: Path) -> None:
    config = CONFIG.model_copy(update={"reversible": True})
    with pytest.raises(CheckpointError, match="reversible"):
        gpt2_settings(config, 0)
    model = LanguageModel(config, language.parameters, language.tokenizer, 0, ORIGIN)
    with pytest.raises(CheckpointError, match="reversible"):
        write_language_model(tmp_path / "model", model)
    assert not (tmp_path / "model").exists()


def test_the_checkpoint_of_a_run_is_exported_and_writes_what_the_run_writes(tmp_path: Path) -> None:
    manifest, base, checkpoint = run_with_checkpoint(tmp_path)
    published = export_checkpoint(checkpoint, manifest, base, tmp_path / "model")
    form = published_form(tmp_path / "model")
    assert form is not None
    assert form.verify(tmp_path / "model") == published
    assert published.description["origin"]["epoch"] == 7
    of_run = PUBLISHING.writer_of_run(checkpoint, manifest, base).write("The number", CHOICES)
    assert form.writer(tmp_path / "model").write("The number", CHOICES) == of_run
    assert of_run
    long = form.writer(tmp_path / "model").write("w" * 500, WritingChoices(4096, 0.8, 40, 1))
    assert len(long) <= MODEL.length // 2, "no more than the model can look back at"


def test_a_prompt_is_read_before_a_long_text_takes_its_room(folder: Path) -> None:
    """A prompt keeps up to half of the model's length, however much is asked for."""
    writer = PUBLISHING.writer(folder)
    tokens = {prompt: len(byte_tokenizer().encode(prompt).ids) for prompt in ("A few", "A prompt " * 9)}
    assert tokens["A few"] < CONFIG.length // 2 < CONFIG.length < tokens["A prompt " * 9]
    assert [writer.room("A few", asked) for asked in (3, 4096)] == [3, CONFIG.length - tokens["A few"]]
    assert [writer.room("A prompt " * 9, asked) for asked in (3, 4096)] == [3, CONFIG.length // 2]
    assert writer.room("", 4096) == CONFIG.length - 1
    first = [
        writer.write(f"{letter} few", dataclasses.replace(CHOICES, tokens=4096, top_k=1)) for letter in "AZ"
    ]
    assert first[0] != first[1], "the beginning of the prompt counts"


def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    manifest, base, checkpoint = run_with_checkpoint(tmp_path)
    other = RunManifest.load(write_text_run(tmp_path / "other", target_batch_size=32))
    assert other.training_digest != manifest.training_digest
    with pytest.raises(CheckpointError, match="belongs to another run"):
        export_checkpoint(checkpoint, other, base, tmp_path / "model")


def run_with_checkpoint(folder: Path) -> tuple[RunManifest, Path, Path]:
    manifest = RunManifest.load(write_text_run(folder / "run"))
    parameters = dict(model_of(MODEL).state_dict())
    state = TrainingState(manifest.training.name, manifest.training_digest, 7, parameters, {})
    save(folder / "checkpoint", state)
    return manifest, folder / "run", folder / "checkpoint"


def change_settings(folder: Path, **changed: object) -> None:
    settings = json.loads((folder / "config.json").read_text()) | changed
    (folder / "config.json").write_text(json.dumps(settings))


def other_weights(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    weights["transformer.wpe.weight"] += 1
    save_file(weights, folder / "model.safetensors")


DAMAGES: dict[str, Callable[[Path], object]] = {
    "a weight": other_weights,
    "no weights": lambda folder: (folder / "model.safetensors").unlink(),
    "a deeper model": lambda folder: change_settings(folder, n_layer=10**6),
    "another activation": lambda folder: change_settings(folder, activation_function="relu"),
    "settings of a list": lambda folder: (folder / "config.json").write_text("[]"),
    "another tokenizer": lambda folder: (folder / "tokenizer.json").write_text("{}"),
    "no document": lambda folder: (folder / "idlebrush.json").unlink(),
    "a changed document": lambda folder: (folder / "idlebrush.json").write_text(
        (folder / "idlebrush.json").read_text().replace('"epoch": 3', '"epoch": 4')
    ),
    "a document of nothing": lambda folder: (folder / "idlebrush.json").write_text("{}"),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_folder_of_which_anything_is_wrong_is_refused(
    folder: Path, damage: Callable[[Path], object]
) -> None:
    damage(folder)
    with pytest.raises(CoreError):
        read_language_model(folder)


@pytest.mark.parametrize(
    "damage", ["a weight", "a deeper model", "another activation", "settings of a list", "another tokenizer"]
)
def test_a_publisher_who_names_wrong_files_is_refused_too(folder: Path, tmp_path: Path, damage: str) -> None:
    """The digests of the files are right here, and what they contain is not."""
    DAMAGES[damage](folder)
    document = read_document(folder)
    files = tuple(FileRef.of(folder / ref.path, folder) for ref in document.files)
    (folder / "idlebrush.json").write_text(document.model_copy(update={"files": files}).sealed())
    with pytest.raises(CoreError):
        PUBLISHING.writer(folder)


@pytest.mark.parametrize("name", ["notes.txt", ".git"])
def test_a_folder_with_anything_else_is_left_alone(folder: Path, language: LanguageModel, name: str) -> None:
    (folder / name).write_text("mine")
    with pytest.raises(CheckpointError, match=name):
        write_language_model(folder, language)
    assert (folder / name).read_text() == "mine"


def test_a_card_that_was_changed_is_not_overwritten(folder: Path, language: LanguageModel) -> None:
    write_language_model(folder, language, "apache-2.0")
    (folder / "README.md").write_text("mine")
    with pytest.raises(CheckpointError, match="was changed"):
        write_language_model(folder, language)
    assert (folder / "README.md").read_text() == "mine"
