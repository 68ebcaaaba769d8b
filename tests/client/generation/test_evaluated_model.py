"""An evaluation judges by the codec, tokenizer and ranker of the run, whatever a published model brings along."""

import io
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from rich.console import Console

from client.generation.evaluated_model import find_evaluated, load_evaluated
from client.generation.evaluating import EvaluationChoices, run_evaluation
from client.paths import Paths
from core.errors import CoreError, GenerationError, RankingError
from core.generation.parts import DrawingDevice
from core.model.techniques import Precision
from core.published.document import FileOrigin, ModelDocument
from core.published.export import export_drawing_model
from core.published.model_folder import ModelFolder, open_model
from core.ranking.scorer import Scorer, ScorerConfig, ScorerRanker
from core.run.contact import ScorerRanking
from core.run.manifest import RunManifest
from core.signing import SigningKey
from core.storage.files import FileRef
from core.text import CaptionTokenizer
from tests.swarms.drawable_run import ROOM, save_checkpoint, write_drawable_run
from tests.swarms.tiny_run import MODEL

FILE = FileOrigin(name="model.pt", sha256="ab" * 32)
KEY = SigningKey.generate()
CPU = DrawingDevice(torch.device("cpu"), Precision.FLOAT32, ROOM)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run with a checkpoint, whose organiser's key is known."""
    run = write_drawable_run(tmp_path / "run")
    manifest = RunManifest.load(run)
    RunManifest.create(manifest.training, manifest.contact, KEY).save(run)
    save_checkpoint(run, run.parent / "peer" / "checkpoint")
    return run


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths.of_user({"IDLEBRUSH_HOME": str(tmp_path / "home")})


def ranked(run: Path, seed: int) -> RunManifest:
    """Return the run's manifest with a scorer drawn by ``seed``."""
    manifest = RunManifest.load(run)
    tokens = CaptionTokenizer.load(run.parent / "tokenizer.json", length=MODEL.text_length)
    config = ScorerConfig(vocab=tokens.vocab_size, length=MODEL.text_length, resolution=16, width=8, dim=8)
    torch.manual_seed(seed)
    Scorer(config).save(run.parent / f"scorer{seed}.safetensors")
    ranking = ScorerRanking(
        kind="scorer", weights=FileRef.of(run.parent / f"scorer{seed}.safetensors", run.parent)
    )
    changed = {"ranking": ranking, "serial": manifest.contact.serial + 1}
    return manifest.reissue_contact(manifest.contact.model_copy(update=changed), KEY)


@pytest.fixture
def published(run: Path, tmp_path: Path) -> ModelFolder:
    """The run's model, published while the first of its scorers ranked."""
    saved, out = run.parent / "peer" / "checkpoint", tmp_path / "model"
    export_drawing_model(saved, ranked(run, 1), run.parent, out)
    return open_model(out)


def words_of(ranker: object) -> torch.Tensor:
    assert isinstance(ranker, ScorerRanker)
    return ranker.embed_texts(["red heart"])


def test_a_model_with_an_older_scorer_is_judged_by_the_runs(
    run: Path, published: ModelFolder, paths: Paths
) -> None:
    source = find_evaluated(paths, save_ranked(run, 2), published.path)
    parts = load_evaluated(source, source.run.tokenizer(), CPU, lambda done, total: None)
    older, newer = (
        ScorerRanker.load(run.parent / f"scorer{seed}.safetensors", parts.tokenizer, "cpu") for seed in (1, 2)
    )
    torch.testing.assert_close(words_of(parts.ranker), words_of(newer))
    assert not torch.allclose(words_of(parts.ranker), words_of(older))
    assert (parts.origin.epoch, parts.origin.parameter_digest) == (7, published.document.parameter_digest)


def save_ranked(run: Path, seed: int) -> Path:
    manifest = ranked(run, seed)
    manifest.save(run)
    return run


def of_file(published: ModelFolder, **changed: object) -> ModelFolder:
    document = published.document.model_copy(update={"origin": FILE, **changed})
    (published.path / "model.json").write_text(ModelDocument.model_validate(document.model_dump()).sealed())
    return open_model(published.path)


def refusal(paths: Paths, run: Path, model: ModelFolder) -> str:
    with pytest.raises(GenerationError) as error:
        find_evaluated(paths, run, model.path)
    return error.value.what


def test_a_file_of_another_program_must_read_and_draw_as_the_run_does(
    run: Path, published: ModelFolder, paths: Paths
) -> None:
    save_ranked(run, 2)
    document = published.document
    assert document.text is not None
    assert document.codec is not None
    assert find_evaluated(paths, run, of_file(published).path).ranker_name == "the scorer of the run"
    other = {"sha256": "cd" * 32}
    text = document.text.model_copy(update={"tokenizer": document.text.tokenizer.model_copy(update=other)})
    assert "another tokenizer than" in refusal(paths, run, of_file(published, text=text))
    codec = document.codec.model_copy(update={"weights": document.codec.weights.model_copy(update=other)})
    assert "another image codec than" in refusal(paths, run, of_file(published, codec=codec))
    model = document.model.model_copy(update={"depth": document.model.depth + 1})
    assert "another size or architecture than" in refusal(paths, run, of_file(published, model=model))


def test_an_evaluation_refuses_before_it_draws(run: Path, paths: Paths, tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("red heart")
    choices = EvaluationChoices(run, None, words, tmp_path / "out", drawings=2, pictures=6, seed=0)
    assert isinstance(refused(choices, paths), RankingError)
    save_ranked(run, 1)
    assert "too few to derive" in refused(choices, paths).what
    assert not list(paths.evaluations.rglob("drawings"))
    assert len(run_evaluation(replace(choices, pictures=24), paths, quiet()).results) == 1


def refused(choices: EvaluationChoices, paths: Paths) -> CoreError:
    with pytest.raises(CoreError) as error:
        run_evaluation(choices, paths, quiet())
    return error.value


def quiet() -> Console:
    return Console(file=io.StringIO())
