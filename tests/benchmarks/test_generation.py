"""The generation benchmark reports ratios of what it measured, and ends if logits are not equal."""

import math
from dataclasses import replace

import pytest

from benchmarks.contestants.worker import WorkerError
from benchmarks.contests.contest import REFERENCE
from benchmarks.generation import CASES, OURS, DrawingContest, DrawingSide, insist, row_of
from benchmarks.measuring.timing import Duration


def contest(deviation: float = 0.0) -> DrawingContest:
    """dalle-pytorch takes 3 s of a core for each of its first codes, ours 0.02 s to 0.04 s."""
    ours = DrawingSide(Duration(9.0, 0.5), [Duration(9.0, 32 * 0.02), Duration(9.0, 32 * 0.04)], codes=64)
    theirs = DrawingSide(Duration(9.0, 5.0), [Duration(9.0, 32 * 3.0)], codes=32)
    return DrawingContest(CASES["mid32"], "highest", {REFERENCE: theirs, OURS: ours}, deviation)


def test_a_ratio_is_of_mean_processor_times_for_a_code() -> None:
    row = row_of(contest())
    assert (row["ratio"], row["goal"]) == (100.0, "60 reached")
    assert (row["codes_/_s"], row["theirs"]) == (533.3, 5.333)


def test_on_a_gpu_which_the_processor_waits_for_time_itself_counts() -> None:
    row = row_of(replace(contest(), device="cuda"))
    assert (row["ratio"], row["goal"]) == (1.0, "15 missed")


def test_whole_images_take_the_text_and_all_codes_that_another_is_computed_from() -> None:
    row = row_of(contest())
    assert (row["images_s"], row["their_images_s"]) == (31.2, 3070.0)


@pytest.mark.parametrize("deviation", [2e-4, math.nan, math.inf])
def test_other_logits_than_dalle_pytorchs_end_the_benchmark(deviation: float) -> None:
    with pytest.raises(WorkerError, match="logits differ"):
        insist(contest(deviation))
    insist(contest(1e-5))
