"""Gathers the files of a bug report into one archive: findings, versions, preferences and the ends of the logs."""

import json
import platform
import zipfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import distributions
from pathlib import Path

from client.doctor import Finding
from client.environment.places import EnvironmentPlaces
from client.log_files import last_lines
from client.paths import Paths
from core.children.logs import redacted

_LOG_LINES = 2000
_VERSIONS = (
    "torch",
    "hivemind",
    "bitsandbytes",
    "numpy",
    "datasets",
    "huggingface_hub",
    "PySide6-Essentials",
    "idlebrush",
)
_SITES = ("lib/python*/site-packages", "Lib/site-packages")
"""Folders of an environment's packages: on Linux and macOS, and on Windows."""


@dataclass(frozen=True)
class ReportFile:
    """One file of the archive."""

    name: str
    about: str
    """Description for the user, who decides about including it."""
    text: str


def gather(paths: Paths, findings: Sequence[Finding]) -> tuple[ReportFile, ...]:
    """Return the files of a report: every token is blanked, and the home folder is written as ``~``.

    Args:
        paths: Folders of the user whose installation is reported.
        findings: Findings of `idlebrush doctor`.
    """
    places = EnvironmentPlaces(paths.environment)
    environment = places.usable()
    files = [
        ReportFile(
            "doctor.json", "findings of idlebrush doctor", _json([asdict(finding) for finding in findings])
        ),
        ReportFile("versions.txt", "system and versions of packages", _versions(environment)),
    ]
    if paths.preferences.exists():
        about = "your preferences"
        files.append(ReportFile("preferences.toml", about, paths.preferences.read_text("utf-8", "replace")))
    set_up = [places.log] if places.log.exists() else []
    for log in [*sorted(paths.logs.glob("*.log")), *set_up]:
        about = f"the last {_LOG_LINES} lines of the log"
        files.append(ReportFile(f"logs/{log.name}", about, "\n".join(last_lines(log, _LOG_LINES)) + "\n"))
    return tuple(ReportFile(file.name, file.about, _private(file.text)) for file in files)


def save(files: Sequence[ReportFile], path: Path) -> None:
    """Write the archive, a ZIP file, whole or not at all.

    Raises:
        FileExistsError: If there is a file of that name, which is never replaced.
    """
    stream = path.open("xb")
    try:
        with stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in files:
                archive.writestr(file.name, file.text)
    except BaseException:
        path.unlink(missing_ok=True)  # after it was closed: Windows removes no open file
        raise


def _private(text: str) -> str:
    return redacted(text).replace(str(Path.home()), "~")


def _versions(environment: Path | None) -> str:
    """Return the versions of packages in the trainer's environment, where there is one, and beside the app."""
    sites = [str(site) for layout in _SITES for site in environment.glob(layout)] if environment else []
    wanted = {name.lower().replace("_", "-") for name in _VERSIONS}
    found = {
        item.name.lower().replace("_", "-"): item.version
        for item in (*distributions(), *distributions(path=sites))
    }
    system = [platform.platform(), f"Python {platform.python_version()}"]
    return (
        "\n".join([*system, *(f"{name} {found.get(name, 'not installed')}" for name in sorted(wanted))])
        + "\n"
    )


def _json(content: object) -> str:
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"
