"""What a volunteer may name a run by: a join link, a web address, a file, or the name of a run shipped with us."""

from dataclasses import dataclass
from pathlib import Path

from client.api.errors import JoinError
from client.excerpt import excerpt
from client.joining.embedded import MANIFESTS, NAMES, embedded_run
from client.joining.run_card import MANIFEST
from core.join_link import SCHEME, JoinLink
from core.signing import same_fingerprint


@dataclass(frozen=True)
class Invitation:
    """Where a run's manifest lies, and whose key must have signed it."""

    location: str
    """An http(s) address, or the absolute path of a file."""
    fingerprint: str | None
    """Of the organiser's key; None: nobody told."""
    code: str | None = None
    """For the run's gate, where the link carries one."""

    @property
    def on_the_web(self) -> bool:
        return is_address(self.location)

    @property
    def is_vouched_for(self) -> bool:
        """Whether the manifest can be known to be its organiser's: by a key, or as the volunteer's own file."""
        return self.fingerprint is not None or not self.on_the_web


def is_address(text: str) -> bool:
    return text.lower().startswith(("https://", "http://"))


def read_invitation(run: str, key: str | None = None) -> Invitation:
    """What the words of a volunteer mean.

    Args:
        run: a join link, an http(s) address, the path of a manifest or of its folder, or one of `NAMES`.
        key: fingerprint of the organiser's key, where the volunteer knows it.

    Raises:
        ManifestError: it looks like a join link and is none.
        JoinError: it is none of these, or link and ``key`` contradict each other.
    """
    run = run.strip()
    if run.lower().startswith(f"{SCHEME}:"):
        return _of_link(JoinLink.parse(run), key)
    if is_address(run):
        return Invitation(run, key)
    if run in NAMES:
        return Invitation(str(embedded_run() / MANIFESTS[NAMES[run]]), key)
    return Invitation(str(_file(run)), key)


def _of_link(link: JoinLink, key: str | None) -> Invitation:
    if key is not None and not same_fingerprint(key, link.fingerprint):
        raise JoinError(
            f"The join link is for the key {link.fingerprint}, and the one that you gave is {key}.",
            "Ask the organiser which one is right; do not join before.",
        )
    return Invitation(link.location, link.fingerprint, link.invitation)


def _file(run: str) -> Path:
    try:
        path = Path(run).expanduser().absolute()
        manifest = path / MANIFEST if path.is_dir() else path
        is_there = manifest.is_file()
    except (OSError, RuntimeError, ValueError):  # too long for a path, or the home of nobody
        manifest, is_there = Path(run), False
    if not is_there:
        raise JoinError(
            f"There is no run manifest at {excerpt(str(manifest))}.",
            "Give a join link, a web address, the path of a manifest, or: embedded.",
        )
    return manifest
