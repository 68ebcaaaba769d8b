"""The volunteer's own prompts: the form, the queue, and the albums, newest first."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from client.api.commands import CancelGeneration, Generate
from client.api.errors import ClientError
from client.api.snapshot import GenerationView, NoticeView, Snapshot
from gui.background import Background, FileFault
from gui.design.tokens import Space
from gui.errors import GuiError
from gui.gallery.albums import AlbumView, albums_in, ended, why_failed
from gui.gallery.cards import AlbumCard, GenerationQueue
from gui.gallery.decoding import PictureCache
from gui.gallery.prompt_form import PromptForm, PromptInput, request_of
from gui.gallery.viewer import LargePicture
from gui.link.link import AppLink
from gui.widgets.accessibility import announce, follow_layout
from gui.widgets.banner import Banner, BannerKind
from gui.widgets.buttons import QuietButton
from gui.widgets.cards import EmptyState
from gui.widgets.layouts import VerticalScroll
from gui.wording.codes import problem_words

_AT_A_TIME = 12
"""Number of albums that are shown at first, and added on request."""


class OwnPictures(QWidget):
    """Shows cards for the newest albums; each card is created once."""

    run_wanted = Signal()
    """Emitted when the volunteer wants to choose a run."""

    def __init__(
        self,
        link: AppLink,
        pictures: PictureCache,
        new_seed: Callable[[], int],
        now: Callable[[], datetime],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._link, self._pictures, self._new_seed, self._now = link, pictures, new_seed, now
        self._background = Background(self)
        self._gallery: Path | None = None
        self._waiting: tuple[GenerationView, ...] = ()
        self._gone: list[GenerationView] = []
        """Requests that have left the queue; the gallery is searched for their pictures."""
        self._notices: tuple[NoticeView, ...] = ()
        self._cancelled: set[str] = set()
        self._looks = 0
        """Number of the latest reading of the gallery; results of earlier ones are ignored."""
        self._has_run = False
        self._albums: tuple[AlbumView, ...] = ()
        self._room = _AT_A_TIME
        """Number of albums to show."""
        self._making = QTimer(self, interval=0)
        self._making.timeout.connect(self._make_card)
        self.cards: dict[str, AlbumCard] = {}
        self.banner, self.form, self.queue = Banner(self), PromptForm(self), GenerationQueue(self)
        self.large = LargePicture(pictures, self)
        self.empty = EmptyState("sparkle", "", "", "", self)
        self.older = QuietButton(self.tr("Show older pictures"), self)
        self._lay_out()
        self._connect()
        self._show_albums(())

    # --- what is to be shown --------------------------------------------------------------------------------------

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        """Show the queue, and read the gallery again when a request has ended."""
        self.form.draw.setEnabled(snapshot is not None and snapshot.run is not None)
        if snapshot is None:
            return
        self._show_run(snapshot)
        gone, self._waiting = ended(self._waiting, snapshot.generations), snapshot.generations
        self._show_queue(snapshot.generations)
        self._notices = snapshot.notices
        self._gone += gone
        gallery = Path(snapshot.gallery) if snapshot.gallery else None
        if gone or gallery != self._gallery:
            self._gallery = gallery
            self._look()

    def shown(self) -> None:
        """Update the cards' times, which are relative to today."""
        for card in self.cards.values():
            card.show_time(self._now())

    def _show_run(self, snapshot: Snapshot) -> None:
        self.form.set_suggestions(snapshot.run.sample_prompts if snapshot.run else ())
        if self._has_run is not (snapshot.run is not None):
            self._has_run = snapshot.run is not None
            self._say_empty()

    def _show_queue(self, views: tuple[GenerationView, ...]) -> None:
        if self.queue.show_generations(views):
            follow_layout(self)

    def _look(self) -> None:
        """Read the gallery."""
        self._looks += 1
        if self._gallery is None:
            self._show_albums(())
        else:
            read, found = partial(albums_in, self._gallery), partial(self._found, self._looks)
            self._background.run(read, found, self._say_unreadable)

    def _found(self, look: int, albums: tuple[AlbumView, ...]) -> None:
        if look != self._looks:
            return
        self._show_albums(albums)
        here = {album.id for album in albums} | self._cancelled
        for view in self._gone:
            if view.id not in here:
                self._say_failed(view)
            elif view.id not in self._cancelled:
                announce(self, self.tr("The pictures for “{prompt}” are ready").format(prompt=view.prompt))
        self._cancelled -= {view.id for view in self._gone}
        self._gone.clear()

    def _show_albums(self, albums: tuple[AlbumView, ...]) -> None:
        self._albums = albums
        shown = albums[: self._room]
        for gone in self.cards.keys() - {album.id for album in shown}:
            card = self.cards.pop(gone)
            card.hide()
            card.deleteLater()
        self._making.start()
        self.older.setVisible(len(albums) > self._room)
        self.empty.setVisible(not albums)
        self._say_empty()

    def _make_card(self) -> None:
        """Create the next missing card; one at a time, because each takes some milliseconds."""
        shown = enumerate(self._albums[: self._room])
        missing = [(place, album) for place, album in shown if album.id not in self.cards]
        if missing:
            place, album = missing[0]
            self._results.insertWidget(place, self._card(album))
        if len(missing) <= 1:
            self._making.stop()
            follow_layout(self)

    def _card(self, album: AlbumView) -> AlbumCard:
        card = self.cards[album.id] = AlbumCard(album, self._pictures, self._now(), self)
        card.opened.connect(partial(self._show_large, album))
        card.again.connect(partial(self._fill_in, album))
        return card

    def _show_older(self) -> None:
        self._room += _AT_A_TIME
        self._show_albums(self._albums)

    def _say_empty(self) -> None:
        if self._has_run:
            name = self.tr("No pictures yet")
            text = self.tr("Type a few words above. The model draws many pictures and keeps the best.")
            self.empty.show_state("sparkle", name, text)
        else:
            name = self.tr("No run yet")
            text = self.tr("Choose a run. Its model then draws pictures for your prompts.")
            self.empty.show_state("sparkle", name, text, self.tr("Choose a run"))

    # --- asking ---------------------------------------------------------------------------------------------------

    def _ask(self, values: PromptInput) -> None:
        try:
            request = request_of(values, self._new_seed())
        except GuiError as error:
            self._report(BannerKind.WARNING, error.what, error.remedy)
            return
        self.banner.hide()
        self._link.ask(Generate(wanted=request), None, self._say_refused)

    def _cancel(self, generation: str) -> None:
        self._cancelled.add(generation)
        self._link.ask(CancelGeneration(generation=generation), None, self._say_refused)

    def _fill_in(self, album: AlbumView) -> None:
        self._show_all()
        self.form.set_values(PromptInput.again(album.request))
        self._scroll.verticalScrollBar().setValue(0)

    # --- reports --------------------------------------------------------------------------------------------------

    def _say_refused(self, error: ClientError) -> None:
        self._report(BannerKind.ERROR, *problem_words(error.code, error.what, error.remedy))

    def _say_failed(self, view: GenerationView) -> None:
        what = self.tr("The pictures for “{prompt}” could not be drawn").format(prompt=view.prompt)
        self._report(BannerKind.ERROR, what, why_failed(view.prompt, self._notices))

    def _say_unreadable(self, error: FileFault) -> None:
        self._report(BannerKind.ERROR, self.tr("Your pictures cannot be read"), str(error))

    def _report(self, kind: BannerKind, what: str, more: str) -> None:
        self.banner.show_message(kind, what, more)

    # --- parts ----------------------------------------------------------------------------------------------------

    def _show_large(self, album: AlbumView, place: int) -> None:
        self.large.show_album(album, place)
        self._stack.setCurrentWidget(self.large)
        self.large.save.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_all(self) -> None:
        self._stack.setCurrentWidget(self._scroll)
        if self.large.album is not None and self.large.picture is not None:
            card = self.cards.get(self.large.album.id)
            place = self.large.picture.place - 1
            if card is not None and place < len(card.tiles):
                card.tiles[place].button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _connect(self) -> None:
        self.form.wanted.connect(self._ask)
        self.queue.cancelled.connect(self._cancel)
        self.large.closed.connect(self._show_all)
        self.large.again.connect(self._fill_in)
        self.large.notified.connect(self._report)
        self.empty.acted.connect(self.run_wanted)
        self.older.clicked.connect(self._show_older)

    def _lay_out(self) -> None:
        sheet = QWidget(self)
        self._results = QVBoxLayout()
        self._results.setSpacing(Space.L)
        content = QVBoxLayout(sheet)
        content.setContentsMargins(0, 0, 0, Space.XL)
        content.setSpacing(Space.L)
        content.addWidget(self.form)
        content.addWidget(self.queue)
        content.addLayout(self._results)
        content.addWidget(self.older, 0, Qt.AlignmentFlag.AlignHCenter)
        content.addWidget(self.empty, 1)
        content.addStretch(0)
        self._scroll = VerticalScroll(sheet, self)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._scroll)
        self._stack.addWidget(self.large)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.M)
        column.addWidget(self.banner)
        column.addWidget(self._stack, 1)
