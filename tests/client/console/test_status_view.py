"""The status has a fixed layout in a terminal of 80 columns, compared character by character."""

import io
from datetime import datetime

import pytest
from rich.console import Console, RenderableType

from client.api.board import UncreditedWork
from client.api.environment import EnvironmentView, SetupStage
from client.api.snapshot import Activity, GpuView, ProgressView, ReasonView, SignInView, Snapshot
from client.api.updates import UpdateHold, UpdateStage, UpdateView
from client.console.status_view import no_daemon, view
from tests.client.snapshots import FULL, IDLE, NOW

FULL_TEXT = """\
● Training for half of the time: you are using the computer
  Emoji, a starter set

! The disk is nearly full.
  Free some space.

  – You are using the computer.
  – You paused it until 02 Mar 14:30.

To sign in, open https://huggingface.co/device and enter ABCD-1234 (10 min 00 s
left).

Epoch 35 of 600  ━━━━━━━━━━━━━━━                 48/96 samples  next in 12 s
loss 3.1235 · 12 peers · 34.5 samples/s, 2.1 of them yours

You gave  1,204 samples today · 52,113 in all · 41 epochs · 3 h 12 min
Traffic   1.2 GB sent · 1.1 GB received · 4.4 GB this month
Account   somebody (in the keyring)
Member    somebody (until the client ends) · Admitted.
Rank      7 of 1,204 · 52,000 samples
May take  3 threads · 50% of the time · sends 1.0 MB/s
Trainer   process 4711 · 830.0 MB · restarted once
Peer ID   12D3KooWQYhTNQdmr3ArTeUHRYzFg94BKyTkoWBDWez9kSCVe2Xo
Plan      With 8 GiB of free GPU memory, 4 training examples are computed at a
          time and nothing is computed twice.
Reached   Other peers cannot connect to this computer. Its address on the
          Internet is 11.0.0.7. Forward TCP port 31330.

Pictures that you requested
“red heart”  25% of 128 · It is drawn between steps of training.

This computer
last input  idle for 12 min
not known   battery charge (see `idlebrush doctor`)

28 Feb 14:30  Memory ran out; training continues with less of it.
14:30         Joined the swarm.
"""


def drawn(renderable: RenderableType, width: int = 80) -> str:
    """The text, without colours and without blanks at the ends of lines."""
    console = Console(width=width, file=io.StringIO(), highlight=False, legacy_windows=False)
    with console.capture() as capture:
        console.print(renderable)
    return "".join(f"{line.rstrip()}\n" for line in capture.get().splitlines())


def test_all_of_a_snapshot_is_shown() -> None:
    assert drawn(view(FULL, NOW)) == FULL_TEXT


def test_what_there_is_nothing_of_takes_no_place() -> None:
    assert drawn(view(IDLE, NOW)) == "● No run was joined.\n"


def test_without_a_daemon_it_says_how_to_begin() -> None:
    assert "idlebrush join RUN" in drawn(no_daemon())


@pytest.mark.parametrize("activity", Activity)
def test_every_activity_can_be_shown(activity: Activity) -> None:
    assert drawn(view(IDLE.model_copy(update={"activity": activity}), NOW)).startswith("● ")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"loss": None}, "12 peers · 34.5"),
        ({"peers": 1}, "1 peer ·"),
        ({"seconds_to_next_epoch": None}, "next in –"),
        ({"swarm_samples": 4_000, "target_batch_size": 4_096}, "4,000/4,096 samples  next"),
        ({"swarm_samples": 200}, "96/96 samples  next in 12 s\n104 more samples wait for the round.\n"),
        (
            {"swarm_samples": 200, "round_seconds": 60.0},
            "━━━━━━━━━━━━━━━━━━━━━━━━        200 samples  next in 12 s\nloss",  # 48 s of 60 are 24 of 30
        ),
        ({"data_wait": 0.25}, "Waiting for data 25% of the time"),
    ],
)
def test_progress_says_what_is_known(change: dict[str, object], words: str) -> None:
    assert FULL.progress is not None
    progress = ProgressView.model_validate({**FULL.progress.model_dump(), **change})
    assert words in drawn(view(FULL.model_copy(update={"progress": progress}), NOW))


def test_times_are_shown_in_the_zone_of_the_volunteer() -> None:
    now = datetime.fromisoformat("2026-03-01T16:30:00+02:00")
    assert "16:30         Joined the swarm." in drawn(view(FULL, now))


def test_a_pause_is_reported_once() -> None:
    reason = ReasonView(code="snoozed", text="You paused it until 14:58.")
    text = drawn(view(IDLE.model_copy(update={"reasons": (reason,), "snoozed_until": NOW}), NOW))
    assert text.count("You paused it") == 1


def test_what_may_not_compute_has_no_budget_to_show() -> None:
    assert FULL.budget is not None
    nothing = FULL.budget.model_copy(update={"share": 0.0})
    assert "May take" not in drawn(view(FULL.model_copy(update={"budget": nothing}), NOW))


@pytest.mark.parametrize("width", [40, 60])
def test_a_narrow_terminal_loses_no_letters(width: int) -> None:
    snapshot = _without_progress(FULL)
    narrow, wide = drawn(view(snapshot, NOW), width), drawn(view(snapshot, NOW), width=160)
    assert sorted("".join(narrow.split())) == sorted("".join(wide.split()))


def _without_progress(snapshot: Snapshot) -> Snapshot:
    return snapshot.model_copy(update={"progress": None})


def test_a_sign_in_without_a_code_is_an_address_to_open() -> None:
    waiting = SignInView(address="https://huggingface.co/oauth/authorize", code="", expires=NOW)
    text = drawn(view(IDLE.model_copy(update={"sign_in": waiting}), NOW))
    assert "To sign in, open https://huggingface.co/oauth/authorize (" in text
    assert "enter" not in text


LACKING = EnvironmentView(stage=SetupStage.ABSENT, is_usable=False, is_wanted=False)
FALLBACK = "The processor trains. The driver is too old: update it to 580 or newer."


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "`idlebrush setup` downloads and installs"),
        (
            {"is_working": True, "stage": SetupStage.FETCHING, "done": 1, "total": 2},
            "Downloading: 1 B of 2 B.",
        ),
        ({"is_wanted": True, "waiting": "You paused it."}, "The set-up waits. You paused it."),
        ({"is_usable": True, "is_fallback": True, "why": FALLBACK}, FALLBACK),
    ],
)
def test_the_environment_is_shown_where_it_is_not_as_it_should_be(
    changes: dict[str, object], words: str
) -> None:
    environment = LACKING.model_copy(update=changes)
    assert words in drawn(view(IDLE.model_copy(update={"environment": environment}), NOW), width=160)


def test_an_environment_in_order_takes_no_place() -> None:
    environment = EnvironmentView(stage=SetupStage.READY, is_usable=True, is_wanted=True, why="No GPU.")
    assert drawn(view(IDLE.model_copy(update={"environment": environment}), NOW)) == "● No run was joined.\n"


@pytest.mark.parametrize(
    ("stage", "hold", "words"),
    [
        (UpdateStage.OFFERED, None, "Idlebrush 9.0.0 is available; `idlebrush update` installs it."),
        (UpdateStage.FETCHED, UpdateHold.TRAINING, "available; `idlebrush update` installs it."),
        (UpdateStage.OFFERED, UpdateHold.PACKAGE_MANAGER, "available; your system's package manager"),
        (UpdateStage.OFFERED, UpdateHold.BY_PACKAGE, "available; download its package from the page /join"),
        (UpdateStage.OFFERED, UpdateHold.BY_HAND, "available; download it from the website"),
        (UpdateStage.UNPACKING, None, "Idlebrush 9.0.0 is being installed."),
        (UpdateStage.REJECTED, None, "9.0.0 did not work on this computer; 0.1.0 continues."),
    ],
)
def test_a_newer_version_is_shown_with_what_installs_it(
    stage: UpdateStage, hold: UpdateHold | None, words: str
) -> None:
    update = UpdateView(stage=stage, version="9.0.0", hold=hold)
    assert words in drawn(view(IDLE.model_copy(update={"update": update}), NOW))


@pytest.mark.parametrize("stage", [UpdateStage.CURRENT, UpdateStage.ON_TRIAL])
def test_a_version_that_runs_is_no_news(stage: UpdateStage) -> None:
    update = UpdateView(stage=stage, version="0.1.0")
    assert drawn(view(IDLE.model_copy(update={"update": update}), NOW)) == "● No run was joined.\n"


def test_work_that_is_not_credited_is_told_with_the_reason() -> None:
    held = UncreditedWork(samples=1204, why="A computer sent other values than its rows give.")
    text = drawn(view(IDLE.model_copy(update={"uncredited": held}), NOW))
    assert "Not credited  1,204 samples. A computer sent other values than its rows give." in text


def test_of_several_gpus_the_one_that_trains_is_named() -> None:
    gpus = (
        GpuView(index=0, name="slow", why_unused="slower", text="GPU 0 (slow) is not used: it is slower."),
        GpuView(index=1, name="fast", text="GPU 1 (fast) trains."),
    )
    shown = drawn(view(FULL.model_copy(update={"gpus": gpus}), NOW), width=100)
    assert "GPUs      GPU 0 (slow) is not used: it is slower. GPU 1 (fast) trains.\n" in shown
