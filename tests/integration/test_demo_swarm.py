"""The demo with a real swarm: it trains, heals what was killed, and leaves no process when it is killed itself."""

import json
import os
import re
import signal
from contextlib import suppress
from pathlib import Path

import psutil
from PIL import Image

from core.storage.checkpoint import verify
from tests.processes.process_tree import ProcessTree, started
from tests.swarms.tiny_run import write_tiny_run
from tests.waiting import COSTLY, wait_until

OF_TINY_RUN = Path(__file__).with_name("demo_of_tiny_run.py")
SECONDS_TO_VANISH = 10.0
EPOCHS = 2
TRAINER = "client.trainer"
RESTARTED = "It is started again."


def test_a_swarm_of_two_learns_the_embedded_run(tmp_path: Path) -> None:
    out = tmp_path / "out"
    options = ("--headless", "--epochs", EPOCHS, "--peers", 2, "--out", out)
    with started("-m", "client.cli", "demo", *options) as demo:
        assert demo.end() == 0, demo.output
    lines = [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]
    assert [line["epoch"] for line in lines] == list(range(1, EPOCHS + 1))
    assert max(line["peers"] for line in lines) == 2
    assert lines[-1]["loss"] < lines[0]["loss"]
    reports = [verify(out / "checkpoint"), verify(out / "peers/1/checkpoint")]
    assert [report.epoch for report in reports] == [EPOCHS, EPOCHS]
    assert reports[0].parameter_digest == reports[1].parameter_digest
    assert_rounds_are_logged((out / "logs/trainer-0.log").read_text())
    with Image.open(out / "samples.png") as sheet:
        assert sheet.format == "PNG"


def assert_rounds_are_logged(log: str) -> None:
    """Assert that a trainer's log tells the course of its rounds, which run in a process of their own."""
    groups = re.findall(r"Epoch (\d+): group \w+ of 2 peers .* after [\d.]+ s: \S+, \S+; reducers: \S+", log)
    exchanges = re.findall(r"Epoch (\d+): .* \d+ parts; \d+ bytes sent, \d+ received, in [\d.]+ s", log)
    assert set(groups) & set(exchanges), log
    counting = r"Epoch \d+: commit record \w+ \([\d.]+ samples of 2 members, written by \w+(, \w+)?\) counts"
    assert re.search(counting, log), log


def comes_back(demo: ProcessTree, trainer: int) -> int:
    """Wait until there are two trainers without that one; return the new one."""

    def others() -> list[int]:
        return [pid for pid in demo.running(TRAINER) if pid != trainer]

    wait_until(lambda: len(others()) == 2, "it does not come back", every=COSTLY)
    return others()[-1]


def test_a_trainer_that_is_killed_comes_back_and_a_frozen_demo_that_is_killed_leaves_no_process(
    tmp_path: Path,
) -> None:
    tiny = write_tiny_run(tmp_path / "tiny", epochs=10_000).parent
    with started(OF_TINY_RUN, tmp_path / "out", tiny, 1000) as demo:
        demo.wait_for("by 2 peers")
        trainer = demo.running(TRAINER)[-1]
        os.kill(trainer, signal.SIGSTOP)
        os.kill(trainer, signal.SIGKILL)
        demo.wait_for(RESTARTED)
        again = comes_back(demo, trainer)
        os.kill(psutil.Process(again).ppid(), signal.SIGKILL)  # its guard
        comes_back(demo, again)
        demo.wait_for("by 2 peers")

        before = demo.alive()
        assert len(demo.running(TRAINER)) == 2
        assert len(demo.running("coordinator.bootstrap")) == 1
        for pid in before:
            with suppress(ProcessLookupError):  # it ended meanwhile
                os.kill(pid, signal.SIGSTOP)
        demo.process.kill()
        assert demo.vanishes(before, SECONDS_TO_VANISH), demo.describe()
