"""The conversation in a terminal at a run's gate: to whom one proves who one is, and the sign-in itself."""

from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from pydantic import SecretStr

from client.admission.gate_info import GateInfo, check_invited, check_issuer
from client.api.commands import EnterGate
from client.console.sign_in import converse, open_browser, print_code
from client.paths import Paths
from core.run import RunManifest

Keep = Literal["keyring", "session", "file"]


@dataclass(frozen=True)
class SignInOptions:
    hub: str
    """Address of the Hub that the volunteer knows."""
    browser: bool
    """Whether to open one here; else a code is shown, to be entered in a browser anywhere."""
    invitation: SecretStr | None = None
    keep: Keep = "keyring"


def check(gate: GateInfo, options: SignInOptions) -> None:
    """GateError where signing in would be in vain, or at a place that the volunteer does not know."""
    check_issuer(gate, options.hub)
    check_invited(gate.admits, options.invitation is not None)


def consent(manifest: RunManifest, gate: GateInfo) -> str:
    """The question that is asked before."""
    return f"Prove to {manifest.contact.coordinator} by signing in at {urlsplit(gate.issuer).netloc} who you are?"


def enter(paths: Paths, manifest: RunManifest, options: SignInOptions) -> str:
    """Sign in; what came of it."""
    contact = manifest.contact
    assert contact.gate is not None
    request = EnterGate(
        run=manifest.training_digest,
        coordinator=contact.coordinator or "",
        gate=contact.gate.key,
        flow="browser" if options.browser else "device",
        invitation=options.invitation,
        keep=options.keep,
    )
    return converse(paths, request, "idlebrush join", open_browser if options.browser else print_code)
