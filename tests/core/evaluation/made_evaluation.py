"""An evaluation with a result of each kind, in which all that strangers may choose is hostile."""

import io
from datetime import UTC, datetime

from PIL import Image

from core.evaluation.document import (
    EvaluatedData,
    EvaluatedModel,
    Evaluation,
    HeldOutTrial,
    NearPicture,
    PromptResult,
    picture_name,
)
from core.evaluation.separation import Separation
from core.evaluation.sorting import Judgement, PromptMeasurements, ResultKind, TextFit, Thresholds

HOSTILE = '<script>alert("1")</script>'
CAPTION = "\"><img src=x onerror=alert(1)>&amp;{{7*7}}'"
UNSHOWN = "\u202e\u200b" + "e" + "\u0301" * 40
"""Characters that turn the direction of a text around, or are not seen, and a tower of marks."""
LINE = Separation(threshold=0.0, accepted=0.9, refused=0.8)
THRESHOLDS = Thresholds(matching=LINE, related=LINE, colours=LINE)


def webp(colour: str) -> bytes:
    written = io.BytesIO()
    Image.new("RGB", (8, 8), colour).save(written, "WEBP", lossless=True)
    return written.getvalue()


def made_evaluation(training_digest: str = "ab" * 32) -> tuple[Evaluation, dict[str, bytes]]:
    """An evaluation and its pictures by name."""
    pictures = {picture_name(content): content for content in map(webp, ("red", "green", "blue"))}
    drawing, *near = pictures
    fit = TextFit(score=0.5, margin=0.1)
    results = tuple(
        PromptResult(
            prompt=f"{HOSTILE} {kind}{UNSHOWN}",
            is_held_out=True,
            drawing=drawing,
            number=3,
            matching=2,
            measured=PromptMeasurements(
                drawn=fit, nearest=fit, in_captions=True, changed=0.0, colour_likeness=0.5
            ),
            judgement=Judgement(kind=kind, is_copy=True, is_related=True, has_right_colours=False),
            near_prompt=(NearPicture(file=near[0], caption=CAPTION + UNSHOWN, score=0.5, fit=fit),),
            near_drawing=(NearPicture(file=near[1], caption=CAPTION, score=0.5, changed=0.25),),
        )
        for kind in ResultKind
    )
    model = EvaluatedModel(
        run="tiny",
        title=f"Run {HOSTILE}",
        training_digest=training_digest,
        epoch=7,
        parameter_digest="cd" * 32,
        drawings=8,
        seed=0,
        guidance=1.5,
        ranker="the scorer of the run",
    )
    evaluation = Evaluation(
        at=datetime(2026, 12, 1, tzinfo=UTC),
        model=model,
        data=EvaluatedData(pictures=100, is_whole=False, compared=50, seen_shards=2, left_shards=1, shards=9),
        thresholds=THRESHOLDS,
        held_out=HeldOutTrial(captions=20, generalising=0.8, realistic=0.1),
        results=results,
    )
    return evaluation, pictures
