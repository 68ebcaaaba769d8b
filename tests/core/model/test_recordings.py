"""Which micro-steps are recorded; recorders are stand-ins, as graphs need a GPU (`test_graphs_on_cuda.py`)."""

import logging

import pytest
import torch
from torch import Tensor

from core.model.gradients import Gradients
from core.model.graphs import Between, ComputeMicroStep, Inputs, Recordings


class StandInRecorder:
    """Makes recordings that are new functions, or fails as often as it is told to."""

    def __init__(self, failures: int = 0) -> None:
        self.failures = failures
        self.made: list[ComputeMicroStep] = []

    def __call__(self, compute: ComputeMicroStep, inputs: Inputs) -> ComputeMicroStep:
        if self.failures:
            self.failures -= 1
            raise torch.OutOfMemoryError("out of memory: 7 bytes lack")
        self.made.append(compute)
        return self.made[-1]


def compute(inputs: Inputs, gradients: Gradients, between: Between) -> Tensor:
    return inputs[0].sum()


def found(recordings: Recordings, techniques: str, *sizes: int) -> list[bool]:
    """Whether there was a recording for each of the micro-steps with these sizes."""
    batches = [torch.zeros(size, 3) for size in sizes]
    return [recordings.of(techniques, (batch, batch)) is not None for batch in batches]


def test_the_third_micro_step_of_a_kind_is_recorded() -> None:
    recordings = Recordings(compute, recorder := StandInRecorder())
    assert found(recordings, "keep", 4, 4, 4, 4) == [False, False, True, True]
    assert len(recorder.made) == 1


def test_other_sizes_are_computed_and_the_recording_stays() -> None:
    recordings = Recordings(compute, recorder := StandInRecorder())
    assert found(recordings, "keep", 4, 3, 4, 3, 4, 3, 4, 3) == [*[False] * 4, True, False, True, False]
    assert len(recorder.made) == 1


def test_other_techniques_begin_anew() -> None:
    recordings = Recordings(compute, recorder := StandInRecorder())
    assert found(recordings, "keep", 4, 4, 4) == [False, False, True]
    assert found(recordings, "reverse", 4, 4, 4) == [False, False, True]
    assert len(recorder.made) == 2


def test_a_recording_that_fails_is_not_tried_again_until_the_techniques_change(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    recordings = Recordings(compute, StandInRecorder(failures=1))
    assert found(recordings, "keep", 4, 4, 4, 4, 4) == [False] * 5
    assert "not repeated from CUDA graphs: out of memory: 7 bytes lack" in caplog.text
    assert found(recordings, "reverse", 4, 4, 4) == [False, False, True]


def test_a_recording_that_is_dropped_for_its_memory_is_not_made_again() -> None:
    recordings = Recordings(compute, recorder := StandInRecorder())
    assert not recordings.drop()
    assert found(recordings, "keep", 4, 4, 4) == [False, False, True]
    assert recordings.drop()
    assert not recordings.drop()
    assert found(recordings, "reverse", 4, 4, 4) == [False, False, True]
    assert recordings.drop()
    assert found(recordings, "reverse", 4, 4, 4, 4) == [False] * 4
    assert len(recorder.made) == 2


def test_a_recording_whose_size_comes_no_more_makes_room_for_another() -> None:
    recordings = Recordings(compute, recorder := StandInRecorder())
    assert found(recordings, "keep", 4, 4, 4)[-1]
    others = found(recordings, "keep", *[3] * 60)
    assert others.index(True) == 53
    assert all(others[53:])
    assert len(recorder.made) == 2
