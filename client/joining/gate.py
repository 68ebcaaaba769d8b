"""Fetches what a run's gate publishes about itself, and compares it with the manifest, before the volunteer signs
in.
"""

from pydantic import ValidationError

from client.admission.gate_info import LARGEST, PATH, GateInfo, base_of
from client.api.errors import GateError, JoinError
from client.fetching.web_client import WebClient
from core.run.manifest import RunManifest


def look_at_gate(manifest: RunManifest, web: WebClient) -> GateInfo | None:
    """Fetch and validate what the run's gate publishes about itself.

    Args:
        manifest: Manifest of the run.
        web: Client for the coordinator's address.

    Returns:
        The gate; None if the run is open.

    Raises:
        JoinError: The manifest names no coordinator for the gate.
        GateError: The coordinator's answer is invalid, or is about another run.
        DownloadError: The coordinator cannot be asked.
    """
    if manifest.contact.gate is None:
        return None
    if (address := manifest.contact.coordinator) is None:
        raise JoinError(
            "The run's manifest names a gate, and no coordinator that keeps it.", "Tell the run's organiser."
        )
    try:
        gate = GateInfo.model_validate_json(web.document(base_of(address) + PATH, LARGEST))
    except ValidationError as error:
        raise GateError(
            f"{address} answered what this version of Idlebrush does not understand.",
            "Update Idlebrush, or tell the run's organiser.",
        ) from error
    if gate.run != manifest.training_digest:
        raise GateError(
            f"{address} keeps the gate of another run.", "Get the newest join link from the run's organiser."
        )
    return gate
