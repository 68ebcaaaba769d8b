"""The language that the app speaks."""

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, Qt
from PySide6.QtWidgets import QApplication

from gui.wording import amounts
from gui.wording.languages import LANGUAGES, install, language_for, locale_for


@pytest.mark.parametrize(
    ("chosen", "preferred", "code"),
    [
        ("", ["de-AT", "de"], "de"),
        ("", ["pt-BR", "pt", "fr"], "fr"),
        ("", ["C"], "en"),
        ("", [], "en"),
        ("", ["tlh", "ja-JP"], "en"),
        ("", ["en-US", "de"], "en"),
        ("", ["zh-Hans-CN", "zh-CN"], "zh_CN"),
        ("", ["zh-SG"], "zh_CN"),
        ("", ["zh-TW", "ru"], "ru"),
        ("es", ["de-DE"], "es"),
        ("klingon", ["de-DE"], "de"),
    ],
)
def test_the_first_language_that_is_known_is_spoken(chosen: str, preferred: list[str], code: str) -> None:
    assert language_for(chosen, preferred) == code


def test_amounts_are_written_as_the_system_does_if_it_speaks_the_same_language() -> None:
    austria = QLocale("de_AT")
    assert locale_for("de", austria).territory() is QLocale.Country.Austria
    assert locale_for("fr", austria).language() is QLocale.Language.French


@pytest.mark.parametrize("language", [each.code for each in LANGUAGES])
def test_a_language_brings_texts_plurals_amounts_and_the_buttons_of_dialogs(
    speaking: QApplication, language: str
) -> None:
    assert install(speaking, language, QLocale("en_GB")) == language
    assert QLocale().language() is QLocale(language).language()
    cancel = QCoreApplication.translate("QPlatformTheme", "Cancel")
    training = QCoreApplication.translate("Activity", "Training")
    if language == "en":
        assert (cancel, training) == ("Cancel", "Training")
        assert (
            QCoreApplication.translate("Badges", "Contributed %Ln hour(s) of computing time", "", 1)
            == "Contributed 1 hour of computing time"
        )
    else:
        assert cancel != "Cancel"
        assert training != "Training"
    assert speaking.layoutDirection() is Qt.LayoutDirection.LeftToRight
    assert amounts.duration(8100)
