"""A coordinator at work: keeps its processes going, each on its own, and tells what it knows of them.

The bootstrap peer comes first, since the others enter the swarm by it; none of them ends with another.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

from pydantic import TypeAdapter

from coordinator.contact import join_link, public_addresses, reissue
from coordinator.messages import (
    FROM_AUDITOR,
    FROM_BOOTSTRAP,
    FROM_PEER,
    FROM_REPORTER,
    AuditorMessage,
    AuditorReady,
    BootstrapChildMessage,
    PeerMessage,
    PeerReady,
    RelaysNow,
    ReporterMessage,
    ReporterReady,
)
from coordinator.run_now import OWN_RELAYS
from coordinator.serving.programs import OwnPeers, Programs, pause_after
from coordinator.serving.view import ServedProcess, ServingView, Stage, lose, website
from coordinator.serving.website import Website
from core.children import logs
from core.children.keeper import Keeper
from core.children.outcome import Ending, Outcome
from core.children.program import Program
from core.errors import ChildError, ManifestError
from core.messages.children import Admit, BootstrapReady, Hello
from core.messages.reach import RelayDue, RelayUsedUp
from core.run.manifest import RunManifest
from core.signing import SigningKey
from core.tasks import end_tasks

_log = logging.getLogger(__name__)
_log.addHandler(logging.NullHandler())  # a demo shows these lines itself, and keeps no log of them
ALL = frozenset(ServedProcess)
SECONDS_TO_CLOSE = 5.0
"""Seconds that the processes have to end normally."""
_SECONDS_TO_CLOSE_REPORTS = 20.0
"""Seconds that the reporter has, since a place far away may take what was reported only now."""
_LOOK_SECONDS = 1.0
"""Seconds between two looks at the manifest, which the publisher replaces at a rollback."""
_LOG_SECONDS = 60.0
_RELAY_APART_SECONDS = 60.0
"""Seconds from the restart of the bootstrap peer to that of the publisher, if both have to relay again."""
_KINDS: Mapping[ServedProcess, TypeAdapter[Any]] = {
    ServedProcess.BOOTSTRAP: FROM_BOOTSTRAP,
    ServedProcess.RECORDER: FROM_PEER,
    ServedProcess.PUBLISHER: FROM_PEER,
    ServedProcess.AUDITOR: FROM_AUDITOR,
    ServedProcess.REPORTER: FROM_REPORTER,
}


class Coordinator:
    """One session, from the first process to the last one gone."""

    def __init__(
        self,
        programs: Programs,
        show: Callable[[ServingView], None],
        *,
        parts: frozenset[ServedProcess] = ALL,
        seconds_to_close: float = SECONDS_TO_CLOSE,
    ) -> None:
        """Prepare to run the processes ``parts``; ``show`` is called with each new view.

        The auditor runs only where the manifest lets work be recomputed, and the settings leave it the means; the
        reporter, where the settings name a place to report to.
        """
        self._programs = programs
        self._seconds_to_close = seconds_to_close
        self._show = show
        home, settings = programs.home, programs.settings
        known = RunManifest.load(home.manifest)
        self._manifest = reissue(home, settings, known.contact.initial_peers, datetime.now(UTC))
        self._own = OwnPeers(
            self._manifest.training_digest,
            SigningKey.load(home.gate_key) if self._manifest.contact.gate else None,
            settings.gate.token_seconds,
            time.time,
        )
        if self._manifest.training.swarm.recomputed_share is None or not settings.recomputed_seconds_an_hour:
            parts -= {ServedProcess.AUDITOR}
        if not settings.reports.are_wanted:
            parts -= {ServedProcess.REPORTER}
        loop = asyncio.get_running_loop()
        self.entered: asyncio.Future[tuple[str, ...]] = loop.create_future()
        """The bootstrap peer's own addresses, by which this machine's peers enter the swarm."""
        self._ready = asyncio.Event()
        self._opened: asyncio.Future[None] = loop.create_future()
        self._ended: asyncio.Future[None] = loop.create_future()
        self._used_up: dict[ServedProcess, RelayUsedUp] = {}
        """Messages of the peers whose relay has used up its total of a day, each in its present life."""
        self._keepers: dict[ServedProcess, Keeper[Any]] = {
            part: keeper for part, keeper in self._make_keepers().items() if part in parts
        }
        has_website = ServedProcess.WEB in parts
        self._website = Website(programs, self._web_answers, self._lose_web) if has_website else None
        self._tasks: list[asyncio.Future[None]] = []
        self._view = ServingView(
            title=self._manifest.contact.title,
            link=join_link(self._manifest, settings),
            fingerprint=self._manifest.fingerprint,
            stages=tuple((part, Stage.WAITING) for part in ServedProcess if part in parts),
            generation=self._manifest.state.generation,
        )

    async def run(self) -> None:
        """Serve until `stop`; ChildError if the swarm cannot be entered, since then nothing can be served."""
        self._show(self._view)
        self._begin(self._keep(ServedProcess.BOOTSTRAP, self._keepers[ServedProcess.BOOTSTRAP]))
        try:
            if await self._comes_first(self.entered):
                self._issue_entry(self.entered.result())
            if await self._comes_first(self._opened):
                self._begin_others()
            await self._ended
        finally:
            await self._close()

    def open_up(self) -> None:
        """Let the other processes follow the bootstrap peer."""
        if not self._opened.done():
            self._opened.set_result(None)

    def stop(self) -> None:
        """End `run`."""
        if not self._ended.done():
            self._ended.set_result(None)

    async def _comes_first(self, awaited: asyncio.Future[Any]) -> bool:
        """Return true if ``awaited`` is done before the serving ends."""
        await asyncio.wait({awaited, self._ended}, return_when=asyncio.FIRST_COMPLETED)
        return not self._ended.done()

    def _begin_others(self) -> None:
        for part in self._keepers.keys() - {ServedProcess.BOOTSTRAP}:
            self._begin(self._keep(part, self._keepers[part]))
        if self._website is not None:
            self._begin(self._keep(ServedProcess.WEB, self._website))
        for work in (self._renew_tokens(), self._follow_manifest(), self._bound_logs()):
            self._begin(work)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        self._tasks.append(asyncio.ensure_future(work))

    async def _close(self) -> None:
        """End the other processes in the swarm before the bootstrap peer, through which they entered it."""
        ends = [self._website.stop(self._seconds_to_close)] if self._website is not None else []
        for part, keeper in self._keepers.items():
            if part is not ServedProcess.BOOTSTRAP:
                is_reporter = part is ServedProcess.REPORTER
                ends.append(keeper.stop(_SECONDS_TO_CLOSE_REPORTS if is_reporter else self._seconds_to_close))
        await asyncio.gather(*ends)
        await self._keepers[ServedProcess.BOOTSTRAP].stop(self._seconds_to_close)
        await end_tasks(self._tasks)

    def _make_keepers(self) -> dict[ServedProcess, Keeper[Any]]:
        programs, own = self._programs, self._own
        return {
            ServedProcess.BOOTSTRAP: self._keeper(ServedProcess.BOOTSTRAP, self._bootstrap_program),
            ServedProcess.RECORDER: self._keeper(
                ServedProcess.RECORDER, lambda: programs.recorder(own, self.entered.result())
            ),
            ServedProcess.PUBLISHER: self._keeper(
                ServedProcess.PUBLISHER, lambda: programs.publisher(own, self.entered.result())
            ),
            ServedProcess.AUDITOR: self._keeper(ServedProcess.AUDITOR, programs.auditor),
            ServedProcess.REPORTER: self._keeper(ServedProcess.REPORTER, programs.reporter),
        }

    def _keeper(self, part: ServedProcess, program: Callable[[], Program]) -> Keeper[Any]:
        return Keeper(
            program, _KINDS[part], partial(self._handle, part), partial(self._lose, part), pause_after
        )

    async def _keep(self, part: ServedProcess, kept: Keeper[Any] | Website) -> None:
        self._update(self._view.with_stage(part, Stage.STARTING))
        try:
            await kept.run()
        except ChildError as error:  # the others go on
            if not self.entered.done():
                self._give_up_all(error)

    def _bootstrap_program(self) -> Program:
        """Return the bootstrap program.

        If the settings leave its port open, it takes a free one at first, and that one ever after, because
        peers know it.
        """
        listen = self._programs.settings.swarm.listen
        if self.entered.done() and any(address.endswith("/tcp/0") for address in listen):
            listen = tuple(address.partition("/p2p/")[0] for address in self.entered.result())
        return self._programs.bootstrap(self._own, listen)

    def _handle(
        self,
        part: ServedProcess,
        message: BootstrapChildMessage | PeerMessage | AuditorMessage | ReporterMessage,
    ) -> None:
        match message:
            case Hello():
                self._used_up.pop(part, None)  # said in its last life
                return
            case BootstrapReady():
                self._ready.set()
                if not self.entered.done():
                    self.entered.set_result(message.addresses)
            case PeerReady() | AuditorReady() | ReporterReady():
                pass
            case RelayUsedUp():
                self._used_up[part] = message
                self._begin(self._tell_recorder())
                self._tell_used_up(part, message)
                return
            case RelayDue():
                self._begin(self._relay_again(part))
                return
            case _:
                return
        self._begin(self._tell_recorder())
        self._update(self._view.with_stage(part, Stage.RUNNING))

    async def _tell_recorder(self) -> None:
        """Tell the recorder of the relays, for the dashboard; one that was started again knows nothing of them."""
        if recorder := self._keepers.get(ServedProcess.RECORDER):
            await recorder.send(RelaysNow(used_up={str(part): used for part, used in self._used_up.items()}))

    def _web_answers(self, address: str) -> None:
        view = replace(self._view, web=website(address, self._programs.settings.address))
        self._update(view.with_stage(ServedProcess.WEB, Stage.RUNNING))

    def _lose_web(self, outcome: Outcome, again: bool) -> None:
        self._lose(ServedProcess.WEB, outcome, again)

    def _tell_used_up(self, part: ServedProcess, relayed: RelayUsedUp) -> None:
        text = (
            f"The {OWN_RELAYS[part]} has relayed {relayed.gigabytes:.2f} GB today, and {relayed.total:.2f} are its "
            "total of a day (relay.gigabytes_a_day). It relays again from 00:00 UTC on."
        )
        _log.warning("%s", text)
        self._update(self._view.with_notice(text))

    async def _relay_again(self, part: ServedProcess) -> None:
        """Restart a peer once its day without relaying is over, the publisher later than the bootstrap peer."""
        if part is not ServedProcess.BOOTSTRAP:
            await asyncio.sleep(_RELAY_APART_SECONDS)
            await self._ready.wait()
        _log.info("The %s is started again, so that it relays on the new day.", OWN_RELAYS[part])
        await self._renew(part)

    def _lose(self, part: ServedProcess, outcome: Outcome, again: bool) -> None:
        if part is ServedProcess.BOOTSTRAP:
            self._ready.clear()
        if outcome.ending is Ending.FORCED or self._ended.done():  # nothing is lost, or missed
            return
        view = lose(self._view, part, outcome.sentence(), again)
        _log.warning("%s: %s", part, view.notices[-1])
        self._update(view)
        if part is ServedProcess.BOOTSTRAP and outcome.ending is Ending.FAILED and not self.entered.done():
            self._give_up_all(outcome.error())

    def _give_up_all(self, error: ChildError) -> None:
        if not self._ended.done():
            self._ended.set_exception(error)

    def _issue_entry(self, addresses: tuple[str, ...]) -> None:
        settings = self._programs.settings
        entry = public_addresses(settings, addresses)
        self._manifest = reissue(self._programs.home, settings, entry, datetime.now(UTC))
        self._update(replace(self._view, entry=entry))

    async def _renew_tokens(self) -> None:
        home = self._programs.home
        identities = {
            ServedProcess.BOOTSTRAP: home.bootstrap_identity,
            ServedProcess.RECORDER: home.recorder_identity,
            ServedProcess.PUBLISHER: home.publisher_identity,
        }
        while True:
            await asyncio.sleep(self._own.renewal_seconds)
            for part in self._keepers.keys() & identities.keys():
                if token := self._own.token(identities[part]):
                    await self._keepers[part].send(Admit(token=token))

    async def _follow_manifest(self) -> None:
        """Restart the processes in the swarm once the run has another generation."""
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            try:
                state = RunManifest.load(self._programs.home.manifest).state
            except ManifestError as error:
                if str(error) not in self._view.notices:  # it is the same at each look
                    _log.error("%s", error)
                self._update(self._view.with_notice(str(error)))
                continue
            if state.generation != self._view.generation:
                await self._begin_generation(state.generation)

    async def _begin_generation(self, generation: int) -> None:
        text = f"The run was rolled back: it is in generation {generation} now."
        _log.warning("%s", text)
        self._update(replace(self._view, generation=generation).with_notice(text))
        self._ready.clear()
        await self._renew(ServedProcess.BOOTSTRAP)
        await self._ready.wait()
        others = self._keepers.keys() & {
            ServedProcess.RECORDER,
            ServedProcess.PUBLISHER,
            ServedProcess.AUDITOR,
        }
        await asyncio.gather(*(self._renew(part) for part in others))

    async def _renew(self, part: ServedProcess) -> None:
        self._update(self._view.with_stage(part, Stage.STARTING))
        await self._keepers[part].renew(self._seconds_to_close)

    async def _bound_logs(self) -> None:
        while True:
            files = [self._programs.home.log(part.value) for part in self._keepers]
            for log in (*files, *(self._website.logs if self._website is not None else ())):
                logs.bound(log)
            await asyncio.sleep(_LOG_SECONDS)

    def _update(self, view: ServingView) -> None:
        self._view = view
        self._show(view)
