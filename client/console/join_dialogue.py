"""The conversation in a terminal before a run is joined: what it will do, consent, then its files."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from client.admission.gate_info import GateInfo
from client.api.errors import JoinError, StatsError
from client.console import gate_dialogue
from client.console.gate_dialogue import SignInOptions
from client.contribution.booking import booked
from client.joining.allowed import Allowed
from client.joining.download import Web
from client.joining.gate import look_at_gate
from client.joining.invitation import Invitation
from client.joining.join import JoinedRun, Offer, Room, bring, forget_half_done, look_up
from client.joining.prospect import Prospect, rows
from client.joining.run_card import RunCard
from client.joining.trial import TrialSettings, Tried, try_out
from client.paths import Paths
from client.preferences.preferences_file import load
from core.swarm.bandwidth import Line

Ask = Callable[[str], bool]
"""A question that is answered by yes or no; no is what an empty answer means."""


@dataclass(frozen=True)
class JoinOptions:
    consented: bool = False
    """Whether the volunteer has consented already, and is not to be asked."""
    trial_seconds: float | None = 60.0
    """For which the run is tried out on this machine; None: it is not."""
    sign_in: SignInOptions | None = None
    """How, where the run has a gate; None: the volunteer is a member already."""


class Dialogue:
    """Holds the conversation on a console."""

    def __init__(self, console: Console, ask: Ask, paths: Paths) -> None:
        self._console = console
        self._ask = ask
        self._paths = paths
        self._allowed = Allowed.of(load(paths.preferences)[0])
        self._line = Line(download=self._allowed.download)

    def hold(self, invitation: Invitation, options: JoinOptions) -> JoinedRun | None:
        """From the invitation to the run's files on this machine; None if the volunteer declines."""
        if options.consented and not invitation.is_vouched_for:
            raise JoinError(
                f"{invitation.location} does not say by whose key the run must be signed.",
                "Give the organiser's key by --key, or use a join link.",
            )
        with Web.through(self._line) as web:
            return self._hold(invitation, options, web)

    def _hold(self, invitation: Invitation, options: JoinOptions, web: Web) -> JoinedRun | None:
        offer = look_up(invitation, web, self._paths.run)
        gate = look_at_gate(offer.manifest, web)
        if gate is not None and options.sign_in is not None:
            gate_dialogue.check(gate, options.sign_in)
        self._show(self._prospect(offer, gate, options.trial_seconds))
        if not options.consented and not self._consents(invitation, offer, gate):
            return None
        self._paths.prepare()
        if gate is not None and options.sign_in is not None:
            self._console.print(
                gate_dialogue.enter(self._paths, offer.manifest, options.sign_in), markup=False
            )
        forget_half_done(self._paths.data / "runs", time.time())
        return self._bring(offer)

    def _consents(self, invitation: Invitation, offer: Offer, gate: GateInfo | None) -> bool:
        try:
            if not invitation.is_vouched_for and not self._ask(
                f"Is {offer.manifest.fingerprint} the key that the organiser has published?"
            ):
                return False
            if gate is not None and not self._ask(gate_dialogue.consent(offer.manifest, gate)):
                return False
            return self._ask("Train this run on this computer, whenever your preferences allow it?")
        except typer.Abort:
            raise JoinError(
                "There was no answer, and nothing was joined.", "Answer y, or consent by --yes."
            ) from None

    def _prospect(self, offer: Offer, gate: GateInfo | None, seconds: float | None) -> Prospect:
        training = offer.manifest.training
        plan, rate = self._allowed.plan(training), None
        if seconds is not None and plan.fits:
            settings = TrialSettings(self._allowed, seconds, self._paths.log("trial"))
            rate = self._try_out(offer, settings).samples_per_hour
        return Prospect(offer.manifest, plan, offer.download_bytes, rate, gate)

    def _try_out(self, offer: Offer, settings: TrialSettings) -> Tried:
        self._paths.prepare()
        with self._progress(TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn()) as bar:
            task = bar.add_task("Trying it out on this computer", total=settings.seconds or None)

            def show(tried: Tried) -> None:
                bar.update(task, completed=min(tried.seconds, settings.seconds))

            return asyncio.run(try_out(offer.manifest.training, settings, show))

    def _show(self, prospect: Prospect) -> None:
        table = Table.grid(padding=(0, 2))
        table.add_column(style="bold", no_wrap=True)
        for label, text in rows(prospect):
            table.add_row(Text(label), Text(text))
        self._console.print(table)

    def _bring(self, offer: Offer) -> JoinedRun:
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            DownloadColumn(),
            TimeRemainingColumn(),
        )
        trained = RunCard.of(offer.manifest).trained
        with self._progress(*columns) as bar, booked(self._paths.stats, trained, self._tell) as book:
            task = bar.add_task("Bringing the run's files here", total=sum(ref.size for ref in offer.missing))

            def show(name: str, done: int, total: int) -> None:
                bar.update(task, description=name, completed=done)
                book(self._line.received)

            return bring(offer, show, Room(self._allowed.disk))

    def _tell(self, error: StatsError) -> None:
        self._console.print(str(error), markup=False)

    def _progress(self, *columns: TextColumn | BarColumn | DownloadColumn | TimeRemainingColumn) -> Progress:
        return Progress(*columns, console=self._console, transient=True)
