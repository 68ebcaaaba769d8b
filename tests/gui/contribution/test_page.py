"""The page My contribution with real widgets, linked to a stand-in."""

from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtWidgets import QFileDialog, QRadioButton, QWidget
from pytestqt.qtbot import QtBot

from client.api.answers import Done
from client.api.commands import CancelReceipts, KeepReceipts, OpenPage
from client.api.errors import CoordinatorAway
from client.api.history import BadgeView, ContributionHistory, ContributionRow, Period, RunContribution
from client.api.questions import ShowContribution
from client.api.snapshot import MembershipView, Snapshot
from gui.contribution.badges import BadgesCard, BadgeWidget, in_order
from gui.contribution.cards import RunsCard
from gui.contribution.page import ContributionPage
from gui.widgets.banner import BannerKind
from gui.widgets.labels import Label
from gui.widgets.progress import ProgressBar
from gui.widgets.switches import SegmentedControl
from tests.client.snapshots import FULL, IDLE
from tests.gui.first_run.stand_ins import browser
from tests.gui.stand_in_link import StandInLink

TODAY = date(2026, 3, 4)
REACHED = BadgeView(code="samples_1", reached=date(2026, 3, 1), progress=1.0)
TO_COME = BadgeView(code="samples_1000", reached=None, progress=0.4)


def row(day: int, samples: int) -> ContributionRow:
    return ContributionRow(
        start=datetime(2026, 3, day),
        samples=samples,
        epochs=2,
        compute_seconds=60,
        joules=0,
        bytes_sent=10,
        bytes_received=20,
    )


def history(*rows: ContributionRow) -> ContributionHistory:
    return ContributionHistory(
        by=Period.DAY,
        rows=rows,
        total=row(1, sum(each.samples for each in rows)),
        streak_days=1,
        longest_streak_days=3,
        badges=(TO_COME, REACHED),
    )


GIVEN = history(row(1, 5), row(4, 1_204))


EACH = (
    RunContribution(digest="ab", name="emoji", samples=1_204, epochs=4, compute_seconds=7_200.0),
    RunContribution(digest="cd", name="cats", samples=5, epochs=1, compute_seconds=60.0),
)


def joined(has_gate: bool = True, digest: str = "ab") -> Snapshot:
    assert FULL.run is not None
    run = FULL.run.model_copy(update={"has_gate": has_gate, "digest": digest})
    return FULL.model_copy(update={"run": run})


@pytest.fixture
def opened() -> list[str]:
    return []


@pytest.fixture
def page(link: StandInLink, qtbot: QtBot, opened: list[str]) -> Iterator[ContributionPage]:
    def browse(address: str) -> bool:
        opened.append(address)
        return True

    link.answers[ShowContribution] = Done(id=0, contribution=GIVEN)
    shown = ContributionPage(link, today=lambda: TODAY, browse=browse)
    link.snapshot_changed.connect(shown.show_snapshot)
    qtbot.addWidget(shown)
    shown.resize(860, 720)
    shown.show()
    shown.shown()
    yield shown
    for dialog in shown.findChildren(QFileDialog):
        dialog.close()


def asked(link: StandInLink) -> list[ShowContribution]:
    return [request for request in link.asked if isinstance(request, ShowContribution)]


def press(qtbot: QtBot, widget: QWidget) -> None:
    qtbot.mouseClick(widget, Qt.MouseButton.LeftButton)


def choose(qtbot: QtBot, choice: SegmentedControl, place: int) -> None:
    press(qtbot, choice.findChildren(QRadioButton)[place])


def test_what_was_given_is_asked_for_and_drawn(page: ContributionPage, link: StandInLink) -> None:
    link.show(joined())
    assert asked(link)[0].by is Period.DAY
    assert page.chart.isVisible()
    assert "1,204" in page.chart.chart.accessibleDescription()


def test_the_calendar_shows_a_year_of_days_whatever_the_range(
    page: ContributionPage, link: StandInLink, qtbot: QtBot
) -> None:
    link.show(joined())
    assert {request.periods for request in asked(link) if request.by is Period.DAY} == {30, 371}
    choose(qtbot, page.ranges, 2)
    assert page.calendar.isVisible()
    assert "2 day" in page.calendar.grid.accessibleDescription()


def test_the_public_page_and_a_picture_of_it_are_a_click_away(
    page: ContributionPage, link: StandInLink, opened: list[str]
) -> None:
    link.show(joined(has_gate=False))
    assert not page.keeping.share_button.isVisible()
    snapshot = joined()
    assert snapshot.run is not None
    run = snapshot.run.model_copy(update={"coordinator": "https://run.example.org/"})
    member = MembershipView(name="a/da", kept="in the keyring", text="Admitted.")
    link.show(snapshot.model_copy(update={"run": run, "membership": member}))
    assert page.keeping.share_button.isVisible()
    for action in page.keeping.share_button.menu().actions():
        action.trigger()
    public = "https://run.example.org/volunteers/a%2Fda"
    assert opened == [public, f"{public}/share.png"]


@pytest.mark.parametrize(("place", "by"), [(1, Period.WEEK), (2, Period.MONTH)])
def test_another_range_is_asked_for_at_once(
    page: ContributionPage, link: StandInLink, qtbot: QtBot, place: int, by: Period
) -> None:
    link.show(joined())
    choose(qtbot, page.ranges, place)
    assert asked(link)[-1].by is by


def test_all_runs_can_be_seen_together(page: ContributionPage, link: StandInLink, qtbot: QtBot) -> None:
    link.show(joined())
    assert not asked(link)[-1].all_runs
    choose(qtbot, page.runs, 1)
    assert asked(link)[-1].all_runs


def test_without_a_run_all_runs_are_what_there_is_to_see(page: ContributionPage, link: StandInLink) -> None:
    link.show(IDLE)
    assert asked(link)[-1].all_runs
    assert not page.runs.isVisible()


def test_before_anything_was_given_the_page_says_so(page: ContributionPage, link: StandInLink) -> None:
    link.answers[ShowContribution] = Done(id=0, contribution=history())
    assert not page.empty.isVisible(), "nothing is known yet"
    link.show(joined())
    assert page.empty.isVisible()
    assert not page.chart.isVisible()


def test_what_was_given_to_another_run_is_not_counted_for_this_one(
    page: ContributionPage, link: StandInLink
) -> None:
    link.show(joined())
    link.answers[ShowContribution] = CoordinatorAway("It does not answer.", "Try again later.")
    link.show(joined(digest="cd"))
    assert not page.chart.isVisible()
    assert page.banner.isVisible()


def test_that_the_history_could_not_be_had_is_forgotten_once_it_can(
    page: ContributionPage, link: StandInLink, qtbot: QtBot
) -> None:
    link.answers[ShowContribution] = CoordinatorAway("It does not answer.", "Try again later.")
    link.show(joined())
    assert page.banner.isVisible()
    link.answers[ShowContribution] = Done(id=0, contribution=GIVEN)
    choose(qtbot, page.ranges, 1)
    assert page.chart.isVisible()
    assert not page.banner.isVisible()


def test_the_history_is_asked_for_again_at_a_press(page: ContributionPage, link: StandInLink) -> None:
    link.answers[ShowContribution] = CoordinatorAway("It does not answer.", "Try again later.")
    link.show(joined())
    link.answers[ShowContribution] = Done(id=0, contribution=GIVEN)
    page.banner.button.click()
    assert page.chart.isVisible()
    assert not page.banner.isVisible()


def test_badges_that_were_reached_come_first_with_their_date(
    page: ContributionPage, link: StandInLink, qtbot: QtBot
) -> None:
    link.show(joined())
    assert in_order((TO_COME, REACHED)) == [REACHED, TO_COME]
    qtbot.waitUntil(lambda: len(page.badges.findChildren(BadgeWidget)) == 2)  # they are made in turns


def test_a_badge_that_is_reached_stays_where_somebody_looks(qtbot: QtBot) -> None:
    card = BadgesCard()
    qtbot.addWidget(card)
    card.show_badges((TO_COME, REACHED))
    qtbot.waitUntil(lambda: len(card.findChildren(BadgeWidget)) == 2)
    before = card.findChildren(BadgeWidget)
    now_reached = TO_COME.model_copy(update={"reached": TODAY, "progress": 1.0})
    card.show_badges((now_reached, REACHED))
    assert card.findChildren(BadgeWidget) == before
    assert [bar.isHidden() for bar in card.findChildren(ProgressBar)] == [True, True]


def test_badges_that_come_after_the_card_has_its_size_are_seen(qtbot: QtBot) -> None:
    card = BadgesCard()
    qtbot.addWidget(card)
    card.resize(600, 400)
    card.show()
    card.show_badges((REACHED, TO_COME))
    qtbot.waitUntil(lambda: [badge.isVisible() for badge in card.findChildren(BadgeWidget)] == [True, True])


@pytest.mark.parametrize("has_gate", [True, False])
def test_receipts_and_a_page_of_ones_own_are_for_runs_that_keep_a_ledger(
    page: ContributionPage, link: StandInLink, has_gate: bool
) -> None:
    link.show(joined(has_gate))
    assert page.keeping.receipts_button.isVisible() is has_gate
    assert page.keeping.page_button.isVisible() is has_gate
    assert page.keeping.export_button.isVisible()


def test_receipts_are_kept_and_their_folder_is_reported_and_opened(
    page: ContributionPage, link: StandInLink, qtbot: QtBot, tmp_path: Path
) -> None:
    link.answers[KeepReceipts] = Done(id=0, about=str(tmp_path))
    link.show(joined())
    press(qtbot, page.keeping.receipts_button)
    assert KeepReceipts() in link.asked
    assert page.banner.kind is BannerKind.DONE
    assert page.banner.accessibleDescription() == str(tmp_path)
    assert page.banner.button.isVisible()
    with browser("file") as opened:
        page.banner.button.click()
    assert opened == [QUrl.fromLocalFile(str(tmp_path)).toString()]


def test_what_the_coordinator_does_not_give_is_reported(
    page: ContributionPage, link: StandInLink, qtbot: QtBot
) -> None:
    link.answers[KeepReceipts] = CoordinatorAway("It does not answer.", "Try again later.")
    link.show(joined())
    press(qtbot, page.keeping.receipts_button)
    assert page.banner.kind is BannerKind.ERROR
    assert "It does not answer." in page.banner.accessibleDescription()
    assert page.keeping.receipts_button.isEnabled()


def test_receipts_can_be_cancelled_and_what_comes_of_them_then_is_not_reported(
    page: ContributionPage, link: StandInLink, qtbot: QtBot
) -> None:
    link.show(joined())
    link.is_deaf = True
    press(qtbot, page.keeping.receipts_button)
    assert not page.keeping.receipts_button.isEnabled()
    page.banner.button.click()
    assert link.asked[-1] == CancelReceipts()
    assert page.keeping.receipts_button.isEnabled()
    assert page.banner.isHidden()

    assert link.failed is not None
    link.failed(CoordinatorAway("The download of the receipts was cancelled.", ""))
    assert page.banner.isHidden()


def test_the_own_page_is_opened_by_its_link(
    page: ContributionPage, link: StandInLink, qtbot: QtBot, opened: list[str]
) -> None:
    link.answers[OpenPage] = Done(id=0, about="https://run.example.org/me/once")
    link.show(joined())
    press(qtbot, page.keeping.page_button)
    assert opened == ["https://run.example.org/me/once"]


@pytest.mark.parametrize(("entry", "ending", "begin"), [(0, "csv", "day,samples"), (1, "json", "{")])
def test_the_history_is_exported_to_where_one_says(
    page: ContributionPage,
    link: StandInLink,
    qtbot: QtBot,
    tmp_path: Path,
    entry: int,
    ending: str,
    begin: str,
) -> None:
    link.show(joined())
    page.keeping.export_button.menu().actions()[entry].trigger()
    dialog = page.keeping.findChild(QFileDialog)
    assert isinstance(dialog, QFileDialog)
    dialog.selectFile(str(tmp_path / "given"))
    dialog.accept()
    file = tmp_path / f"given.{ending}"
    qtbot.waitUntil(page.banner.isVisible)
    assert page.banner.kind is BannerKind.DONE
    assert file.read_text().startswith(begin)
    assert asked(link)[-1].by is Period.DAY


def test_a_file_that_cannot_be_written_is_reported(
    page: ContributionPage, link: StandInLink, qtbot: QtBot, tmp_path: Path
) -> None:
    link.show(joined())
    page.keeping.export_to(tmp_path / "nowhere" / "given.csv")
    qtbot.waitUntil(page.banner.isVisible)
    assert page.banner.kind is BannerKind.ERROR


def test_without_its_daemon_nothing_can_be_asked_for(page: ContributionPage, link: StandInLink) -> None:
    link.show(joined())
    page.show_snapshot(None)
    assert not page.keeping.export_button.isEnabled()
    assert page.chart.isVisible()


def test_all_runs_are_shown_each_by_itself_where_there_are_several(qtbot: QtBot) -> None:
    card = RunsCard()
    qtbot.addWidget(card)
    card.show_runs(EACH)
    assert not card.isHidden()
    texts = [label.text() for label in card.findChildren(Label) if not label.isHidden()]
    assert texts[-8:] == ["emoji", "1,204", "4", "2 h", "cats", "5", "1", "1 min"]
    card.show_runs(EACH[:1])
    assert card.isHidden()
