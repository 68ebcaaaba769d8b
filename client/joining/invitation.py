"""Reads the names that a volunteer may give to a run: a join link, a web address, a file, or an embedded run's
name.
"""

from dataclasses import dataclass
from pathlib import Path

from client.api.errors import JoinError
from client.joining.embedded import MANIFESTS, NAMES, embedded_run
from client.joining.run_card import MANIFEST
from core.excerpt import excerpt
from core.fingerprint import same_fingerprint
from core.run.join_link import JoinLink, is_join_link


@dataclass(frozen=True)
class RunInvitation:
    """Location of a run's manifest, and the key that must have signed it."""

    location: str
    """An http(s) address, or the absolute path of a file."""
    fingerprint: str | None
    """Fingerprint of the organiser's key; None: unknown."""
    code: str | None = None
    """Invitation code for the run's gate, if the link carries one."""

    @property
    def on_the_web(self) -> bool:
        return is_address(self.location)

    @property
    def is_vouched_for(self) -> bool:
        """True if the manifest can be verified as its organiser's, by a key, or is a file of the volunteer's own."""
        return self.fingerprint is not None or not self.on_the_web

    def require_vouched(self) -> None:
        """Raise JoinError unless it can be verified so."""
        if not self.is_vouched_for:
            raise JoinError(
                f"{self.location} does not name the key that must have signed the run.",
                "Use a join link, or give the organiser's key with --key.",
            )


def is_address(text: str) -> bool:
    return text.lower().startswith(("https://", "http://"))


def read_invitation(run: str, key: str | None = None) -> RunInvitation:
    """Understand the name that a volunteer gives to a run.

    Args:
        run: A join link, an http(s) address, the path of a manifest or of its folder, or one of `NAMES`.
        key: Fingerprint of the organiser's key, where the volunteer knows it.

    Raises:
        ManifestError: It looks like a join link and is none.
        JoinError: It is none of these, or link and ``key`` contradict each other.
    """
    run = run.strip()
    if is_join_link(run):
        return _of_link(JoinLink.parse(run), key)
    if is_address(run):
        return RunInvitation(run, key)
    if run in NAMES:
        return RunInvitation(str(embedded_run() / MANIFESTS[NAMES[run]]), key)
    return RunInvitation(str(_file(run)), key)


def _of_link(link: JoinLink, key: str | None) -> RunInvitation:
    if key is not None and not same_fingerprint(key, link.fingerprint):
        raise JoinError(
            f"The join link is for the key {link.fingerprint}, and the one that you gave is {key}.",
            "Ask the organiser which one is right; do not join before.",
        )
    return RunInvitation(link.location, link.fingerprint, link.invitation)


def _file(run: str) -> Path:
    try:
        path = Path(run).expanduser().absolute()
        manifest = path / MANIFEST if path.is_dir() else path
        is_there = manifest.is_file()
    except (OSError, RuntimeError, ValueError):  # too long for a path, or the home of an unknown user
        manifest, is_there = Path(run), False
    if not is_there:
        raise JoinError(
            f"There is no run manifest at {excerpt(str(manifest))}.",
            "Give a join link, a web address, the path of a manifest, or: embedded.",
        )
    return manifest
