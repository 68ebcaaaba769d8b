"""How a run is named once it is known where it comes from: nothing more to say, a link to enter, a file to choose."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from gui.design.tokens import Space
from gui.first_run.location import of_link
from gui.widgets.buttons import PrimaryButton
from gui.widgets.fault import FaultNote
from gui.widgets.labels import Tone, body


class Way(QWidget):
    given = Signal(str)
    """A location that the daemon may look at."""

    def show_location(self, location: str) -> None:
        """What was given before, or elsewhere."""


class EmbeddedWay(Way):
    """Says honestly what the run is that comes with the app."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        text = self.tr(
            "It learns to draw emoji from their names, in minutes rather than months. Nobody else takes "
            "part, and nothing leaves this computer. With so few pictures, the model learns them by "
            "heart: it shows how training works, but is of no use beyond that."
        )
        note = body(text, self)
        note.set_tone(Tone.SOFT)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(note)


class LinkWay(Way):
    """Takes join links and addresses."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = QLineEdit(self)
        self.field.setPlaceholderText("idlebrush:join?…")
        self.field.setAccessibleName(self.tr("Link to the run"))
        self.field.setClearButtonEnabled(True)
        self.field.returnPressed.connect(self._give)
        self.field.textEdited.connect(self._forgive)
        look = PrimaryButton(self.tr("Look at it"), self)
        look.clicked.connect(self._give)
        row = QHBoxLayout()
        row.setSpacing(Space.S)
        row.addWidget(self.field, 1)
        row.addWidget(look)
        self.fault = FaultNote(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.S)
        column.addLayout(row)
        column.addWidget(self.fault)

    def show_location(self, location: str) -> None:
        if not self.field.text():
            self.field.setText(location)

    def _give(self) -> None:
        location = of_link(self.field.text())
        if location:
            self.given.emit(location)
        else:
            self.fault.say(
                self.tr("That is not a link to a run: such a link begins with idlebrush: or https://")
            )

    def _forgive(self) -> None:
        self.fault.hide()


class FileWay(Way):
    """Takes the file of a manifest."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.browse = PrimaryButton(self.tr("Choose a file…"), self, icon="folder")
        self.browse.clicked.connect(self._browse)
        self._path = body(self.tr("Or drop it anywhere on this screen."), self)
        self._path.set_tone(Tone.SOFT)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(Space.M)
        row.addWidget(self.browse)
        row.addWidget(self._path, 1, Qt.AlignmentFlag.AlignVCenter)

    def show_location(self, location: str) -> None:
        self._path.setText(location)

    def _browse(self) -> None:
        dialog = QFileDialog(self, self.tr("Choose a run's description"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setNameFilters([self.tr("Descriptions of runs (*.toml)"), self.tr("All files (*)")])
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self.given)
        dialog.open()
