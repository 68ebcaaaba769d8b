"""Packs the source of what runs here, so that everybody can have it from the place that runs it."""

import io
import tarfile
from functools import lru_cache
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
_FOLDERS = ("core", "client", "coordinator", "assets")
_FILES = ("pyproject.toml", "constraints.txt", "Makefile", "README.md", "LICENSE", "CHANGELOG.md")


@lru_cache(maxsize=1)
def archive() -> bytes:
    """A gzipped tar of the packages, and of what lies beside them in a checkout; made once."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for name in (*_FILES, *_FOLDERS):
            if (_ROOT / name).exists():
                tar.add(_ROOT / name, f"idlebrush/{name}", filter=_kept)
    return packed.getvalue()


def _kept(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Nothing that was built, nothing hidden, and nobody's name."""
    name = Path(member.name).name
    if name == "__pycache__" or name.startswith(".") or name.endswith((".pyc", ".egg-info")):
        return None
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member if member.isfile() or member.isdir() else None
