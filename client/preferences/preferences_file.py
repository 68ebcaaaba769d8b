"""The file of preferences: whatever is in it is never fatal, and what was wrong in it is never lost.

It is flat: every preference is one line. A key that cannot be used takes its default, and all others hold.
"""

import json
import re
import textwrap
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from client.api.errors import PreferenceError
from client.preferences.preferences import Preferences, Section, describe, with_value
from client.state_file import WallClock, keep_copy, utc_now
from core.excerpt import QUOTE, excerpt
from core.storage.file_lock import alone
from core.storage.files import read_bounded, write_atomically

LARGEST = 64 * 1024
"""Largest size in bytes; a longer file is no file of preferences."""
_MOST_FAULTS = 20
_PATIENCE = 10.0
"""Seconds to wait for the lock; writing takes milliseconds."""
_NOT_OURS = "it is not a file of preferences"
_WIDTH = 100
_HEAD = """\
# What Idlebrush may do on this computer; it notices when this file changes. Lines that begin with # show
# defaults: remove the # to change one. `idlebrush prefs set NAME VALUE` rewrites the whole file and removes
# your own comments.
"""


def load(path: Path) -> tuple[Preferences, PreferenceError | None]:
    """Return the preferences in the file, and what is wrong with it; without a file, return the defaults."""
    try:
        text = read_bounded(path, LARGEST).decode()
    except FileNotFoundError:
        return Preferences(), None
    except OSError as error:
        return Preferences(), _unusable(path, error.strerror or str(error))
    except UnicodeDecodeError:
        return Preferences(), _unusable(path, "it is not text in UTF-8")
    except ValueError:
        return Preferences(), _unusable(path, f"it has more than {LARGEST} bytes")
    try:
        table, faults = _read_table(text)
    except ValueError as error:
        return Preferences(), _unusable(path, str(error))
    return _take(table, faults, path, text)


def change(
    path: Path, alter: Callable[[Preferences], Preferences], clock: WallClock = utc_now
) -> Path | None:
    """Replace the file by what ``alter`` makes of its preferences; changes by other processes at the time are kept.

    Args:
        path: File of the preferences.
        alter: Returns the new preferences, given the present ones.
        clock: Names the copy of a file that was wrong.

    Returns:
        Place of a copy of the file, if something was wrong with it; otherwise None.

    Raises:
        PreferenceError: The file could not be written, and is unchanged.
    """
    with _writing(path):
        now, problem = load(path)
        text = as_text(alter(now))
        aside = keep_copy(path, clock()) if problem else None
        write_atomically(path, text.encode())
        return aside


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Admit one process at a time.

    Two that read, change and write at once would lose what one of them has set.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with alone(path.with_name(f".{path.name}.lock"), _PATIENCE):
            yield
    except BlockingIOError as error:
        raise PreferenceError(
            f"Another program has been changing {path} for {_PATIENCE:.0f} seconds.",
            "Try again; `idlebrush doctor` checks the daemon.",
        ) from error
    except OSError as error:
        raise PreferenceError(
            f"The preferences could not be saved to {path}: {error.strerror or error}.",
            "See that the disk has space, and that you may write there.",
        ) from error


def as_text(preferences: Preferences) -> str:
    """Return the text of the whole file, which explains itself."""
    rows = describe(preferences)
    parts = [_HEAD]
    for section in Section:
        parts.append(f"\n\n# {section}\n")
        for row in rows:
            if row.section == section.name:
                line = f"{row.name} = {json.dumps(row.value, ensure_ascii=False)}"
                parts += [
                    "\n",
                    _comment(f"{row.help} It may be {row.allowed}."),
                    "# " * row.is_default,
                    line,
                    "\n",
                ]
    return "".join(parts)


class PreferencesFile:
    """The file as a process reads it that runs for long: again after each change, including those by hand."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen: tuple[int, int, int] | None = None

    def read_if_changed(self) -> tuple[Preferences, PreferenceError | None] | None:
        """Return what `load` gives if the file may be new, or None; the first call always reads."""
        now = self._stamp()
        if now == self._seen:
            return None
        self._seen = now
        return load(self._path)

    def _stamp(self) -> tuple[int, int, int]:
        try:
            found = self._path.stat()
        except OSError:
            return 0, 0, 0
        return found.st_mtime_ns, found.st_size, found.st_ino


def _read_table(text: str) -> tuple[dict[str, Any], list[str]]:
    """Return the keys of all lines that are TOML, and what is wrong with the others.

    Raise ValueError if too many lines are at fault, or values are nested too deeply.
    """
    lines = text.splitlines()
    faults: list[str] = []
    while len(faults) <= _MOST_FAULTS:
        try:
            return tomllib.loads("\n".join(lines)), faults
        except tomllib.TOMLDecodeError as error:
            number = _line_of(error, lines)
            faults.append(
                f"line {number} ({excerpt(lines[number - 1].strip(), QUOTE)}) is not a name, = and a value in quotes"
            )
            lines[number - 1] = ""
        except RecursionError:
            break
    raise ValueError(_NOT_OURS)


def _line_of(error: tomllib.TOMLDecodeError, lines: list[str]) -> int:
    if found := re.search(r"at line (\d+)", str(error)):
        return int(found[1])
    return max(number for number, line in enumerate(lines, 1) if line.strip())


def _take(
    table: dict[str, Any], faults: list[str], path: Path, text: str
) -> tuple[Preferences, PreferenceError | None]:
    preferences = Preferences()
    for key, value in table.items():
        try:
            preferences = with_value(preferences, key, _in_text(key, value))
        except PreferenceError as error:
            faults.append(f"{_place(key, text)}{error.what} {error.remedy}")
        if len(faults) > _MOST_FAULTS:  # to tell of thousands would hold the daemon up
            return Preferences(), _unusable(path, _NOT_OURS)
    if not faults:
        return preferences, None
    listed = " ".join(f"{fault[:1].upper()}{fault[1:].rstrip('.')}." for fault in faults[:_MOST_FAULTS])
    return preferences, PreferenceError(
        f"Not all of {path} can be used. {listed}",
        "Invalid entries use their defaults. Correct the file, or use `idlebrush prefs set NAME VALUE`.",
    )


def _in_text(key: str, value: object) -> str:
    """Return a value as the command line has it, whichever type of TOML it is.

    Raise PreferenceError for a type that has no text.
    """
    kind = f"a {type(value).__name__}"
    try:
        match value:
            case bool():
                return "on" if value else "off"
            case str():
                return value
            case int() | float():
                return str(value)
            case list() if all(isinstance(item, (str, int)) for item in value):
                return ", ".join(map(str, value)) or "none"
    except ValueError:  # in hexadecimal it may be longer than Python writes in decimal
        kind = "a number of thousands of digits"
    raise PreferenceError(f"{excerpt(key, QUOTE)} cannot be {kind}.", "Write a text in quotes.")


def _place(key: str, text: str) -> str:
    written = re.compile(rf"""\s*["']?{re.escape(key)}["']?\s*[=.\]]|\s*\[+\s*{re.escape(key)}""")
    numbers = [number for number, line in enumerate(text.splitlines(), 1) if written.match(line)]
    return f"line {numbers[0]}: " if numbers else ""


def _comment(text: str) -> str:
    return textwrap.indent(textwrap.fill(text, _WIDTH), "# ") + "\n"


def _unusable(path: Path, why: str) -> PreferenceError:
    return PreferenceError(
        f"The preferences in {path} cannot be used, so all are at their defaults: {why}.",
        "Correct the file, or move it away.",
    )
