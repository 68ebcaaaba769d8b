"""The cards of the volunteer's own pictures: albums, and requests in the queue."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from client.api.snapshot import DrawingStage, GenerationView
from gui.background import Background
from gui.design.tokens import Space
from gui.gallery.albums import AlbumView, facts, ranking_note, spoken
from gui.gallery.decoding import PictureCache
from gui.gallery.tiles import GridLayout, Tile
from gui.widgets.accessibility import follow_layout
from gui.widgets.buttons import IconButton, LinkButton
from gui.widgets.cards import Card
from gui.widgets.labels import caption, strong
from gui.widgets.progress import ProgressBar
from gui.wording import amounts

_FIRST = 12
_MORE = 24
"""Number of pictures that are added at a time, because few of a thousand are looked at."""
translate = QCoreApplication.translate


class AlbumCard(Card):
    """Shows an album; pictures are decoded beside the event loop."""

    opened = Signal(int)
    """Emitted with the index of a picture to show large."""
    again = Signal()
    """Emitted when the prompt is to be used again."""

    def __init__(
        self, album: AlbumView, pictures: PictureCache, now: datetime, parent: QWidget | None = None
    ) -> None:
        super().__init__("", parent)
        self.setAccessibleName(album.request.prompt)
        self.album, self._pictures, self._background = album, pictures, Background(self)
        self.tiles: list[Tile] = []
        self._facts = caption(facts(album, now))
        self.refill = IconButton("refresh", self.tr("Use this prompt again"), self)
        self.refill.clicked.connect(self.again)
        self.more = LinkButton("", self, icon="down")
        self.more.clicked.connect(self._show_more)
        self._grid = GridLayout(least=112, spacing=Space.S)
        self.body.addLayout(self._header())
        self.body.addLayout(self._grid)
        self.body.addWidget(self.more)
        self._add(_FIRST)

    def show_time(self, now: datetime) -> None:
        """Update the time, which is relative to today."""
        self._facts.setText(facts(self.album, now))

    def _header(self) -> QHBoxLayout:
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(strong(self.album.request.prompt))
        words.addWidget(self._facts)
        if note := ranking_note(self.album):
            words.addWidget(caption(note))
        row = QHBoxLayout()
        row.addLayout(words, 1)
        row.addWidget(self.refill)
        return row

    def _show_more(self) -> None:
        first = len(self.tiles)
        self._add(_MORE)
        follow_layout(self)
        self.tiles[first].button.setFocus()

    def _add(self, count: int) -> None:
        shown = len(self.tiles)
        for place, picture in enumerate(self.album.pictures[shown : shown + count], start=shown):
            tile = Tile(spoken(picture, self.album), "", self)
            tile.button.clicked.connect(partial(self.opened.emit, place))
            self.tiles.append(tile)
            self._grid.addWidget(tile)
            self._pictures.fetch(picture.file, self._background, tile.set_image)
        hidden = len(self.album.pictures) - len(self.tiles)
        self.more.setVisible(hidden > 0)
        self.more.setText(self.tr("Show %Ln more picture(s)", "", hidden))


def stage_text(view: GenerationView) -> str:
    """Return the stage of a request in words."""
    words = {
        DrawingStage.WAITING: translate("Queue", "Waiting for its turn"),
        DrawingStage.BETWEEN_STEPS: translate("Queue", "Being drawn between training steps"),
        DrawingStage.PAUSED: translate("Queue", "Paused together with training"),
        DrawingStage.DRAWING: translate("Queue", "Being drawn while the computer is idle"),
        DrawingStage.DRAWING_IN_USE: translate("Queue", "Being drawn slowly while you use the computer"),
        DrawingStage.CANCELLING: translate("Queue", "Being cancelled"),
    }
    return words[view.stage]


def amount_text(view: GenerationView) -> str:
    """Return the progress, the size and the stage of a request in words."""
    pictures = translate("Queue", "%Ln picture(s)", "", view.count)
    return "  ·  ".join((amounts.percent(view.progress), pictures, stage_text(view)))


class GenerationQueue(QWidget):
    """Shows a card for each request; hidden while there are none."""

    cancelled = Signal(str)
    """Emitted with the id of a request to cancel."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: dict[str, QueueRow] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(Space.S)
        self.hide()

    def show_generations(self, views: Sequence[GenerationView]) -> bool:
        """Show the requests in the queue; returns whether they have changed."""
        before = list(self.rows)
        for gone in self.rows.keys() - {view.id for view in views}:
            row = self.rows.pop(gone)
            row.hide()
            row.deleteLater()
        for view in views:
            if view.id not in self.rows:
                row = self.rows[view.id] = QueueRow(view.prompt, self)
                row.cancel.clicked.connect(partial(self.cancelled.emit, view.id))
                self._column.addWidget(row)
            self.rows[view.id].show_view(view)
        self.setVisible(bool(views))
        return list(self.rows) != before


class QueueRow(Card):
    """Shows one request with its progress and a button to cancel it."""

    def __init__(self, prompt: str, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self._text = caption()
        self.bar = ProgressBar()
        self.bar.setAccessibleName(prompt)
        self.cancel = IconButton("close", self.tr("Cancel"))
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(strong(prompt))
        words.addWidget(self._text)
        row = QHBoxLayout()
        row.addLayout(words, 1)
        row.addWidget(self.cancel)
        self.body.addLayout(row)
        self.body.addWidget(self.bar)

    def show_view(self, view: GenerationView) -> None:
        self._text.setText(amount_text(view))
        self.bar.set(view.progress)
        self.cancel.setEnabled(view.stage is not DrawingStage.CANCELLING)
