"""The words in which reports tell of an evaluation: plain text, which pages escape."""

from core.evaluation.document import Evaluation, NearPicture, PromptResult
from core.evaluation.separation import Separation
from core.evaluation.sorting import ResultKind

HEADINGS = {
    ResultKind.REALISTIC: "Realistic",
    ResultKind.GENERALISING: "Generalising",
    ResultKind.FAILING: "Failing",
}
MEANINGS = {
    ResultKind.REALISTIC: "The drawing shows what the prompt asks for, and so do pictures of the training data.",
    ResultKind.GENERALISING: "The drawing shows what the prompt asks for, and no training picture that was looked at"
    " does so as well.",
    ResultKind.FAILING: "The drawing does not show what the prompt asks for.",
}
_POOR = 0.7
"""Accuracy below which a report warns that the sorting says little: in at most 4 of 10 cases better than a coin."""


def model_words(evaluation: Evaluation) -> str:
    """Return which model of an ``evaluation`` drew, and how."""
    model = evaluation.model
    of = f"Epoch {model.epoch:,} of {model.title or model.run}"
    best = f"the best of {model.drawings} drawings" if model.drawings > 1 else "one drawing"
    guided = f", guidance {model.guidance:g}" if model.guidance != 1 else ""
    return f"{of}, {best} of each of {len(evaluation.results)} prompts by {model.ranker}; seed {model.seed}{guided}."


def data_words(evaluation: Evaluation) -> str:
    """Return which training pictures an ``evaluation`` looked at."""
    data = evaluation.data
    if data.is_whole:
        which = "all that pass the run's filters"
    else:
        which = (
            f"the first ones of {data.seen_shards:,} of {data.shards:,} shards, which were chosen at random"
        )
    left = f" {data.left_shards:,} shards could not be read to their end." if data.left_shards else ""
    return f"They were compared with {data.pictures:,} training pictures: {which}.{left}"


def marks(result: PromptResult, evaluation: Evaluation) -> list[str]:
    """Return the words for a prompt's drawing, beside its kind.

    Args:
        result: Result of the prompt.
        evaluation: The evaluation that it belongs to.
    """
    judgement, measured = result.judgement, result.measured
    said = [f"Score {measured.drawn.score:.2f}, margin {measured.drawn.margin:+.3f}"]
    if judgement.kind is ResultKind.FAILING:
        related = (
            "something of the prompt is right" if judgement.is_related else "nothing of the prompt is right"
        )
        colours = "its colours are" if judgement.has_right_colours else "its colours are not"
        said.append(f"By the ranker, {related}; {colours} those of the nearest training pictures")
    if evaluation.model.drawings > 1:
        said.append(f"By the ranker, {result.matching} of {evaluation.model.drawings} drawings match")
    if judgement.is_copy:
        said.append("Looks like a training picture")
    if result.is_held_out:
        said.append("A caption that the run keeps from training")
    if measured.in_captions:
        said.append("A caption of the training data")
    return said


def near_words(near: NearPicture) -> str:
    """Return how near a training picture is."""
    if near.fit is not None:
        return f"margin {near.fit.margin:+.3f}"
    changed = "" if near.changed is None else f", {near.changed:.0%} differs"
    return f"score {near.score:.2f}{changed}"


def accuracy(evaluation: Evaluation) -> list[str]:
    """Return how well an ``evaluation`` sorts pictures of which it is known what they show."""
    thresholds, compared = evaluation.thresholds, evaluation.data.compared
    lines = [
        f"A picture matches a prompt from a margin of {thresholds.matching.threshold:+.3f} on. Of {compared} training"
        f" captions, {thresholds.matching.accepted:.0%} of their own pictures reach it, and"
        f" {1 - thresholds.matching.refused:.0%} of the most similar pictures of other captions.",
        f"Something of a prompt counts as right from a score of {thresholds.related.threshold:.2f} on:"
        f" {_shares(thresholds.related)}.",
        f"Colours count as right from a likeness of {thresholds.colours.threshold:.2f} on:"
        f" {_shares(thresholds.colours)}.",
    ]
    if (trial := evaluation.held_out) is not None:
        failing = max(0.0, 1 - trial.generalising - trial.realistic)
        lines.append(
            f"A trial: the own pictures of {trial.captions} captions that the run keeps from training should all be"
            f" found generalising. {trial.generalising:.0%} are, {trial.realistic:.0%} are taken for realistic, and"
            f" {failing:.0%} for failing."
        )
    if thresholds.matching.accuracy < _POOR:
        lines.insert(
            0,
            "The ranker hardly tells a caption's own picture from the most similar ones of other captions: the"
            " sorting says little, so look at the pictures.",
        )
    return lines


def limits(evaluation: Evaluation) -> list[str]:
    """Return what a reader must know before believing the sorting of an ``evaluation``."""
    said = [
        "The margin of a picture is the cosine of its and the prompt's embeddings minus that of the training caption,"
        " other than the prompt, that fits it best.",
        "The ranker judges, not a person, and it also chose the best drawing: it may take what it was trained for as"
        " right. The paper's authors looked at the pictures themselves (Borzunov et al., 2022, Appendix B).",
    ]
    if not evaluation.data.is_whole:
        said.append("Training pictures that were not looked at may show what a generalising prompt asks for.")
    return said


def _shares(separation: Separation) -> str:
    return (
        f"{separation.accepted:.0%} of captions' own pictures reach it, and {1 - separation.refused:.0%} of pictures"
        " chosen at random"
    )
