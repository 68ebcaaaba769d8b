"""The card with the messages of the run's organiser: plain text, links in full, nothing to click by mistake."""

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from client.api.snapshot import NewsView
from gui.design.tokens import Space
from gui.widgets.cards import Card
from gui.widgets.labels import Tone, body, caption
from gui.wording import amounts


class NewsCard(Card):
    """Shows all messages, newest first; hidden where there are none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.set_title(self.tr("News from the organiser"))
        self.shown: tuple[NewsView, ...] = ()
        """The messages, newest first."""
        self._messages = QVBoxLayout()
        self._messages.setSpacing(Space.M)
        self.body.addLayout(self._messages)
        self.hide()

    def show_news(self, news: Sequence[NewsView], now: datetime) -> None:
        """Show the messages; ``now`` tells how long ago they were written."""
        self.setVisible(bool(news))
        if tuple(news) == self.shown:
            return
        self.shown = tuple(news)
        while (item := self._messages.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for message in news:
            self._add(message, now)

    def _add(self, message: NewsView, now: datetime) -> None:
        when, text = caption(amounts.moment(message.at.astimezone(), now), self), body(message.text, self)
        when.set_tone(Tone.SOFT)
        text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        for label in (when, text):
            self._messages.addWidget(label)
            label.show()
