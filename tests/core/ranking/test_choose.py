"""The ranker is the one that the manifest names, made of verified files."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
import torch

from core.errors import ManifestError
from core.generation.parts import complete
from core.ranking.choose import load_ranker
from core.ranking.clip import ClipRanker
from core.ranking.hub import ModelFiles
from core.ranking.scorer import Scorer, ScorerConfig, ScorerRanker
from core.run.contact import ClipRanking, Contact, Ranking, ScorerRanking
from core.run.manifest import RunManifest
from core.storage.files import FileRef
from core.text import CaptionTokenizer
from tests.core.ranking.model_hub import REPO, REVISION, model_hub
from tests.core.ranking.tiny_clip import write_tiny_clip
from tests.swarms.drawable_run import ORIGIN, ROOM, untrained, write_drawable_run
from tests.swarms.tiny_run import MODEL, write_tiny_run


def contact(ranking: Ranking | None = None) -> Contact:
    return Contact(title="A run", issued_at=datetime(2026, 1, 1, tzinfo=UTC), ranking=ranking)


@pytest.fixture
def tokenizer(tmp_path: Path) -> CaptionTokenizer:
    write_tiny_run(tmp_path)
    return CaptionTokenizer.load(tmp_path / "tokenizer.json", length=MODEL.text_length)


@pytest.fixture
def scorer(tmp_path: Path, tokenizer: CaptionTokenizer) -> FileRef:
    Scorer(
        ScorerConfig(vocab=tokenizer.vocab_size, length=MODEL.text_length, resolution=16, width=8, dim=8)
    ).save(tmp_path / "scorer.safetensors")
    return FileRef.of(tmp_path / "scorer.safetensors", tmp_path)


def test_a_run_that_names_no_ranker_has_none(tmp_path: Path, tokenizer: CaptionTokenizer) -> None:
    assert load_ranker(None, tmp_path, tokenizer) is None


def test_the_runs_own_scorer_reads_the_runs_own_tokens(
    tmp_path: Path, tokenizer: CaptionTokenizer, scorer: FileRef
) -> None:
    ranker = load_ranker(ScorerRanking(weights=scorer), tmp_path, tokenizer)
    assert isinstance(ranker, ScorerRanker)
    assert ranker.scores("red heart", torch.rand(2, 3, 16, 16)).shape == (2,)


def test_a_scorer_that_is_not_the_signed_one_is_refused_unread(
    tmp_path: Path, tokenizer: CaptionTokenizer, scorer: FileRef
) -> None:
    whole = (tmp_path / scorer.path).read_bytes()
    (tmp_path / scorer.path).write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(ManifestError, match=r"scorer\.safetensors differs"):
        load_ranker(ScorerRanking(weights=scorer), tmp_path, tokenizer)


def test_clip_is_ready_without_the_hub_once_it_was_fetched(
    tmp_path: Path, tokenizer: CaptionTokenizer
) -> None:
    folder = tmp_path / "hub"
    folder.mkdir()
    with model_hub(write_tiny_clip(folder)) as hub:
        ModelFiles(REPO, REVISION, tmp_path / "cache", hub.address).bring(lambda done, total: None)
    clip = ClipRanking(repo=REPO, revision=REVISION)
    ranker = load_ranker(clip, tmp_path, tokenizer, cache=tmp_path / "cache")
    assert isinstance(ranker, ClipRanker)
    assert ranker.scores("red heart", torch.rand(2, 3, 16, 16)).shape == (2,)


@pytest.mark.parametrize(("content", "words"), [(None, "which is not there"), (b"no scorer", "is damaged")])
def test_with_a_ranker_that_cannot_be_had_pictures_are_drawn_without_one(
    tmp_path: Path, tokenizer: CaptionTokenizer, content: bytes | None, words: str
) -> None:
    manifest, file = RunManifest.load(write_drawable_run(tmp_path)), tmp_path / "scorer.safetensors"
    file.write_bytes(content or b"to be gone")
    ranking = ScorerRanking(weights=FileRef.of(file, tmp_path))
    if content is None:
        file.unlink()
    named = manifest.model_copy(update={"contact": contact(ranking)})
    parts = complete(untrained(), ORIGIN, named, tmp_path, tokenizer, ROOM)
    assert parts.ranker is None
    assert words in parts.unranked
