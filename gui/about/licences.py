"""The licences of Idlebrush and of what comes with it: which there are, and their texts."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from gui.about.components import Component
from gui.design.assets import asset

translate = QCoreApplication.translate

_LARGEST = 256 * 1024
"""Characters of a text that is shown."""


@dataclass(frozen=True)
class Licence:
    """One text that can be read."""

    title: str
    notice: str = ""
    """What is said before the text, or instead of one."""
    file: Path | None = None


def licences(components: Sequence[Component]) -> tuple[Licence, ...]:
    """All of them; our own first."""
    embedded = asset("embedded", "licenses")
    fonts = asset("fonts")
    return (
        Licence(translate("Licences", "Idlebrush (Apache 2.0)"), file=embedded / "Apache-2.0.txt"),
        Licence("Qt, PySide6 (LGPL 3)", _qt_notice()),
        Licence("Bricolage Grotesque (OFL 1.1)", file=fonts / "BricolageGrotesque-OFL.txt"),
        Licence("Instrument Sans (OFL 1.1)", file=fonts / "InstrumentSans-OFL.txt"),
        Licence(
            translate("Licences", "The embedded run: where it comes from"), file=embedded / "ATTRIBUTION.md"
        ),
        Licence("Unicode CLDR (Unicode 3.0)", file=embedded / "Unicode-3.0.txt"),
        Licence("emojibase (MIT)", file=embedded / "emojibase-MIT.txt"),
        Licence("emoji-data (MIT)", file=embedded / "emoji-data-MIT.txt"),
        Licence(translate("Licences", "Libraries"), _libraries(components)),
    )


def _qt_notice() -> str:
    return translate(
        "Licences",
        "The windows are made with Qt, by the Qt Company and contributors, and with Qt for Python (PySide6). "
        "Idlebrush uses both under the GNU Lesser General Public License, version 3. They are separate files beside "
        "Idlebrush: you may replace them by versions of your own, and take them apart to find faults in your "
        "changes.\n\n"
        "The licence: https://www.gnu.org/licenses/lgpl-3.0.html\n"
        "The sources: https://download.qt.io/official_releases/QtForPython/",
    )


def _libraries(components: Sequence[Component]) -> str:
    unknown = translate("Licences", "see its package")
    return "\n".join(f"{one.name} {one.version}: {one.terms or unknown}" for one in components)


def text_of(licence: Licence) -> str:
    """What is shown of it; OSError where its file is missing."""
    if licence.file is None:
        return licence.notice
    with licence.file.open(encoding="utf-8", errors="replace") as file:
        return "\n\n".join(filter(None, (licence.notice, file.read(_LARGEST))))
