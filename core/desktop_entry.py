"""Writes desktop entries and the commands in them, by freedesktop.org's Desktop Entry Specification."""

import re
from collections.abc import Mapping, Sequence

GROUP = "Desktop Entry"
_QUOTED = re.compile(r"""[\s"'\\><~|&;$*?#()`]|^$""")
_IN_QUOTES = str.maketrans({letter: f"\\{letter}" for letter in '"`$\\'})
_IN_VALUES = str.maketrans({"\\": r"\\", "\n": r"\n", "\t": r"\t", "\r": r"\r"})


def desktop_entry(values: Mapping[str, str]) -> str:
    """Return the text of an entry with these values, escaped by `escaped` or `exec_value` before."""
    lines = "".join(f"{key}={value}\n" for key, value in values.items())
    return f"[{GROUP}]\n{lines}"


def escaped(text: str) -> str:
    """Return a text in the form of a value, on one line."""
    return text.translate(_IN_VALUES)


def exec_value(
    arguments: Sequence[str], environment: Mapping[str, str] | None = None, field_code: str = ""
) -> str:
    """Return the value of ``Exec`` that starts a program.

    Args:
        arguments: Name or path of the program, and its arguments.
        environment: Variables that it needs beside the session's own.
        field_code: Field code that follows, such as ``%u`` for the address that was clicked; empty for none.
    """
    settings = [f"{name}={value}" for name, value in (environment or {}).items()]
    words = [*(("/usr/bin/env", *settings) if settings else ()), *arguments]
    return " ".join([*(escaped(_argument(word)) for word in words), *([field_code] if field_code else [])])


def _argument(text: str) -> str:
    """Write an argument: `%` begins a field code, and quotes keep words together."""
    text = text.replace("%", "%%")
    return '"' + text.translate(_IN_QUOTES) + '"' if _QUOTED.search(text) else text
