"""Brings the newest manifest of a run that was joined: moved peers, another gate, or a generation that began anew.

Only `client.errand`'s process loads this.
"""

from client.admission.errands import FetchSuccessor
from client.admission.gate_info import base_of
from client.joining.download import Web
from client.joining.invitation import Invitation
from client.joining.join import bring, look_up
from client.joining.run_card import MANIFEST
from core.join_link import MANIFEST_PATH
from core.run import RunManifest
from core.swarm.bandwidth import Line


def fetch(errand: FetchSuccessor) -> bool:
    """Whether there was a newer one; it is in the folder then, verified, with the files that it newly names.

    Raises:
        ManifestError: what is served is not the run's, or older than what is here.
        DownloadError, JoinError: it cannot be had, or kept.
    """
    before = RunManifest.load(errand.folder / MANIFEST)
    invitation = Invitation(base_of(errand.coordinator) + MANIFEST_PATH, errand.fingerprint)
    with Web.through(Line()) as web:
        offer = look_up(invitation, web, lambda _: errand.folder)
        if offer.manifest == before:
            return False
        bring(offer, lambda name, done, total: None)
    return True
