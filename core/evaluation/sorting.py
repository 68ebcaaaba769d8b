"""Sorts prompts into realistic, generalising and failing, as a pure policy (Borzunov et al., 2022, Appendix B)."""

from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from core.evaluation.separation import Separation
from core.ranking.likeness import DIFFERENT


class _Judged(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class ResultKind(StrEnum):
    """The kind of what a model makes of a prompt."""

    REALISTIC = "realistic"
    """The picture shows what the prompt asks for, and so does a training picture."""
    GENERALISING = "generalising"
    """The picture shows what the prompt asks for, and no training picture that was looked at does so as well."""
    FAILING = "failing"
    """The picture does not show what the prompt asks for."""


class TextFit(_Judged):
    """The fit of a picture and a text, by the embeddings of the run's ranker."""

    score: Annotated[float, Field(ge=-1.001, le=1.001)]
    """Score of the pair: the cosine of the angle between both embeddings."""
    margin: Annotated[float, Field(ge=-2.001, le=2.001)]
    """Score minus that of the training caption, other than the text, which fits the picture best.

    Cosines of different prompts cannot be compared with each other, but margins can: each is measured against what
    else the same picture could show.
    """


class Thresholds(_Judged):
    """The values by which pictures are judged, derived from the training data."""

    matching: Separation
    """Threshold of margins, between own pictures of captions and the best pictures of other captions."""
    related: Separation
    """Threshold of scores, which few random pictures reach, and most own pictures of captions."""
    colours: Separation
    """Threshold of likenesses to the colours near a caption, between its own picture's and a random one's."""


class PromptMeasurements(_Judged):
    """The measurements of a prompt, its best drawing and the nearest training pictures."""

    drawn: TextFit
    """Fit of the best drawing and the prompt."""
    nearest: TextFit
    """Fit of the prompt and the training picture whose margin is largest among the nearest."""
    in_captions: bool
    """True if the prompt is a caption of the training data."""
    changed: Annotated[float, Field(ge=0, le=1)]
    """Share of the drawing's cells that visibly differ from those of the training picture most like it."""
    changed_from_own: Annotated[float, Field(ge=0, le=1)] | None = None
    """Smallest such share among the training pictures of which the prompt is the caption; None: there are none."""
    colour_likeness: Annotated[float, Field(le=1)]
    """Likeness of the drawing's colours to those of the training pictures near the prompt: 1 minus a difference."""


class Judgement(_Judged):
    """The kind of a prompt's result, and what else can be said of its picture."""

    kind: ResultKind
    is_copy: bool
    """True if the drawing looks like a training picture."""
    is_related: bool
    """True if the drawing fits the prompt better than nearly all random pictures do."""
    has_right_colours: bool
    """True if the drawing has the colours of the training pictures nearest to the prompt."""


def matches(fit: TextFit, thresholds: Thresholds) -> bool:
    """Return true if a picture shows what a text says, so far as the run's ranker can tell.

    Args:
        fit: Fit of the picture and the text.
        thresholds: Thresholds of the run.
    """
    return thresholds.related.accepts(fit.score) and thresholds.matching.accepts(fit.margin)


def is_as_good(nearest: TextFit, drawn: TextFit) -> bool:
    """Return true if a training picture shows what a text says as well as a drawing that does.

    Args:
        nearest: Fit of the text and the picture whose margin is largest among the nearest ones.
        drawn: Fit of the text and the drawing.
    """
    return nearest.margin >= drawn.margin


def _shows_prompt(measured: PromptMeasurements, thresholds: Thresholds) -> bool:
    """Return true if the drawing shows what the prompt asks for.

    One that looks like the prompt's own training picture does, whatever the ranker takes that for.
    """
    own = measured.changed_from_own
    return (own is not None and own < DIFFERENT) or matches(measured.drawn, thresholds)


def judge(measured: PromptMeasurements, thresholds: Thresholds) -> Judgement:
    """Return the judgement on a prompt.

    Args:
        measured: Measurements of the prompt.
        thresholds: Thresholds of the run.
    """
    is_copy = measured.changed < DIFFERENT
    # What was copied was in the data, whatever its caption.
    is_known = measured.in_captions or is_copy or is_as_good(measured.nearest, measured.drawn)
    known = ResultKind.REALISTIC if is_known else ResultKind.GENERALISING
    return Judgement(
        kind=known if _shows_prompt(measured, thresholds) else ResultKind.FAILING,
        is_copy=is_copy,
        is_related=thresholds.related.accepts(measured.drawn.score),
        has_right_colours=thresholds.colours.accepts(measured.colour_likeness),
    )
