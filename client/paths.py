"""Paths of a volunteer's files: in the system's own folders, or all in one folder under IDLEBRUSH_HOME."""

import contextlib
import os
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

HOME_VARIABLE = "IDLEBRUSH_HOME"
_NAME = "idlebrush"
_APP_SETTINGS, _APP_SOCKET = "app.ini", "app"
"""Names that the app gives to its files (`gui.settings`, `gui.single`)."""
_LOGS = (
    "app",
    "benchmark",
    "daemon",
    "daemon-start",
    "doctor",
    "generator",
    "setup",
    "swarm",
    "tasks",
    "trainer",
    "uninstall",
    "update",
)
"""Names of all logs, of the app and of Windows' installer too."""
_PATTERNS = ("{}", "{}.[0-9]", "{}.lock", "{}.set-aside-*", "{}-wal", "{}-shm", "{}-journal", ".{}.*")
"""Patterns of the names of a file, of its earlier ones, and of those that are made beside it meanwhile."""


@dataclass(frozen=True)
class Paths:
    """Places of all files of the client; `prepare` makes the folders, for their owner alone."""

    config: Path
    """Folder of the preferences."""
    data: Path
    """Folder of data that must not be lost: runs and contribution."""
    logs: Path
    runtime: Path
    """Sockets and locks of this login; short, as a socket's path may have 107 bytes."""

    @classmethod
    def of_user(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """Return the folders of this user; IDLEBRUSH_HOME, where it is set, holds all of them."""
        if home := environment.get(HOME_VARIABLE):
            root = Path(home).absolute()
            return cls(root / "config", root / "data", root / "logs", root / "runtime")
        from platformdirs import PlatformDirs

        system = PlatformDirs(_NAME, appauthor=False)
        with warnings.catch_warnings():
            # outside of a login there is no folder for sockets; what it takes instead is closed by `prepare`
            warnings.simplefilter("ignore")
            runtime = system.user_runtime_path
        return cls(system.user_config_path, system.user_data_path, system.user_log_path, runtime)

    def prepare(self) -> None:
        """Make the folders that are missing, closed to other users.

        Windows ignores the modes: folders in the user's profile inherit access rights that close them.
        """
        for folder in (self.config, self.data, self.logs, self.runtime):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with contextlib.suppress(PermissionError):  # another user's folder, behind a link
                folder.chmod(0o700)  # even if another program made it
        self.runtime.chmod(0o700)

    @property
    def preferences(self) -> Path:
        return self.config / "preferences.toml"

    @property
    def socket(self) -> Path:
        """Path at which the daemon listens."""
        return self.runtime / "control"

    @property
    def lock(self) -> Path:
        """Lock file that the daemon holds for as long as it runs, with its process id for people."""
        return self.runtime / "daemon.lock"

    @property
    def notebook_lock(self) -> Path:
        """Lock of the notebook whose daemon runs here (`client.notebook.keeper`)."""
        return self.runtime / "notebook"

    @property
    def state(self) -> Path:
        """File of the daemon's choices: run, consent, snooze."""
        return self.data / "state.json"

    @property
    def joined(self) -> Path:
        """File of the joined runs, with the shares and the time of each (`client.service.kept.joined_runs`)."""
        return self.data / "joined.json"

    @property
    def unattended(self) -> Path:
        """File of what unattended starts note for later ones (`client.unattended.notes`)."""
        return self.data / "unattended.json"

    @property
    def stats(self) -> Path:
        return self.data / "contribution.sqlite"

    @property
    def gpu_settings(self) -> Path:
        """The owner's settings of GPUs, while training has changed them (`client.machine.gpu.limits`)."""
        return self.data / "gpu-settings.json"

    @property
    def gallery(self) -> Path:
        """Pictures that front ends asked for (`client.generation.gallery`)."""
        return self.data / "gallery"

    @property
    def evaluations(self) -> Path:
        """Folder of the indices of training pictures and of drawings that evaluations keep for the next ones."""
        return self.data / "evaluations"

    @property
    def account(self) -> Path:
        """File that names the account and where its sign-in is kept; it holds no secret."""
        return self.data / "account.json"

    @property
    def credentials(self) -> Path:
        """File with the sign-in; it is used only if there is no keyring and the volunteer chose a file."""
        return self.data / "credentials.json"

    @property
    def memberships(self) -> Path:
        """Folder of the memberships of runs, and where they are kept (`client.admission.memberships`)."""
        return self.data / "memberships"

    @property
    def lists(self) -> Path:
        """Folder of the lists of runs that were added (`client.directory.known_lists`)."""
        return self.data / "lists"

    @property
    def swarm(self) -> Path:
        """Folder of the swarm on this computer: its run, coordinator and second trainer (`client.demo.folder`)."""
        return self.data / "swarm"

    @property
    def remote(self) -> Path:
        """Folder of this computer's certificate and of the computers that it is paired with (`client.remote`)."""
        return self.data / "remote"

    @property
    def receipts(self) -> Path:
        """Signed receipts for what was given, by run."""
        return self.data / "receipts"

    @property
    def environment(self) -> Path:
        """Folder of the trainer's environment, of the one before it, and of one that is being made."""
        return self.data / "environment"

    @property
    def distribution(self) -> Path:
        """Folder of the distribution in which trainers live on Windows: its disk, and the record of its setup."""
        return self.data / "wsl"

    @property
    def updates(self) -> Path:
        """Folder of what is known of newer versions, and of a package that is being fetched."""
        return self.data / "updates"

    def own(self) -> Iterator[Path]:
        """Yield what there is of the client's own in the four folders; all else in them belongs to other programs."""
        account = (self.account, self.credentials, self.memberships, self.receipts)
        data = (
            self.state,
            self.joined,
            self.unattended,
            self.stats,
            self.gpu_settings,
            self.gallery,
            self.environment,
            self.distribution,
            self.updates,
            self.swarm,
            self.lists,
            self.remote,
            self.data / "runs",
        )
        logs = (self.log(name) for name in _LOGS)
        settings = (self.preferences, self.config / _APP_SETTINGS)
        runtime = (self.socket, self.lock, self.notebook_lock, self.runtime / _APP_SOCKET)
        for place in (*settings, *logs, *runtime, *account, *data):
            for pattern in _PATTERNS:
                yield from place.parent.glob(pattern.format(place.name))

    def run(self, digest: str) -> Path:
        """Return the folder of a run that was joined, named by its training digest."""
        return self.data / "runs" / digest[:16]

    def log(self, name: str) -> Path:
        return self.logs / f"{name}.log"
