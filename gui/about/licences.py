"""The licences of Idlebrush and its packages, and the card that shows their texts."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from gui.about.installation import Component
from gui.background import Background, FileFault
from gui.design import fonts
from gui.design.assets import asset
from gui.widgets.cards import Card
from gui.widgets.fields import ChoiceField

translate = QCoreApplication.translate
_LARGEST = 256 * 1024
"""Longest text that is shown, in characters."""
_HEIGHT = 280


@dataclass(frozen=True)
class Licence:
    """A licence whose text can be shown."""

    title: str
    notice: str = ""
    """Text shown before the licence text, or in place of one."""
    file: Path | None = None


def licences(components: Sequence[Component]) -> tuple[Licence, ...]:
    """Return all licences; Idlebrush's own comes first."""
    embedded = asset("embedded", "licenses")
    text = asset("embedded", "text", "licenses")
    fonts = asset("fonts")
    return (
        Licence(translate("Licences", "Idlebrush (Apache 2.0)"), file=embedded / "Apache-2.0.txt"),
        Licence("Qt, PySide6 (LGPL 3)", _qt_notice()),
        Licence("Bricolage Grotesque (OFL 1.1)", file=fonts / "BricolageGrotesque-OFL.txt"),
        Licence("Instrument Sans (OFL 1.1)", file=fonts / "InstrumentSans-OFL.txt"),
        Licence(translate("Licences", "The embedded run: sources"), file=embedded / "ATTRIBUTION.md"),
        Licence("Unicode CLDR (Unicode 3.0)", file=embedded / "Unicode-3.0.txt"),
        Licence("emojibase (MIT)", file=embedded / "emojibase-MIT.txt"),
        Licence("emoji-data (MIT)", file=embedded / "emoji-data-MIT.txt"),
        Licence("Python 3.11 (PSF)", file=text / "Python-3.11-LICENSE.txt"),
        Licence(translate("Licences", "Libraries"), _libraries(components)),
    )


def _qt_notice() -> str:
    return translate(
        "Licences",
        "The app is built with Qt, by the Qt Company and contributors, and with Qt for "
        "Python (PySide6). Idlebrush uses both under the GNU Lesser General Public License, "
        "version 3. Both are installed as separate files. You may replace them with your own "
        "versions and reverse-engineer them to debug your changes.\n\n"
        "Licence: https://www.gnu.org/licenses/lgpl-3.0.html\n"
        "Source code: https://download.qt.io/official_releases/QtForPython/",
    )


def _libraries(components: Sequence[Component]) -> str:
    unknown = translate("Licences", "see the package")
    return "\n".join(f"{one.name} {one.version}: {one.terms or unknown}" for one in components)


def text_of(licence: Licence) -> str:
    """Return the text of a licence. Raise OSError if its file is missing."""
    if licence.file is None:
        return licence.notice
    with licence.file.open(encoding="utf-8", errors="replace") as file:
        return "\n\n".join(filter(None, (licence.notice, file.read(_LARGEST))))


class LicenceCard(Card):
    """Shows one licence at a time; the texts are read beside the event loop."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.set_title(self.tr("Licences"))
        self._background = Background(self)
        self._licences: tuple[Licence, ...] = ()
        self.choice, self.text = ChoiceField(self), QPlainTextEdit(self)
        self.choice.set_name(self.tr("Licence"))
        self.text.setAccessibleName(self.tr("Licence text"))
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setFont(fonts.code())
        self.text.setFixedHeight(_HEIGHT)
        self.body.addWidget(self.choice)
        self.body.addWidget(self.text)
        self.choice.currentIndexChanged.connect(self._show)
        self.show_components(())

    def show_components(self, components: Sequence[Component]) -> None:
        """Show the licences, including a list of these packages."""
        chosen = max(0, self.choice.currentIndex())
        self._licences = licences(components)
        self.choice.blockSignals(True)
        self.choice.clear()
        self.choice.addItems([licence.title for licence in self._licences])
        self.choice.setCurrentIndex(chosen)
        self.choice.blockSignals(False)
        self._show(chosen)

    def _show(self, place: int) -> None:
        licence = self._licences[place]
        self._background.run(
            partial(text_of, licence), partial(self._take, licence), partial(self._fail, licence)
        )

    def _take(self, licence: Licence, text: str) -> None:
        if licence == self._licences[self.choice.currentIndex()]:
            self.text.setPlainText(text)

    def _fail(self, licence: Licence, error: FileFault) -> None:
        self._take(licence, self.tr("This text cannot be read: {reason}.").format(reason=str(error)))
