"""Makes the folder of a demo a run of its own: manifest, signing key and the files of the embedded run."""

import json
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from client.api.errors import ClientError, FolderError, FolderInUse
from client.demo.progress import EpochRecord
from client.joining.embedded import MANIFESTS, EmbeddedSet
from client.joining.run_card import RunCard
from core.errors import ManifestError
from core.run.manifest import RunManifest
from core.run.rules import TrainingRules
from core.signing import SigningKey
from core.storage import moving
from core.storage.file_lock import alone
from core.storage.files import resolve_file, write_atomically


@dataclass(frozen=True)
class DemoFolder:
    """Files and folders in the folder of a demo."""

    root: Path

    @property
    def manifest(self) -> Path:
        return self.root / "run" / "run.toml"

    @property
    def key(self) -> Path:
        return self.root / "run" / "signing-key.pem"

    @property
    def coordinator(self) -> Path:
        """The home of the run's coordinator."""
        return self.root / "coordinator"

    @property
    def metrics(self) -> Path:
        return self.root / "metrics.jsonl"

    @property
    def verdict(self) -> Path:
        return self.root / "verdict.json"

    @property
    def samples(self) -> Path:
        return self.root / "samples.png"

    @property
    def bootstrap_identity(self) -> Path:
        return self.root / "bootstrap" / "identity"

    def samples_of(self, epoch: int) -> Path:
        return self.root / "samples" / f"epoch-{epoch:04d}.png"

    def texts_of(self, epoch: int) -> Path:
        """Return the file of what a text run's model wrote at an epoch."""
        return self.samples_of(epoch).with_suffix(".txt")

    def peer(self, number: int) -> Path:
        """Return the folder of that trainer's checkpoint: the first trainer's lies in the demo's folder itself."""
        return self.root / "peers" / str(number) if number else self.root

    def log(self, name: str) -> Path:
        return self.root / "logs" / f"{name}.log"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep a second demo out of the folder; FolderInUse if this is the second."""
        with ExitStack() as stack:
            try:
                self.root.mkdir(parents=True, exist_ok=True)
                stack.enter_context(alone(self.root / ".lock"))
            except BlockingIOError as error:
                raise FolderInUse(
                    f"Another demo runs in {self.root}.", "End it first, or choose another folder with --out."
                ) from error
            except OSError as error:
                raise FolderError(
                    f"{self.root} cannot be used as a folder: {error.strerror or error}.",
                    "Choose another folder with --out.",
                ) from error
            yield


def prepare(folder: DemoFolder, embedded: Path, kind: EmbeddedSet, *, keeps_rules: bool = False) -> None:
    """Make the folder a run made from the embedded one, or see that it is that already.

    Args:
        folder: the folder.
        embedded: the folder of the embedded runs.
        kind: the embedded run.
        keeps_rules: true to go on with a run of other rules, as one of an earlier version of this program.

    Raises:
        FolderError: the folder holds something else, or a run with other rules.
        ManifestError: the embedded run is incomplete.
    """
    source = embedded / MANIFESTS[kind]
    shipped = RunManifest.load(source)
    if folder.manifest.exists():
        _check(folder, None if keeps_rules else shipped.training)
    else:
        _refuse_foreign(folder)
        _make(folder, source.parent, shipped)
    RunCard.of(RunManifest.load(folder.manifest)).save(folder.manifest.parent)


def _make(folder: DemoFolder, source: Path, shipped: RunManifest) -> None:
    for ref in shipped.files:
        target = folder.manifest.parent / ref.path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(resolve_file(ref, source), target)
    key = SigningKey.generate()
    moving.remove(folder.key)  # of a demo that was interrupted here
    key.save(folder.key)
    contact = shipped.contact.model_copy(update={"initial_peers": (), "issued_at": datetime.now(UTC)})
    RunManifest.create(shipped.training, contact, key).save(folder.manifest)


def _check(folder: DemoFolder, training: TrainingRules | None) -> None:
    manifest = RunManifest.load(folder.manifest)
    if training is not None and manifest.training != training:
        raise FolderError(
            f"{folder.root} holds a run with other rules, perhaps of another version or another --set.",
            "Choose another folder with --out.",
        )
    for ref in manifest.files:
        resolve_file(ref, folder.manifest.parent)
    if SigningKey.load(folder.key).public_key != manifest.key:
        raise ManifestError(f"{folder.key} is not the key of the run.", "Choose another folder with --out.")


def _refuse_foreign(folder: DemoFolder) -> None:
    foreign = sorted(path.name for path in folder.root.iterdir() if path.name not in {".lock", "run"})
    if foreign:
        raise FolderError(
            f"{folder.root} holds {foreign[0]}, which does not belong to a demo.",
            "Choose another folder with --out.",
        )


class DemoMetrics:
    """The file, and what it holds; epochs rise from line to line."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.epochs: tuple[EpochRecord, ...] = _read(path) if path.exists() else ()

    def add(self, record: EpochRecord) -> None:
        """Append an epoch. One that is done again, after a resume from before it, replaces what followed."""
        kept = tuple(known for known in self.epochs if known.epoch < record.epoch)
        if kept != self.epochs:
            write_atomically(self._path, "".join(map(_line, kept)).encode())
        self.epochs = (*kept, record)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(_line(record))


def _line(record: EpochRecord) -> str:
    return json.dumps(asdict(record)) + "\n"


def _read(path: Path) -> tuple[EpochRecord, ...]:
    """Return the epochs of the file; a last line that a power cut left incomplete is removed.

    Raise ClientError if the file is not this program's.
    """
    *lines, rest = path.read_text(encoding="utf-8").split("\n")
    if rest:
        write_atomically(path, "".join(f"{line}\n" for line in lines).encode())
    try:
        return tuple(EpochRecord(**json.loads(line)) for line in lines)
    except (ValueError, TypeError) as error:
        raise ClientError(
            f"{path} is not a file of this program ({error}).", "Move it away, or choose another --out."
        ) from error
