"""The language of the app: the chosen one, else the system's if it is translated, else English."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator
from PySide6.QtGui import QGuiApplication

from gui.design.assets import asset

ENGLISH = "en"


@dataclass(frozen=True)
class Language:
    code: str
    """Code as in the names of the translation files, such as ``zh_CN``."""
    name: str
    """Name of the language in itself."""


LANGUAGES = (
    Language(ENGLISH, "English"),
    Language("de", "Deutsch"),
    Language("es", "Español"),
    Language("fr", "Français"),
    Language("ru", "Русский"),
    Language("zh_CN", "简体中文"),
)


def language_for(chosen: str, preferred: list[str]) -> str:
    """Return the code of the language to use: the chosen one, or the first known one of those preferred."""
    known = {language.code for language in LANGUAGES}
    if chosen in known:
        return chosen
    return next((code for name in preferred if (code := _code(name)) in known), ENGLISH)


def locale_for(code: str, system: QLocale) -> QLocale:
    """Return the locale for amounts: the system's if it has that language, else the language's usual one."""
    wanted = QLocale(code)
    if (system.language(), system.script()) == (wanted.language(), wanted.script()):
        return system
    return wanted


def install(app: QGuiApplication, chosen: str, system: QLocale | None = None) -> str:
    """Install a language, with amounts and text direction, for all new texts; returns its code."""
    system = system or QLocale.system()
    code = language_for(chosen, system.uiLanguages())
    QLocale.setDefault(locale_for(code, system))
    app.setLayoutDirection(QLocale(code).textDirection())
    for former in app.findChildren(QTranslator):  # its texts would replace those missing in this language
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
    """Return the code of a locale: ``de`` for ``de-AT``, ``zh_CN`` for ``zh`` in simplified script only."""
    locale = QLocale(name.replace("-", "_"))
    if locale.language() is QLocale.Language.Chinese:
        return "zh_CN" if locale.script() is QLocale.Script.SimplifiedHanScript else "zh_TW"
    return QLocale.languageToCode(locale.language())
