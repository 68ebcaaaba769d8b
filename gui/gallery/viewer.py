"""One large picture at a time, with buttons to its neighbours; own pictures have details and actions."""

from functools import partial

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication, QImage, QKeySequence, QShortcut
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from gui.background import Background
from gui.design.tokens import Space
from gui.gallery.albums import AlbumPicture, AlbumView, details, place_of, seed_words, spoken
from gui.gallery.decoding import PictureCache
from gui.gallery.saving import picture_dialog
from gui.widgets.accessibility import follow_layout
from gui.widgets.banner import BannerKind
from gui.widgets.buttons import IconButton, PrimaryButton, QuietButton
from gui.widgets.labels import Tone, body, caption, title
from gui.widgets.picture import PictureView

_BESIDE = 208
"""Width in pixels for the details of the picture."""


class PictureViewer(QWidget):
    """Shows the given picture; its owner decides which picture comes next."""

    closed = Signal()
    moved = Signal(int)
    """Emitted with the step: 1 for the next picture, -1 for the previous one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        is_mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        backward, forward = ("right", "left") if is_mirrored else ("left", "right")
        self._back = IconButton("close", self.tr("Back to all pictures"), self)
        self._name = title("", self)
        self._place_words = body("", self)
        self._place_words.set_tone(Tone.SOFT)
        self._place_words.setWordWrap(False)
        self.canvas = PictureView(None, self)
        self.previous = IconButton(backward, self.tr("Previous picture"), self)
        self.next = IconButton(forward, self.tr("Next picture"), self)
        self.beside = QVBoxLayout()
        """Column beside the picture for its details."""
        self._lay_out()
        follow_layout(self)
        self._back.clicked.connect(self.closed)
        self.previous.clicked.connect(self._go_back)
        self.next.clicked.connect(self._go_on)
        self._listen(Qt.Key.Key_Escape, self.closed.emit)
        self._listen(Qt.Key.Key_Right, self._go_back if is_mirrored else self._go_on)
        self._listen(Qt.Key.Key_Left, self._go_on if is_mirrored else self._go_back)

    def show_picture(self, name: str, place: str, image: QImage | None) -> None:
        """Show a picture; ``place`` is its position in words, such as "3 of 16"."""
        self._name.setText(name)
        self._place_words.setText(place)
        self.set_image(image)
        for widget in (self, self.canvas):
            widget.setAccessibleName(name)
            widget.setAccessibleDescription(place)

    def set_image(self, image: QImage | None) -> None:
        self.canvas.set_image(image)

    def set_ends(self, *, is_first: bool, is_last: bool) -> None:
        """Disable the buttons beyond the first and the last picture."""
        self.previous.setEnabled(not is_first)
        self.next.setEnabled(not is_last)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(Space.M)
        head.addWidget(self._name, 1)
        head.addWidget(self._place_words)
        for button in (self.previous, self.next, self._back):
            head.addWidget(button)
        content = QHBoxLayout()
        content.setSpacing(Space.XL)
        content.addWidget(self.canvas, 1)
        content.addLayout(self.beside)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, Space.XL)
        column.setSpacing(Space.M)
        column.addLayout(head)
        column.addLayout(content, 1)

    def _listen(self, key: Qt.Key, do: object) -> None:
        shortcut = QShortcut(QKeySequence(key), self)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(do)

    def _go_back(self) -> None:
        if self.previous.isEnabled():
            self.moved.emit(-1)

    def _go_on(self) -> None:
        if self.next.isEnabled():
            self.moved.emit(1)


class LargePicture(PictureViewer):
    """Shows the pictures of one album."""

    again = Signal(object)
    """Emitted with the `AlbumView` whose prompt is to be used again."""
    notified = Signal(object, str, str)
    """Emitted with a `BannerKind`, a message and its details."""

    def __init__(self, pictures: PictureCache, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pictures, self._background = pictures, Background(self)
        self.album: AlbumView | None = None
        self._place = 0
        self._image: QImage | None = None
        self.save = PrimaryButton(self.tr("Save…"), self, icon="save")
        self.copy = QuietButton(self.tr("Copy picture"), self, icon="copy")
        self.copy_seed = QuietButton(self.tr("Copy prompt and seed"), self, icon="copy")
        self._again = QuietButton(self.tr("Draw again…"), self, icon="refresh")
        self._folder = QuietButton(self.tr("Open folder"), self, icon="folder")
        self._facts = QWidget(self)
        self._make_side()
        self.moved.connect(self._move)
        self.save.clicked.connect(self._save)
        self.copy.clicked.connect(self._copy)
        self.copy_seed.clicked.connect(self._copy_seed)
        self._again.clicked.connect(self._ask_again)
        self._folder.clicked.connect(self._open_folder)

    @property
    def picture(self) -> AlbumPicture | None:
        """The shown picture."""
        return self.album.pictures[self._place] if self.album else None

    def show_album(self, album: AlbumView, place: int) -> None:
        """Show the picture of that index, from 0."""
        self.album, self._place, self._image = album, place, None
        picture = album.pictures[place]
        self.show_picture(album.request.prompt, place_of(picture, album), None)
        self.canvas.setAccessibleName(spoken(picture, album))
        self.set_ends(is_first=place == 0, is_last=place == len(album.pictures) - 1)
        self.copy.setEnabled(False)
        self._write_facts(details(album, picture))
        self._pictures.fetch(picture.file, self._background, partial(self._take, picture))

    def _take(self, picture: AlbumPicture, image: QImage) -> None:
        """Show the decoded picture, unless another was chosen meanwhile."""
        if picture == self.picture:
            self._image = image
            self.set_image(image)
            self.copy.setEnabled(True)

    def _move(self, step: int) -> None:
        if self.album is not None:
            self.show_album(self.album, self._place + step)

    # --- what can be done with it ---------------------------------------------------------------------------------

    def _save(self) -> None:
        if self.album is not None and self.picture is not None:
            dialog = picture_dialog(self.picture, self.album, self)
            dialog.saved.connect(self._say_saved)
            dialog.failed.connect(self._say_failed)
            dialog.open()

    def _say_saved(self, path: str) -> None:
        self.notified.emit(BannerKind.DONE, self.tr("The picture is saved"), path)

    def _say_failed(self, why: str) -> None:
        remedy = self.tr("{reason}. Choose another folder.").format(reason=why)
        self.notified.emit(BannerKind.ERROR, self.tr("The picture could not be saved"), remedy)

    def _copy(self) -> None:
        if self._image is not None:
            QGuiApplication.clipboard().setImage(self._image)
            self.notified.emit(BannerKind.DONE, self.tr("The picture is copied to the clipboard"), "")

    def _copy_seed(self) -> None:
        """Copy what another user types to draw the same picture with the same model."""
        if self.album is not None and self.picture is not None:
            QGuiApplication.clipboard().setText(seed_words(self.album, self.picture))
            self.notified.emit(BannerKind.DONE, self.tr("Prompt and seed are copied to the clipboard"), "")

    def _ask_again(self) -> None:
        self.again.emit(self.album)

    def _open_folder(self) -> None:
        if self.album is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.album.folder)))

    # --- parts ----------------------------------------------------------------------------------------------------

    def _make_side(self) -> None:
        self._facts.setFixedWidth(_BESIDE)
        self._rows = QGridLayout(self._facts)
        self._rows.setContentsMargins(0, 0, 0, Space.M)
        self._rows.setHorizontalSpacing(Space.M)
        self._rows.setVerticalSpacing(Space.XS)
        self._rows.setColumnStretch(1, 1)
        self.beside.setSpacing(Space.S)
        self.beside.addWidget(self._facts)
        for button in (self.save, self.copy, self.copy_seed, self._again, self._folder):
            self.beside.addWidget(button)
        self.beside.addStretch(1)

    def _write_facts(self, facts: tuple[tuple[str, str], ...]) -> None:
        while (item := self._rows.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for row, (name, value) in enumerate(facts):
            self._rows.addWidget(caption(name), row, 0, Qt.AlignmentFlag.AlignTop)
            self._rows.addWidget(body(value), row, 1, Qt.AlignmentFlag.AlignTop)
