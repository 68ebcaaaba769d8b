"""Whatever the client may tell has words of the app's own: what is added there is missed here."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from client.api.candidate import PlanView
from client.api.choices import PreferenceView
from client.api.errors import ClientError
from client.api.snapshot import Activity, ReasonView, WaitReason
from client.contribution.badges import BADGES
from client.policy.reasons import PauseReason
from client.preferences.preferences import Preferences, Section, describe
from core.errors import CoreError
from gui.wording import preferences
from gui.wording.activity import activity_name, headline, reason_clause, reason_sentence
from gui.wording.codes import badge_about, badge_title, plan_sentence, problem_words
from gui.wording.languages import install
from tests.client.snapshots import FULL, NOW

VIEWS = describe(Preferences())
PLAN = PlanView(
    fits=True, device="", techniques=(), micro_batch=1, gpu_bytes=0, ram_bytes=2_000_000_000, says="English"
)
GENERAL = {"client", "control", "core", "line"}
"""Codes that stand for anything at all."""
DESCRIBED_DIFFERENTLY = {"run-mode", "threads", "gpus", "gpu-headroom", "listening-port", "upnp"}
"""Preferences whose description in the command line names values and verbs that the app shows in another way."""
pytestmark = pytest.mark.usefixtures("qapp")


def kinds_of(error: type[CoreError]) -> Iterator[type[CoreError]]:
    """Those that a volunteer's machine may tell of; other tests of this process may have loaded a coordinator's."""
    for kind in error.__subclasses__():
        if kind.__module__.startswith(("core.", "client.")):
            yield kind
        yield from kinds_of(kind)


@pytest.mark.parametrize("reason", PauseReason)
def test_a_reason(reason: PauseReason) -> None:
    view = ReasonView(code=reason.value, text="")
    words = reason_sentence(view, NOW)
    assert words[:1].isupper()
    assert words[1:] == reason_clause(view, NOW)[1:]
    assert not words.endswith(".")


def test_the_name_of_a_program_stays_as_it_is() -> None:
    view = ReasonView(code="video", text="mpv keeps the screen on.", about="mpv")
    assert reason_sentence(view, NOW) == "mpv keeps the screen on"


def test_a_reason_that_is_not_known_is_reported_as_the_daemon_does() -> None:
    assert reason_sentence(ReasonView(code="tea_time", text="It is tea time."), NOW) == "It is tea time"


@pytest.mark.parametrize("activity", Activity)
def test_an_activity(activity: Activity) -> None:
    assert activity_name(activity)


@pytest.mark.parametrize("reason", WaitReason)
def test_a_reason_to_wait_is_translated(speaking: QApplication, reason: WaitReason) -> None:
    install(speaking, "de", QLocale("de_DE"))
    waiting = FULL.model_copy(update={"activity": Activity.WAITING, "headline": reason.headline})
    assert headline(waiting, NOW) != reason.headline.removesuffix(".")


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.name)
def test_a_preference(view: PreferenceView) -> None:
    words = preferences.words(view)
    assert words.title != view.name
    assert words.about.endswith(".")
    assert (words.about == view.help) is (view.name not in DESCRIBED_DIFFERENTLY)


def test_a_preference_that_is_not_known_is_reported_as_the_daemon_does() -> None:
    newer = {"name": "tea-time", "help": "When the kettle is on."}
    for section in ("POWER", "KITCHEN"):
        words = preferences.words(VIEWS[0].model_copy(update={"section": section, **newer}))
        assert (words.title, words.about) == ("tea-time", "When the kettle is on.")


def test_titles_of_preferences_tell_them_apart() -> None:
    titles = [preferences.words(view).title for view in VIEWS]
    assert sorted(set(titles)) == sorted(titles)


@pytest.mark.parametrize("section", Section)
def test_a_section(section: Section) -> None:
    assert preferences.section(section.name) == section.value


@pytest.mark.parametrize(
    ("name", "word"),
    [(view.name, word) for view in VIEWS for word in (*view.choices, view.otherwise) if word],
)
def test_a_word_of_a_preference(name: str, word: str) -> None:
    assert preferences.choice(name, word)[:1].isupper()


@pytest.mark.parametrize("code", [badge.code for badge in BADGES])
def test_a_badge(code: str) -> None:
    assert badge_title(code) != badge_about(code)
    assert "_" not in badge_title(code) + badge_about(code)


def test_a_badge_that_is_not_known_is_called_by_its_code() -> None:
    assert badge_title("early_bird") == "early bird"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({}, "Trains on the processor with 2.0 GB of RAM."),
        ({"fits": False}, "This run needs more memory than this computer can provide."),
        (
            {"device": "RTX 9090", "gpu_bytes": 6 * 10**9},
            "Trains on RTX 9090 with 6.0 GB of GPU memory and 2.0 GB of RAM.",
        ),
    ],
)
def test_a_plan_is_one_sentence(change: dict[str, object], sentence: str) -> None:
    assert plan_sentence(PLAN.model_copy(update=change)) == sentence


@pytest.mark.parametrize("code", sorted({kind.code for kind in kinds_of(CoreError)} - GENERAL))
def test_a_problem(code: str) -> None:
    what, remedy = problem_words(code, "The pipe burst.", "Call a plumber.")
    assert what != "The pipe burst."
    assert remedy


def test_details_of_a_problem_are_not_lost() -> None:
    what, details = problem_words("download", "The server said 503.", "Try again later.")
    assert (what, details) == ("A download failed", "The server said 503. Try again later.")


def test_a_problem_that_is_not_known_is_reported_as_the_daemon_does() -> None:
    error = ClientError("The pipe burst.", "Call a plumber.")
    assert problem_words(error.code, error.what, error.remedy) == ("The pipe burst.", "Call a plumber.")
