"""Thresholds lie where they err least, and prompts are sorted by them."""

import pytest

from core.errors import DataError
from core.evaluation.separation import Separation, beyond, separate
from core.evaluation.sorting import PromptMeasurements, ResultKind, TextFit, Thresholds, judge

GOOD, POOR = TextFit(score=0.8, margin=0.05), TextFit(score=0.8, margin=-0.2)
FAIR = TextFit(score=0.8, margin=0.01)
UNLIKE = TextFit(score=0.1, margin=0.05)


def line(threshold: float) -> Separation:
    return Separation(threshold=threshold, accepted=1.0, refused=1.0)


THRESHOLDS = Thresholds(matching=line(0.0), related=line(0.4), colours=line(0.9))


@pytest.mark.parametrize(
    ("kind", "others", "threshold", "accepted", "refused"),
    [
        ([3.0, 4.0], [1.0, 2.0], 2.5, 1.0, 1.0),
        ([1.0, 3.0, 5.0, 6.0], [0.0, 2.0, 2.5, 2.75], 2.875, 0.75, 1.0),
        ([1.0, 1.0], [1.0, 1.0], 1.0, 1.0, 0.0),
        ([2.0], [0.0, 1.0, 3.0], 1.5, 1.0, 2 / 3),
    ],
)
def test_a_threshold_is_where_the_fewest_decisions_are_wrong(
    kind: list[float], others: list[float], threshold: float, accepted: float, refused: float
) -> None:
    found = separate(kind, others)
    assert (found.threshold, found.accepted) == (threshold, accepted)
    assert found.refused == pytest.approx(refused)
    assert found.accepts(threshold)
    assert not found.accepts(threshold - 0.01)


def test_a_threshold_beyond_a_share_refuses_that_share() -> None:
    found = beyond([50.0, 99.0, 200.0], [float(number) for number in range(101)], 0.95)
    assert found.threshold == 95
    assert found.accepted == pytest.approx(2 / 3)
    assert found.refused == pytest.approx(95 / 101)


@pytest.mark.parametrize(("kind", "others"), [([], [1.0]), ([1.0], []), ([float("nan")], [1.0])])
def test_without_cases_there_is_no_threshold(kind: list[float], others: list[float]) -> None:
    with pytest.raises(DataError, match="too few"):
        separate(kind, others)


@pytest.mark.parametrize(
    ("drawn", "nearest", "in_captions", "changed", "own", "kind"),
    [
        (GOOD, GOOD, False, 0.5, None, ResultKind.REALISTIC),
        (GOOD, POOR, True, 0.5, 0.5, ResultKind.REALISTIC),
        (GOOD, POOR, False, 0.5, None, ResultKind.GENERALISING),
        (GOOD, FAIR, False, 0.5, None, ResultKind.GENERALISING),  # it matches, but not as well
        (FAIR, GOOD, False, 0.5, None, ResultKind.REALISTIC),
        (GOOD, POOR, False, 0.01, None, ResultKind.REALISTIC),  # what was copied was there
        (POOR, GOOD, True, 0.5, 0.5, ResultKind.FAILING),
        (POOR, POOR, False, 0.01, None, ResultKind.FAILING),  # a copy of another caption's picture
        (UNLIKE, POOR, False, 0.5, None, ResultKind.FAILING),
        (
            POOR,
            POOR,
            True,
            0.01,
            0.01,
            ResultKind.REALISTIC,
        ),  # the ranker does not know the caption's own picture
    ],
)
def test_a_prompt_is_sorted_by_its_drawing_and_the_nearest_training_picture(
    drawn: TextFit, nearest: TextFit, in_captions: bool, changed: float, own: float | None, kind: ResultKind
) -> None:
    measured = PromptMeasurements(
        drawn=drawn,
        nearest=nearest,
        in_captions=in_captions,
        changed=changed,
        changed_from_own=own,
        colour_likeness=0.5,
    )
    assert judge(measured, THRESHOLDS).kind is kind


@pytest.mark.parametrize(
    ("score", "colours", "changed", "said"),
    [
        (0.5, 0.95, 0.5, (False, True, True)),
        (0.3, 0.5, 0.5, (False, False, False)),
        (0.5, 0.5, 0.0, (True, True, False)),
    ],
)
def test_what_is_right_in_a_failing_drawing_and_whether_it_is_a_copy_is_said(
    score: float, colours: float, changed: float, said: tuple[bool, bool, bool]
) -> None:
    fit = TextFit(score=score, margin=-1.0)
    measured = PromptMeasurements(
        drawn=fit, nearest=fit, in_captions=False, changed=changed, colour_likeness=colours
    )
    found = judge(measured, THRESHOLDS)
    assert found.kind is ResultKind.FAILING
    assert (found.is_copy, found.is_related, found.has_right_colours) == said
