"""Makes the cards of a list of runs from their manifests, their coordinators and the plans of this program."""

import base64
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from pydantic import ValidationError

from client.admission.coordinator import CoordinatorClient
from client.admission.gate_info import GateInfo
from client.api.board import BoardQuery
from client.api.errors import ClientError
from client.fetching.web_client import WebClient
from client.joining.gate import look_at_gate
from client.joining.pace import RunPace, ask_pace
from client.joining.run_files import source_at
from client.joining.traffic import traffic
from core.errors import ManifestError
from core.memory.machine import MachineResources
from core.run.describe import parameter_count
from core.run.join_link import JoinLink
from core.run.manifest import RunManifest
from core.run.manifest_text import MAX_MANIFEST_BYTES
from core.run.plan import plan_of
from core.run.rules import TrainingRules
from core.run.run_list import PICTURE_BYTES, ListedGate, ListingDifference, RunList, RunListing
from core.run.validation import in_words
from core.signing import SigningKey
from core.storage.files import read_bounded


def card_of(link: str, web: WebClient, picture: Path | None = None) -> RunListing:
    """Return the card of the run that a join link leads to; ``picture`` is a PNG or WebP file.

    Raises:
        CoreError: The link is none, or the run, its coordinator or the picture cannot be read.
    """
    parsed, manifest = manifest_at(link, web)
    return described_run(
        JoinLink(parsed.location, parsed.fingerprint),
        manifest,
        look_at_gate(manifest, web),
        ask_pace(manifest, web.document),
        volunteers=_volunteers(manifest),
        picture=_picture(picture) if picture is not None else "",
    )


def manifest_at(link: str, web: WebClient) -> tuple[JoinLink, RunManifest]:
    """Return a join link in its parts, and the manifest of the run that it leads to.

    Raises:
        CoreError: The link is none, or the manifest cannot be read, or another key has signed it.
    """
    parsed = JoinLink.parse(link)
    text = source_at(parsed.location, web).manifest(MAX_MANIFEST_BYTES)
    return parsed, RunManifest.parse(text, parsed.location, fingerprint=parsed.fingerprint)


def described_run(
    link: JoinLink,
    manifest: RunManifest,
    gate: GateInfo | None,
    pace: RunPace,
    *,
    volunteers: int | None = None,
    picture: str = "",
) -> RunListing:
    """Return the card of a run by its own manifest.

    Args:
        link: Join link without an invitation.
        manifest: Manifest of the run.
        gate: Its gate; None: it has none.
        pace: Its progress and pace.
        volunteers: Volunteers on its leaderboard; None: not known.
        picture: PNG or WebP in base64; empty: none.

    Raises:
        ManifestError: A part of it fits no card.
    """
    training = manifest.training
    gpu, ram = least_memory(training)
    try:
        return RunListing(
            link=str(link),
            title=manifest.contact.title,
            description=manifest.contact.description,
            gate=ListedGate.OPEN if gate is None else ListedGate(gate.admits),
            parameters=parameter_count(training.model),
            gpu_bytes=gpu,
            ram_bytes=ram,
            bytes_per_day=traffic(training, pace).bytes_per_day,
            download_bytes=sum(ref.size for ref in manifest.files),
            volunteers=volunteers,
            epochs_left=max(0, training.schedule.total_epochs - pace.epoch),
            picture=picture,
        )
    except ValidationError as error:
        raise ManifestError(f"No card can be made of {link}: {in_words(error)}.", "Correct that.") from error


def differences_from_list(card: RunListing, web: WebClient) -> tuple[ListingDifference, ...]:
    """Return what the run of a card says of itself in another way; CoreError if the run cannot be looked at."""
    link, manifest = manifest_at(card.link, web)
    actual = described_run(link, manifest, look_at_gate(manifest, web), ask_pace(manifest, web.document))
    return tuple(card.differences(actual))


def least_memory(training: TrainingRules) -> tuple[int, int]:
    """Return the least bytes of a GPU, and those of RAM without one, with which a run can be trained."""
    on_gpu = plan_of(training, MachineResources(ram_bytes=1, gpu_bytes=1))
    on_processor = plan_of(training, MachineResources(ram_bytes=1))
    return on_gpu.missing.gpu + 1, on_processor.missing.ram + 1


def issue(
    title: str,
    cards: Sequence[RunListing],
    key: SigningKey,
    now: datetime,
    before: RunList | None = None,
) -> RunList:
    """Return a new issue of a list; its serial follows that of the one ``before``, or is the time.

    Raises:
        ManifestError: The issue before is signed by another key, or a part is not valid.
    """
    if before is not None and before.key != key.public_key:
        raise ManifestError(
            f"The list “{before.title}” is signed by another key.",
            "Give its key, or another file for a new list.",
        )
    serial = max(int(now.timestamp()), before.serial + 1 if before else 0)
    try:
        return RunList.create(title, tuple(cards), key, serial, now)
    except ValidationError as error:
        raise ManifestError(f"No list can be made: {in_words(error)}.", "Correct that.") from error


def _volunteers(
    manifest: RunManifest, client: Callable[[str], CoordinatorClient] = CoordinatorClient
) -> int | None:
    if manifest.contact.coordinator is None:
        return None
    try:
        return client(manifest.contact.coordinator).board(BoardQuery(limit=1), None).total
    except ClientError:  # the list does without
        return None


def _picture(file: Path) -> str:
    try:
        return base64.b64encode(read_bounded(file, PICTURE_BYTES)).decode()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise ManifestError(
            f"The picture {file} cannot be used: {reason}.",
            f"Give a PNG or WebP of at most {PICTURE_BYTES >> 10} kB.",
        ) from error
