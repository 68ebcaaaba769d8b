"""``evaluation.json``: what an evaluation found, for report, website and programs; its pictures lie beside it.

Imports no torch. All texts in it are strangers' words: what cannot be shown is left out, and pages escape the rest.
"""

import hashlib
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from core.errors import GenerationError
from core.evaluation.sorting import Judgement, PromptMeasurements, ResultKind, TextFit, Thresholds
from core.excerpt import passage
from core.messages.pictures import LONGEST_PROMPT
from core.run.fields import ZonedTime
from core.storage.files import read_bounded

FILE = "evaluation.json"
PAGE = "index.html"
PICTURES = "pictures"
"""Folder of the pictures, beside the document."""
MOST_PROMPTS = 64
MOST_NEAR = 4
"""Most training pictures that are shown of each search."""
LARGEST = 4 << 20
"""Largest size of the document, in bytes."""
LARGEST_PICTURE = 256 << 10
"""Largest size of a picture's file, in bytes."""
_Count = Annotated[int, Field(ge=0, lt=2**53)]
_PictureName = Annotated[str, Field(pattern=r"^[0-9a-f]{32}\.webp$")]
_LONGEST_CAPTION = 300


def _caption(text: str) -> str:
    """Return what can be shown of a stranger's caption, on one line."""
    return passage(" ".join(text.split()), _LONGEST_CAPTION)


_Caption = Annotated[str, Field(max_length=_LONGEST_CAPTION), AfterValidator(_caption)]
_Prompt = Annotated[
    str, Field(max_length=LONGEST_PROMPT), AfterValidator(partial(passage, longest=LONGEST_PROMPT))
]
_Words = Annotated[str, Field(max_length=500)]
_AGAIN = "Give the folder that `idlebrush evaluate` wrote, as it wrote it."


class _EvaluationModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class NearPicture(_EvaluationModel):
    """A training picture near to a prompt or to a drawing."""

    file: _PictureName
    caption: _Caption
    score: Annotated[float, Field(ge=-1.001, le=1.001)]
    """Score of the pair, a cosine: of the picture's embedding and that of the prompt or the drawing."""
    fit: TextFit | None = None
    """Fit of the picture and the prompt, where it was looked for by the prompt."""
    changed: Annotated[float, Field(ge=0, le=1)] | None = None
    """Share of the cells in which it visibly differs from the drawing, where it was compared with that."""


class PromptResult(_EvaluationModel):
    """The result of one prompt: its best drawing beside the nearest training pictures."""

    prompt: _Prompt
    is_held_out: bool
    """True if it is a caption that the run keeps from training."""
    drawing: _PictureName
    """The best drawing by the run's ranker."""
    number: _Count
    """Number of that drawing among those of the prompt; its random draws depend on it."""
    matching: _Count
    """Number of drawings of the prompt that match it."""
    measured: PromptMeasurements
    judgement: Judgement
    near_prompt: Annotated[tuple[NearPicture, ...], Field(max_length=MOST_NEAR)]
    """Training pictures whose embeddings are nearest to the prompt's."""
    near_drawing: Annotated[tuple[NearPicture, ...], Field(max_length=MOST_NEAR)]
    """Training pictures whose embeddings are nearest to the drawing's, and first the one that looks most like it."""


class EvaluatedModel(_EvaluationModel):
    """The model that was evaluated, and how it drew."""

    run: _Words
    title: _Words
    training_digest: _Words
    """Digest that identifies the run among others of that name."""
    epoch: _Count
    parameter_digest: _Words
    drawings: Annotated[int, Field(ge=1)]
    """Number of drawings of each prompt, of which the best was judged."""
    seed: _Count
    """Seed of the drawings."""
    guidance: Annotated[float, Field(ge=0)]
    """Factor of what the prompt adds to a picture without one; 1 does not guide."""
    ranker: _Words
    """Name of what embedded pictures and texts."""


class EvaluatedData(_EvaluationModel):
    """The training pictures that an evaluation looked at."""

    pictures: _Count
    """Number of training pictures that were looked at."""
    is_whole: bool
    """True if these are all that the run trains on."""
    compared: _Count
    """Number of captions from which the thresholds were derived, each with its picture."""
    seen_shards: _Count
    """Number of shards of which pictures were looked at."""
    left_shards: _Count
    """Number of shards that could not be read to their end."""
    shards: _Count
    """Number of shards of the run's data."""


class HeldOutTrial(_EvaluationModel):
    """The sorting of captions that the run keeps from training, as if their own pictures were the drawings.

    All of them would be generalising if the ranker never erred.
    """

    captions: _Count
    """Number of held-out captions that were tried."""
    generalising: Annotated[float, Field(ge=0, le=1)]
    """Share of the captions that would be found generalising."""
    realistic: Annotated[float, Field(ge=0, le=1)]
    """Share of the captions that a training picture is thought to show as well."""


class Evaluation(_EvaluationModel):
    """An evaluation of a model by prompts."""

    format: Literal["idlebrush evaluation"] = "idlebrush evaluation"
    version: Literal[1] = 1
    at: ZonedTime
    """Time at which it was made."""
    model: EvaluatedModel
    data: EvaluatedData
    thresholds: Thresholds
    held_out: HeldOutTrial | None = None
    """A trial of the thresholds; None if the run holds nothing out."""
    results: Annotated[tuple[PromptResult, ...], Field(min_length=1, max_length=MOST_PROMPTS)]

    def of_kind(self, kind: ResultKind) -> tuple[PromptResult, ...]:
        """Return the results of one kind, in the order of the prompts."""
        return tuple(result for result in self.results if result.judgement.kind is kind)

    @property
    def files(self) -> frozenset[str]:
        """Names of all pictures."""
        near = (one for result in self.results for one in (*result.near_prompt, *result.near_drawing))
        return frozenset({*(result.drawing for result in self.results), *(one.file for one in near)})


def picture_name(content: bytes) -> str:
    """Return the name of a picture's file, which is made of its content."""
    return f"{hashlib.sha256(content).hexdigest()[:32]}.webp"


def parse(raw: bytes, source: str) -> Evaluation:
    """Return the evaluation in ``raw``; GenerationError, which names its ``source``, if it has none."""
    try:
        return Evaluation.model_validate_json(raw)
    except (ValidationError, ValueError, RecursionError) as error:
        raise GenerationError(f"{source} is no evaluation of this version of Idlebrush.", _AGAIN) from error


def read_evaluation(folder: Path) -> tuple[Evaluation, dict[str, bytes]]:
    """Return the evaluation in ``folder`` and its pictures by name, each checked.

    Raises:
        GenerationError: the document or a picture is missing, too large, or not as it was written.
    """
    try:
        evaluation = parse(read_bounded(folder / FILE, LARGEST), str(folder / FILE))
        pictures = {name: read_picture(folder, name) for name in sorted(evaluation.files)}
    except (OSError, ValueError) as error:
        raise GenerationError(f"The evaluation in {folder} cannot be read: {error}.", _AGAIN) from error
    return evaluation, pictures


def read_picture(folder: Path, name: str) -> bytes:
    """Return the content of a picture of an evaluation.

    Args:
        folder: Folder of the evaluation.
        name: Name of the picture's file.

    Raises:
        ValueError: it is too large, or not as it was written.
        OSError: it cannot be read.
    """
    content = read_bounded(folder / PICTURES / name, LARGEST_PICTURE)
    if picture_name(content) != name or content[:4] != b"RIFF" or content[8:12] != b"WEBP":
        raise ValueError(f"{name} is not the picture that was written")
    return content
