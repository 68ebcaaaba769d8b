"""Samples of trainers' work that the bootstrap peer has reduced, for the auditor beside it."""

import logging
from typing import Any

from safetensors import SafetensorError

from coordinator.auditing.handover import AuditFolder
from core.admission.peer_key import PeerKey
from core.errors import SwarmError
from core.run.manifest import RunManifest
from core.run.rules import Overlap
from core.swarm.auditing.work_draw import WorkDraw
from core.swarm.auxiliary import AuxiliaryPeer
from core.swarm.state.beginning import Beginning

_log = logging.getLogger(__name__)


class WorkSampling:
    """Takes a sample of a drawn trainer's work where one is wanted; ``turn`` never waits."""

    def __init__(
        self, manifest: RunManifest, helper: AuxiliaryPeer, key: PeerKey, folder: AuditFolder
    ) -> None:
        """Look at the rounds in which ``helper`` reduces from now on.

        Args:
            manifest: Manifest of the run.
            helper: Auxiliary peer of this process.
            key: Its key, by which the trainer is drawn.
            folder: Folder by which samples and verdicts are handed over.
        """
        swarm = manifest.training.swarm
        self._helper, self._key, self._prefix, self._folder = helper, key, manifest.dht_prefix, folder
        self._is_late = swarm.local_steps is None and swarm.overlap is not Overlap.NONE
        """True if a trainer's first rows of an epoch may be of the head before."""
        self._first = Beginning.of(manifest).epoch
        self._asked: Any = None
        """The future of a sample; None if none is awaited."""
        self._wish = ""
        """Number of the wish for which it is taken."""
        helper.on_reduced = self._ask

    def turn(self) -> None:
        """Put a sample that came into the folder, and draw the consequences of a verdict."""
        if self._asked is not None and self._asked.done():
            asked, self._asked = self._asked, None
            try:
                if (sample := asked.result()) is not None:
                    self._folder.put(sample, self._wish)
            except (OSError, SafetensorError, SwarmError) as error:
                _log.warning("A sample of work cannot be written for the auditor: %s", error)
        if found := self._folder.take_verdict():
            self._helper.judge_work(*found)

    def _ask(self, epoch: int, head: bytes) -> None:
        needs_previous = self._is_late and epoch > self._first
        if self._asked is None and self._folder.takes_sample_of(epoch, head, needs_previous=needs_previous):
            self._wish = self._folder.wish
            draw = WorkDraw.of(self._key, self._prefix, epoch, head)
            self._asked = self._helper.drawn_work(draw, epoch, head, self._folder.most_rows)
