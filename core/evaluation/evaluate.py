"""Evaluates a model by prompts: draws them, finds the nearest training pictures, and sorts the prompts.

The method is that of Borzunov et al. (2022), Appendix B: it looks at the training pictures whose embeddings are close
to a prompt's, to tell whether a model draws what it has not seen. People judged there; here the run's ranker does,
by thresholds that `core.evaluation.calibration` derives from the training data.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain

import numpy as np
import torch

from core.errors import GenerationError
from core.evaluation.calibration import NEIGHBOURS, Calibration
from core.evaluation.caption_keys import Keys, caption_keys, code_keys
from core.evaluation.cell_colours import changed_shares, colour_likenesses
from core.evaluation.document import (
    LARGEST_PICTURE,
    MOST_NEAR,
    EvaluatedData,
    EvaluatedModel,
    Evaluation,
    HeldOutTrial,
    NearPicture,
    PromptResult,
    picture_name,
)
from core.evaluation.drawings import PromptDrawings
from core.evaluation.index import PictureIndex
from core.evaluation.index_part import IndexPart
from core.evaluation.nearest import NOWHERE, Embeddings, Nearest
from core.evaluation.searches import (
    MostSimilarPicture,
    fits,
    known_captions,
    most_similar_pictures,
    pictures_by_pictures,
    pictures_by_texts,
)
from core.evaluation.sorting import PromptMeasurements, TextFit, Thresholds, judge, matches
from core.evaluation.training_pictures import PictureEncoder
from core.generation.sheet import as_picture
from core.memory.units import format_size

_LOSSLESS = 128
"""Largest side in pixels of pictures that are kept without a loss."""
_QUALITY = 85


@dataclass(frozen=True)
class EvaluatedPrompt:
    """A prompt and its drawings."""

    prompt: str
    is_held_out: bool
    """True if it is a caption that the run keeps from training."""
    drawings: PromptDrawings


@dataclass(frozen=True)
class _Neighbours:
    """The training pictures near to one prompt; their numbers are rows of the pictures that were fetched."""

    by_prompt: Sequence[int]
    by_drawing: Sequence[int]
    alike: MostSimilarPicture
    fits: Sequence[TextFit]
    """Fits of the prompt and the pictures by it."""
    drawn: Sequence[TextFit]
    """Fits of the prompt and its drawings."""
    key: int
    """Key of the prompt as a caption."""
    is_known: bool
    """True if the prompt is a caption of the training data."""


@dataclass
class _ReportPictures:
    """The pictures of a report, by name; it makes those of the training pictures that were found."""

    encoder: PictureEncoder
    rows: IndexPart
    """The training pictures that were found."""
    files: dict[str, bytes] = field(default_factory=dict)

    def add(self, pixels: torch.Tensor) -> str:
        """Add a picture, floats (3, height, width) in [0, 1], and return the name of its file.

        Raises GenerationError if its file is larger than a report may have.
        """
        written, large = io.BytesIO(), max(pixels.shape) > _LOSSLESS
        as_picture(pixels).save(written, "WEBP", lossless=not large, quality=_QUALITY, method=4)
        content = written.getvalue()
        if len(content) > LARGEST_PICTURE:
            raise GenerationError(
                f"A picture of the report has {format_size(len(content))}, more than {format_size(LARGEST_PICTURE)}.",
                "Evaluate a run of smaller pictures.",
            )
        name = picture_name(content)
        self.files[name] = content
        return name

    def near(
        self, row: int, score: float, *, fit: TextFit | None = None, changed: float | None = None
    ) -> NearPicture:
        """Return the entry of the training picture ``row``."""
        codes = torch.from_numpy(self.rows.codes[row].astype(np.int64))[None]
        file = self.add(self.encoder.pictures(codes)[0])
        score = float(np.clip(score, -1, 1))
        return NearPicture(file=file, caption=self.rows.captions[row], score=score, fit=fit, changed=changed)


def evaluate(
    prompts: Sequence[EvaluatedPrompt],
    index: PictureIndex,
    calibration: Calibration,
    encoder: PictureEncoder,
    model: EvaluatedModel,
    at: datetime,
    held_out: HeldOutTrial | None = None,
) -> tuple[Evaluation, dict[str, bytes]]:
    """Return what was found, and the pictures by the names that it has for them.

    Args:
        prompts: Prompts with their drawings, at least one.
        index: The training pictures.
        calibration: Thresholds of the run.
        encoder: Codec, which makes the pictures of training codes.
        model: The model that drew.
        at: Time, with its zone.
        held_out: Trial of the thresholds on held-out pictures, if there are any.
    """
    found, rows = _searched(prompts, index)
    shown = _ReportPictures(encoder, rows)
    results = tuple(
        _result(prompt, near, shown, calibration.thresholds)
        for prompt, near in zip(prompts, found, strict=True)
    )
    shards = index.shards
    data = EvaluatedData(
        pictures=index.pictures,
        is_whole=index.is_whole,
        compared=calibration.compared,
        seen_shards=shards.seen,
        left_shards=shards.left,
        shards=shards.total,
    )
    evaluation = Evaluation(
        at=at,
        model=model,
        data=data,
        thresholds=calibration.thresholds,
        held_out=held_out,
        results=results,
    )
    return evaluation, shown.files


def _searched(prompts: Sequence[EvaluatedPrompt], index: PictureIndex) -> tuple[list[_Neighbours], IndexPart]:
    """Return what was found for each prompt, and the training pictures that were found."""
    words = [one.prompt for one in prompts]
    keys = caption_keys(words)
    texts = np.concatenate([one.drawings.text for one in prompts])
    by_text = _places(pictures_by_texts(index, texts, NEIGHBOURS))
    best = np.stack([one.drawings.images[0] for one in prompts])
    by_picture = _places(pictures_by_pictures(index, best, NEIGHBOURS))
    alike = most_similar_pictures(index, np.stack([one.drawings.cells for one in prompts]), keys)
    wanted = sorted({*chain(*by_text, *by_picture), *(one.place for one in alike)})
    rows, where = index.fetch(wanted), {place: row for row, place in enumerate(wanted)}
    near = [[where[place] for place in places] for places in by_text]
    images = [*(rows.images[row] for row in near), *(one.drawings.images for one in prompts)]
    measured, count = _fits_of_each(index, images, np.tile(texts, (2, 1)), np.tile(keys, 2)), len(prompts)
    found = [
        _Neighbours(
            near[number],
            [where[place] for place in by_picture[number]],
            replace(alike[number], place=where[alike[number].place]),
            measured[number],
            measured[count + number],
            int(keys[number]),
            is_known,
        )
        for number, is_known in enumerate(known_captions(index, words))
    ]
    return found, rows


def _places(nearest: Nearest) -> list[list[int]]:
    """Return the places of each query's neighbours, best first."""
    return [[place for place in places if place != NOWHERE] for places in nearest.places.tolist()]


def _fits_of_each(
    index: PictureIndex, images: Sequence[Embeddings], texts: Embeddings, keys: Keys
) -> list[list[TextFit]]:
    """Return the fits of several pictures of each text; the index is read once for all of them."""
    counts = [len(some) for some in images]
    measured = fits(index, np.concatenate(images), np.repeat(texts, counts, axis=0), np.repeat(keys, counts))
    ends = np.cumsum(counts).tolist()
    return [measured[end - count : end] for end, count in zip(ends, counts, strict=True)]


def _result(
    prompt: EvaluatedPrompt, near: _Neighbours, shown: _ReportPictures, thresholds: Thresholds
) -> PromptResult:
    measured = _measured(prompt.drawings, near, shown.rows)
    return PromptResult(
        prompt=prompt.prompt,
        is_held_out=prompt.is_held_out,
        drawing=shown.add(torch.from_numpy(prompt.drawings.pixels.copy()) / 255),
        number=int(prompt.drawings.numbers[0]),
        matching=sum(matches(fit, thresholds) for fit in near.drawn),
        measured=measured,
        judgement=judge(measured, thresholds),
        near_prompt=_near_prompt(near, shown),
        near_drawing=_near_drawing(prompt.drawings, near, shown),
    )


def _measured(drawings: PromptDrawings, near: _Neighbours, rows: IndexPart) -> PromptMeasurements:
    return PromptMeasurements(
        drawn=near.drawn[0],
        nearest=max(near.fits, key=lambda fit: fit.margin),
        in_captions=near.is_known,
        changed=near.alike.changed,
        changed_from_own=near.alike.changed_from_own,
        colour_likeness=float(colour_likenesses(drawings.cells, rows.cells[list(near.by_prompt)]).max()),
    )


def _near_prompt(near: _Neighbours, shown: _ReportPictures) -> tuple[NearPicture, ...]:
    order = _different(near.by_prompt, shown.rows, near.key)
    fit_of = dict(zip(near.by_prompt, near.fits, strict=True))
    return tuple(shown.near(row, fit_of[row].score, fit=fit_of[row]) for row in order)


def _near_drawing(
    drawings: PromptDrawings, near: _Neighbours, shown: _ReportPictures
) -> tuple[NearPicture, ...]:
    order = _different([near.alike.place, *near.by_drawing], shown.rows, near.key)
    changed = changed_shares(drawings.cells, shown.rows.cells[order])
    scores = shown.rows.images[order] @ drawings.images[0]
    return tuple(
        shown.near(row, float(score), changed=float(share))
        for row, score, share in zip(order, scores, changed, strict=True)
    )


def _different(found: Sequence[int], rows: IndexPart, prompt: int) -> list[int]:
    """Return the first rows that have different pictures, as many as are shown; of equal ones, the prompt's own."""
    first = dict[int, int]()
    for row, picture in zip(found, code_keys(rows.codes[list(found)]).tolist(), strict=True):
        if picture not in first or rows.keys[row] == prompt:
            first[picture] = row
    return list(first.values())[:MOST_NEAR]
