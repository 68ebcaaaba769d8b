"""Pictures that a trainer draws beside its training: those its owner asks for, and the run's time-lapse."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from core.generation.frames import FrameFolder
from core.generation.parts import Origin
from core.generation.sheet import SampleSheet
from core.generation.timelapse import MOST_PROMPTS, FrameSharing, Scene, TimelapseDrawer
from core.memory.planning import MemoryPlan
from core.messages.events import Event, PictureOrder
from core.model.family.trainable import TrainableModel
from core.run.manifest import RunManifest
from core.run.training.families import family_of
from core.swarm.membership.announcements import FrameAnnouncements
from core.swarm.peer import Peer
from core.swarm.state.replica import Place
from core.swarm.wire.own_certificate import OwnCertificate

_IDLE_SECONDS = 0.01


@dataclass(frozen=True)
class Samples:
    """Pictures of the run's sample prompts."""

    every: int
    """Number of epochs between two frames."""
    folder: Path
    """Folder of the frames that this peer draws."""
    sheet: Path | None = None
    """File for a sheet of the newest; a peer that has one draws every frame, not in turns with the others."""


class TrainerPictures:
    """Draws pictures beside the training; every call takes a moment at most.

    Work that takes longer is done in steps, or in a thread. While training computes, it has at least half of
    the time.
    """

    def __init__(
        self,
        samples: Samples | None,
        manifest: RunManifest,
        base: Path,
        model: TrainableModel,
        peer: Peer,
        report: Callable[[Event], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare to draw; `draw_on` does so for a moment.

        Args:
            samples: Pictures of the run's sample prompts, for the time-lapse; None: no time-lapse.
            manifest: Manifest of the run.
            base: Folder of the manifest's files.
            model: Model that is trained; it is copied for each drawing.
            peer: Peer that knows the place and the other peers, and offers them the frames.
            report: Called with each event of a drawing: progress, pictures saved, frames drawn, failures.
            clock: Returns monotonic seconds.
        """
        self._run, self._title = manifest.training.name, manifest.contact.title
        self._model, self._peer = model, peer
        self._clock, self._rests_until = clock, clock()
        family = family_of(manifest.training)
        self._asked_for = family.requests(manifest, base, report)
        self._time_lapse: TimelapseDrawer | None = None
        prompts = manifest.contact.sample_prompts[:MOST_PROMPTS]
        if samples is not None and prompts:
            maker = family.specimens(manifest, base, prompts)
            scene = Scene(maker, samples.every)
            sheet = SampleSheet(samples.sheet, prompts) if samples.sheet is not None else None
            frames = FrameFolder(samples.folder, prompts, tile=maker.tile)
            shared = _shared(peer, manifest.dht_prefix, takes_turns=sheet is None)
            self._time_lapse = TimelapseDrawer(scene, frames, report, shared, sheet)

    def pass_epoch(self, place: Place, *, is_last: bool) -> None:
        """Note that the model has reached the epoch of ``place``.

        ``is_last`` is true at the last epoch of the training, which gets a frame in any case.
        """
        if self._time_lapse is not None:
            computing = [item for item in self._peer.optimizer.view.others if item.computes]
            unreachable = {item.peer_id for item in computing if not item.reducing}
            others = [item.peer_id for item in computing]
            self._time_lapse.pass_epoch(place, others, unreachable=unreachable, is_last=is_last)

    def draw_on(self, order: PictureOrder | None, plan: MemoryPlan, *, computes: bool) -> bool:
        """Draw for a moment, unless it is training's turn.

        Args:
            order: Order for the pictures that are wanted now, if there is one.
            plan: Memory plan of the training.
            computes: True if training computes: then a moment of drawing is followed by as long a rest.

        Returns:
            True if there was something to compute.
        """
        began = self._clock()
        if computes and began < self._rests_until:
            return False
        has_drawn = self._draw_on(order, plan)
        now = self._clock()
        self._rests_until = now + (now - began)
        return has_drawn

    def _draw_on(self, order: PictureOrder | None, plan: MemoryPlan) -> bool:
        place = self._peer.optimizer.place
        origin = Origin(self._run, place.epoch, place.digest, self._title)
        free = _free(plan)
        lapse = self._time_lapse
        # What memory training leaves is for one of the two; pictures that a user waits for come first.
        if self._asked_for.knows(order) or lapse is None or lapse.put_off():
            self._asked_for.obey(order, self._model, origin, free)
        if self._asked_for.is_busy:
            return self._asked_for.draw_on()
        return lapse is not None and lapse.draw_on(self._model, place, free)

    def finish(self, plan: MemoryPlan) -> None:
        """Wait at the end of training for the frame that is this peer's, if there is one.

        ``plan`` is the memory plan of the training.
        """
        self._asked_for.withdraw()
        lapse, place = self._time_lapse, self._peer.optimizer.place
        while lapse is not None and lapse.unfinished:
            if not lapse.draw_on(self._model, place, _free(plan)):
                time.sleep(_IDLE_SECONDS)


def _shared(peer: Peer, prefix: str, *, takes_turns: bool) -> FrameSharing:
    announcements = FrameAnnouncements(peer.dht, prefix, peer.identity, OwnCertificate(peer.admission))
    own, offer = peer.identity.peer_id.to_bytes(), peer.averager.offer_frame
    return FrameSharing(own, announcements, offer, lambda: peer.optimizer.progress.serves, takes_turns)


def _free(plan: MemoryPlan) -> int:
    """Return the bytes that training leaves on the device where it computes."""
    free, taken = plan.available.usable, plan.taken
    return max(0, free.gpu - taken.gpu if plan.on_gpu else free.ram - taken.ram)
