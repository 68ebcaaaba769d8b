"""The run's manifest on disk, parsed again only when the file has changed."""

import threading
from pathlib import Path

from core.run import RunManifest


class ManifestFile:
    """Gives the newest manifest; for threads that serve requests while `coordinator serve` may replace it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._changing = threading.Lock()
        self._seen: tuple[int, int, int] | None = None
        self._manifest: RunManifest | None = None

    def read(self) -> RunManifest:
        """The manifest; ManifestError while the file cannot be read and none was read before."""
        with self._changing:
            stamp = self._stamp()
            if self._manifest is None or (stamp is not None and stamp != self._seen):
                self._manifest = RunManifest.load(self._path)
                self._seen = stamp
            return self._manifest

    def _stamp(self) -> tuple[int, int, int] | None:
        """Tells one version of the file from another; it is replaced whole, so its number changes too."""
        try:
            status = self._path.stat()
        except OSError:
            return None
        return status.st_ino, status.st_mtime_ns, status.st_size
