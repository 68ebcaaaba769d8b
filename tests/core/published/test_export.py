"""An export describes the run, can be imported again, and equals the checkpoint bit by bit."""

import json
from pathlib import Path

import pytest
import torch
import yaml
from safetensors.torch import save_file

from core.digest import digest
from core.errors import CheckpointError, ManifestError
from core.model.config import ModelConfig
from core.model.transformer import Transformer
from core.published.card import model_card
from core.published.document import FileOrigin, ModelDocument, RunOrigin
from core.published.export import export_checkpoint, export_drawing_model, export_model
from core.published.importing import import_model
from core.published.model import CodecFiles, TokenizerFile
from core.published.model_folder import open_model
from core.ranking.scorer import Scorer, ScorerConfig
from core.run.contact import ClipRanking, Ranking, ScorerRanking
from core.run.manifest import RunManifest
from core.run.training.families import picture_rules
from core.storage.checkpoint import TrainingState, save
from core.storage.files import FileRef
from core.text import CaptionTokenizer
from tests.core.codec.test_codec_loading import tiny_document, write_codec
from tests.core.published.hivemind_state import GOLDEN, GOLDENS, state_of
from tests.core.published.small_model import contents
from tests.swarms.text_run import MODEL as TEXT_MODEL
from tests.swarms.text_run import write_text_run
from tests.swarms.tiny_run import MODEL, write_tiny_run


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_tiny_run(tmp_path / "run")


@pytest.fixture
def checkpoint(tmp_path: Path, run: Path) -> Path:
    return checkpoint_of(run, tmp_path / "checkpoint")


def checkpoint_of(run: Path, folder: Path) -> Path:
    manifest = RunManifest.load(run)
    parameters = dict(Transformer(MODEL, torch.Generator().manual_seed(0)).state_dict())
    state = TrainingState(
        manifest.training.name, manifest.training_digest, 12, parameters, {"step": torch.zeros(1)}
    )
    save(folder, state)
    return folder


def exported(checkpoint: Path, run: Path, out: Path, license_id: str | None = None) -> ModelDocument:
    return export_drawing_model(checkpoint, RunManifest.load(run), run.parent, out, license_id)


def test_a_checkpoint_comes_back_from_its_export_to_the_bit(
    checkpoint: Path, run: Path, tmp_path: Path
) -> None:
    document = exported(checkpoint, run, tmp_path / "out")
    parameters = dict(Transformer(MODEL, torch.Generator().manual_seed(0)).state_dict())
    assert document.parameter_digest == digest(parameters)
    for source in ("out", "out/model.safetensors"):
        assert import_model(tmp_path / source, tmp_path / "back") == document
    assert digest(open_model(tmp_path / "back").parameters()) == digest(parameters)


def test_the_runs_files_go_along(checkpoint: Path, run: Path, tmp_path: Path) -> None:
    document = exported(checkpoint, run, tmp_path / "out")
    assert document.text is not None
    assert (document.text.length, document.text.vocab) == (MODEL.text_length, MODEL.text_vocab)
    files = contents(tmp_path / "out")
    assert files["tokenizer.json"] == (run.parent / "tokenizer.json").read_bytes()
    assert files["codec/config.yaml"] == (run.parent / "codec.yaml").read_bytes()
    assert open_model(tmp_path / "out").tokenizer().encode(["red heart"]).shape == (1, MODEL.text_length)


@pytest.fixture
def ranked(run: Path) -> RunManifest:
    """The run with a scorer of its own; its signatures are not looked at here."""
    tokens = CaptionTokenizer.load(run.parent / "tokenizer.json", length=MODEL.text_length)
    config = ScorerConfig(vocab=tokens.vocab_size, length=MODEL.text_length, resolution=16, width=8, dim=8)
    Scorer(config).save(run.parent / "scorer.safetensors")
    return naming(run, ScorerRanking(weights=FileRef.of(run.parent / "scorer.safetensors", run.parent)))


def naming(run: Path, ranking: Ranking) -> RunManifest:
    manifest = RunManifest.load(run)
    return manifest.model_copy(update={"contact": manifest.contact.model_copy(update={"ranking": ranking})})


def test_the_runs_scorer_goes_along_and_ranks_what_the_folder_draws(
    checkpoint: Path, ranked: RunManifest, run: Path, tmp_path: Path
) -> None:
    document = export_drawing_model(checkpoint, ranked, run.parent, tmp_path / "out")
    assert import_model(tmp_path / "out", tmp_path / "back") == document
    for folder in map(open_model, (tmp_path / "out", tmp_path / "back")):
        ranker = folder.ranker(folder.tokenizer())
        assert ranker is not None
        assert ranker.scores("red heart", torch.rand(2, 3, 16, 16)).shape == (2,)
    card = (tmp_path / "out" / "README.md").read_text()
    assert "--best 4" in card
    assert "`ranker.safetensors`, picks the best" in card


def test_a_scorer_that_was_changed_is_not_used(
    checkpoint: Path, ranked: RunManifest, run: Path, tmp_path: Path
) -> None:
    export_drawing_model(checkpoint, ranked, run.parent, tmp_path / "out")
    (tmp_path / "out" / "ranker.safetensors").write_bytes(b"another")
    folder = open_model(tmp_path / "out")
    with pytest.raises(CheckpointError, match=r"ranker\.safetensors"):
        folder.model()
    with pytest.raises(ManifestError, match=r"ranker\.safetensors has 7 bytes"):
        folder.ranker(folder.tokenizer())


def test_a_ranker_on_the_hub_is_named_and_not_copied(checkpoint: Path, run: Path, tmp_path: Path) -> None:
    document = export_drawing_model(checkpoint, naming(run, ClipRanking()), run.parent, tmp_path / "out")
    assert document.ranking == ClipRanking()
    assert "ranker.safetensors" not in contents(tmp_path / "out")
    assert f"[{ClipRanking().repo}](" in (tmp_path / "out" / "README.md").read_text()


def test_a_model_without_a_ranker_is_described_as_before_there_were_any(
    checkpoint: Path, run: Path, tmp_path: Path
) -> None:
    exported(checkpoint, run, tmp_path / "out")
    assert "ranking" not in json.loads((tmp_path / "out" / "model.json").read_text())


def test_a_model_that_learned_pictures_without_captions_is_guided(tmp_path: Path) -> None:
    run = write_tiny_run(tmp_path / "run", caption_dropout=0.1)
    exported(checkpoint_of(run, tmp_path / "checkpoint"), run, tmp_path / "out")
    again = export_model(tmp_path / "out", tmp_path / "again")
    assert again.usual_guidance == picture_rules(RunManifest.load(run).training).data.usual_guidance > 1


def test_exports_are_the_same_bytes_each_time(checkpoint: Path, run: Path, tmp_path: Path) -> None:
    exported(checkpoint, run, tmp_path / "one", "apache-2.0")
    exported(checkpoint, run, tmp_path / "other", "apache-2.0")
    export_model(tmp_path / "one", tmp_path / "third", "apache-2.0")
    assert contents(tmp_path / "one") == contents(tmp_path / "other") == contents(tmp_path / "third")


def test_a_checkpoint_of_another_run_is_refused(checkpoint: Path, tmp_path: Path) -> None:
    other = write_tiny_run(tmp_path / "another")
    with pytest.raises(CheckpointError, match="another run"):
        exported(checkpoint, other, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def front_matter(card: str) -> dict[str, object]:
    _, header, _ = card.split("---\n", 2)
    fields: dict[str, object] = yaml.safe_load(header)
    return fields


def test_the_card_says_what_the_hub_asks_and_where_the_model_is_from(
    checkpoint: Path, run: Path, tmp_path: Path
) -> None:
    document = exported(checkpoint, run, tmp_path / "out", "cc-by-4.0")
    card = (tmp_path / "out" / "README.md").read_text()
    fields = front_matter(card)
    assert (fields["license"], fields["pipeline_tag"]) == ("cc-by-4.0", "text-to-image")
    assert "datasets" not in fields
    parts = ["# tiny, epoch 12", document.parameter_digest, "| `depth` | 3 |", "--checkpoint ."]
    assert [part for part in parts if part not in card] == []


ORIGIN = RunOrigin(run="a *run* <b>", training_digest="ab" * 32, epoch=1, data="laion/laion_100m_vqgan_f8")


@pytest.fixture
def document(checkpoint: Path, run: Path, tmp_path: Path) -> ModelDocument:
    return exported(checkpoint, run, tmp_path / "out")


def test_a_data_set_on_the_hub_is_named_and_no_licence_is_made_up(document: ModelDocument) -> None:
    card = model_card(document.model_copy(update={"origin": ORIGIN}))
    fields = front_matter(card)
    assert fields["datasets"] == ["laion/laion_100m_vqgan_f8"]
    assert "license" not in fields
    assert "No licence was named" in card


def test_names_from_elsewhere_are_shown_as_they_are(document: ModelDocument) -> None:
    assert "# a \\*run\\* \\<b\\>, epoch 1" in model_card(document.model_copy(update={"origin": ORIGIN}))


def test_the_card_of_imported_weights_says_which_file_it_was_and_what_is_missing(
    document: ModelDocument,
) -> None:
    origin = FileOrigin(name="model_state.pt", sha256="c0" * 32)
    card = model_card(document.model_copy(update={"origin": origin, "text": None, "codec": None}))
    assert f"`{'c0' * 32}`" in card
    assert "no tokenizer and no image codec" in card


def test_imported_weights_draw_with_the_tokenizer_and_codec_that_they_are_given(
    run: Path, tmp_path: Path
) -> None:
    config = ModelConfig(
        dim=8, depth=2, heads=1, dim_head=8, text_length=4, text_vocab=16, grid=4, image_vocab=16
    )
    torch.save(state_of(config), tmp_path / "model_state.pt")
    codec = CodecFiles(*write_codec(tmp_path, tiny_document()))
    tokenizer = TokenizerFile(run.parent / "tokenizer.json")
    import_model(tmp_path / "model_state.pt", tmp_path / "out", like=config, tokenizer=tokenizer, codec=codec)
    model = open_model(tmp_path / "out")
    assert model.tokenizer().encode(["red heart"]).shape == (1, 4)
    assert model.codec().decode(torch.zeros(1, 4, 4, dtype=torch.int64)).shape == (1, 3, 16, 16)


def test_a_codec_of_another_vocabulary_is_not_put_beside_a_model(tmp_path: Path) -> None:
    codec = CodecFiles(*write_codec(tmp_path, tiny_document()))
    with pytest.raises(CheckpointError, match="16 codes, and the model draws with 9"):
        import_model(GOLDENS / "model_state.pt", tmp_path / "out", like=GOLDEN, codec=codec)
    assert not (tmp_path / "out").exists()


def test_a_file_beside_a_model_is_not_taken_for_the_model(tmp_path: Path) -> None:
    import_model(GOLDENS / "model_state.pt", tmp_path / "out", like=GOLDEN)
    save_file({"other": torch.zeros(1)}, tmp_path / "out" / "other.safetensors")
    with pytest.raises(CheckpointError, match="no parameter 'other'"):
        import_model(tmp_path / "out" / "other.safetensors", tmp_path / "back", like=GOLDEN)


def test_a_file_name_that_no_line_could_hold_is_no_obstacle(tmp_path: Path) -> None:
    source = tmp_path / f"{'n' * 100}\x1b[2J\n{'n' * 120}.pt"
    source.write_bytes((GOLDENS / "model_state.pt").read_bytes())
    document = import_model(source, tmp_path / "out", like=GOLDEN)
    assert isinstance(document.origin, FileOrigin)
    assert document.origin.name.startswith("nnn")


def test_the_origin_of_imported_weights_is_their_file(tmp_path: Path) -> None:
    document = import_model(GOLDENS / "model_state.pt", tmp_path / "out", like=GOLDEN)
    assert isinstance(document.origin, FileOrigin)
    assert document.origin.name == "model_state.pt"
    assert export_model(tmp_path / "out", tmp_path / "card").origin == document.origin


def test_a_folder_is_not_called_another_model_than_it_is(tmp_path: Path) -> None:
    import_model(GOLDENS / "model_state.pt", tmp_path / "out", like=GOLDEN)
    import_model(tmp_path / "out", tmp_path / "same", like=GOLDEN)
    with pytest.raises(CheckpointError, match="does not match the model given with --like"):
        import_model(tmp_path / "out", tmp_path / "other", like=MODEL)
    assert not (tmp_path / "other").exists()


def test_a_model_that_others_could_not_load_is_not_exported(checkpoint: Path, tmp_path: Path) -> None:
    reversible = TEXT_MODEL.model_copy(update={"reversible": True})
    manifest = RunManifest.load(write_text_run(tmp_path / "text", model=reversible))
    with pytest.raises(CheckpointError, match="cannot be exported: its layers are reversible"):
        export_checkpoint(checkpoint, manifest, tmp_path / "text", tmp_path / "model")
    assert not (tmp_path / "model").exists()
