"""The run's prompts through the epochs: all of them side by side, or one large, at the frame that is looked at."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from client.api.errors import ClientError
from client.api.snapshot import Snapshot
from gui.background import Background
from gui.design.tokens import Space
from gui.gallery.albums import number_of
from gui.gallery.decoding import Pictures, Tiles
from gui.gallery.frames import FRAMES_REST, Frames
from gui.gallery.lapse import Lapse, next_place
from gui.gallery.play_bar import PlayBar
from gui.gallery.tiles import Tile, TileScroll
from gui.gallery.viewer import Viewer
from gui.link.link import Link
from gui.widgets.banner import Banner, BannerKind
from gui.widgets.buttons import IconButton
from gui.widgets.empty import EmptyState
from gui.widgets.tab_order import follow_layout
from gui.wording.problems import words


class RunPictures(QWidget):
    """Frames that are here are shown at once; others are fetched while it is visible."""

    run_wanted = Signal()
    """A run is to be chosen."""

    def __init__(
        self, link: Link, pictures: Pictures, parent: QWidget | None = None, *, rest: int = FRAMES_REST
    ) -> None:
        """``rest``: milliseconds between two questions for the coordinator's frames."""
        super().__init__(parent)
        self._pictures, self._background = pictures, Background(self)
        self._lapse, self._tiles = Lapse(), Tiles()
        self.tiles: list[Tile] = []
        """Of all prompts, in their order."""
        self._alone: int | None = None
        """The prompt that is shown large; None: all of them."""
        self.banner = Banner(self)
        self._is_refused = False
        """Whether the banner has said so: who has closed it is not told each time."""
        self._frames = Frames(link, self, rest=rest)
        self._frames.begun.connect(self._begin_anew)
        self._frames.changed.connect(self._show_lapse)
        self._frames.fetched.connect(self._forget_refusal)
        self._frames.refused.connect(self._say_refused)
        self._frames.unreadable.connect(self._say_unreadable)
        self.bar = PlayBar(self)
        self.bar.moved.connect(self._show_frame)
        self._folder = IconButton("folder", self.tr("Open the folder of the pictures"), self)
        self._folder.clicked.connect(self._open_folder)
        self._make_views()
        self._lay_out()
        self._show_lapse(Lapse())

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        """See `Frames`."""
        self._frames.follow(snapshot)

    def shown(self) -> None:
        """Have the newest frames fetched."""
        self._frames.fetch()

    # --- frames ---------------------------------------------------------------------------------------------------

    def _begin_anew(self) -> None:
        self._forget_refusal()
        self.banner.hide()
        self._show_lapse(Lapse())

    def _show_lapse(self, lapse: Lapse) -> None:
        if lapse.prompts != self._lapse.prompts:
            self._make_tiles(lapse.prompts)
        self._lapse = lapse
        self.bar.set_epochs(lapse.epochs)
        self._show_view()
        self._show_frame()

    def _show_frame(self) -> None:
        place, files = self.bar.place, self._lapse.files
        if not files:
            return
        self._decode(files[place])
        following = next_place(place, len(files))
        if self.bar.is_playing and following is not None:
            self._decode(files[following])  # ahead of its time

    def _decode(self, file: Path) -> None:
        of, show = self._lapse, partial(self._show_tiles, file)
        self._pictures.fetch_sheet(file, of.columns, len(of.prompts), self._background, show)

    def _show_tiles(self, file: Path, tiles: Tiles) -> None:
        """Unless it is another frame that is looked at."""
        if not self._lapse.files or file != self._lapse.files[self.bar.place]:
            return
        self._tiles = tiles
        for tile, image in zip(self.tiles, tiles, strict=False):
            tile.set_image(image)
        if self._alone is not None and self._alone < len(tiles):
            self.viewer.set_image(tiles[self._alone])

    def _say_refused(self, error: ClientError) -> None:
        if self._is_refused:
            return
        self._is_refused = True
        what, remedy = words(error.code, error.what, error.remedy)
        again = self.tr("Try again")
        self.banner.show_message(BannerKind.WARNING, what, remedy, again, self._try_again)

    def _say_unreadable(self, why: str) -> None:
        what = self.tr("The run's pictures cannot be read")
        again = self.tr("Try again")
        self.banner.show_message(BannerKind.ERROR, what, why, again, self._try_again)

    def _forget_refusal(self) -> None:
        if self._is_refused:
            self._is_refused = False
            self.banner.hide()

    def _try_again(self) -> None:
        self._is_refused = False
        self.banner.hide()
        self._frames.fetch(at_once=True)

    def _open_folder(self) -> None:
        if self._frames.folder is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._frames.folder)))

    # --- all, one, or none ----------------------------------------------------------------------------------------

    def _show_view(self) -> None:
        has_frames = bool(self._lapse.epochs)
        self.bar.setVisible(has_frames)
        self._folder.setVisible(has_frames)
        if not has_frames:
            self._say_empty()
            self._stack.setCurrentWidget(self.empty)
        else:
            self._stack.setCurrentWidget(self._all if self._alone is None else self.viewer)

    def _say_empty(self) -> None:
        if self._frames.run:
            name = self.tr("No pictures yet")
            text = self.tr("Every few epochs the model draws the run's prompts. They will appear here.")
            self.empty.show_state("picture", name, text)
        else:
            name = self.tr("No run yet")
            text = self.tr("Choose a run, and watch its pictures get better here.")
            self.empty.show_state("picture", name, text, self.tr("Choose a run"))

    def _show_alone(self, prompt: int) -> None:
        self._alone = prompt
        total = len(self._lapse.prompts)
        image = self._tiles[prompt] if prompt < len(self._tiles) else None
        self.viewer.show_picture(self._lapse.prompts[prompt], number_of(prompt + 1, total), image)
        self.viewer.set_ends(is_first=prompt == 0, is_last=prompt == total - 1)
        self._show_view()
        self.viewer.setFocus(Qt.FocusReason.OtherFocusReason)

    def _move(self, step: int) -> None:
        if self._alone is not None:
            self._show_alone(self._alone + step)

    def _show_all(self) -> None:
        left, self._alone = self._alone, None
        self._show_view()
        if left is not None:
            self.tiles[left].button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _make_tiles(self, prompts: tuple[str, ...]) -> None:
        self._all.grid.clear()
        self._alone, self._tiles = None, Tiles()
        self.tiles = [Tile(prompt, prompt) for prompt in prompts]
        for number, tile in enumerate(self.tiles):
            self._all.grid.addWidget(tile)
            tile.button.clicked.connect(partial(self._show_alone, number))
        follow_layout(self)

    # --- parts ----------------------------------------------------------------------------------------------------

    def _make_views(self) -> None:
        self._all = TileScroll(120, self)
        self.viewer = Viewer(self)
        self.viewer.closed.connect(self._show_all)
        self.viewer.moved.connect(self._move)
        self.empty = EmptyState("picture", "", "", "", self)
        self.empty.acted.connect(self.run_wanted)
        self._stack = QStackedWidget(self)
        for view in (self._all, self.viewer, self.empty):
            self._stack.addWidget(view)

    def _lay_out(self) -> None:
        controls = QHBoxLayout()
        controls.setSpacing(Space.S)
        controls.addWidget(self.bar, 1)
        controls.addWidget(self._folder)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.L)
        column.addWidget(self.banner)
        column.addLayout(controls)
        column.addWidget(self._stack, 1)
