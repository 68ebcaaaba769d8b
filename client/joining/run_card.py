"""Keeps what the daemon has to know of a joined run in a small file beside its manifest, the card.

The program that joins a run verifies its manifest and writes the card; the trainer verifies the manifest again. The
daemon thus needs no cryptography. A card that was tampered with changes what is shown, but not what is trained.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Self

from pydantic import BaseModel, ConfigDict

from client import state_file
from client.api.errors import JoinError
from client.api.snapshot import NewsView, RunView
from core.storage.files import read_bounded

if TYPE_CHECKING:
    from client.contribution.stats import TrainedRun
    from core.run.manifest import RunManifest

FILE = "card.json"
MANIFEST = "run.toml"


class RunCard(BaseModel):
    """A run in words and numbers."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    title: str
    digest: str
    fingerprint: str
    total_epochs: int
    makes_pictures: bool = True
    """True if the run's model draws."""
    generation: int = 0
    began_at: int = 0
    """The epoch at which the generation began."""
    sample_prompts: tuple[str, ...] = ()
    coordinator: str | None = None
    """Web address of the coordinator."""
    gate: str | None = None
    """Public key that signs access tokens; None: the run is open."""
    least_version: str | None = None
    """Oldest version of Idlebrush that may train it; None: any."""
    news: tuple[NewsView, ...] = ()
    """Messages of its organiser, newest first."""

    @classmethod
    def of(cls, manifest: "RunManifest") -> Self:
        return cls(
            name=manifest.training.name,
            title=manifest.contact.title,
            digest=manifest.training_digest,
            fingerprint=manifest.fingerprint,
            total_epochs=manifest.training.schedule.total_epochs,
            makes_pictures=manifest.training.makes_pictures,
            generation=manifest.state.generation,
            began_at=manifest.state.epoch,
            sample_prompts=manifest.contact.sample_prompts,
            coordinator=manifest.contact.coordinator,
            gate=manifest.contact.gate.key if manifest.contact.gate else None,
            least_version=manifest.contact.least_version,
            news=tuple(NewsView(at=item.at, text=item.text) for item in manifest.contact.news),
        )

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Return the card in the folder of a joined run; raise JoinError if there is none."""
        try:
            return cls.model_validate_json(read_bounded(folder / FILE, state_file.LARGEST))
        except (OSError, ValueError) as error:
            raise JoinError(
                f"{folder} does not hold a run that was joined.", "Join it with `idlebrush join`."
            ) from error

    def save(self, folder: Path) -> None:
        """Put it into the folder of the run; StateError if that cannot be."""
        state_file.save(folder / FILE, self)

    def view(self, folder: Path) -> RunView:
        return RunView(
            name=self.name,
            title=self.title,
            digest=self.digest,
            fingerprint=self.fingerprint,
            folder=str(folder),
            sample_prompts=self.sample_prompts,
            total_epochs=self.total_epochs,
            coordinator=self.coordinator,
            has_gate=self.gate is not None,
            news=self.news,
        )

    @property
    def trained(self) -> "TrainedRun":
        """The run as contribution is counted for it."""
        # Here, because it loads SQLite, which the app does not need.
        from client.contribution.stats import TrainedRun

        return TrainedRun(self.digest, self.name, self.generation, self.began_at)
