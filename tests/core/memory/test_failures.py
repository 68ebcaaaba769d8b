"""A plan that ran out of memory is not tried again until more memory is available."""

from pathlib import Path

import pytest

from core.memory import plan
from core.memory.failures import failed, remember
from core.memory.machine import MachineResources, Sizes
from core.model.config import preset

MODEL = preset("dalle")
GIB = 1 << 30
PLAN = plan(MODEL, MachineResources(ram_bytes=16 * GIB, gpu_bytes=8 * GIB))


@pytest.mark.parametrize(
    ("available", "tried_again"),
    [
        (Sizes(8 * GIB, 16 * GIB), False),
        (Sizes(4 * GIB, 8 * GIB), False),
        (Sizes(8 * GIB + GIB // 2, 16 * GIB), False),
        (Sizes(12 * GIB, 16 * GIB), True),
        (Sizes(8 * GIB, 32 * GIB), True),
    ],
    ids=str,
)
def test_what_failed_is_tried_again_only_with_clearly_more_memory(
    tmp_path: Path, available: Sizes, tried_again: bool
) -> None:
    path = tmp_path / "not there yet" / "failures.json"
    remember(path, MODEL, PLAN)
    assert (PLAN.techniques not in failed(path, MODEL, available, on_gpu=True)) is tried_again


def test_the_next_plan_takes_less(tmp_path: Path) -> None:
    path = tmp_path / "failures.json"
    remember(path, MODEL, PLAN)
    machine = PLAN.question.machine
    again = plan(MODEL, machine, avoid=failed(path, MODEL, Sizes(8 * GIB, 16 * GIB), on_gpu=True))
    assert again.fits
    assert again.taken.gpu < PLAN.taken.gpu


def test_another_model_is_not_concerned(tmp_path: Path) -> None:
    path = tmp_path / "failures.json"
    remember(path, MODEL, PLAN)
    assert not failed(path, preset("emoji"), PLAN.available, on_gpu=True)


def test_what_failed_on_the_gpu_may_do_on_the_processor(tmp_path: Path) -> None:
    path = tmp_path / "failures.json"
    remember(path, MODEL, PLAN)
    assert not failed(path, MODEL, PLAN.available, on_gpu=False)


def test_what_failed_on_the_processor_is_avoided_where_it_trains_for_want_of_a_gpu(tmp_path: Path) -> None:
    path, machine = tmp_path / "failures.json", MachineResources(ram_bytes=16 * GIB, gpu_bytes=GIB)
    first = plan(MODEL, machine)
    assert not first.on_gpu
    remember(path, MODEL, first)
    avoid = failed(path, MODEL, first.available, on_gpu=False)
    assert plan(MODEL, machine, avoid_on_processor=avoid).taken.ram < first.taken.ram


@pytest.mark.parametrize("change", ['"kept": -1', '"kept": 1000', '"kept": 1e9'])
def test_techniques_that_no_model_has_are_no_obstacle(tmp_path: Path, change: str) -> None:
    path = tmp_path / "failures.json"
    remember(path, MODEL, PLAN)
    text = path.read_text()
    assert f'"kept": {PLAN.techniques.kept}' in text
    path.write_text(text.replace(f'"kept": {PLAN.techniques.kept}', change))
    assert not failed(path, MODEL, PLAN.available, on_gpu=True)


def test_a_folder_in_its_place_is_no_obstacle(tmp_path: Path) -> None:
    assert not failed(tmp_path, MODEL, PLAN.available, on_gpu=True)


@pytest.mark.parametrize("content", [None, b"", b"nonsense", b'[{"model": 1}]', b"\xff\xfe", b"{}"])
def test_a_file_of_no_use_is_no_obstacle(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "failures.json"
    if content is not None:
        path.write_bytes(content)
    assert not failed(path, MODEL, PLAN.available, on_gpu=True)
    remember(path, MODEL, PLAN)
    assert list(failed(path, MODEL, PLAN.available, on_gpu=True)) == [PLAN.techniques]


def test_the_oldest_of_too_many_is_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "failures.json"
    for _ in range(70):
        remember(path, MODEL, PLAN)
    assert len(failed(path, MODEL, PLAN.available, on_gpu=True)) == 64
