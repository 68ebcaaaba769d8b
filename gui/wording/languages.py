"""The language of the app: chosen, or the system's where it is translated, and English where it is not."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator
from PySide6.QtGui import QGuiApplication

from gui.design.assets import asset

ENGLISH = "en"


@dataclass(frozen=True)
class Language:
    code: str
    """As in the names of the files of translations, such as ``zh_CN``."""
    name: str
    """In itself."""


LANGUAGES = (
    Language(ENGLISH, "English"),
    Language("de", "Deutsch"),
    Language("es", "Español"),
    Language("fr", "Français"),
    Language("ru", "Русский"),
    Language("zh_CN", "简体中文"),
)


def language_for(chosen: str, preferred: list[str]) -> str:
    """The code of the language to use: the chosen one, or the first that is known of those preferred."""
    known = {language.code for language in LANGUAGES}
    if chosen in known:
        return chosen
    return next((code for name in preferred if (code := _code(name)) in known), ENGLISH)


def locale_for(code: str, system: QLocale) -> QLocale:
    """How amounts are written: as the system does where it speaks that language, else as is usual for it."""
    wanted = QLocale(code)
    if (system.language(), system.script()) == (wanted.language(), wanted.script()):
        return system
    return wanted


def install(app: QGuiApplication, chosen: str, system: QLocale | None = None) -> str:
    """Translate all that is made from now on, amounts and direction included; gives the code of the language."""
    system = system or QLocale.system()
    code = language_for(chosen, system.uiLanguages())
    QLocale.setDefault(locale_for(code, system))
    app.setLayoutDirection(QLocale(code).textDirection())
    for former in app.findChildren(QTranslator):  # whose words would stand where this language has none
        app.removeTranslator(former)
        former.deleteLater()
    qt = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    # The last one that is installed is asked first.
    _load(app, qt, f"qtbase_{code}")
    _load(app, asset("translations"), f"idlebrush_{code}")
    return code


def _load(app: QCoreApplication, folder: Path, name: str) -> None:
    translator = QTranslator(app)
    if translator.load(name, str(folder)):
        app.installTranslator(translator)


def _code(name: str) -> str:
    """``de`` of ``de-AT``, ``zh_CN`` of ``zh-Hans-CN`` and ``zh``; no other Chinese is written in that script."""
    locale = QLocale(name.replace("-", "_"))
    if locale.language() is QLocale.Language.Chinese:
        return "zh_CN" if locale.script() is QLocale.Script.SimplifiedHanScript else "zh_TW"
    return QLocale.languageToCode(locale.language())
