"""Paths of the files in the folder in which a coordinator keeps a run."""

import fcntl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from coordinator.errors import HomeError


@dataclass(frozen=True)
class Home:
    """A coordinator's folder. It holds all data that must not be lost, except a database kept elsewhere."""

    root: Path

    @property
    def settings(self) -> Path:
        return self.root / "coordinator.toml"

    @property
    def manifest(self) -> Path:
        """Path of the manifest; the files that it names lie beside it."""
        return self.root / "run" / "run.toml"

    @property
    def organiser_key(self) -> Path:
        """Path of the key that signs the manifest: its holder is the run's organiser."""
        return self.root / "keys" / "organiser.pem"

    @property
    def gate_key(self) -> Path:
        """Path of the key that signs access tokens and receipts."""
        return self.root / "keys" / "gate.pem"

    @property
    def bootstrap_identity(self) -> Path:
        return self.root / "peers" / "bootstrap"

    @property
    def recorder_identity(self) -> Path:
        return self.root / "peers" / "recorder"

    @property
    def publisher_identity(self) -> Path:
        return self.root / "peers" / "publisher"

    @property
    def database(self) -> Path:
        return self.root / "coordinator.sqlite"

    @property
    def database_mark(self) -> Path:
        """Path of the served database's mark, by which commands notice that they lack `DATABASE_URL`."""
        return self.root / ".database"

    @property
    def checkpoints(self) -> Path:
        """Folder of the ring of the newest checkpoints that were found good."""
        return self.root / "checkpoints"

    @property
    def frames(self) -> Path:
        """Folder of the time-lapse's pictures."""
        return self.root / "frames"

    @property
    def evaluation(self) -> Path:
        """Folder of the evaluation that the organiser published, if there is one (`idlebrush evaluate`)."""
        return self.root / "evaluation"

    @property
    def run_list(self) -> Path:
        """Signed list of runs that the organiser keeps, if there is one (`idlebrush runs make-list`)."""
        return self.root / "runs.json"

    @property
    def reports(self) -> Path:
        """File that says how far the run was reported to TensorBoard and the like."""
        return self.root / "reports.json"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def lock(self) -> Path:
        """Path of the lock held by the one coordinator that serves the folder."""
        return self.root / ".lock"

    @property
    def archive(self) -> Path:
        """Folder of the files to which the credits of past days are moved."""
        return self.root / "archive"

    @property
    def audits(self) -> Path:
        """Folder by which the processes hand over what an audit of work needs."""
        return self.root / ".audits"

    @property
    def counts(self) -> Path:
        """Folder in which several processes of the website count their requests together."""
        return self.root / ".counts"

    def log(self, name: str) -> Path:
        return self.logs / f"{name}.log"

    def database_url(self, environment: Mapping[str, str]) -> str:
        """Return SQLAlchemy's address of the database: ``DATABASE_URL``, or else the file in the folder."""
        return environment.get("DATABASE_URL") or f"sqlite:///{self.database.resolve()}"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep a second coordinator out of the folder; HomeError if this is the second."""
        with self._open_lock() as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise HomeError(
                    f"Another coordinator serves {self.root}.", "End it first, or choose another folder."
                ) from error
            yield

    @contextmanager
    def rewriting(self) -> Iterator[None]:
        """Lock the manifest from reading it until it is rewritten, since two processes rewrite it."""
        with (self.root / ".rewriting").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    @property
    def is_served(self) -> bool:
        """True if a coordinator serves the folder now."""
        try:
            with self.lock.open() as lock:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False

    def _open_lock(self) -> TextIO:
        try:
            self.root.mkdir(parents=True, exist_ok=True, mode=0o700)
            return self.lock.open("w")
        except OSError as error:
            raise HomeError(
                f"{self.root} cannot be used as a folder: {error.strerror or error}.",
                "Choose another folder, which you may write to.",
            ) from error
