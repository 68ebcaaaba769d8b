"""The pictures of one request on a card: the first of them at once, the others when they are asked for."""

from datetime import datetime
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.background import Background
from gui.design.tokens import Space
from gui.gallery.albums import AlbumView, facts, ranking_note, spoken
from gui.gallery.decoding import Pictures
from gui.gallery.tiles import GridLayout, Tile
from gui.widgets.buttons import IconButton, LinkButton
from gui.widgets.card import Card
from gui.widgets.labels import caption, strong
from gui.widgets.tab_order import follow_layout

_FIRST = 12
_MORE = 24
"""Pictures that are added at a time: of a thousand, few are looked at."""


class AlbumCard(Card):
    """Decodes what it shows, beside the event loop."""

    opened = Signal(int)
    """The picture at that place of the album, from 0, is to be shown large."""
    again = Signal()
    """The same is to be asked for anew."""

    def __init__(
        self, album: AlbumView, pictures: Pictures, now: datetime, parent: QWidget | None = None
    ) -> None:
        super().__init__("", parent)
        self.setAccessibleName(album.request.prompt)
        self.album, self._pictures, self._background = album, pictures, Background(self)
        self.tiles: list[Tile] = []
        self._facts = caption(facts(album, now))
        self.refill = IconButton("refresh", self.tr("Fill in the same words again"), self)
        self.refill.clicked.connect(self.again)
        self.more = LinkButton("", self, icon="down")
        self.more.clicked.connect(self._show_more)
        self._grid = GridLayout(least=112, spacing=Space.S)
        self.body.addLayout(self._header())
        self.body.addLayout(self._grid)
        self.body.addWidget(self.more)
        self._add(_FIRST)

    def show_time(self, now: datetime) -> None:
        """What was today is yesterday by and by."""
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
