"""Prompts, held-out pictures and thresholds of an index whose embeddings are known come out as they must."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from core.evaluation.calibration import Calibration, calibrate
from core.evaluation.document import EvaluatedModel, Evaluation, PromptResult
from core.evaluation.evaluate import EvaluatedPrompt, evaluate
from core.evaluation.held_out import tried
from core.evaluation.nearest import Embeddings
from core.evaluation.separation import Separation
from core.evaluation.sorting import ResultKind, Thresholds
from core.evaluation.training_pictures import PictureEncoder
from tests.core.evaluation.made_evaluation import made_evaluation
from tests.core.evaluation.made_index import CountedIndex, drawing, made_index, plain_picture, vectors
from tests.swarms.tiny_run import MODEL

CAPTIONS = ("red heart", "green sun", "blue cat", "red panda")
TEXTS = vectors(*np.eye(6)[:4].tolist())
IMAGES = vectors([1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [0, 0, 0, 0.6, 0, 0.8])
GREYS = (0.1, 0.35, 0.6, 0.85)
NEW, PANDA = vectors([0, 0, 0, 0, 1, 0]), vectors([0, 0, 0, 0, 0, 1])


def line(threshold: float) -> Separation:
    return Separation(threshold=threshold, accepted=1.0, refused=1.0)


THRESHOLDS = Thresholds(matching=line(0.0), related=line(0.4), colours=line(0.9))


@pytest.fixture
def index(tmp_path: Path) -> CountedIndex:
    return made_index(tmp_path, CAPTIONS, TEXTS, IMAGES, [plain_picture(grey) for grey in GREYS])


def evaluated(index: CountedIndex, encoder: PictureEncoder, prompts: Sequence[EvaluatedPrompt]) -> Evaluation:
    model: EvaluatedModel = made_evaluation()[0].model
    calibration = Calibration(THRESHOLDS, 4)
    return evaluate(prompts, index, calibration, encoder, model, datetime(2026, 12, 1, tzinfo=UTC))[0]


def prompt(words: str, text: Embeddings, image: Embeddings, grey: float) -> EvaluatedPrompt:
    return EvaluatedPrompt(words, False, drawing(text, image, plain_picture(grey)))


OWN = prompt("Red heart", TEXTS[:1], IMAGES[:1], GREYS[0])
UNSEEN = prompt("purple star", NEW, NEW, 0.0)
WRONG = prompt("purple star", NEW, IMAGES[1:2], 0.0)
COPIED = prompt("purple star", NEW, NEW, GREYS[2])
SHOWN_BETTER = prompt("panda", PANDA, vectors([0, 0.66, 0, 0, 0, 0.75]), 0.0)


@pytest.mark.parametrize(
    ("asked", "kind", "is_copy", "by_prompt", "by_drawing"),
    [
        (OWN, ResultKind.REALISTIC, True, "red heart", "red heart"),
        (UNSEEN, ResultKind.GENERALISING, False, None, "red heart"),
        (WRONG, ResultKind.FAILING, False, None, "red heart"),
        (COPIED, ResultKind.REALISTIC, True, None, "blue cat"),
        (SHOWN_BETTER, ResultKind.REALISTIC, False, "red panda", "red heart"),
    ],
)
def test_a_prompt_is_of_the_kind_that_its_embeddings_make_it(
    index: CountedIndex,
    encoder: PictureEncoder,
    asked: EvaluatedPrompt,
    kind: ResultKind,
    is_copy: bool,
    by_prompt: str | None,
    by_drawing: str,
) -> None:
    result: PromptResult = evaluated(index, encoder, [asked]).results[0]
    assert (result.judgement.kind, result.judgement.is_copy) == (kind, is_copy)
    assert result.measured.in_captions == (asked is OWN)
    if by_prompt is not None:
        assert result.near_prompt[0].caption == by_prompt
    assert result.near_drawing[0].caption == by_drawing  # the one that looks most like it
    assert len(result.near_prompt) == len(result.near_drawing) == len(CAPTIONS)


def test_the_index_is_read_as_often_for_many_prompts_as_for_one(
    index: CountedIndex, encoder: PictureEncoder
) -> None:
    one = evaluated(index, encoder, [UNSEEN])
    passes = index.passes
    prompts = [UNSEEN, OWN, COPIED, SHOWN_BETTER]
    many = evaluated(index, encoder, prompts)
    assert index.passes == 2 * passes
    assert many.results[0] == one.results[0]
    assert [result.judgement.kind for result in many.results] == [
        evaluated(index, encoder, [asked]).results[0].judgement.kind for asked in prompts
    ]


class KnownEmbeddings:
    """Embeds texts by what is said of them, and pictures in the order in which they are given."""

    def __init__(self, texts: dict[str, Embeddings], images: Embeddings) -> None:
        self._texts, self._images = texts, images

    def embed_texts(self, texts: Sequence[str]) -> Tensor:
        return torch.from_numpy(np.concatenate([self._texts[text] for text in texts]))

    def embed_images(self, images: Tensor) -> Tensor:
        assert len(images) == len(self._images)
        return torch.from_numpy(self._images)


def test_held_out_pictures_are_sorted_as_their_embeddings_say(
    index: CountedIndex, encoder: PictureEncoder
) -> None:
    captions = ["new star", "RED heart.", "newer star", "panda", "missed star"]
    texts = dict(zip(captions, (NEW, TEXTS[:1], NEW, PANDA, NEW), strict=True))
    shown = np.concatenate([NEW, NEW, vectors([0, 0.66, 0, 0, 0, 0.75]), IMAGES[1:2]])
    known = replace(encoder, embedder=KnownEmbeddings(texts, shown))
    pairs = [(caption, np.zeros(MODEL.image_length, np.int64)) for caption in captions]
    trial = tried(pairs, index, known, THRESHOLDS)
    assert trial is not None
    assert (trial.captions, trial.generalising, trial.realistic) == pytest.approx((4, 0.5, 0.25))
    assert tried(pairs[1:2], index, known, THRESHOLDS) is None


def paired_index(folder: Path, *, swapped: bool = False) -> CountedIndex:
    """Return an index of pairs of captions that are near to each other, and of the same grey."""
    eye = np.eye(12)
    near = np.array([0.9 * eye[number] + 0.44 * eye[number ^ 1] for number in range(12)])
    texts, images = vectors(*near.tolist()), vectors(*near.tolist())
    if swapped:
        images = images[[number ^ 1 for number in range(12)]]
    pictures = [plain_picture(number // 2 / 6) for number in range(12)]
    return made_index(folder, [f"caption {number}" for number in range(12)], texts, images, pictures)


def test_thresholds_tell_own_pictures_from_those_of_similar_captions(tmp_path: Path) -> None:
    found = calibrate(paired_index(tmp_path))
    matching, related = found.thresholds.matching, found.thresholds.related
    assert found.compared == 12
    assert matching.threshold == pytest.approx(0, abs=1e-3)
    assert (matching.accepted, matching.refused) == (1, 1)
    assert related.accepted == 1
    assert found.thresholds.colours.accepted == 1


def test_where_pictures_show_other_captions_better_no_threshold_helps(tmp_path: Path) -> None:
    matching = calibrate(paired_index(tmp_path, swapped=True)).thresholds.matching
    assert matching.accuracy == pytest.approx(0.5)
