"""The site's shared context: the run's home, its settings, manifest, database, key and clock."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from coordinator.database.connect import Database
from coordinator.home import Home
from coordinator.packages.folder import PackageFolder
from coordinator.published_evaluation import EvaluationFile
from coordinator.settings import Settings
from core.run.manifest import RunManifest
from core.signing import SigningKey


class ManifestFile:
    """Gives the newest manifest, parsed again only when the file has changed.

    It is for threads that serve requests while `coordinator serve` may replace it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._changing = threading.Lock()
        self._seen: tuple[int, int, int] | None = None
        self._manifest: RunManifest | None = None

    def read(self) -> RunManifest:
        """Return the manifest; raise ManifestError if the file cannot be read and no earlier one was read."""
        with self._changing:
            stamp = self._stamp()
            if self._manifest is None or (stamp is not None and stamp != self._seen):
                self._manifest = RunManifest.load(self._path)
                self._seen = stamp
            return self._manifest

    def _stamp(self) -> tuple[int, int, int] | None:
        """Return a stamp of the file's version; the file is replaced whole, so its inode changes too."""
        try:
            status = self._path.stat()
        except OSError:
            return None
        return status.st_ino, status.st_mtime_ns, status.st_size


@dataclass(frozen=True)
class WebContext:
    """Context passed to every router; shared by all threads that answer requests."""

    home: Home
    settings: Settings
    database: Database
    gate_key: SigningKey
    """Key that signs access tokens, receipts and certificates."""
    clock: Callable[[], datetime]
    """Current time in UTC, with its time zone."""
    hub_token: str | None = field(default=None, repr=False)
    """The organiser's token for the Hub, to read the organisation's members."""
    packages: PackageFolder | None = None
    """Packages that the page for newcomers offers."""
    handbook: Path | None = None
    """Folder of the built handbook; None: it was not built."""
    counts: Path | None = None
    """Folder in which the website's processes count requests together; None: there is one process."""
    _file: ManifestFile = field(init=False, repr=False)
    evaluation: EvaluationFile = field(init=False, repr=False)
    """The evaluation that the organiser published."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "evaluation", EvaluationFile(self.home))
        object.__setattr__(self, "_file", ManifestFile(self.home.manifest))

    @property
    def manifest(self) -> RunManifest:
        """Return the run's current manifest; contact and state may be reissued while the site serves it."""
        return self._file.read()
