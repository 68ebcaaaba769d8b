"""Signs in to a run here for a computer without a browser, and writes the pass by which that one is admitted."""

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from client.admission.server_pass import ServerPass
from client.admission.tasks import AddressShown, Enter, GateAdmission
from client.api.errors import JoinError
from client.api.snapshot import SignInView
from client.console.join_dialogue import SignInOptions, check_sign_in
from client.console.sign_in import open_browser, print_code
from client.fetching.web_client import WebClient
from client.joining.gate import look_at_gate
from client.joining.invitation import RunInvitation
from client.joining.join import look_up
from client.joining.run_files import RUN_WORDING
from client.paths import Paths
from client.state_file import utc_now
from client.task_kinds import Shown
from client.tasks import TaskRunner
from core.run.manifest import RunManifest
from core.swarm.bandwidth import Line

_SECONDS = 900.0
"""Seconds for the volunteer to sign in."""


def make_pass(paths: Paths, invitation: RunInvitation, options: SignInOptions, file: Path) -> str:
    """Sign in to a run, write the pass, and return a sentence about it; this computer joins nothing.

    Raises:
        JoinError: The run needs no pass, no key vouches for its manifest, or the file exists or cannot be written.
        ClientError: The sign-in did not succeed.
    """
    with _reserved(file):
        manifest = _gated_manifest(paths, invitation, options)
        paths.prepare()
        made = asyncio.run(_entered(paths, manifest, options))
        made.save(file)
    return (
        f"{file} admits one computer to {manifest.contact.title} as {made.membership.name}. Anyone who has the file "
        "can train in your name: bring it to that computer alone, and delete it here."
    )


@contextmanager
def _reserved(file: Path) -> Iterator[None]:
    """Make the file before the sign-in, which must not be in vain; it goes again if no pass comes of it."""
    try:
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        raise JoinError(
            f"{file} exists already.",
            "Each server needs a pass of its own: name another file, or delete this one.",
        ) from None
    except OSError as error:
        raise _unwritable(file, error) from error
    try:
        yield
    except BaseException as error:
        file.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise _unwritable(file, error) from error
        raise


def _unwritable(file: Path, error: OSError) -> JoinError:
    return JoinError(
        f"{file} cannot be written: {error.strerror or error}.", "Choose a folder that you may write to."
    )


def _gated_manifest(paths: Paths, invitation: RunInvitation, options: SignInOptions) -> RunManifest:
    invitation.require_vouched()
    with WebClient.through(Line(), RUN_WORDING) as web:
        manifest = look_up(invitation, web, paths.run).manifest
        gate = look_at_gate(manifest, web)
    if gate is None:
        raise JoinError(
            f"{manifest.contact.title} asks for no sign-in, so a server needs no pass.",
            "Join it there by `idlebrush join LINK --unattended`.",
        )
    check_sign_in(gate, options)
    return manifest


async def _entered(paths: Paths, manifest: RunManifest, options: SignInOptions) -> ServerPass:
    """Enter the gate with a new peer's key, which leaves this computer with the pass."""
    contact = manifest.contact
    assert contact.gate is not None
    with TemporaryDirectory(prefix="idlebrush-pass-") as folder:
        identity = Path(folder) / "identity"
        task = Enter(
            coordinator=contact.coordinator or "",
            run=manifest.training_digest,
            gate=contact.gate.key,
            identity=identity,
            hub=options.hub,
            flow="browser" if options.browser else "device",
            invitation=options.invitation,
        )
        tasks = TaskRunner(paths.log("tasks"))
        admitted = await tasks.run(
            task, GateAdmission, _SECONDS, _showing(open_browser if options.browser else print_code)
        )
        return ServerPass.of(admitted.membership, identity)


def _showing(show: Callable[[SignInView], None]) -> Callable[[Shown], None]:
    def shown(where: Shown) -> None:
        code = "" if isinstance(where, AddressShown) else where.code
        show(
            SignInView(address=where.address, code=code, expires=utc_now() + timedelta(seconds=where.seconds))
        )

    return shown
