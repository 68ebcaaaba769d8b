"""The conversation in a terminal before a run is joined: what it will do, consent, then its files."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

import typer
from pydantic import SecretStr
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from client.admission.gate_info import GateInfo, check_invited, check_issuer
from client.api.commands import EnterGate
from client.api.errors import JoinError, StatsError
from client.console.setup_dialogue import Ask, SetupDialogue
from client.console.sign_in import converse, open_browser, print_code
from client.contribution.counting import counted_download
from client.environment.interpreter import TrainerPython
from client.fetching.web_client import WebClient
from client.joining.allowed import ResourceLimits
from client.joining.benchmark import BenchmarkSettings, SpeedMeasurement, measure_speed
from client.joining.candidate import RunPreview, rows
from client.joining.entrances import ask_entrances
from client.joining.fitting import check_before_consent
from client.joining.gate import look_at_gate
from client.joining.invitation import RunInvitation
from client.joining.join import JoinedRun, Room, RunOffer, fetch_run, forget_half_done, look_up
from client.joining.pace import RunPace, ask_pace
from client.joining.run_card import RunCard
from client.joining.run_files import RUN_WORDING
from client.paths import Paths
from client.preferences.preferences import Preferences
from client.preferences.preferences_file import load
from core.run.manifest import RunManifest
from core.swarm.bandwidth import Line

_Keep = Literal["keyring", "session", "file"]


@dataclass(frozen=True)
class SignInOptions:
    hub: str
    """Address of the Hub that the volunteer knows."""
    browser: bool
    """True to open a browser here; otherwise a code is shown, which is entered in a browser on any device."""
    invitation: SecretStr | None = None
    keep: _Keep = "keyring"


@dataclass(frozen=True)
class JoinOptions:
    consented: bool = False
    """True if the volunteer has consented already and is not asked again."""
    benchmark_seconds: float | None = 60.0
    """Seconds for which the run is measured on this machine; None: it is not measured."""
    yields: bool = True
    """True if the benchmark runs only while no other program wants the processor."""
    sign_in: SignInOptions | None = None
    """Way to sign in, where the run has a gate; None: the volunteer is a member already."""
    is_local: bool = False
    """True if the whole swarm of the run is on this computer."""
    note: str = ""
    """Sentence about the other joined runs, which is shown before the volunteer consents."""
    enter: Callable[[RunManifest], None] | None = None
    """Takes the place of the sign-in where nobody can be asked: makes sure, or raises, that the volunteer is admitted
    to a run that has a gate.
    """
    sets_up: bool = True
    """False to leave the set-up of the trainer's packages to the daemon."""


class Dialogue:
    """Holds the conversation on a console."""

    def __init__(
        self,
        console: Console,
        ask: Ask,
        paths: Paths,
        python: TrainerPython | None = None,
        preferences: Preferences | None = None,
    ) -> None:
        """Prepare to talk on ``console``; ``ask`` asks the volunteer.

        Args:
            console: Console to print on.
            ask: Asks the volunteer.
            paths: Folders of this user's client.
            python: Python that measures the run; None: as the installed packages ask for.
            preferences: Preferences that will hold if the run is joined; None: those that are saved.
        """
        self._console = console
        self._ask = ask
        self._paths = paths
        self._python = python or TrainerPython.of_user(paths)
        self._allowed = ResourceLimits.of(preferences or load(paths.preferences)[0])
        self._line = Line(download=self._allowed.download)

    def hold(self, invitation: RunInvitation, options: JoinOptions) -> JoinedRun | None:
        """Lead from an invitation to the run's files on this machine; None if the volunteer declines."""
        if options.consented:
            invitation.require_vouched()
        with WebClient.through(self._line, RUN_WORDING) as web:
            return self._hold(invitation, options, web)

    def _hold(self, invitation: RunInvitation, options: JoinOptions, web: WebClient) -> JoinedRun | None:
        offer = look_up(invitation, web, self._paths.run)
        gate = look_at_gate(offer.manifest, web)
        if gate is not None and options.sign_in is not None:
            check_sign_in(gate, options.sign_in)
        if gate is not None and options.enter is not None:
            options.enter(offer.manifest)
        check_before_consent(offer.manifest.training, offer.read)
        if options.sets_up and not self._is_set_up(options):
            return None
        self._show(self._candidate(offer, ask_pace(offer.manifest, web.document), gate, options))
        if options.note:
            self._console.print(options.note, markup=False)
        if not options.consented and not self._consents(invitation, offer, gate):
            return None
        self._paths.prepare()
        if gate is not None and options.sign_in is not None:
            self._console.print(sign_in_at_gate(self._paths, offer.manifest, options.sign_in), markup=False)
        forget_half_done(self._paths.data / "runs", time.time())
        return self._fetch_run(offer)

    def _is_set_up(self, options: JoinOptions) -> bool:
        """Return true if training is possible here, after the set-up if that is needed; false if it was declined."""
        if self._python.is_there:
            return True
        self._console.print("Training needs packages that are not installed yet.")
        return SetupDialogue(self._console, self._ask, self._paths).hold(consented=options.consented)

    def _consents(self, invitation: RunInvitation, offer: RunOffer, gate: GateInfo | None) -> bool:
        try:
            if not invitation.is_vouched_for and not self._ask(
                f"Is {offer.manifest.fingerprint} the key that the organiser has published?"
            ):
                return False
            if gate is not None and not self._ask(sign_in_question(offer.manifest, gate)):
                return False
            return self._ask("Train this run on this computer, whenever your preferences allow it?")
        except typer.Abort:
            raise JoinError("There was no answer. No run was joined.", "Answer y, or give --yes.") from None

    def _candidate(
        self, offer: RunOffer, pace: RunPace, gate: GateInfo | None, options: JoinOptions
    ) -> RunPreview:
        training, seconds = offer.manifest.training, options.benchmark_seconds
        plan, rate = self._allowed.plan(training), None
        if seconds is not None and plan.fits:
            log = self._paths.log("benchmark")
            settings = BenchmarkSettings(
                self._allowed, seconds, log, is_idle=options.yields, interpreter=self._python.find()
            )
            rate = self._measure_speed(offer, settings).samples_per_hour
        entrances = asyncio.run(ask_entrances(offer.manifest.contact.initial_peers))
        return RunPreview(
            offer.manifest, plan, offer.download_bytes, rate, pace, gate, entrances, options.is_local
        )

    def _measure_speed(self, offer: RunOffer, settings: BenchmarkSettings) -> SpeedMeasurement:
        self._paths.prepare()
        with self._progress(TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn()) as bar:
            task = bar.add_task("Measuring the run on this computer", total=settings.seconds or None)

            def show(measured: SpeedMeasurement) -> None:
                bar.update(task, completed=min(measured.seconds, settings.seconds))

            return asyncio.run(measure_speed(offer.manifest.training, settings, show))

    def _show(self, candidate: RunPreview) -> None:
        table = Table.grid(padding=(0, 2))
        table.add_column(style="bold", no_wrap=True)
        for label, text in rows(candidate):
            table.add_row(Text(label), Text(text))
        self._console.print(table)

    def _fetch_run(self, offer: RunOffer) -> JoinedRun:
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            DownloadColumn(),
            TimeRemainingColumn(),
        )
        trained = RunCard.of(offer.manifest).trained
        with (
            self._progress(*columns) as bar,
            counted_download(self._paths.stats, trained, self._show_error) as received,
        ):
            task = bar.add_task("Fetching the run's files", total=sum(ref.size for ref in offer.missing))

            def show(name: str, done: int, total: int) -> None:
                bar.update(task, description=name, completed=done)
                received(self._line.received)

            joined = fetch_run(offer, show, Room(self._allowed.disk))
            received(self._line.received)
            return joined

    def _show_error(self, error: StatsError) -> None:
        self._console.print(str(error), markup=False)

    def _progress(self, *columns: TextColumn | BarColumn | DownloadColumn | TimeRemainingColumn) -> Progress:
        return Progress(*columns, console=self._console, transient=True)


def check_sign_in(gate: GateInfo, options: SignInOptions) -> None:
    """Raise GateError if signing in would be in vain, or at a place that the volunteer does not know."""
    check_issuer(gate, options.hub)
    check_invited(gate.admits, options.invitation is not None)


def sign_in_question(manifest: RunManifest, gate: GateInfo) -> str:
    """Return the question that is asked before the volunteer signs in."""
    return (
        f"Sign in at {urlsplit(gate.issuer).netloc} to prove your identity to {manifest.contact.coordinator}?"
    )


def sign_in_at_gate(paths: Paths, manifest: RunManifest, options: SignInOptions) -> str:
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
