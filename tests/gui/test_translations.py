"""Every text of the app is translated into every language, and the files of translations are in step with it."""

import ast
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale

from assets.translations import update

CODES = [path.stem.removeprefix("idlebrush_") for path in sorted(update.HERE.glob("*.ts"))]
_PLACEHOLDER = re.compile(r"\{\w*\}|%L?n|%\d")
_ACCELERATOR = re.compile(r"&(\w)")
_MARKUP = re.compile(r"</?\w+")


def messages(code: str) -> Iterator[tuple[str, str, ET.Element]]:
    """Context, source and element of each."""
    for context in ET.parse(update.HERE / f"idlebrush_{code}.ts").getroot().iter("context"):
        for message in context.iter("message"):
            yield context.findtext("name", ""), message.findtext("source", ""), message


def forms(message: ET.Element) -> list[str]:
    """The translations: one for each number that the language tells apart."""
    translation = message.find("translation")
    assert translation is not None
    plural = [form.text or "" for form in translation.iter("numerusform")]
    return plural or [translation.text or ""]


def literals() -> Iterator[tuple[str, str]]:
    """Yield the location and text of each translation in the sources; the text is "" if it is no literal."""
    for source in update.sources():
        for node in ast.walk(ast.parse((update.ROOT / source).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and (place := _argument(node)) is not None:
                text = node.args[place] if len(node.args) > place and not node.keywords else None
                value = text.value if isinstance(text, ast.Constant) else ""
                yield f"{source}:{node.lineno}", value if isinstance(value, str) else ""


def _argument(call: ast.Call) -> int | None:
    """The place of the text among the arguments of a call that translates; painters are translated by numbers."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name == "tr":
        return 0
    is_text = (
        bool(call.args) and isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str)
    )
    return 1 if is_text and name in ("translate", "QT_TRANSLATE_NOOP") else None


def test_every_text_is_where_the_tools_find_it() -> None:
    found = list(literals())
    assert [where for where, text in found if not text] == []
    known = {source for _, source, _ in messages("de")}
    assert [where for where, text in found if text not in known] == []


def test_there_is_a_file_for_every_language() -> None:
    assert sorted(["en", *update.LANGUAGES]) == CODES


def test_no_text_is_missing_and_none_is_left_over(tmp_path: Path) -> None:
    for path in update.HERE.glob("*.ts"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    update.update(tmp_path)
    changed = [
        path.name
        for path in tmp_path.iterdir()
        if path.read_bytes() != (update.HERE / path.name).read_bytes()
    ]
    assert changed == [], "run `make translations`, and translate what is new"


def test_what_the_app_loads_is_made_of_them(tmp_path: Path) -> None:
    update.release(update.HERE, tmp_path)
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert made == {path.name: path.read_bytes() for path in update.HERE.glob("*.qm")}


@pytest.mark.parametrize("code", CODES)
def test_everything_is_translated(code: str) -> None:
    open_ones = [
        (context, source)
        for context, source, message in messages(code)
        if message.find("translation[@type]") is not None or not all(form.strip() for form in forms(message))
    ]
    assert open_ones == []


@pytest.mark.parametrize("code", CODES)
def test_placeholders_are_those_of_the_source(code: str) -> None:
    wrong = []
    for context, source, message in messages(code):
        wanted = sorted(_PLACEHOLDER.findall(source))
        for form in filter(None, forms(message)):
            given = sorted(_PLACEHOLDER.findall(form))
            # "One sample" may do without its number.
            if given != wanted and not (len(forms(message)) > 1 and [*given, "%Ln"] == wanted):
                wrong.append((context, source, form))
    assert wrong == []


@pytest.mark.parametrize("code", CODES)
def test_markup_is_that_of_the_source(code: str) -> None:
    wrong = [
        (context, source, form)
        for context, source, message in messages(code)
        for form in forms(message)
        if sorted(_MARKUP.findall(form)) != sorted(_MARKUP.findall(source))
    ]
    assert wrong == []


@pytest.mark.parametrize("code", CODES)
def test_a_translation_begins_and_ends_as_its_source_does(code: str) -> None:
    """A full stop too much, or a space that was lost where two parts meet."""
    stops = {"。": ".", "：": ":", "？": "?", "…": "…"}
    wrong = []
    for context, source, message in messages(code):
        for form in filter(None, forms(message)):
            end, wanted = stops.get(form[-1], form[-1]), source[-1]
            if (form.strip() != form) != (source.strip() != source) or (
                (end in ".:?…") != (wanted in ".:?…")
            ):
                wrong.append((context, source, form))
    assert wrong == []


@pytest.mark.parametrize("code", CODES)
def test_there_is_a_form_for_each_number_that_the_language_tells_apart(code: str) -> None:
    numbers = {"ru": 3, "zh_CN": 1}.get(code, 2)
    plural = [message for _, _, message in messages(code) if message.get("numerus") == "yes"]
    assert plural
    assert {len(forms(message)) for message in plural} == {numbers}


@pytest.mark.parametrize("code", update.LANGUAGES)
def test_accelerators_clash_only_where_they_do_in_english(code: str) -> None:
    """There texts with the same key are never to be seen at once."""
    keys: dict[tuple[str, str], set[str]] = {}
    for context, source, message in messages(code):
        for key in _ACCELERATOR.findall(forms(message)[0]):
            keys.setdefault((context, key.casefold()), set()).update(_ACCELERATOR.findall(source.casefold()))
    assert {place: of for place, of in keys.items() if len(of) > 1} == {}


@pytest.mark.parametrize("code", CODES)
def test_dates_are_written_as_dates(code: str) -> None:
    locale = QLocale(code)
    patterns = [form for _, source, message in messages(code) if "MMM" in source for form in forms(message)]
    for pattern in patterns:
        assert "MMM" in pattern or "M" in pattern
        assert locale.toString(QLocale.c().toDate("2026-03-01", "yyyy-MM-dd"), pattern)
