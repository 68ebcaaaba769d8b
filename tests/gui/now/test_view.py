"""A table shows the texts of the page Now for different snapshots."""

from datetime import timedelta
from typing import Any

import pytest

from client.api.protocol import ProblemView
from client.api.snapshot import Activity, GpuPowerMeans, GpuView, PowerView, ReachView, ReasonView, Snapshot
from client.machine.gpu.choice import WhyUnused
from client.policy.reasons import PauseReason
from client.policy.rules import CONVENIENCE as SET_ASIDE
from client.preferences.preferences import Preferences
from client.service.channel.reach_view import reach_view
from core.messages.reach import Reach, ReachFound
from gui.now.reasons import (
    CONVENIENCE,
    PREFERENCES,
    ReasonRemedy,
    RemedyKind,
    against_problem,
    against_reason,
)
from gui.now.view import NowCommand, NowStage, NowView, now_view
from tests.client.snapshots import FULL, IDLE, NOW

FREE = FULL.model_copy(update={"activity": Activity.TRAINING, "reasons": (), "problem": None})
PROBLEM = ProblemView(code="unheard_of", what="The moon is full.", remedy="Wait a week.")
pytestmark = pytest.mark.usefixtures("qapp")


def view_of(snapshot: Snapshot | None, **changes: Any) -> NowView:
    return now_view(snapshot.model_copy(update=changes) if snapshot else None, NOW)


def paused(*codes: str) -> dict[str, Any]:
    reasons = tuple(ReasonView(code=code, text=f"Because of {code}.") for code in codes)
    return {"activity": Activity.PAUSED, "reasons": reasons}


@pytest.mark.parametrize(
    ("snapshot", "stage"),
    [
        (None, NowStage.UNKNOWN),
        (IDLE, NowStage.NO_RUN),
        (FREE, NowStage.TRAINING),
        (FREE.model_copy(update={"activity": Activity.COMPLETE}), NowStage.COMPLETE),
    ],
)
def test_the_stage_follows_from_run_and_activity(snapshot: Snapshot | None, stage: NowStage) -> None:
    assert view_of(snapshot).stage is stage


@pytest.mark.parametrize(
    ("changes", "commands"),
    [
        ({}, (NowCommand.PAUSE, NowCommand.SNOOZE, NowCommand.FINISH)),
        ({"activity": Activity.THROTTLED}, (NowCommand.PAUSE, NowCommand.SNOOZE, NowCommand.FINISH)),
        ({"activity": Activity.STARTING}, (NowCommand.PAUSE, NowCommand.SNOOZE, NowCommand.FINISH)),
        ({"activity": Activity.WAITING}, (NowCommand.PAUSE, NowCommand.SNOOZE, NowCommand.FINISH)),
        (paused("never"), ()),
        (paused("not_asked"), ()),
        (paused("in_use"), (NowCommand.PAUSE, NowCommand.SNOOZE, NowCommand.TRAIN_ANYWAY)),
        (paused("in_use", "on_battery"), (NowCommand.PAUSE, NowCommand.SNOOZE, NowCommand.TRAIN_ANYWAY)),
        (
            paused("in_use", "too_hot_cpu"),
            (NowCommand.PAUSE, NowCommand.SNOOZE),
        ),  # which protects the computer
        (
            {"run_mode": "always"},
            (NowCommand.PAUSE, NowCommand.SNOOZE, NowCommand.FINISH, NowCommand.HEED_PREFERENCES),
        ),
        (paused("paused"), (NowCommand.RESUME,)),
        (paused("snoozed", "in_use"), (NowCommand.RESUME,)),
        ({"activity": Activity.FINISHING}, (NowCommand.RESUME,)),
        ({"activity": Activity.ATTENTION}, (NowCommand.RETRY,)),
        ({"activity": Activity.ATTENTION, "problem": PROBLEM}, ()),  # which has buttons of its own
        ({"activity": Activity.LEAVING}, ()),
        ({"activity": Activity.COMPLETE}, ()),
        ({"run": None, "activity": Activity.OFF}, ()),
    ],
)
def test_what_may_be_reported_follows_from_what_training_does(
    changes: dict[str, Any], commands: tuple[NowCommand, ...]
) -> None:
    assert view_of(FREE, **changes).hero.commands == commands


def test_training_anyway_is_offered_against_what_the_client_sets_aside_for_it() -> None:
    assert {rule.__name__ for rule in SET_ASIDE} == CONVENIENCE


def test_every_reason_that_does_not_pass_by_itself_has_a_button_that_leads_to_something() -> None:
    without = {reason for reason in PauseReason if against_reason(reason) is None}
    assert without == {PauseReason.MEASURING_SPEED}
    known = {name.replace("_", "-") for name in Preferences.model_fields}
    assert set(PREFERENCES.values()) <= known
    assert set(PREFERENCES) <= set(PauseReason)


@pytest.mark.parametrize(
    ("code", "remedy"),
    [
        ("paused", ReasonRemedy(RemedyKind.RESUME)),
        ("snoozed", ReasonRemedy(RemedyKind.RESUME)),
        ("not_asked", ReasonRemedy(RemedyKind.CHOOSE_RUN)),
        ("out_of_hours", ReasonRemedy(RemedyKind.SHOW_PREFERENCE, "hours")),
        ("new_in_some_later_version", None),
    ],
)
def test_against_a_reason_helps(code: str, remedy: ReasonRemedy | None) -> None:
    assert against_reason(code) == remedy


@pytest.mark.parametrize(
    ("code", "first"),
    [
        ("rejected", RemedyKind.SIGN_IN),
        ("membership", RemedyKind.ENTER_GATE),
        ("preference", RemedyKind.SHOW_PREFERENCE),
        ("manifest", RemedyKind.CHOOSE_RUN),
        ("child", RemedyKind.RETRY),
    ],
)
def test_against_a_problem_helps(code: str, first: RemedyKind) -> None:
    assert [remedy.help for remedy in against_problem(code)] == [first, RemedyKind.SHOW_LOG]


def test_a_reason_of_a_later_version_keeps_the_words_of_the_daemon() -> None:
    (line,) = view_of(FREE, **paused("eclipse")).reasons
    assert (line.text, line.remedies) == ("Because of eclipse", ())


def test_a_problem_is_reported_with_its_remedy_and_buttons() -> None:
    line = view_of(FREE, problem=PROBLEM).problem
    assert line is not None
    assert (line.text, line.detail) == (PROBLEM.what, PROBLEM.remedy)
    assert line.remedies


def test_a_problem_that_is_the_headline_is_not_reported_twice() -> None:
    view = view_of(FREE, activity=Activity.ATTENTION, problem=PROBLEM)
    assert view.problem is not None
    assert (view.hero.headline, view.problem.text) == (PROBLEM.what, PROBLEM.remedy)


def progress(**changes: Any) -> dict[str, Any]:
    assert FREE.progress is not None
    return {"progress": FREE.progress.model_copy(update=changes)}


def test_the_epoch_is_counted_from_one_and_its_parts_are_shares_of_the_target() -> None:
    epoch = view_of(FREE, **progress(samples=24, swarm_samples=48, target_batch_size=96)).epoch
    assert epoch is not None
    assert epoch.title == "Epoch 35 of 600"
    assert (epoch.fraction, epoch.own) == (0.5, 0.25)
    assert (epoch.gathered, epoch.mine) == ("48 of 96 samples", "24 by you")
    assert epoch.remaining == "About 12 s left"


@pytest.mark.parametrize(
    ("left", "samples", "fraction", "own"),
    [(45.0, 24, 0.25, 0.125), (0.0, 48, 1.0, 1.0), (None, 24, 0.0, 0.0), (90.0, 0, 0.0, 0.0)],
)
def test_an_epoch_that_the_clock_ends_has_parts_of_its_time(
    left: float | None, samples: int, fraction: float, own: float
) -> None:
    changes = {"swarm_samples": 48, "target_batch_size": 8, "round_seconds": 60.0}
    epoch = view_of(FREE, **progress(samples=samples, seconds_to_next_epoch=left, **changes)).epoch
    assert epoch is not None
    assert (epoch.fraction, epoch.own) == (fraction, own)
    assert epoch.gathered == "Samples so far: 48"


def test_what_takes_no_second_more_is_not_shown_as_zero_seconds() -> None:
    epoch = view_of(FREE, **progress(seconds_to_next_epoch=0.2)).epoch
    assert epoch is not None
    assert epoch.remaining == "About 1 s left"


@pytest.mark.parametrize(
    ("changes", "fraction", "own"),
    [
        ({"swarm_samples": 200}, 1.0, 10 / 96),
        ({"samples": 500, "swarm_samples": 48}, 0.5, 0.5),
        ({"target_batch_size": 0, "swarm_samples": 0, "samples": 0}, 0.0, 0.0),
    ],
)
def test_no_progress_runs_past_its_ring(changes: dict[str, Any], fraction: float, own: float) -> None:
    epoch = view_of(FREE, **progress(**changes)).epoch
    assert epoch is not None
    assert (epoch.fraction, epoch.own) == (fraction, own)


def test_an_unknown_end_of_the_epoch_is_not_guessed() -> None:
    epoch = view_of(FREE, **progress(seconds_to_next_epoch=None)).epoch
    assert epoch is not None
    assert epoch.remaining == ""


def test_the_last_epoch_is_not_overrun() -> None:
    epoch = view_of(FREE, **progress(epoch=600)).epoch
    assert epoch is not None
    assert epoch.title == "Epoch 600 of 600"


def test_facts_are_of_the_swarm_and_of_oneself() -> None:
    facts = {fact.label: " ".join((fact.value, fact.unit)).strip() for fact in view_of(FREE).facts}
    assert facts["Peers in the swarm"] == "12"
    assert facts["Swarm speed"] == "34.5 samples per second"
    assert facts["Your speed"] == "2.1 samples per second"
    assert facts["Your samples in this epoch"] == "10"
    assert "Your samples today" in facts
    assert view_of(IDLE).facts == ()


@pytest.mark.parametrize(
    ("per_second", "value", "unit"),
    [
        (34.5, "34.5", "samples per second"),
        (0.01, "36", "samples per hour"),
        (0.0, "0.0", "samples per second"),
    ],
)
def test_a_slow_pace_is_reported_by_the_hour(per_second: float, value: str, unit: str) -> None:
    facts = {fact.label: fact for fact in view_of(FREE, **progress(own_samples_per_second=per_second)).facts}
    assert (facts["Your speed"].value, facts["Your speed"].unit) == (value, unit)


@pytest.mark.parametrize(("waits", "expected"), [(0.0, False), (0.04, False), (0.3, True)])
def test_waiting_for_data_is_reported_once_it_is_noticeable(waits: float, expected: bool) -> None:
    lines = view_of(FREE, **progress(data_wait=waits)).reasons
    assert any(line.text.startswith("Training waits for data") for line in lines) is expected


@pytest.mark.parametrize(
    ("codes", "lines"), [(("paused",), 0), (("snoozed",), 0), (("in_use",), 1), (("paused", "in_use"), 2)]
)
def test_what_the_headline_and_its_button_say_is_not_repeated(codes: tuple[str, ...], lines: int) -> None:
    assert len(view_of(FREE, **paused(*codes)).reasons) == lines


def test_pictures_that_are_drawn_meanwhile_and_the_memory_plan_are_reported() -> None:
    pictures, plan, _ = view_of(FREE).notes
    assert pictures.remedies == (ReasonRemedy(RemedyKind.SHOW_GALLERY),)
    assert plan.detail.startswith("On the GPU with 4 sample")
    assert plan.detail.endswith(" at a time, 7.8 GB of GPU memory and 1.9 GB of RAM.")
    assert view_of(IDLE).notes == ()


def test_of_several_gpus_the_one_that_trains_and_the_reasons_of_the_others_are_named() -> None:
    gpus = (
        GpuView(index=0, name="slow", why_unused="slower", text="x"),
        GpuView(index=1, name="fast", text="x"),
        GpuView(index=2, name="odd", why_unused="a new reason", text="x"),
    )
    note = view_of(FREE, gpus=gpus).notes[2]
    assert note.text == "GPU 1 (fast) trains"
    assert note.detail == "GPU 0 (slow) is not used: it is slower. GPU 2 (odd) is not used: a new reason."
    assert note.remedies == (ReasonRemedy(RemedyKind.SHOW_PREFERENCE, "gpus"),)


@pytest.mark.parametrize("why", WhyUnused)
def test_every_reason_against_a_gpu_has_words(why: WhyUnused) -> None:
    gpu = GpuView(index=0, name="slow", why_unused=why, text="x")
    assert view_of(FREE, gpus=(gpu,)).notes[2].detail != f"GPU 0 (slow) is not used: {why}."


@pytest.mark.parametrize(
    ("known", "words"),
    [
        ({"gpu_bytes": 0}, "On the processor with 4 sample(s) at a time and 1.9 GB of RAM."),
        ({"micro_batch": 0, "plan": "As it says."}, "As it says."),
    ],
)
def test_the_memory_plan_is_reported_as_far_as_it_is_known(known: dict[str, Any], words: str) -> None:
    assert FREE.trainer is not None
    assert view_of(FREE, trainer=FREE.trainer.model_copy(update=known)).notes[1].detail == words


@pytest.mark.parametrize("code", Reach)
def test_how_others_reach_this_computer_is_reported_in_the_apps_own_words(code: Reach) -> None:
    reach = reach_view(ReachFound(reach=code, port=31_330), upnp=False)
    note = view_of(FREE, reach=reach).notes[-1]
    assert "computer" in note.text
    turns_on = (ReasonRemedy(RemedyKind.SHOW_PREFERENCE, "upnp"),)
    assert note.remedies == (turns_on if code in (Reach.RELAYED, Reach.OUTGOING) else ())
    assert note.detail


def test_being_reached_by_ip6_is_told_beside_the_way_that_all_have() -> None:
    reach = ReachView(code="relayed", text="As the daemon says.", address6="2a00::7")
    assert (
        view_of(FREE, reach=reach)
        .notes[-1]
        .text.endswith("is reached better does. Peers with IPv6 connect directly to this computer over IPv6.")
    )


def test_what_would_be_better_leads_to_the_port() -> None:
    note = view_of(FREE).notes[-1]
    assert "TCP port 31330" in note.detail
    assert note.remedies == (ReasonRemedy(RemedyKind.SHOW_PREFERENCE, "listening-port"),)


def test_the_same_snapshot_a_second_later_says_the_same() -> None:
    assert now_view(FREE, NOW) == now_view(FREE, NOW + timedelta(seconds=1))


@pytest.mark.parametrize(
    ("power", "text", "about"),
    [
        (PowerView(gpu_means=GpuPowerMeans.DRIVER, gpu_watts=199.6), "limited to 200 W", "Its driver"),
        (PowerView(gpu_means=GpuPowerMeans.CLOCKS, gpu_watts=200), "limited to 200 W", "Lower clocks"),
        (PowerView(gpu_means=GpuPowerMeans.SHARE, gpu_watts=200), "limited to 200 W", "Short breaks"),
        (PowerView(gpu_means=GpuPowerMeans.NOTHING), "is not limited", "in watts"),
    ],
)
def test_a_limited_gpu_is_reported_with_the_means(power: PowerView, text: str, about: str) -> None:
    (note,) = [note for note in view_of(FREE, power=power).notes if "power of the GPU" in note.text]
    assert text in note.text
    assert about in note.detail
    assert note.remedies == (ReasonRemedy(RemedyKind.SHOW_PREFERENCE, "gpu-power"),)
    assert not [note for note in view_of(FREE).notes if "power of the GPU" in note.text]
