"""The slider over the frames of a time-lapse, and the button that plays them."""

from collections.abc import Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QFont, QHideEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gui.design import fonts
from gui.design.tokens import Space, Type
from gui.gallery.lapse import next_place, place_after
from gui.widgets.buttons import IconButton
from gui.widgets.fields import Slider
from gui.widgets.labels import Label
from gui.wording import amounts

_FRAME_MS = 450


class PlayBar(QWidget):
    """Says which frame is looked at; arrow keys move it by one, page keys by five."""

    moved = Signal(int)
    """To the frame of that place."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._epochs: tuple[int, ...] = ()
        self._timer = QTimer(self, interval=_FRAME_MS)
        self._timer.timeout.connect(self._step)
        self.button = IconButton("play", self.tr("Play the time-lapse"), self)
        self.button.clicked.connect(self._play_or_pause)
        self.slider = Slider(self)
        self.slider.setAccessibleName(self.tr("Epoch"))
        self.slider.setPageStep(5)
        self.slider.valueChanged.connect(self._tell)
        self._label = Label("", fonts.figures(fonts.heading(Type.LEAD, QFont.Weight.DemiBold)), parent=self)
        self._label.setWordWrap(False)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(Space.M)
        row.addWidget(self.button)
        row.addWidget(self.slider, 1)
        row.addWidget(self._label)

    @property
    def place(self) -> int:
        """Of the frame that is looked at."""
        return self.slider.value()

    @property
    def is_playing(self) -> bool:
        return self._timer.isActive()

    def set_epochs(self, epochs: Sequence[int]) -> None:
        """Other frames are there now; what is looked at stays, and the newest is followed."""
        place = place_after(self._epochs, self.place, epochs)
        self._epochs = tuple(epochs)
        self.slider.blockSignals(True)
        self.slider.setRange(0, max(0, len(epochs) - 1))
        self.slider.setValue(place)
        self.slider.blockSignals(False)
        self.button.setEnabled(len(epochs) > 1)
        self._write()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        self._stop()
        super().hideEvent(event)

    def _play_or_pause(self) -> None:
        if self.is_playing:
            self._stop()
            return
        if next_place(self.place, len(self._epochs)) is None:
            self.slider.setValue(0)
        self._timer.start()
        self.button.set_icon("pause", self.tr("Pause the time-lapse"))

    def _stop(self) -> None:
        self._timer.stop()
        self.button.set_icon("play", self.tr("Play the time-lapse"))

    def _step(self) -> None:
        following = next_place(self.place, len(self._epochs))
        if following is None:
            self._stop()
        else:
            self.slider.setValue(following)

    def _tell(self, place: int) -> None:
        self._write()
        self.moved.emit(place)

    def _write(self) -> None:
        if self.place < len(self._epochs):
            epoch = self.tr("Epoch {epoch}").format(epoch=amounts.count(self._epochs[self.place]))
            self._label.setText(epoch)
            self.slider.setAccessibleDescription(epoch)
