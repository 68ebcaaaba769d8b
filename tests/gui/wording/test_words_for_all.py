"""Whatever the client may tell has words of the app's own: what is added there is missed here."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from client.api.candidate import PlanView
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
    fits=True, device="", techniques=(), micro_batch=1, gpu_bytes=0, ram_bytes=2_000_000_000, text="English"
)
GENERAL = {"client", "control", "core", "line"}
"""Codes that stand for anything at all."""
DESCRIBED_DIFFERENTLY = {
    "run-mode",
    "threads",
    "gpus",
    "gpu-headroom",
    "listening-port",
    "upnp",
    "remote-control",
}
"""Preferences whose description in the command line names values and verbs that the app shows in another way."""
pytestmark = pytest.mark.usefixtures("qapp")


def kinds_of(error: type[CoreError]) -> Iterator[type[CoreError]]:
    """Those that a volunteer's machine may tell of; other tests of this process may have loaded a coordinator's."""
    for kind in error.__subclasses__():
        if kind.__module__.startswith(("core.", "client.")):
            yield kind
        yield from kinds_of(kind)


def test_reasons() -> None:
    for reason in PauseReason:
        view = ReasonView(code=reason.value, text="")
        words = reason_sentence(view, NOW)
        assert words[:1].isupper(), reason
        assert words[1:] == reason_clause(view, NOW)[1:]
        assert not words.endswith(".")


def test_the_name_of_a_program_stays_as_it_is() -> None:
    view = ReasonView(code="video", text="mpv keeps the screen on.", about="mpv")
    assert reason_sentence(view, NOW) == "mpv keeps the screen on"


def test_a_reason_that_is_not_known_is_reported_as_the_daemon_does() -> None:
    assert reason_sentence(ReasonView(code="tea_time", text="It is tea time."), NOW) == "It is tea time"


def test_activities() -> None:
    assert [activity for activity in Activity if not activity_name(activity)] == []


def test_reasons_to_wait_are_translated(speaking: QApplication) -> None:
    install(speaking, "de", QLocale("de_DE"))
    for reason in WaitReason:
        waiting = FULL.model_copy(update={"activity": Activity.WAITING, "headline": reason.headline})
        assert headline(waiting, NOW) != reason.headline.removesuffix(".")


def test_preferences() -> None:
    for view in VIEWS:
        words = preferences.words(view)
        assert words.title != view.name
        assert words.about.endswith("."), view.name
        assert (words.about == view.help) is (view.name not in DESCRIBED_DIFFERENTLY), view.name


def test_a_preference_that_is_not_known_is_reported_as_the_daemon_does() -> None:
    newer = {"name": "tea-time", "help": "When the kettle is on."}
    for section in ("POWER", "KITCHEN"):
        words = preferences.words(VIEWS[0].model_copy(update={"section": section, **newer}))
        assert (words.title, words.about) == ("tea-time", "When the kettle is on.")


def test_titles_of_preferences_tell_them_apart() -> None:
    titles = [preferences.words(view).title for view in VIEWS]
    assert sorted(set(titles)) == sorted(titles)


def test_sections() -> None:
    assert {section.name: preferences.section(section.name) for section in Section} == {
        section.name: section.value for section in Section
    }


def test_words_of_preferences() -> None:
    words = [(view.name, word) for view in VIEWS for word in (*view.choices, view.otherwise) if word]
    assert len(words) > 10
    assert [each for each in words if not preferences.choice(*each)[:1].isupper()] == []


def test_badges() -> None:
    words = {badge.code: (badge_title(badge.code), badge_about(badge.code)) for badge in BADGES}
    assert {code: pair for code, pair in words.items() if pair[0] == pair[1] or "_" in "".join(pair)} == {}


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


CODES = sorted({kind.code for kind in kinds_of(CoreError)} - GENERAL)


def test_problems() -> None:
    assert len(CODES) > 10
    words = {code: problem_words(code, "The pipe burst.", "Call a plumber.") for code in CODES}
    assert {code: pair for code, pair in words.items() if pair[0] == "The pipe burst." or not pair[1]} == {}


def test_details_of_a_problem_are_not_lost() -> None:
    what, details = problem_words("download", "The server said 503.", "Try again later.")
    assert (what, details) == ("A download failed", "The server said 503. Try again later.")


def test_a_problem_that_is_not_known_is_reported_as_the_daemon_does() -> None:
    error = ClientError("The pipe burst.", "Call a plumber.")
    assert problem_words(error.code, error.what, error.remedy) == ("The pipe burst.", "Call a plumber.")
