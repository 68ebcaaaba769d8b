"""Publishes a checkpoint as a model on the Hugging Face Hub: one commit has all of it, and nothing is sent twice."""

import shutil
from collections.abc import Mapping
from pathlib import Path

from huggingface_hub.hf_api import RepoFile
from pydantic import SecretStr

from coordinator.errors import PublishError
from core.data.pushing.hub_repository import (
    MAIN,
    HubRepository,
    HubUnavailable,
    RepositoryKind,
    settle_library,
)
from core.data.pushing.upload import Upload
from core.errors import DataError
from core.published.export import export_checkpoint
from core.published.family_document import DOCUMENT as FAMILY_DOCUMENT
from core.published.model_folder import DOCUMENT
from core.run.manifest import RunManifest

_OURS = (
    *("codec/", "model.", "tokenizer.json", "scorer.safetensors", "README.md"),
    *("config.json", "generation_config.json", "tokenizer_config.json", "idlebrush.json"),
)
"""Beginnings of the names that an earlier release may have left behind."""


class Unavailable(PublishError):
    """The Hub cannot be reached for now: trying again may help."""


class HubRelease:
    """Publishes one run's checkpoints to its repository."""

    def __init__(self, manifest: RunManifest, base: Path, work: Path, repository: HubRepository) -> None:
        """Prepare to publish checkpoints of a run to its repository.

        ``base`` is the folder of the run's files. ``work`` is a folder that is made, and holds a model while
        it is on its way.
        """
        self._manifest, self._base, self._work, self._repository = manifest, base, work, repository

    @classmethod
    def to_hub(
        cls, manifest: RunManifest, base: Path, work: Path, repo: str, token: str, endpoint: str | None = None
    ) -> "HubRelease":
        settle_library()
        repository = HubRepository(repo, MAIN, SecretStr(token), endpoint, kind=RepositoryKind.MODEL)
        return cls(manifest, base, work, repository)

    def publish(self, checkpoint: Path) -> str:
        """Publish the checkpoint in that folder; the id of the commit that has it.

        Raises Unavailable for faults that pass, PublishError for others of the Hub's, CheckpointError and
        ManifestError if there is nothing to publish.
        """
        folder = self._work / "model"
        shutil.rmtree(folder, ignore_errors=True)  # of an attempt that was killed
        self._work.mkdir(parents=True, exist_ok=True)
        export_checkpoint(checkpoint, self._manifest, self._base, folder)
        try:
            return self._send(folder)
        except HubUnavailable as error:
            raise Unavailable(error.what, "It is tried again by itself.") from error
        except DataError as error:
            raise PublishError(
                error.what, f"See that HF_TOKEN is a token that may write to {self._repository.repo}."
            ) from error
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _send(self, folder: Path) -> str:
        repository, uploads = self._repository, _uploads(folder)
        repository.make(private=False)
        there = repository.files()
        additions = [upload.operation() for upload in uploads if not upload.is_at(there)]
        repository.send(additions)
        commit = repository.commit(self._message(), additions, _stale(uploads, there))
        arrived = repository.files(commit)
        if wrong := [upload.name for upload in uploads if not upload.is_at(arrived)]:
            raise DataError(
                f"{wrong[0]} differs at the Hub, in the commit {commit[:8]}.", "Publish it again."
            )
        return commit

    def _message(self) -> str:
        return f"A checkpoint of {self._manifest.contact.title}"


def _uploads(folder: Path) -> list[Upload]:
    """Return the files of a folder in the order to send them.

    Those that describe the model come last, so that watchers of the folder see it whole.
    """
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    files.sort(key=lambda path: path.name in (DOCUMENT, FAMILY_DOCUMENT))
    return [Upload.of_file(path.relative_to(folder).as_posix(), path) for path in files]


def _stale(uploads: list[Upload], there: Mapping[str, RepoFile]) -> list[str]:
    own = {upload.name for upload in uploads}
    return sorted(name for name in there if name.startswith(_OURS) and name not in own)
