"""Takes a picture out of the gallery: as a file of the person's choice, with all that it says of itself."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QDir, QStandardPaths, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from gui.background import Background, Fault
from gui.gallery.albums import AlbumView, Picture, file_name
from gui.whole_file import copy


class SaveDialog(QFileDialog):
    """Asks where to, and copies beside the event loop; deletes itself once it is closed and that is done."""

    saved = Signal(str)
    """To that path."""
    failed = Signal(str)
    """Why it could not be."""

    def __init__(self, picture: Picture, album: AlbumView, parent: QWidget) -> None:
        super().__init__(parent, self.tr("Save picture"))
        self._source, self._background = picture.file, Background(self)
        self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        self.setNameFilter(self.tr("Pictures (*.png)"))
        self.setDefaultSuffix("png")
        self.setDirectory(
            QStandardPaths.writableLocation(QStandardPaths.StandardLocation.PicturesLocation)
            or QDir.homePath()
        )
        self.selectFile(file_name(picture, album))
        self.fileSelected.connect(self._copy)
        self.rejected.connect(self.deleteLater)

    def _copy(self, path: str) -> None:
        work = partial(copy, self._source, Path(path))
        self._background.run(work, partial(self._done, path), self._fail)

    def _done(self, path: str, _: None) -> None:
        self.saved.emit(path)
        self.deleteLater()

    def _fail(self, error: Fault) -> None:
        self.failed.emit(error.strerror if isinstance(error, OSError) and error.strerror else str(error))
        self.deleteLater()
