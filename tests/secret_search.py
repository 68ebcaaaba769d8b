"""Looks for a secret wherever one of our processes could have left it."""

import base64
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote

_LARGEST = 64 << 20


def find_secret(secret: str, folders: Iterable[Path], pids: Iterable[int] = ()) -> list[str]:
    """Return where it occurs: files by content or name, and the processes' arguments and environments.

    It is looked for as it is, and in the forms in which requests, logs and dumps would show it.
    """
    return find_secrets([secret], folders, pids)


def find_secrets(secrets: Iterable[str], folders: Iterable[Path], pids: Iterable[int] = ()) -> list[str]:
    """Return where any of them occurs, like `find_secret`, and read everything once."""
    forms = tuple(form for secret in secrets for form in _forms(secret))
    places = [str(file) for folder in _outermost(folders) for file in _files(folder) if _holds(file, forms)]
    shown = [path for pid in pids for path in _shown_by(pid) if _holds(path, forms)]
    return places + [str(path) for path in shown]


def _outermost(folders: Iterable[Path]) -> list[Path]:
    """Return the folders that lie in no other of them, each once."""
    every = list(dict.fromkeys(folders))
    return [folder for folder in every if not any(other in folder.parents for other in every)]


def _forms(secret: str) -> tuple[bytes, ...]:
    plain = secret.encode()
    encoded = base64.b64encode(plain).rstrip(b"=")
    return plain, plain.hex().encode(), encoded, quote(secret, safe="").encode(), secret.encode("utf-16-le")


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


def _shown_by(pid: int) -> list[Path]:
    return [Path(f"/proc/{pid}/{name}") for name in ("cmdline", "environ", "comm")]


def _holds(file: Path, forms: tuple[bytes, ...]) -> bool:
    try:
        with file.open("rb") as stream:  # other tests leave files that are huge, and nothing but zeros
            contents = str(file).encode() + b"\n" + stream.read(_LARGEST)
    except (FileNotFoundError, ProcessLookupError):
        return False
    return any(form in contents for form in forms)
