"""What another computer may request and see: every kind of request is decided, and private things stay here."""

from typing import get_args

import pytest

from client.api.answers import Done, Refused
from client.api.commands import Finish, Pause, Resume, SetPreference
from client.api.errors import RemoteError
from client.api.questions import ShowPreferences
from client.api.remote.control import RemoteControlView
from client.api.requests import AnyRequest
from client.api.snapshot import Activity, ProblemView, ReadingView, ReasonView, Snapshot
from client.machine.readings import Known, Readings
from client.machine.views import views
from client.preferences.preferences import Preferences, describe
from client.remote.permitted import (
    OWNERS_PREFERENCES,
    PERMITTED,
    SHOWN_READINGS,
    answer_to_others,
    require_permitted,
    shown_to_others,
)
from tests.client.api.test_requests import REQUEST_EXAMPLES
from tests.client.snapshots import FULL, NOW


def test_every_kind_of_request_is_decided_about() -> None:
    assert PERMITTED.keys() == set(get_args(AnyRequest))


def test_other_computers_see_and_steer_training_and_do_nothing_else() -> None:
    assert {kind.__name__ for kind, may in PERMITTED.items() if may} == {
        *("GetStatus", "Watch", "ShowContribution", "ShowPreferences"),
        *("Pause", "Resume", "Finish", "SetPreference"),
    }


@pytest.mark.parametrize("request_", REQUEST_EXAMPLES, ids=lambda request: request.type)
def test_what_the_table_refuses_is_refused(request_: AnyRequest) -> None:
    if PERMITTED[type(request_)]:
        require_permitted(request_)
    else:
        with pytest.raises(RemoteError, match="may not request this"):
            require_permitted(request_)


@pytest.mark.parametrize("name", [*sorted(OWNERS_PREFERENCES), " Remote_Control ", "UPDATES"])
def test_preferences_about_control_and_programs_stay_the_owners(name: str) -> None:
    with pytest.raises(RemoteError, match="may not change this preference"):
        require_permitted(SetPreference(name=name, value="off"))


PRIVATE = "/home/ada/secret"
SNAPSHOT = FULL.model_copy(
    update={
        "headline": "Paused: secret player keeps the screen on.",
        "activity": Activity.PAUSED,
        "reasons": (ReasonView(code="video", text="A secret player runs.", about="secret player"),),
        "run": FULL.run
        and FULL.run.model_copy(update={"folder": PRIVATE, "coordinator": "https://secret.example"}),
        "reach": FULL.reach and FULL.reach.model_copy(update={"address": "203.0.113.7 secret"}),
        "readings": (
            *views(
                Readings(
                    now=NOW,
                    full_screen=Known("secret game", "X11"),
                    exclusive=Known(("secret game",), "the processes"),
                    awake=Known(("secret player",), "D-Bus"),
                )
            ),
            ReadingView(name="battery charge", value="50 %", source=PRIVATE),
        ),
        "problem": ProblemView(code="state", what=f"{PRIVATE} is full.", remedy="Empty it."),
        "gallery": PRIVATE,
        "timelapse": PRIVATE,
        "logs": PRIVATE,
        "remote": RemoteControlView(name="secret name"),
    }
)


FULL_DISK = SNAPSHOT.model_copy(
    update={"headline": f"Attention: {PRIVATE} is full.", "activity": Activity.ATTENTION, "reasons": ()}
)


@pytest.mark.parametrize("snapshot", [SNAPSHOT, FULL_DISK], ids=["program", "path"])
def test_paths_programs_accounts_and_codes_are_not_shown(snapshot: Snapshot) -> None:
    shown = shown_to_others(snapshot)
    assert "secret" not in shown.model_dump_json()
    assert (shown.account, shown.sign_in, shown.membership, shown.trainer, shown.remote) == (None,) * 5
    assert (shown.notices, shown.generations, shown.pid) == ((), (), 0)


def test_the_state_is_shown() -> None:
    shown = shown_to_others(FULL)
    for name in ("activity", "headline", "progress", "contribution", "readings", "run_mode", "snoozed_until"):
        assert getattr(shown, name) == getattr(FULL, name)
    assert shown.run is not None
    assert FULL.run is not None
    assert shown.run.title == FULL.run.title
    assert shown_to_others(shown) == shown


def test_readings_that_name_no_program_are_shown() -> None:
    hidden = {"full-screen application", "exclusive applications", "kept awake by"}
    names = {reading.name for reading in views(Readings(now=NOW))}
    assert names - hidden - {"GPUs"} == SHOWN_READINGS - {"automatic sleep"}
    shown = shown_to_others(SNAPSHOT.model_copy(update={"readings": views(Readings(now=NOW))}))
    assert {reading.name for reading in shown.readings} == names - hidden


@pytest.mark.parametrize(
    ("request_", "text"), [(Resume(), ""), (Pause(), ""), (Finish(), "secret player runs.")]
)
def test_the_headline_is_no_answer_to_others(request_: AnyRequest, text: str) -> None:
    done = Done(id=7, text="secret player runs.", about=PRIVATE)
    assert answer_to_others(request_, done) == Done(id=7, text=text)


def test_preferences_that_name_programs_are_not_told_to_others() -> None:
    preferences = describe(Preferences(exclusive_applications=("secret player",)))
    shown = answer_to_others(ShowPreferences(), Done(id=7, text="", preferences=preferences))
    assert isinstance(shown, Done)
    assert shown.preferences is not None
    assert len(shown.preferences) == len(preferences) - 1
    assert "secret" not in shown.model_dump_json()


def test_a_refusal_to_others_names_no_path() -> None:
    refused = Refused(id=7, code="state", what=f"{PRIVATE} could not be saved.", remedy="Free some space.")
    shown = answer_to_others(Pause(), refused)
    assert isinstance(shown, Refused)
    assert (shown.id, shown.code) == (7, "state")
    assert "secret" not in shown.model_dump_json()
    plain = Refused(id=7, code="no_run", what="No run was joined.", remedy="Join one.")
    assert answer_to_others(Pause(), plain) == plain
