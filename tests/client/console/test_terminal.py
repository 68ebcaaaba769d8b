"""A demo prints readable numbers, a line for each piece of news, and a panel with all values."""

import os
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from client.console.terminal import SECONDS_BETWEEN_LINES, Lines, panel, progress_line, sparkline
from client.demo.folder import DemoFolder
from client.demo.progress import DemoStage, DemoState, EpochRecord, PeerView, ReportedTraffic, note
from core.messages.events import Progress, SamplesDrawn

SAMPLES = Path("out/samples.png")
PROGRESS = Progress(
    epoch=2,
    loss=4.5,
    samples=32,
    swarm_samples=64,
    target_batch_size=256,
    peers=2,
    samples_per_second=8.0,
    seconds_to_next_epoch=84.0,
    bytes_sent=1_500_000,
    bytes_received=900,
    micro_steps=5,
    compute_seconds=3.5,
)
STATE = DemoState(
    peers=(PeerView(DemoStage.TRAINING, PROGRESS, 2), PeerView()),
    target=10,
    epochs=(EpochRecord(1, 6.0, 256, 2, 30.0), EpochRecord(2, 5.0, 256, 2, 32.0)),
    session_epoch=2,
    swarm=PROGRESS,
    samples=SamplesDrawn(epoch=2, path=SAMPLES),
    checkpoint_epoch=2,
    notices=("Trainer 1: it broke.",),
)


@pytest.mark.parametrize(
    ("values", "bars"),
    [
        ([], ""),
        ([3.0], "▁"),
        ([1.0, 1.0], "▁▁"),
        ([8.0, 4.5, 1.0], "█▅▁"),
        ([9.0, 2.0, 1.0], "█▂▁"),
        ([9, 2, 1, 2], "█▂▁▂"),
    ],
)
def test_sparkline(values: list[float], bars: str) -> None:
    assert sparkline(values) == bars


def test_a_sparkline_shows_the_last_values() -> None:
    assert sparkline([100.0, 2.0, 1.0], width=2) == "█▁"


def test_the_panel_shows_all_that_was_asked_for() -> None:
    console = Console(width=120, record=True, file=Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
    console.print(panel(STATE, DemoFolder(Path("out"))))
    drawn = console.export_text()
    for words in (
        "Epoch 2 of 10",
        "2 peers",
        "8.0 samples/s",
        "↑ 1.5 MB ↓ 900 B so far",
        "64/256 samples",
        "next epoch in 1 min 24 s",
        "loss 5.0000  █▁",
        f"{SAMPLES} (epoch 2)",
        "checkpoint: epoch 2",
        "Trainer 1: it broke.",
        "starting",
    ):
        assert words in drawn


def test_samples_are_no_share_of_an_epoch_that_the_clock_ends() -> None:
    line = progress_line(replace(STATE, swarm=PROGRESS.model_copy(update={"round_seconds": 120.0})))
    assert line.startswith("  epoch 3: 64 samples  loss")
    assert line.endswith("next epoch in 1 min 24 s")
    batch = replace(STATE, swarm=PROGRESS.model_copy(update={"swarm_samples": 300}))
    assert progress_line(batch).startswith("  epoch 3: 256/256 samples, 44 more samples wait for the round")


def test_the_panel_can_be_drawn_before_anything_is_known() -> None:
    console = Console(width=120, record=True, file=Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
    console.print(panel(DemoState.begin(2, None), DemoFolder(Path("out"))))
    assert "trainers are loading" in console.export_text()


class Printed:
    """Lines over a clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 0.0
        self.lines: list[str] = []
        self._lines = Lines(self.lines.append, lambda: self.now)

    def after(self, state: DemoState) -> list[str]:
        self.lines.clear()
        self._lines.show(state)
        return list(self.lines)


def test_a_line_for_what_is_new_and_no_other() -> None:
    printed = Printed()
    begin = DemoState.begin(2, 10)
    assert printed.after(begin) == []
    assert printed.after(begin) == []
    first = replace(
        begin,
        peers=STATE.peers,  # what they passed since they started is not the epoch's
        epochs=STATE.epochs[:1],
        session_epoch=1,
        traffic=ReportedTraffic(trainer=1, sent=2_400_000, received=700),
    )
    assert printed.after(first) == [
        "epoch 1/10  loss 6.0000  256 samples by 2 peers  30 s  8.5 samples/s"
        "  trainer 1 sent 2.4 MB and received 700 B"
    ]
    assert printed.after(first) == []
    died = note(first, "A trainer died.")
    assert printed.after(died) == ["A trainer died."]
    assert printed.after(note(died, "A trainer died.")) == ["A trainer died."]
    assert printed.after(replace(first, samples=STATE.samples)) == [f"samples of epoch 2: {SAMPLES}"]


def test_a_long_epoch_gives_a_sign_of_life() -> None:
    printed = Printed()
    state = replace(DemoState.begin(2, 10), swarm=PROGRESS)
    printed.after(state)
    printed.now = SECONDS_BETWEEN_LINES
    assert printed.after(state) == [
        "  epoch 3: 64/256 samples  loss 4.5000  2 peers  8.0 samples/s  next epoch in 1 min 24 s"
    ]
    assert printed.after(state) == []
    late = PROGRESS.model_copy(update={"swarm_samples": 300})
    assert "256/256 samples, 44 more samples wait for the round  loss" in progress_line(
        replace(state, swarm=late)
    )
