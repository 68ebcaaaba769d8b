"""The demo as a command with real processes: files, status, resumption, restarts, interruption."""

import json
import re
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from client.demo.folder import DemoFolder
from tests.processes.process_tree import ProcessTree, started

COMMAND = Path(__file__).parents[1] / "stand_ins" / "demo.py"

Start = Callable[..., ProcessTree]
ENDS_WITHIN = 10.0
"""Time limit in seconds: the README promises "within seconds" of Ctrl-C; a trainer that does not listen is given up
after 15."""


@pytest.fixture
def start(out: Path, embedded: Path) -> Iterator[Start]:
    with ExitStack() as stack:
        yield lambda *epochs: stack.enter_context(started(COMMAND, out, embedded, *epochs))


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory, embedded: Path) -> tuple[Path, str]:
    """The folder of a demo that did two epochs, and what it wrote to the terminal."""
    folder = tmp_path_factory.mktemp("first") / "out"
    with started(COMMAND, folder, embedded, 2) as demo:
        assert demo.end() == 0, demo.output
    return folder, demo.output


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


@pytest.fixture
def earlier(first: tuple[Path, str], out: Path) -> Path:
    """A folder in which a demo did two epochs before."""
    shutil.copytree(first[0], out, symlinks=True)
    return out


def _ask(out: Path, number: int, deed: str) -> None:
    folder = out / "peers" / str(number)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / deed).touch()


def _epochs(out: Path) -> list[int]:
    return [json.loads(line)["epoch"] for line in (out / "metrics.jsonl").read_text().splitlines()]


def test_a_demo_leaves_what_it_promises(first: tuple[Path, str]) -> None:
    out, output = first
    assert _epochs(out) == [1, 2]
    line = json.loads((out / "metrics.jsonl").read_text().splitlines()[0])
    assert line == {"epoch": 1, "loss": 5.0, "samples": 32, "peers": 2, "seconds": 1.5}
    assert (out / "checkpoint").read_text() == "2"
    assert (out / "peers/1/checkpoint").read_text() == "2"
    assert (out / "samples.png").read_text() == "picture of epoch 2"
    assert {path.name for path in (out / "logs").iterdir()} == {"trainer-0.log", "trainer-1.log"}
    assert (out / "coordinator/logs/bootstrap.log").exists()
    assert "identical parameters" in output


def test_a_demo_goes_on_where_it_was_keeps_its_pictures_and_starts_a_trainer_that_dies_again(
    start: Start, earlier: Path
) -> None:
    _ask(earlier, 1, "crash")
    again = start(21)
    assert again.end() == 0, again.output
    assert re.search(r"Trainer 1: .*SIGKILL.* It is started again", again.output)
    assert _epochs(earlier) == list(range(1, 22))
    assert (earlier / "samples.png").read_text() == "picture of epoch 20"
    assert (earlier / "samples/epoch-0002.png").read_text() == "picture of epoch 2"


def test_what_was_done_already_is_not_done_again(start: Start, earlier: Path) -> None:
    again = start(2)
    assert again.end() == 0
    assert "2 trainers did 2 epochs together" in again.output
    assert _epochs(earlier) == [1, 2]


def test_parameters_that_differ_are_a_failure(start: Start, earlier: Path) -> None:
    _ask(earlier, 1, "stray")
    demo = start(4)
    assert demo.end() == 1
    assert "parameters differ" in demo.output


def test_a_trainer_that_says_why_it_cannot_go_on_ends_the_demo(start: Start, earlier: Path) -> None:
    _ask(earlier, 1, "refuse")
    demo = start(20)
    assert demo.end() == 1
    assert "The shard is damaged. Get it again." in demo.output


# The test after it interrupts a demo that has a target in the same way, and that of a second demo one without.
@pytest.mark.exhaustive
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interruption_keeps_the_checkpoint_and_leaves_nothing(
    start: Start, out: Path, number: signal.Signals
) -> None:
    demo = start()
    demo.wait_for("samples of epoch 2")
    demo.process.send_signal(number)
    began = time.monotonic()
    assert demo.end() == 0, demo.output
    assert time.monotonic() - began < ENDS_WITHIN
    assert int((out / "checkpoint").read_text()) >= 2
    assert not demo.alive()


def test_an_interrupted_demo_has_not_done_what_was_asked_keeps_the_checkpoint_and_leaves_nothing(
    start: Start, out: Path
) -> None:
    demo = start(50)
    demo.wait_for("samples of epoch 2")
    demo.process.send_signal(signal.SIGINT)
    began = time.monotonic()
    assert demo.end() == 1
    assert time.monotonic() - began < ENDS_WITHIN
    assert "the same command continues" in demo.output
    assert int((out / "checkpoint").read_text()) >= 2
    assert not demo.alive()


def test_a_second_demo_in_the_same_folder_is_refused_if_it_has_a_target(start: Start, out: Path) -> None:
    with DemoFolder(out).locked():
        second = start(2)
        assert second.end() == 1
    assert "Another demo runs in" in second.output


def test_a_second_demo_shows_what_the_first_does_and_goes_on_with_it(start: Start, earlier: Path) -> None:
    with DemoFolder(earlier).locked():
        second = start()
        second.wait_for("Another process serves the swarm")
        second.wait_for("epoch 2 ")
    second.wait_for("epoch 3 ")
    second.process.send_signal(signal.SIGINT)
    assert second.end() == 0, second.output


# A demo that shows and goes on is interrupted above.
@pytest.mark.exhaustive
def test_a_demo_that_only_shows_ends_at_once_when_it_is_interrupted(start: Start, earlier: Path) -> None:
    with DemoFolder(earlier).locked():
        second = start()
        second.wait_for("Another process serves the swarm")
        second.process.send_signal(signal.SIGINT)
        assert second.end() == 0, second.output
    assert _epochs(earlier) == [1, 2]
