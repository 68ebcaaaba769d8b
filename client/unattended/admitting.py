"""Admits a computer where no person can be asked to a run that has a gate, by a pass or by an earlier sign-in."""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from client.account.tasks import HubSettings
from client.admission.memberships import Memberships, Places
from client.admission.server_pass import ServerPass, brought_pass
from client.api.errors import GateError, JoinError, KeyringError, PersonNeeded, StateError
from client.paths import Paths
from client.service.channel.lock import is_held
from client.service.context import IDENTITY
from client.service.trainer.run import PEER
from client.state_file import utc_now
from client.tasks import TaskRunner
from client.unattended.notes import UnattendedNotes
from core.run.manifest import RunManifest


@dataclass(frozen=True)
class UnattendedAdmission:
    """Admits this computer by what was brought to it, or by what is kept here."""

    paths: Paths
    notes: UnattendedNotes
    server_pass: Path | None
    """File that was named by an option; None: the environment may name a pass."""
    environment: Mapping[str, str]
    owns_lock: bool
    """True if this process holds the daemon's lock, so that no daemon can run."""

    def admit(self, manifest: RunManifest) -> None:
        """Take the pass that was brought, unless it was taken before; then there has to be a membership.

        A pass is taken once: a later sign-in here would otherwise be lost at the next start.

        Raises:
            PersonNeeded: There is no membership, or the pass cannot be used.
            JoinError: A daemon runs, which would not notice another membership.
            CoreError: What is kept cannot be written.
        """
        with _a_person_corrects():
            brought = brought_pass(self.server_pass, self.environment)
            if brought is not None:
                brought.require_run(manifest)
        run, members = manifest.training_digest, self._memberships()
        if brought is not None and not self.notes.has_taken(run, brought.digest):
            self._take(brought, run, members)
        elif asyncio.run(_kept(members, run)) is None:
            raise _no_membership(manifest)

    def _take(self, brought: ServerPass, run: str, members: Memberships) -> None:
        if not self.owns_lock and is_held(self.paths.lock):
            raise JoinError(
                "A daemon of yours runs, which would go on with its present membership and key.",
                "End it by `idlebrush quit`, then give the pass again.",
            )
        with _a_person_corrects():
            brought.lay_identity(members.places.identity(run))
        asyncio.run(members.take(brought.membership))
        self.notes.add_pass(run, brought.digest)

    def _memberships(self) -> Memberships:
        tasks, hub = (
            TaskRunner(self.paths.log("tasks")),
            HubSettings.of_environment(self.environment).endpoint,
        )
        places = Places(self.paths.memberships, lambda run: self.paths.run(run) / PEER / IDENTITY)
        return Memberships(tasks, hub, places, lambda: None, utc_now)


@contextmanager
def _a_person_corrects() -> Iterator[None]:
    """Raise GateError as PersonNeeded: a pass that cannot be used now can never be."""
    try:
        yield
    except GateError as error:
        raise PersonNeeded(error.what, error.remedy) from error


async def _kept(members: Memberships, run: str) -> object:
    try:
        return await members.load(run)
    except (KeyringError, StateError) as error:
        raise PersonNeeded(f"The membership of the run cannot be used: {error.what}", error.remedy) from error


def _no_membership(manifest: RunManifest) -> PersonNeeded:
    return PersonNeeded(
        f"{manifest.contact.title} asks its volunteers to sign in with a browser, which needs a person, and this "
        "computer has no membership.",
        "On a computer with a browser, `idlebrush server-pass LINK FILE` makes a pass for this one; give it by "
        "--pass FILE. Or sign in once as this user: `idlebrush join LINK --no-browser --keep file`.",
    )
