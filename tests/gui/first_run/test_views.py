"""The texts of the first run's screens are tested without a display."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from client.account.credentials import KEPT_IN_WORDS
from client.api.candidate import CandidateStage, CandidateView, EntrancesView, GateView, PaceBasis
from client.api.runs import JoinedRunView
from client.api.snapshot import AccountView, SignInView
from client.preferences.preferences import Preferences, describe, row_named, with_value
from core.run.run_list import ListingSubject
from gui.first_run import times_view
from gui.first_run.account_view import SignInAttempt, SignInStage, fault_of_token, kept, stage_of, time_left
from gui.first_run.candidate_panel import CandidatePanel
from gui.first_run.candidate_view import (
    admits,
    differences,
    download,
    download_progress,
    facts,
    hint,
    organiser,
    outcome,
    proof,
    seen,
    speed,
    summary,
    traffic,
)
from gui.first_run.run_sources import RunSource, of_drop, of_link, source_of
from gui.first_run.steps import Obstacle
from gui.widgets.banner import BannerKind
from tests.client.snapshots import FULL, IDLE
from tests.gui.first_run.candidates import EMBEDDED, GATE, GATED, OPEN
from tests.gui.stand_in_link import StandInLink

NOW = datetime(2026, 3, 1, 14, 30, tzinfo=UTC)
CODE = SignInView(address="https://hub.example/device", code="ABCD-1234", expires=NOW)
pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize(
    ("text", "is_fine"),
    [("hf_abc", True), (" hf_abc\n", True), ("", False), ("  ", False), ("hf_ä", False), ("x" * 5000, False)],
)
def test_a_token_is_judged_before_it_is_sent(text: str, is_fine: bool) -> None:
    assert (fault_of_token(text) == "") is is_fine


@pytest.mark.parametrize(
    ("sign_in", "account", "attempt", "expected"),
    [
        (None, None, SignInAttempt.NONE, SignInStage.OUT),
        (CODE, None, SignInAttempt.NONE, SignInStage.OUT),  # another front end's
        (None, None, SignInAttempt.CODE, SignInStage.ASKED),
        (CODE, None, SignInAttempt.CODE, SignInStage.CODE),
        (CODE.model_copy(update={"code": ""}), None, SignInAttempt.CODE, SignInStage.ASKED),  # that of a gate
        (None, FULL.account, SignInAttempt.TOKEN, SignInStage.CHECKING),
        (None, FULL.account, SignInAttempt.NONE, SignInStage.IN),
        (CODE, FULL.account, SignInAttempt.CODE, SignInStage.CODE),
    ],
)
def test_how_far_the_sign_in_is(
    sign_in: SignInView | None, account: AccountView | None, attempt: SignInAttempt, expected: SignInStage
) -> None:
    snapshot = IDLE.model_copy(update={"sign_in": sign_in, "account": account})
    assert stage_of(snapshot, attempt) is expected


def test_every_place_of_a_sign_in_has_words_of_the_app() -> None:
    for words in KEPT_IN_WORDS.values():
        assert kept(AccountView(name="mia", kept=words)).startswith("Your sign-in is stored")


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (570, "Valid for another 9 min 30 s."),
        (0, "This sign-in has expired."),
        (-5, "This sign-in has expired."),
    ],
)
def test_how_long_a_code_lasts(seconds: float, expected: str) -> None:
    assert time_left(NOW + timedelta(seconds=seconds), NOW) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("idlebrush:join?run=x", "idlebrush:join?run=x"),
        (" https://a.example/run.toml\n", "https://a.example/run.toml"),
        ("idlebrush:join?\n  run=x", "idlebrush:join?run=x"),
        ("a.example", ""),
        ("", ""),
        ("https://" + "x" * 5000, ""),
    ],
)
def test_a_link_is_read_as_it_was_pasted(text: str, expected: str) -> None:
    assert of_link(text) == expected


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        ("embedded", RunSource.EMBEDDED),
        ("embedded-all", RunSource.EMBEDDED),
        ("Idlebrush:join?x", RunSource.LINK),
        ("http://a.example", RunSource.LINK),
        ("/home/mia/run.toml", RunSource.FILE),
    ],
)
def test_a_location_belongs_to_a_choice(location: str, expected: RunSource) -> None:
    assert source_of(location) is expected


def test_one_file_or_address_may_be_dropped(tmp_path: Path) -> None:
    file = QUrl.fromLocalFile(str(tmp_path / "run.toml"))
    assert of_drop([file]) == str(tmp_path / "run.toml")
    assert of_drop([QUrl("https://a.example/run.toml")]) == "https://a.example/run.toml"
    assert of_drop([]) == of_drop([file, file]) == of_drop([QUrl("mailto:mia@example.org")]) == ""


def test_the_embedded_run_is_said_to_train_alone() -> None:
    for text in (organiser(EMBEDDED), traffic(EMBEDDED), seen(EMBEDDED)):
        assert "only" in text or "None" in text or "Nothing" in text
    came_with_the_app = EMBEDDED.model_copy(update={"download_bytes": 9_700_000})  # which are copied
    assert download(came_with_the_app) == "Nothing. All files of the run are already on this computer."
    assert "train.example.org" in organiser(OPEN)
    assert "abcd-efgh" in organiser(OPEN)


def test_others_learn_the_name_of_a_member_only() -> None:
    assert "user name" in seen(GATED)
    assert "user name" not in seen(OPEN)
    assert "address" in seen(OPEN)


def test_the_speed_is_reported_once_it_was_measured() -> None:
    assert speed(OPEN).startswith("Measure how fast")
    measured = OPEN.model_copy(update={"samples_per_hour": 5321.0})
    assert speed(measured) == (
        "About 5,300 samples per hour. Each update of the model needs 96 samples from all computers together."
    )
    by_clock = measured.model_copy(update={"round_seconds": 240.0})
    assert speed(by_clock) == (
        "About 5,300 samples per hour. The model is updated every 4 min with the samples of all computers together."
    )
    assert speed(OPEN.model_copy(update={"stage": CandidateStage.MEASURING})).startswith("Loading")
    assert download(OPEN) == "1.2 GB, once, before training starts."


A_DAY = "41.0 GB in each direction per day of uninterrupted training. This is for "


@pytest.mark.parametrize(
    ("known", "words"),
    [
        (
            {"basis": PaceBasis.MEASURED, "computers": 1234},
            f"About {A_DAY}1,234 computers and an update every 15 s: the newest pace of the run, as its website ",
        ),
        (
            {"basis": PaceBasis.CLOCK},
            f"At most about {A_DAY}16 computers and an update every 15 s. The run's rules allow no faster pace.",
        ),
        (
            {"basis": PaceBasis.ALIKE},
            f"About {A_DAY}16 computers like this one, with an update every 15 s. The run's real pace is not known",
        ),
        ({}, f"About {A_DAY}16 computers and an update every 15 s. The run's real pace is not known"),
        (
            {"ends_within_a_day": True},
            "About 41.0 GB in each direction for the updates that the run has left (600). This is for 16 ",
        ),
        (
            {"ends_within_a_day": True, "basis": PaceBasis.CLOCK},
            "At most about 41.0 GB in each direction for the updates that the run has left (600). This is ",
        ),
    ],
    ids=[
        "the run's pace",
        "a bound",
        "computers like this one",
        "an assumption",
        "the rest",
        "the rest, a bound",
    ],
)
def test_the_traffic_of_a_day_is_told_with_what_it_rests_on(known: dict[str, object], words: str) -> None:
    text = traffic(expecting(**known))
    assert text.startswith(words)
    assert "If other computers can connect to this one, it can be up to 330.0 GB" in text
    assert text.endswith("You can set limits in the preferences.")


def expecting(**known: object) -> CandidateView:
    """Return a run for which traffic is expected, with these changes to it."""
    assert OPEN.traffic is not None
    return OPEN.model_copy(update={"traffic": OPEN.traffic.model_copy(update=known)})


def test_the_model_s_state_is_told_where_a_run_has_one() -> None:
    assert "At first, this computer fetches the model's state from others: 503.0 MB." in traffic(
        expecting(state_bytes=503_000_000)
    )
    assert "At first" not in traffic(OPEN)


def test_a_run_that_has_made_all_of_its_updates_takes_nothing() -> None:
    assert traffic(expecting(updates_left=0)) == "None. The run has made all of its updates."


@pytest.mark.parametrize("who", ["anyone", "organisation", "list", "invitation"])
def test_every_gate_says_whom_it_admits(who: str) -> None:
    gate = GateView.model_validate({**GATE.model_dump(), "admits": who})
    assert admits(gate).startswith("This run admits")
    assert ("learners" in admits(gate)) is (who == "organisation")
    assert "huggingface.co" in proof(gate)
    assert "train.example.org" in proof(gate)


def test_every_hindrance_but_the_last_has_words() -> None:
    silent = {obstacle for obstacle in Obstacle if not hint(obstacle)}
    assert silent == {Obstacle.NOT_JOINED}
    assert hint(None) == ""


def test_the_facts_of_a_run_are_reported_in_order() -> None:
    assert [fact.icon for fact in facts(GATED)] == ["users", "cpu", "download", "network", "eye"]
    assert all(fact.label and fact.text for fact in facts(GATED))


@pytest.mark.parametrize(
    ("by", "icon", "words"),
    [
        (
            (True, True),
            "link",
            "over IPv4 and IPv6. Whether other computers can connect to this one is found",
        ),
        ((True, False), "link", "over IPv4. "),
        ((False, True), "link", "over IPv6. "),
        ((False, False), "warning", "trains only once one of them answers"),
    ],
)
def test_whether_the_run_can_be_entered_is_told_before_consent(
    by: tuple[bool, bool], icon: str, words: str
) -> None:
    entrances = EntrancesView(by_ip4=by[0], by_ip6=by[1])
    candidate = OPEN.model_copy(update={"entrances": entrances})
    (fact,) = (fact for fact in facts(candidate) if fact.label == "Connection")
    assert fact.icon == icon
    assert words in fact.text
    warned = [fact for fact in summary(candidate, {}, ()) if fact.label == "Connection"]
    assert warned == ([] if any(by) else [fact])


def test_consent_is_to_all_that_will_happen() -> None:
    joined = [
        JoinedRunView(digest=digest, title=digest, share=1, is_current=False) for digest in ("one", "two")
    ]
    given = list(summary(GATED, {}, joined))
    assert given[1].text == "You join this run in addition to one, two. The runs take turns."
    again = JoinedRunView(digest=GATED.digest, title="itself", share=1, is_current=True)
    assert "info" not in [fact.icon for fact in summary(GATED, {}, [again])]
    icons = [fact.icon for fact in given]
    assert icons == ["picture", "info", "cpu", "clock", "download", "network", "eye", "pause"]
    assert "network" not in [fact.icon for fact in summary(EMBEDDED, {}, ())]
    assert [fact.icon for fact in outcome(GATED, {})] == ["picture", "clock", "pause"]


def test_how_far_the_files_are() -> None:
    assert download_progress(OPEN).startswith("Preparing")
    under_way = OPEN.model_copy(update={"progress": 0.42})
    assert download_progress(under_way) == "Downloading the run's files: 42%, 1.2 GB left."


def offered() -> list[tuple[str, str]]:
    """Names of preferences, and the values that the first run offers for each."""
    QApplication.instance() or QApplication([])
    return [
        *((times_view.RUN_MODE, choice.value) for choice in times_view.run_modes("")),
        *((times_view.IDLE, choice.value) for choice in times_view.idle_choices("")),
        *((times_view.HOURS, choice.value) for choice in times_view.hours("")),
        *((times_view.SHARE, choice.value) for choice in times_view.shares("")),
        *((times_view.BATTERY, value) for value in ("allow", "pause")),
        *((times_view.LOGIN, value) for value in ("on", "off")),
    ]


def test_every_value_that_is_offered_is_written_as_the_client_writes_it() -> None:
    for name, value in offered():
        assert row_named(with_value(Preferences(), name, value), name).value == value


def test_defaults_are_among_what_is_offered() -> None:
    defaults = {row.name: row.value for row in describe(Preferences())}
    for name in times_view.NAMES:
        assert (name, defaults[name]) in offered()


def test_a_value_that_was_set_elsewhere_is_offered_as_it_is() -> None:
    assert times_view.hours("tue 9:00-10:00")[-1].text == "Custom: tue 9:00-10:00"
    assert len(times_view.hours("always")) == len(times_view.hours("")) == 3


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, "This computer trains whenever your preferences allow it."),
        ({"run-mode": "never"}, "This computer does not train until you allow it."),
        ({"run-mode": "always"}, "This computer always trains, even while you use it."),
        (
            {"run-mode": "preferences", "idle-minutes": "3 min", "hours": "daily 22:00-07:00"},
            "This computer trains after 3 min without input. Hours: At night.",
        ),
        ({"on-battery": "allow"}, "This computer also trains on battery."),
        ({"share-of-time": "50%"}, "Training uses at most 50% of the time."),
        ({"start-at-login": "on"}, "Idlebrush starts when you log in."),
    ],
)
def test_when_it_trains_is_reported_in_sentences(values: dict[str, str], expected: str) -> None:
    assert expected in times_view.sentences(values)


def test_a_run_that_differs_from_its_card_on_a_list_is_warned_of(qtbot: QtBot) -> None:
    panel = CandidatePanel(StandInLink())
    qtbot.addWidget(panel)
    panel.show_snapshot(IDLE.model_copy(update={"candidate": OPEN}))
    assert panel.differences.isHidden()
    differing = OPEN.model_copy(update={"differences": ("title", "gate", "traffic")})
    text = differences(differing)
    assert text.startswith("The run says otherwise than the list about its title, who may join")
    assert text.endswith("and its traffic.")
    panel.show_snapshot(IDLE.model_copy(update={"candidate": differing}))
    assert not panel.differences.isHidden()
    assert panel.differences.kind is BannerKind.WARNING


@pytest.mark.parametrize("kind", ListingSubject)
def test_every_difference_has_words(kind: ListingSubject) -> None:
    candidate = OPEN.model_copy(update={"differences": (kind,)})
    assert differences(candidate) != f"The run says otherwise than the list about {kind}."
