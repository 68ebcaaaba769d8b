"""Choosing a run on lists of others: read, looked at, left again; lists added, removed and gone wrong."""

from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from client.api.answers import Done
from client.api.commands import ForgetCandidate, LookAtRun
from client.api.errors import DownloadError
from client.api.runs import (
    AddRunList,
    DirectoryView,
    FindRuns,
    FoundRunView,
    RemoveRunList,
    RunFit,
    RunListView,
)
from gui.first_run.found_runs import facts_of, fit_words, gate_words
from gui.first_run.steps import FirstRunStep
from gui.first_run.wizard import FirstRun
from gui.widgets.picture import PictureView
from tests.gui.first_run.hands import button, go_to, press, says
from tests.gui.stand_in_link import StandInLink

LINK, OTHER = (
    "idlebrush:join?run=https%3A%2F%2Fa.example%2Frun.toml&key=abcd",
    "idlebrush:join?run=b&key=efgh",
)
CATS = FoundRunView(
    link=LINK,
    title="Cats",
    description="Draws cats.",
    gate="open",
    fit=RunFit.PROCESSOR,
    parameters=10**9,
    bytes_per_day=3_000_000_000,
    volunteers=1204,
    lists=("Ours",),
)
DOGS = CATS.model_copy(update={"link": OTHER, "title": "Dogs", "fit": RunFit.NONE, "volunteers": None})
OURS = RunListView(title="Ours", location="https://list.example/runs.json", fingerprint="abcd-efgh")
FOUND = DirectoryView(runs=(CATS, DOGS), lists=(OURS,))


@pytest.fixture
def choosing(first_run: FirstRun, link: StandInLink) -> FirstRun:
    link.answers[FindRuns] = Done(id=0, directory=FOUND)
    go_to(first_run, FirstRunStep.RUN)
    press(first_run, "From a list")
    return first_run


@pytest.mark.parametrize("fit", RunFit)
def test_each_suitability_has_a_sentence(fit: RunFit) -> None:
    assert fit_words(CATS.model_copy(update={"fit": fit})).endswith(".")
    assert "over" in fit_words(CATS.model_copy(update={"fit": fit, "is_over": True}))


@pytest.mark.parametrize("gate", ["open", "anyone", "organisation", "list", "invitation"])
def test_each_gate_has_words(gate: str) -> None:
    assert gate_words(CATS.model_copy(update={"gate": gate}))


def test_the_figures_of_a_run_stand_in_a_line() -> None:
    assert facts_of(CATS) == "3.0 GB a day each way · no sign-in needed · volunteers: 1,204"
    assert "volunteers" not in facts_of(DOGS)


def test_a_run_of_a_list_is_looked_at_and_left_again(choosing: FirstRun, link: StandInLink) -> None:
    assert FindRuns() in link.asked
    assert says(choosing, "Cats")
    assert says(choosing, "Dogs")
    press(choosing, "Show Cats")
    assert LookAtRun(location=LINK) in link.asked
    assert not says(choosing, "Dogs")
    press(choosing, "All runs")
    assert link.asked[-1] == ForgetCandidate()
    assert says(choosing, "Dogs")


def test_a_list_is_added_by_its_address_and_key(choosing: FirstRun, link: StandInLink) -> None:
    press(choosing, "Add this list")
    assert says(choosing, "Enter the address of the list and the key")
    fields = {each.accessibleName(): each for each in choosing.findChildren(QLineEdit) if each.isVisible()}
    QTest.keyClicks(fields["Address of a list of runs"], "https://new.example/runs.json")
    QTest.keyClicks(fields["Key of the list's keeper"], "wxyz")
    new = OURS.model_copy(update={"title": "New", "location": "https://new.example/runs.json"})
    link.answers[AddRunList] = Done(id=0, directory=FOUND.model_copy(update={"lists": (OURS, new)}))
    QTest.keyClick(fields["Key of the list's keeper"], Qt.Key.Key_Return)
    assert link.asked[-1] == AddRunList(location="https://new.example/runs.json", key="wxyz")
    assert says(choosing, "New")
    assert not fields["Address of a list of runs"].text()


def test_a_list_that_cannot_be_added_says_why(choosing: FirstRun, link: StandInLink) -> None:
    link.answers[AddRunList] = DownloadError("The server is away.", "Try again later.")
    fields = {each.accessibleName(): each for each in choosing.findChildren(QLineEdit) if each.isVisible()}
    QTest.keyClicks(fields["Address of a list of runs"], "https://new.example/runs.json")
    QTest.keyClicks(fields["Key of the list's keeper"], "wxyz")
    press(choosing, "Add this list")
    assert says(choosing, "The server is away. Try again later.")
    assert fields["Key of the list's keeper"].text() == "wxyz", "it can be tried again"


def test_a_list_is_removed(choosing: FirstRun, link: StandInLink) -> None:
    link.answers[RemoveRunList] = Done(id=0, directory=DirectoryView())
    press(choosing, "Remove Ours")
    assert link.asked[-1] == RemoveRunList(location=OURS.location)
    assert says(choosing, "Lists of runs are kept by people whom you trust")


def test_a_list_that_is_away_says_so(first_run: FirstRun, link: StandInLink) -> None:
    away = OURS.model_copy(update={"problem": "The server is away."})
    link.answers[FindRuns] = Done(id=0, directory=DirectoryView(lists=(away,)))
    go_to(first_run, FirstRunStep.RUN)
    press(first_run, "From a list")
    assert says(first_run, "Ours: The server is away.")
    assert says(first_run, "There is no run on your lists.")


def test_a_run_is_shown_with_its_picture(
    first_run: FirstRun, link: StandInLink, tmp_path: Path, qtbot: QtBot
) -> None:
    Image.new("RGB", (16, 16), "teal").save(tmp_path / "cats.png")
    pictured = CATS.model_copy(update={"picture": str(tmp_path / "cats.png")})
    link.answers[FindRuns] = Done(id=0, directory=DirectoryView(runs=(pictured,), lists=(OURS,)))
    go_to(first_run, FirstRunStep.RUN)
    press(first_run, "From a list")
    assert button(first_run, "Show Cats").isVisible()

    def has_picture() -> bool:
        return any(view.image is not None for view in first_run.findChildren(PictureView) if view.isVisible())

    qtbot.waitUntil(has_picture)
