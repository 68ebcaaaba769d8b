"""A picture of an album, large, with what is known of it and what can be done with it."""

from functools import partial

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication, QImage
from PySide6.QtWidgets import QGridLayout, QWidget

from gui.background import Background
from gui.design.tokens import Space
from gui.gallery.albums import AlbumView, Picture, details, place_of, spoken
from gui.gallery.decoding import Pictures
from gui.gallery.saving import SaveDialog
from gui.gallery.viewer import Viewer
from gui.widgets.banner import BannerKind
from gui.widgets.buttons import PrimaryButton, QuietButton
from gui.widgets.labels import body, caption

_BESIDE = 208
"""Pixels for what is known of the picture."""


class LargePicture(Viewer):
    """Moves within its album."""

    again = Signal(object)
    """The request of this `AlbumView` is to be filled in again."""
    told = Signal(object, str, str)
    """A `BannerKind`, what happened, and more about it."""

    def __init__(self, pictures: Pictures, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pictures, self._background = pictures, Background(self)
        self.album: AlbumView | None = None
        self._place = 0
        self._image: QImage | None = None
        self.save = PrimaryButton(self.tr("Save…"), self, icon="save")
        self.copy = QuietButton(self.tr("Copy picture"), self, icon="copy")
        self._again = QuietButton(self.tr("Draw again…"), self, icon="refresh")
        self._folder = QuietButton(self.tr("Open folder"), self, icon="folder")
        self._facts = QWidget(self)
        self._make_side()
        self.moved.connect(self._move)
        self.save.clicked.connect(self._save)
        self.copy.clicked.connect(self._copy)
        self._again.clicked.connect(self._ask_again)
        self._folder.clicked.connect(self._open_folder)

    @property
    def picture(self) -> Picture | None:
        """The one that is shown."""
        return self.album.pictures[self._place] if self.album else None

    def show_album(self, album: AlbumView, place: int) -> None:
        """The picture at that place, from 0."""
        self.album, self._place, self._image = album, place, None
        picture = album.pictures[place]
        self.show_picture(album.request.prompt, place_of(picture, album), None)
        self.canvas.setAccessibleName(spoken(picture, album))
        self.set_ends(is_first=place == 0, is_last=place == len(album.pictures) - 1)
        self.copy.setEnabled(False)
        self._write_facts(details(album, picture))
        self._pictures.fetch(picture.file, self._background, partial(self._take, picture))

    def _take(self, picture: Picture, image: QImage) -> None:
        """Unless another one is looked at by now."""
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
            dialog = SaveDialog(self.picture, self.album, self)
            dialog.saved.connect(self._say_saved)
            dialog.failed.connect(self._say_failed)
            dialog.open()

    def _say_saved(self, path: str) -> None:
        self.told.emit(BannerKind.DONE, self.tr("The picture is saved"), path)

    def _say_failed(self, why: str) -> None:
        remedy = self.tr("{reason}. Choose another folder.").format(reason=why)
        self.told.emit(BannerKind.ERROR, self.tr("The picture could not be saved"), remedy)

    def _copy(self) -> None:
        if self._image is not None:
            QGuiApplication.clipboard().setImage(self._image)
            self.told.emit(BannerKind.DONE, self.tr("The picture is on the clipboard"), "")

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
        for button in (self.save, self.copy, self._again, self._folder):
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
