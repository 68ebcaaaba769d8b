"""All of the REST API, as the website mounts it."""

from coordinator.api import members, moderation, run
from coordinator.gate.gate import Gate, organisation_of
from coordinator.gate.issuer import Issuer
from coordinator.gate.proof import ProofReader
from coordinator.web.context import WebContext

ROUTERS = (members.gated, members.members, members.metadata, moderation.router, run.router)
"""With whole paths; what they raise are CoordinatorErrors, of which GateErrors tell their status."""


def gate_of(context: WebContext) -> Gate | None:
    """The gate that the settings ask for; None where the run is open."""
    chosen = context.settings.gate
    if chosen.open or chosen.client_id is None:
        return None
    return Gate(
        context.database,
        context.settings,
        context.gate_key,
        lambda: context.manifest.training_digest,
        context.clock,
        ProofReader(Issuer(chosen.issuer.rstrip("/")), chosen.client_id),
        organisation_of(context.settings, context.hub_token),
    )
