"""What the website and the REST API are given: the run's home, its settings, database, key and clock."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from coordinator.database.connect import Database
from coordinator.home import Home
from coordinator.settings import Settings
from coordinator.web.manifest_file import ManifestFile
from core.run import RunManifest
from core.signing import SigningKey


@dataclass(frozen=True)
class WebContext:
    """Handed to every router when the app is made; shared by all threads that answer requests."""

    home: Home
    settings: Settings
    database: Database
    gate_key: SigningKey
    """Signs access tokens, receipts and certificates."""
    clock: Callable[[], datetime]
    """The time now, aware, in UTC."""
    hub_token: str | None = field(default=None, repr=False)
    """The organiser's for the Hub, to see who is in the organisation."""
    _file: ManifestFile = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_file", ManifestFile(self.home.manifest))

    @property
    def manifest(self) -> RunManifest:
        """The run's manifest as it lies in the home now: contact and state may be issued anew while we serve."""
        return self._file.read()
