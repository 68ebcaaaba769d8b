"""A worker process answers over its pipes, says what went wrong, and ends with its driver."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.contestants.worker import Worker, WorkerError


@pytest.fixture
def worker() -> Iterator[Worker]:
    with Worker(Path(sys.executable), "tests.benchmarks.stand_in_worker") as started:
        yield started


def test_answers_come_back_whatever_a_library_prints(worker: Worker) -> None:
    assert worker.ask("add", left=1, right=2) == 3
    assert worker.ask("add", left="a", right="b") == "ab"


def test_an_exception_is_reported_and_the_worker_goes_on(worker: Worker) -> None:
    with pytest.raises(WorkerError, match="TypeError"):
        worker.ask("add", left=1, right="b")
    assert worker.ask("add", left=1, right=2) == 3


def test_a_worker_that_dies_says_its_last_words(worker: Worker) -> None:
    with pytest.raises(WorkerError, match="out of paint"):
        worker.ask("die")


def test_a_missing_environment_is_reported_with_what_makes_it(tmp_path: Path) -> None:
    with pytest.raises(WorkerError, match="make bench"):
        Worker(tmp_path / "python", "tests.benchmarks.stand_in_worker")
