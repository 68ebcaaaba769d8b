"""Runs on lists of others: rows with a picture and what the list says, and the lists themselves."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from client.api.answers import Done
from client.api.errors import ClientError
from client.api.runs import (
    AddRunList,
    DirectoryView,
    FindRuns,
    FoundRunView,
    RemoveRunList,
    RunFit,
    RunListView,
)
from gui.background import Background
from gui.design.tokens import Space
from gui.first_run.run_sources import SourcePanel
from gui.gallery.decoding import PictureCache
from gui.link.link import AppLink
from gui.widgets.accessibility import announce, follow_layout
from gui.widgets.buttons import QuietButton
from gui.widgets.cards import Card
from gui.widgets.labels import FaultNote, Tone, body, caption, strong
from gui.widgets.picture import PictureView
from gui.wording import amounts
from gui.wording.codes import problem_words

translate = QCoreApplication.translate
_PICTURE = 72
"""Side of a picture in logical pixels."""


def fit_words(run: FoundRunView) -> str:
    """Return whether this computer can train a run, as a sentence."""
    if run.is_over:
        return translate("FoundRuns", "This run is over.")
    match run.fit:
        case RunFit.GPU:
            return translate("FoundRuns", "The graphics card of this computer can train it.")
        case RunFit.PROCESSOR:
            return translate("FoundRuns", "The processor of this computer can train it.")
        case RunFit.NONE:
            return translate("FoundRuns", "It needs more memory than this computer has free.")


def gate_words(run: FoundRunView) -> str:
    """Return who may join a run, as a phrase."""
    return {
        "open": translate("FoundRuns", "no sign-in needed"),
        "anyone": translate("FoundRuns", "for anyone with a Hugging Face account"),
        "organisation": translate("FoundRuns", "for members of an organisation"),
        "list": translate("FoundRuns", "for users on the organiser's list"),
        "invitation": translate("FoundRuns", "by invitation"),
    }[run.gate]


def facts_of(run: FoundRunView) -> str:
    """Return the figures that the list gives for a run, in a line."""
    #: {size} is an amount of data such as "3 GB".
    facts = [
        translate("FoundRuns", "{size} a day each way").format(size=amounts.data_size(run.bytes_per_day)),
        gate_words(run),
    ]
    if run.volunteers is not None:
        #: {count} is a number.
        facts.append(
            translate("FoundRuns", "volunteers: {count}").format(count=amounts.count(run.volunteers))
        )
    return " · ".join(facts)


class FoundRunRow(Card):
    """Shows a run, with a button that looks at it."""

    chosen = Signal(str)
    """Emitted with the run's link."""

    def __init__(self, run: FoundRunView, pictures: PictureCache, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._background = Background(self)
        picture = PictureView(parent=self, placeholder="picture")
        picture.setFixedSize(_PICTURE, _PICTURE)
        if run.picture:
            pictures.fetch(Path(run.picture), self._background, picture.set_image)
        name, about, fit, facts = strong(run.title), body(run.description), body(fit_words(run)), caption("")
        facts.setText(facts_of(run))
        for label in (about, facts):
            label.set_tone(Tone.SOFT)
        fit.set_tone(Tone.SOFT if run.fit is RunFit.NONE or run.is_over else Tone.ACCENT)
        look = QuietButton(translate("FoundRuns", "Show the run"), self)
        #: {run} is the title of a run.
        look.setAccessibleName(translate("FoundRuns", "Show {run}").format(run=run.title))
        look.clicked.connect(lambda: self.chosen.emit(run.link))
        words = QVBoxLayout()
        words.setSpacing(Space.XS)
        for label in (name, about, fit, facts):
            label.setVisible(bool(label.text()))
            words.addWidget(label)
        row = QHBoxLayout()
        row.setSpacing(Space.L)
        row.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        row.addWidget(look, 0, Qt.AlignmentFlag.AlignTop)
        self.body.addLayout(row)


class ListPanel(SourcePanel):
    """Reads the lists when it is shown; adds and removes lists. A run that is looked at stands alone."""

    withdrawn = Signal()
    """Emitted when the volunteer goes back from a run to all runs."""

    def __init__(self, link: AppLink, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._link, self._pictures = link, PictureCache()
        self._is_reading, self._chosen = False, ""
        self.shown = DirectoryView()
        """The lists as they were read last."""
        self._state = body("", self)
        self._state.set_tone(Tone.SOFT)
        self._fault = FaultNote(self)
        self._runs, self._lists = QVBoxLayout(), QVBoxLayout()
        self.address, self.key = QLineEdit(self), QLineEdit(self)
        self.address.setPlaceholderText("https://…")
        self.address.setAccessibleName(self.tr("Address of a list of runs"))
        self.key.setPlaceholderText(self.tr("Its key"))
        self.key.setAccessibleName(self.tr("Key of the list's keeper"))
        self.key.returnPressed.connect(self._add)
        self.adding = QuietButton(self.tr("Add this list"), self, icon="plus")
        self.adding.clicked.connect(self._add)
        self.back = QuietButton(self.tr("All runs"), self, icon="left")
        self.back.clicked.connect(self._go_back)
        self._arrange()

    def read(self) -> None:
        """Read the lists, unless that is under way."""
        self._chosen = ""
        self._draw()
        if not self._is_reading:
            self._ask(FindRuns())

    def _arrange(self) -> None:
        adding = QHBoxLayout()
        adding.setSpacing(Space.S)
        adding.addWidget(self.address, 2)
        adding.addWidget(self.key, 1)
        adding.addWidget(self.adding)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.M)
        column.addWidget(self.back, 0, Qt.AlignmentFlag.AlignLeading)
        column.addWidget(self._state)
        column.addLayout(self._runs)
        self._keeping = QWidget(self)
        keeping = QVBoxLayout(self._keeping)
        keeping.setContentsMargins(0, 0, 0, 0)
        keeping.addWidget(self._fault)
        keeping.addLayout(self._lists)
        keeping.addLayout(adding)
        column.addWidget(self._keeping)
        self._draw()

    def _choose(self, link: str) -> None:
        self._chosen = link
        self._draw()
        self.back.setFocus()
        self.given.emit(link)

    def _go_back(self) -> None:
        self._chosen = ""
        self._draw()
        self.withdrawn.emit()

    def _ask(self, request: FindRuns | AddRunList | RemoveRunList) -> None:
        self._is_reading = True
        self._fault.hide()
        self._draw_state()
        self._link.ask(request, self._take, self._fail)

    def _add(self) -> None:
        address, key = self.address.text().strip(), self.key.text().strip()
        if not address or not key:
            self._fault.say(self.tr("Enter the address of the list and the key that its keeper publishes."))
            return
        self._ask(AddRunList(location=address, key=key))

    def _take(self, answer: object) -> None:
        self._is_reading = False
        if isinstance(answer, Done) and answer.directory is not None:
            if len(answer.directory.lists) > len(self.shown.lists):
                self.address.clear()
                self.key.clear()
            self.shown = answer.directory
        self._draw()

    def _fail(self, error: ClientError) -> None:
        self._is_reading = False
        self._fault.say(" ".join(problem_words(error.code, error.what, error.remedy)))
        self._draw_state()

    def _draw(self) -> None:
        _clear(self._runs)
        _clear(self._lists)
        for run in self.shown.runs:
            if self._chosen in ("", run.link):
                row = FoundRunRow(run, self._pictures, self)
                row.chosen.connect(self._choose)
                self._runs.addWidget(row)
                row.show()  # Qt would show it in a later turn of the event loop
        self.back.setVisible(bool(self._chosen))
        self._state.setVisible(not self._chosen)
        self._keeping.setVisible(not self._chosen)
        for known in self.shown.lists:
            line = self._list_row(known)
            self._lists.addWidget(line)
            line.show()
        self._draw_state()
        follow_layout(self)

    def _draw_state(self) -> None:
        self._keeping.setEnabled(not self._is_reading)
        before = self._state.text()
        self._state.setText(_state(self.shown, self._is_reading))
        if self._state.text() != before and self.isVisible():
            announce(self, self._state.text())

    def _list_row(self, known: RunListView) -> QWidget:
        row = QWidget(self)
        name = caption(known.title if not known.problem else f"{known.title}: {known.problem}", row)
        name.setToolTip(f"{known.location}\n{known.fingerprint}")
        removal = QuietButton(self.tr("Remove this list"), row)
        #: {list} is the title of a list of runs.
        removal.setAccessibleName(self.tr("Remove {list}").format(list=known.title))
        removal.clicked.connect(lambda: self._ask(RemoveRunList(location=known.location)))
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(name, 1)
        line.addWidget(removal)
        return row


def _state(shown: DirectoryView, is_reading: bool) -> str:
    if is_reading:
        return translate("FoundRuns", "Reading the lists…")
    if not shown.lists:
        return translate(
            "FoundRuns",
            "Lists of runs are kept by people whom you trust, such as a club or a website. Add one by its "
            "address and the key that its keeper publishes. You see each run before you join it.",
        )
    if not shown.runs:
        return translate("FoundRuns", "There is no run on your lists.")
    return translate("FoundRuns", "This is what the lists say. The run's own facts follow before you join.")


def _clear(layout: QVBoxLayout) -> None:
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
