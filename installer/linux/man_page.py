"""Writes the manual page idlebrush(1) from the command line's own help: ``python -m installer.linux.man_page``.

The page is kept beside this module, so that a package is built without the program's dependencies; a test compares
both. It has no date, because it would change with every build.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from typer.main import get_command

from client.cli import app

PAGE = Path(__file__).with_name("idlebrush.1")
_NAME = "train one text\\-to\\-image transformer together, on idle computers"
_EXIT = (
    ("0", "The command did what was asked for."),
    ("1", "It was tried and did not succeed."),
    ("2", "It is not possible; two lines on standard error say why, and what helps."),
)
_VARIABLES = (
    ("IDLEBRUSH_HOME", "Folder of all files of this user, in place of the system's folders."),
    ("IDLEBRUSH_VERBOSE", "Any value logs more details, as --verbose does."),
)
_FILES = (("~/.local/share/idlebrush, ~/.config/idlebrush", "Runs, and preferences."),)


def man_page() -> str:
    """Return the page in the language of man(7)."""
    command = get_command(app)
    lines = [
        '.\\" Made from the help of the commands by installer/linux/man_page.py; do not edit.',
        '.TH IDLEBRUSH 1 "" "Idlebrush" "User Commands"',
        ".SH NAME",
        f"idlebrush \\- {_NAME}",
        ".SH SYNOPSIS",
        ".B idlebrush",
        "[\\fIoptions\\fR] [\\fIverb\\fR ...]",
        ".SH DESCRIPTION",
        *_paragraphs(command.help or ""),
        ".PP",
        "Without a verb, it opens the app; without a display, it shows the status.",
        ".SH OPTIONS",
        *_options(command),
        ".SH VERBS",
        *_verbs(command, "idlebrush"),
        ".SH EXIT STATUS",
        *_terms(_EXIT),
        ".SH ENVIRONMENT",
        *_terms(_VARIABLES),
        ".SH FILES",
        *_terms(_FILES),
    ]
    return "\n".join(lines) + "\n"


def _verbs(command: Any, words: str) -> Iterator[str]:
    """Yield a section for each verb, with those of groups in place of the group."""
    for name, verb in command.commands.items():
        if verb.hidden:
            continue
        if hasattr(verb, "commands"):
            yield from _verbs(verb, f"{words} {name}")
            continue
        yield f".SS {_quoted(' '.join((words, name, *_arguments(verb))))}"
        yield from _paragraphs(verb.help or "")
        yield from _options(verb)


def _arguments(verb: Any) -> Iterator[str]:
    context = verb.make_context(verb.name, [], resilient_parsing=True)
    for item in verb.params:
        if item.param_type_name == "argument":
            yield from item.get_usage_pieces(context)


def _options(verb: Any) -> Iterator[str]:
    """Yield arguments and options of a verb, with their help as `--help` shows it."""
    context = verb.make_context(verb.name, [], resilient_parsing=True)
    for item in verb.params:
        if (record := item.get_help_record(context)) is not None:
            term, text = record
            yield from (".TP", _bold(term), *_paragraphs(text, within=True))


def _terms(terms: tuple[tuple[str, str], ...]) -> Iterator[str]:
    for term, text in terms:
        yield from (".TP", _bold(term), _escaped(text))


def _paragraphs(text: str, within: bool = False) -> Iterator[str]:
    """Yield the paragraphs of a help; ``within`` an option they stay indented."""
    for number, paragraph in enumerate(re.split(r"\n\s*\n", text.strip())):
        if number:
            yield ".IP" if within else ".PP"
        yield _escaped(" ".join(paragraph.split()))


def _bold(text: str) -> str:
    return f"\\fB{_escaped(text)}\\fR"


def _quoted(text: str) -> str:
    """Return a macro's argument; a quote within is doubled."""
    return '"' + _escaped(text).replace('"', '""') + '"'


def _escaped(text: str) -> str:
    """Return text that stands for itself: hyphens are not soft, and no line is taken for a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga").replace("'", "\\(aq")
    return f"\\&{text}" if text.startswith((".", "'", "\\(aq")) else text


if __name__ == "__main__":
    PAGE.write_text(man_page(), encoding="utf-8")
