"""The set-up in words: a table of what daemons report and what the volunteer sees of it."""

from datetime import timedelta

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from client.api.environment import EnvironmentView, SetupStage, WslAction, WslStage, WslView
from client.policy.reasons import PauseReason
from client.service.environment.policy import reason_to_hold
from gui.setup.commands import SetupCommand, action_words, refusal_title
from gui.setup.view import (
    ProgressPace,
    SetupStatus,
    is_settled,
    needs_setup,
    setup_view,
    status_of,
)
from gui.wording.languages import install
from tests.client.snapshots import NOW
from tests.gui.setup import environments as known
from tests.gui.setup.environments import changed

pytestmark = pytest.mark.usefixtures("qapp")
PAUSE, RESUME, CANCEL = SetupCommand.PAUSE, SetupCommand.RESUME, SetupCommand.CANCEL
RETRY, BEGIN, PLAN = SetupCommand.RETRY, SetupCommand.BEGIN, SetupCommand.PLAN


@pytest.mark.parametrize(
    ("view", "status", "actions"),
    [
        (known.UNKNOWN, SetupStatus.UNKNOWN, (PLAN,)),
        (known.PLANNING, SetupStatus.PLANNING, ()),
        (known.OFFERED, SetupStatus.OFFERED, (BEGIN,)),
        (known.FETCHING, SetupStatus.WORKING, (PAUSE, CANCEL)),
        (known.INSTALLING, SetupStatus.WORKING, (CANCEL,)),
        (known.TESTING, SetupStatus.WORKING, (CANCEL,)),
        (known.WAITING, SetupStatus.WAITING, (PAUSE, CANCEL)),
        (known.PAUSED, SetupStatus.PAUSED, (RESUME, CANCEL)),
        (changed(known.WAITING, is_working=False), SetupStatus.WAITING, (PAUSE, CANCEL)),
        (changed(known.INSTALLING, is_paused=True), SetupStatus.WORKING, (CANCEL,)),
        (changed(known.READY, is_paused=True), SetupStatus.READY, ()),
        (changed(known.PAUSED, is_working=True), SetupStatus.PAUSED, (RESUME, CANCEL)),
        (known.RETRYING, SetupStatus.RETRYING, (RETRY, CANCEL)),
        (known.FAILED, SetupStatus.FAILED, (RETRY,)),
        (changed(known.UNKNOWN, problem=known.PROBLEM), SetupStatus.FAILED, (PLAN,)),
        (changed(known.UNKNOWN, problem=known.PROBLEM, retry_at=NOW), SetupStatus.FAILED, (PLAN,)),
        (changed(known.FAILED, is_planning=True), SetupStatus.PLANNING, ()),
        (changed(known.OFFERED, is_wanted=True), SetupStatus.WORKING, (PAUSE, CANCEL)),
        (known.READY, SetupStatus.READY, ()),
        (known.FALLBACK, SetupStatus.READY, ()),
        (known.TURNED_OFF, SetupStatus.FAILED, (SetupCommand.TURN_ON_WSL,)),
        (known.RESTART, SetupStatus.FAILED, (SetupCommand.RESTART_WINDOWS,)),
        (
            known.FIRMWARE,
            SetupStatus.FAILED,
            (SetupCommand.RESTART_INTO_FIRMWARE, SetupCommand.EXPLAIN_VIRTUALISATION, RETRY),
        ),
        (known.OLD_WINDOWS, SetupStatus.FAILED, (SetupCommand.UPDATE_WINDOWS, RETRY)),
        (known.LITTLE_DISK, SetupStatus.FAILED, (SetupCommand.FREE_DISK, RETRY)),
        (changed(known.LITTLE_DISK, is_wanted=False), SetupStatus.FAILED, (SetupCommand.FREE_DISK, PLAN)),
        (known.OLD_WSL, SetupStatus.READY, (SetupCommand.CHECK,)),
        (changed(known.OLD_WSL, is_wanted=False), SetupStatus.READY, ()),
        (known.UPDATING, SetupStatus.WORKING, ()),
        (known.IMPORTING, SetupStatus.WORKING, (PAUSE, CANCEL)),
        (changed(known.READY, is_planning=True), SetupStatus.READY, ()),
        (changed(known.FETCHING, is_usable=True), SetupStatus.WORKING, (PAUSE, CANCEL)),
        (changed(known.FAILED, is_usable=True), SetupStatus.FAILED, (RETRY,)),
    ],
)
def test_each_state_has_its_status_and_actions(
    view: EnvironmentView, status: SetupStatus, actions: tuple[SetupCommand, ...]
) -> None:
    assert status_of(view) is status
    shown = setup_view(view, NOW)
    assert shown.actions == actions
    assert shown.title
    assert all(map(action_words, actions))


@pytest.mark.parametrize(
    ("view", "needs"),
    [
        (None, False),
        (known.UNKNOWN, True),
        (known.FETCHING, True),
        (known.FAILED, True),
        (known.READY, False),
    ],
)
def test_a_computer_without_a_usable_environment_needs_one(view: EnvironmentView | None, needs: bool) -> None:
    assert needs_setup(view) is needs


def test_a_plan_has_download_disk_space_and_reason() -> None:
    facts = {fact.label: fact.text for fact in setup_view(known.OFFERED, NOW).facts}
    assert facts["Download"] == "700.0 MB, once"
    assert facts["Disk space"] == "Up to 2.4 GB while it is installed"
    assert facts["This computer"] == known.PLAN.why
    assert len(facts) == 3
    remark = "No list for CUDA 12.6 was published yet."
    plan = known.PLAN.model_copy(update={"remark": remark})
    assert setup_view(changed(known.OFFERED, plan=plan), NOW).facts[-1].text == remark


@pytest.mark.parametrize(
    ("view", "seconds", "progress"),
    [
        (known.FETCHING, None, "210.0 MB of 700.0 MB"),
        (known.FETCHING, 185.0, "210.0 MB of 700.0 MB, about 3 min 5 s left"),
        (known.FETCHING, 0.2, "210.0 MB of 700.0 MB, about 1 s left"),
        (known.PAUSED, 185.0, "210.0 MB of 700.0 MB"),
        (known.TESTING, None, ""),
        (changed(known.TESTING, stage=SetupStage.PLACING, done=1, total=3), None, "Step 2 of 3"),
        (changed(known.FETCHING, total=0), None, ""),
        (known.OFFERED, None, ""),
        (known.FAILED, None, ""),
    ],
)
def test_progress_is_exact(view: EnvironmentView, seconds: float | None, progress: str) -> None:
    assert setup_view(view, NOW, seconds).progress == progress


def test_a_bar_is_shown_while_something_goes_on() -> None:
    assert setup_view(known.FETCHING, NOW).fraction == pytest.approx(0.3)
    assert setup_view(changed(known.FETCHING, total=0), NOW).fraction is None
    assert setup_view(known.TESTING, NOW).fraction is None
    assert setup_view(known.PLANNING, NOW).has_bar
    assert not setup_view(known.OFFERED, NOW).has_bar
    assert not setup_view(known.READY, NOW).has_bar
    assert setup_view(known.FETCHING, NOW).package == known.FETCHING.package


def test_what_it_waits_for_is_stated() -> None:
    waiting = setup_view(known.WAITING, NOW)
    assert (waiting.title, waiting.text) == ("The download waits: the network connection is metered", "")
    other = setup_view(changed(known.WAITING, waiting="The server asks to wait for 2 min."), NOW)
    assert (other.title, other.text) == ("The download waits", "The server asks to wait for 2 min.")
    retrying = setup_view(known.RETRYING, NOW).text
    assert retrying.startswith("The server does not answer. The next attempt begins at 14:40.")
    tomorrow = changed(known.RETRYING, retry_at=NOW + timedelta(days=1), problem=None)
    assert "Monday, 14:30" in setup_view(tomorrow, NOW).text


@pytest.mark.parametrize(("code", "limit"), [(PauseReason.METERED, None), (PauseReason.QUOTA_USED, 0)])
def test_each_reason_for_which_the_daemon_holds_a_download_is_translated(
    speaking: QApplication, code: PauseReason, limit: int | None
) -> None:
    install(speaking, "de", QLocale("de_DE"))
    sentence = reason_to_hold(is_paused=False, codes=[code], may_fetch=limit)
    shown = setup_view(changed(known.WAITING, waiting=sentence), NOW)
    assert shown.title.startswith("Der Download wartet: ")
    assert sentence[:10] not in shown.title
    assert shown.text == ""


def test_training_by_the_processor_in_spite_of_a_gpu_is_stated() -> None:
    assert setup_view(known.READY, NOW).fallback is None
    fallback = setup_view(known.FALLBACK, NOW).fallback
    assert fallback is not None
    assert known.GPU in fallback[1]
    plan = known.PLAN.model_copy(update={"is_fallback": True})
    assert setup_view(changed(known.OFFERED, plan=plan), NOW).fallback is not None


def test_a_problem_is_shown_only_once_it_ends_the_attempt() -> None:
    assert setup_view(known.FAILED, NOW).problem == known.PROBLEM
    assert setup_view(known.RETRYING, NOW).problem is None


def test_the_time_left_follows_the_newest_pace() -> None:
    pace = ProgressPace()
    assert pace.seconds_left("fetching", 0, 1000, 0.0) is None
    assert pace.seconds_left("fetching", 10, 1000, 1.0) is None, "too little was seen"
    assert pace.seconds_left("fetching", 100, 1000, 10.0) == pytest.approx(90.0)
    for second in range(11, 60):
        left = pace.seconds_left("fetching", 100 + 20 * (second - 10), 2000, float(second))
    assert left == pytest.approx((2000 - 1080) / 20)


@pytest.mark.parametrize("end", ["another stage", "begun again", "complete", "stalled"])
def test_no_time_is_predicted_without_progress(end: str) -> None:
    pace = ProgressPace()
    for second in range(10):
        left = pace.seconds_left("fetching", 100 * second, 1000, float(second))
    assert left is not None
    match end:
        case "another stage":
            left = pace.seconds_left("installing", 950, 1000, 10.0)
        case "begun again":
            left = pace.seconds_left("fetching", 5, 1000, 10.0)
        case "complete":
            left = pace.seconds_left("fetching", 1000, 1000, 10.0)
        case "stalled":
            for second in range(10, 60):
                left = pace.seconds_left("fetching", 900, 1000, float(second))
    assert left is None


@pytest.mark.parametrize(
    ("view", "title"),
    [
        (known.TURNED_OFF, "Training needs a part of Windows that is turned off"),
        (known.RESTART, "The computer has to restart"),
        (known.FIRMWARE, "This computer’s virtualisation is turned off"),
        (known.OLD_WINDOWS, "This Windows is too old for training"),
        (known.LITTLE_DISK, "Training needs more free disk space"),
        (known.UPDATING, "Updating WSL"),
        (known.IMPORTING, "Setting up Linux for training"),
        (changed(known.IMPORTING, wsl=WslView(stage=WslStage.FETCHING)), "Downloading Linux for training"),
        (changed(known.FETCHING, wsl=WslView(stage=WslStage.READY)), "Downloading the packages for training"),
    ],
)
def test_what_windows_needs_has_a_title(view: EnvironmentView, title: str) -> None:
    assert setup_view(view, NOW).title == title


def test_a_plan_says_that_training_runs_in_a_linux_of_its_own_until_that_is_there() -> None:
    absent = changed(known.OFFERED, wsl=WslView(stage=WslStage.CHECKING))
    labels = [fact.label for fact in setup_view(absent, NOW).facts]
    assert labels == ["Download", "Disk space", "This computer", "Linux"]
    present = changed(known.OFFERED, wsl=WslView(stage=WslStage.READY))
    assert "Linux" not in [fact.label for fact in setup_view(present, NOW).facts]


@pytest.mark.parametrize("action", set(WslAction) - {WslAction.TRY_AGAIN, WslAction.ASK_ADMINISTRATOR})
def test_each_step_of_the_volunteer_has_a_button_that_takes_it(action: WslAction) -> None:
    wsl = WslView(stage=WslStage.BLOCKED, action=action, what="What.", remedy="Remedy.")
    shown = setup_view(changed(known.TURNED_OFF, wsl=wsl), NOW)
    assert shown.actions[0] not in (RETRY, PLAN)
    assert all(map(action_words, shown.actions))


@pytest.mark.parametrize("action", [WslAction.TRY_AGAIN, WslAction.ASK_ADMINISTRATOR])
def test_where_the_volunteer_can_do_nothing_else_it_is_tried_again(action: WslAction) -> None:
    wsl = WslView(stage=WslStage.BLOCKED, action=action, what="What.", remedy="Remedy.")
    shown = setup_view(changed(known.TURNED_OFF, wsl=wsl), NOW)
    assert (shown.actions, shown.is_blocked) == ((RETRY,), False)


def test_warnings_are_advice_with_a_button_each() -> None:
    shown = setup_view(known.warned(known.TURNED_OFF, *known.WARNINGS), NOW)
    assert shown.actions == (SetupCommand.TURN_ON_WSL,)
    assert [(each.title, each.actions) for each in shown.advice] == [
        (
            "Virtualisation seems to be turned off",
            (SetupCommand.RESTART_INTO_FIRMWARE, SetupCommand.EXPLAIN_VIRTUALISATION),
        ),
        ("Another person has to agree", ()),
        ("The WSL that came with Windows is in use", (SetupCommand.UPDATE_WSL,)),
        ("NVIDIA’s driver is too old to train on the GPU", (SetupCommand.INSTALL_DRIVER,)),
    ]
    assert all(each.text for each in shown.advice)


def test_what_the_daemon_refuses_while_it_works_is_not_offered_then() -> None:
    shown = setup_view(known.warned(known.FETCHING, *known.WARNINGS), NOW)
    assert [each.actions for each in shown.advice] == [
        (SetupCommand.EXPLAIN_VIRTUALISATION,),
        (),
        (),
        (SetupCommand.INSTALL_DRIVER,),
    ]
    assert setup_view(known.UPDATING, NOW).advice == ()


def test_a_warning_of_a_kind_without_words_is_shown_in_those_of_the_daemon() -> None:
    warning = known.WARNINGS[0].model_copy(update={"action": WslAction.TRY_AGAIN})
    (advice,) = setup_view(known.warned(known.READY, warning), NOW).advice
    assert (advice.title, advice.text, advice.actions) == (warning.what, warning.remedy, ())


@pytest.mark.parametrize(
    ("view", "settled"), [(known.READY, True), (known.OLD_WSL, False), (known.FETCHING, False)]
)
def test_a_set_up_is_over_once_there_is_nothing_to_tell(view: EnvironmentView, settled: bool) -> None:
    assert is_settled(view) is settled


def test_a_refusal_of_a_step_has_a_title_of_its_own() -> None:
    assert refusal_title(SetupCommand.UPDATE_WSL) == "WSL was not updated"
    assert refusal_title(SetupCommand.INSTALL_DRIVER) == "The page could not be opened"
    assert refusal_title(SetupCommand.BEGIN) == ""
