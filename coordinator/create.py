"""Makes a coordinator's home: the run with its files, newly generated keys, and settings to edit."""

import shutil
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pydantic import ValidationError

from coordinator.contact import successor
from coordinator.draft import Draft
from coordinator.errors import HomeError
from coordinator.home import Home
from coordinator.settings import Settings, require_publishable
from core.admission.peer_key import PeerKey
from core.errors import ManifestError
from core.run.contact import Contact
from core.run.manifest import RunManifest
from core.run.training.families import family_of
from core.run.validation import in_words
from core.signing import SigningKey
from core.storage.files import FileRef, resolve_file

_OWN = {".lock", "keys", "peers", "run"}
"""Names that a home may contain whose creation was interrupted early."""


@dataclass(frozen=True)
class NewRun:
    """Inputs for creating a run."""

    draft: Draft
    title: str | None = None
    """Title that replaces the draft's."""
    least_version: str | None = None
    """Oldest version of Idlebrush that may train the run, in place of the draft's; empty: any version."""

    def described(self, contact: Contact) -> Contact:
        """Return the contact part with what was given here in place of its own."""
        given: dict[str, object] = {}
        if self.title is not None:
            given["title"] = self.title
        if self.least_version is not None:
            given["least_version"] = self.least_version or None
        try:
            return Contact.model_validate({**dict(contact), **given})
        except ValidationError as error:
            remedy = (
                f"Choose another value for {', '.join(given)}. A version is a release number, such as 0.3."
            )
            raise ManifestError(f"The contact part: {in_words(error)}.", remedy) from error


def create(home: Home, run: NewRun, settings: Settings, now: datetime) -> RunManifest:
    """Make the home, or complete one whose making was interrupted; the manifest comes last.

    Existing keys are kept, and so is the run of a complete home; settings are rewritten. A title or a least version
    for the run of a complete home becomes a new contact part.

    Raises:
        HomeError: the folder holds something else, another run, or is served now.
        SettingsError: checkpoints are to be published whose model cannot be; nothing was made.
        MisfitError: codec, tokenizer or shards of a new run do not fit its model; nothing was made.
        CoreError: something cannot be read or written.
    """
    _refuse_foreign(home)
    require_publishable(settings, run.draft.training)
    if not home.manifest.exists():
        _require_fit(run.draft)
    with home.locked():
        try:
            return _create(home, run, settings, now)
        except OSError as error:
            raise HomeError(
                f"{home.root} cannot be written: {error.strerror or error}.",
                "Check that the disk has space and that you may write there, then run the same command again.",
            ) from error


def _create(home: Home, run: NewRun, settings: Settings, now: datetime) -> RunManifest:
    for folder in (home.root, home.organiser_key.parent, home.bootstrap_identity.parent):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    organiser, gate = (SigningKey.load_or_create(file) for file in (home.organiser_key, home.gate_key))
    bootstrap = PeerKey.load_or_create(home.bootstrap_identity)
    for identity in (home.recorder_identity, home.publisher_identity):
        PeerKey.load_or_create(identity)
    if home.manifest.exists():
        manifest = _described(_known(home, run, organiser), run, organiser, now)
    else:
        contact = _contact(run, settings, bootstrap.peer_id, gate, now)
        manifest = RunManifest.create(run.draft.training, contact, organiser)
        for ref in manifest.files:
            _take(ref, run.draft.base, home.manifest.parent)
    settings.save(home.settings)
    manifest.save(home.manifest)
    return manifest


def _require_fit(draft: Draft) -> None:
    """Raise an error for a run that cannot be trained, since its rules can never be changed."""
    from core.data.checking.fit_rows import HUB_SECONDS  # here because it loads pyarrow

    training = draft.training
    training.check_files(draft.base)
    family = family_of(training)  # loads PyTorch
    family.check_parts(training, draft.base)
    family.check_rows(training, draft.base, hub_seconds=HUB_SECONDS)


def _contact(run: NewRun, settings: Settings, entry_peer: str, gate: SigningKey, now: datetime) -> Contact:
    entry = tuple(f"{address}/p2p/{entry_peer}" for address in settings.swarm.announce)
    begun = run.described(run.draft.contact).model_copy(
        update={"initial_peers": (), "serial": 0, "issued_at": now}
    )
    key = None if settings.gate.open else gate.public_key
    return successor(begun, settings, entry, key, now) or begun


def _known(home: Home, run: NewRun, organiser: SigningKey) -> RunManifest:
    """Return the run of a home that is already complete."""
    manifest = RunManifest.load(home.manifest)
    if manifest.training != run.draft.training:
        raise HomeError(
            f"{home.root} is the home of another run: {manifest.contact.title}.",
            "Choose another folder: the rules of a run never change.",
        )
    if manifest.key != organiser.public_key:
        raise ManifestError(
            f"{home.organiser_key} is not the key of the run in {home.root}.",
            f"Put the key back whose fingerprint is {manifest.fingerprint}.",
        )
    for ref in manifest.files:
        resolve_file(ref, home.manifest.parent)
    return manifest


def _described(known: RunManifest, run: NewRun, organiser: SigningKey, now: datetime) -> RunManifest:
    """Return the manifest with the title and the least version that were given; a change gets the next serial."""
    contact = run.described(known.contact)
    if contact == known.contact:
        return known
    update = {"serial": known.contact.serial + 1, "issued_at": now}
    return known.reissue_contact(contact.model_copy(update=update), organiser)


def _take(ref: FileRef, source: Path, target: Path) -> None:
    """Copy a file of the run; verify it instead if an earlier attempt copied it."""
    try:
        resolve_file(ref, target)
    except ManifestError:
        place = target / ref.path
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(resolve_file(ref, source), place)


def _refuse_foreign(home: Home) -> None:
    if not home.root.is_dir() or home.settings.exists() or home.organiser_key.exists():
        return
    foreign = sorted(path.name for path in home.root.iterdir() if path.name not in _OWN)
    if foreign:
        raise HomeError(
            f"{home.root} holds {foreign[0]}, which is not of a coordinator.", "Choose another folder."
        )
