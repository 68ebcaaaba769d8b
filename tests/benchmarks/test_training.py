"""The training benchmark reports ratios of what it measured, and ends if results are not equal."""

from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from benchmarks.contestants.worker import WorkerError
from benchmarks.contests.cases import BATCHES, CASES, TINY, dalle_pytorch_options, write_batches
from benchmarks.contests.contest import REFERENCE, Contest, Deviation, Side, farthest_gradient, insist
from benchmarks.gpu.training import Held
from benchmarks.measuring.roofline import products
from benchmarks.measuring.timing import Duration
from benchmarks.training import reached, rows
from core.model.config import preset


@pytest.mark.parametrize(
    ("ratio", "goal", "share", "words"),
    [
        (3.4, 3.3, 0.5, "3.3 reached"),
        (3.2, 3.3, 0.84, "3.3 missed"),
        (3.2, 3.3, 0.85, "3.3 missed, at roofline"),
        (1.0, None, 1.0, "-"),
    ],
)
def test_a_goal_is_reached_missed_or_beyond_the_roofline(
    ratio: float, goal: float | None, share: float, words: str
) -> None:
    assert reached(ratio, goal, share) == words


def contest() -> Contest:
    """Ours takes 1 s at medium and 2 s at highest, dalle-pytorch 3 s and 5 s; the GEMM runs at 1 GFLOP/s."""
    case = CASES["tiny"]
    times = {"ours": {"medium": 1.0, "highest": 2.0}, "theirs": {"medium": 3.0, "highest": 5.0}}
    sides = {
        name: Side(
            peak_bytes=700 if name == REFERENCE else 100,
            durations={
                precision: [Duration(9.0, 2 * seconds), Duration(9.0, seconds), Duration(9.0, seconds)]
                for precision, seconds in times["theirs" if name == REFERENCE else "ours"].items()
            },
        )
        for name in (REFERENCE, *case.techniques)
    }
    shapes = {item.shape.measured for way in case.techniques.values() for item in products(case.config, way)}
    gemm = {precision: [dict.fromkeys(shapes, 1e9)] for precision in ("medium", "highest")}
    return Contest(case, sides, gemm=gemm)


@pytest.mark.parametrize(("precision", "ratio"), [("highest", 2.5), ("medium", 3.0)])
def test_a_ratio_is_of_medians_of_equals(precision: str, ratio: float) -> None:
    found = [row for row in rows(contest(), ("highest", "medium")) if row["float32"] == precision]
    assert [row["ratio"] for row in found] == [ratio, ratio]
    assert {row["memory_ratio"] for row in found} == {7.0}


@pytest.fixture
def gradients(tmp_path: Path) -> tuple[Path, Path]:
    """Gradients of two parameters by our names and by dalle-pytorch's, the second off by a tenth."""
    names = {"norm.weight": "to_logits.0.weight", "norm.bias": "to_logits.0.bias"}
    ours, theirs = tmp_path / "ours.safetensors", tmp_path / "theirs.safetensors"
    save_file({"norm.weight": torch.ones(4), "norm.bias": 1.1 * torch.ones(4)}, ours)
    save_file({names[name]: torch.ones(4) for name in names}, theirs)
    return ours, theirs


def test_the_farthest_gradient_is_found(gradients: tuple[Path, Path]) -> None:
    distance, name = farthest_gradient(TINY, *gradients)
    assert (round(distance, 6), name) == (0.1, "norm.bias")


def test_a_gradient_that_is_no_number_is_the_farthest(gradients: tuple[Path, Path]) -> None:
    ours, theirs = gradients
    save_file({"norm.weight": torch.full((4,), torch.nan), "norm.bias": torch.zeros(4)}, ours)
    assert farthest_gradient(TINY, ours, theirs) == (float("inf"), "norm.weight")


def test_a_missing_gradient_is_noticed(gradients: tuple[Path, Path]) -> None:
    ours, theirs = gradients
    save_file({"norm.weight": torch.ones(4)}, ours)
    with pytest.raises(WorkerError, match="different parameters"):
        farthest_gradient(TINY, ours, theirs)


@pytest.mark.parametrize(
    ("loss", "gradient"), [(1.0, 0.0), (0.0, 1.0), (float("nan"), 0.0), (0.0, float("nan"))]
)
def test_other_results_than_dalle_pytorchs_end_the_benchmark(loss: float, gradient: float) -> None:
    with pytest.raises(WorkerError, match="not dalle-pytorch's"):
        insist(CASES["tiny"], "keep", "highest", Deviation(loss, gradient, "norm.bias"))


def test_dalle_pytorch_gets_our_sharing_and_patterns() -> None:
    options: dict[str, Any] = dalle_pytorch_options(TINY)
    assert options["attn_types"] == ["axial_row", "axial_col", "axial_row", "axial_row", "conv_like"]
    assert options["shared_attn_ids"] == options["shared_ff_ids"] == [0, 1, 2, 3, 4]


def test_batches_are_different_padded_and_the_same_each_time(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for path in (first, second):
        write_batches(TINY, 2, path)
    tensors = load_file(first)
    assert first.read_bytes() == second.read_bytes()
    assert tensors["text"].shape == (BATCHES, 2, TINY.text_length)
    assert not tensors["text"][0].equal(tensors["text"][1])
    assert (tensors["text"][:, 0, -2:] == 0).all()


@pytest.mark.parametrize(("available", "batch"), [(100.0, 8), (30.0, 1), (29.0, 0), (5.0, 0)])
def test_the_largest_batch_follows_from_two_peaks(available: float, batch: int) -> None:
    assert Held.between(30.0, 40.0).largest_batch(available, TINY) == batch


def test_no_batch_has_more_logits_than_kernels_count() -> None:
    assert Held.between(30.0, 40.0).largest_batch(1e9, preset("dalle")) == 41
