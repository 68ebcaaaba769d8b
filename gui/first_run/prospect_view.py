"""What the volunteer is told of a run before joining it: rows of a label and a text, and sentences for its states."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from PySide6.QtCore import QCoreApplication

from client.api.prospect import GateView, ProspectStage, ProspectView
from gui.first_run.steps import Hindrance
from gui.wording import amounts
from gui.wording.techniques import plan_sentence

translate = QCoreApplication.translate

EMBEDDED = ("embedded", "embedded-all")
"""Locations of the runs that come with the app, which a computer trains by itself."""


@dataclass(frozen=True)
class Fact:
    icon: str
    label: str
    text: str


def facts(prospect: ProspectView) -> Iterator[Fact]:
    """In the order in which they are read."""
    yield Fact("users", translate("FirstRun", "Organiser"), organiser(prospect))
    if prospect.plan is not None:
        yield Fact("cpu", translate("FirstRun", "This computer"), plan_sentence(prospect.plan))
    yield Fact("download", translate("FirstRun", "Download"), download(prospect))
    yield Fact("network", translate("FirstRun", "Traffic"), traffic(prospect))
    yield Fact("eye", translate("FirstRun", "Others see"), seen(prospect))


def is_alone(prospect: ProspectView) -> bool:
    """Whether nobody else takes part."""
    return prospect.location in EMBEDDED


def organiser(prospect: ProspectView) -> str:
    if is_alone(prospect):
        return translate("FirstRun", "It comes with Idlebrush, and trains on this computer alone.")
    if prospect.coordinator is None:
        return translate("FirstRun", "It has no website; its key is {key}.").format(key=prospect.fingerprint)
    where = urlsplit(prospect.coordinator).netloc or prospect.coordinator
    #: {where} is a website, {key} a row of letters and digits.
    return translate("FirstRun", "{where}, with the key {key}").format(where=where, key=prospect.fingerprint)


def download(prospect: ProspectView) -> str:
    if is_alone(prospect) or not prospect.download_bytes:
        return translate("FirstRun", "Nothing: all of its files are here.")
    text = translate("FirstRun", "{size}, once, before it begins.")
    return text.format(size=amounts.data_size(prospect.download_bytes))


def traffic(prospect: ProspectView) -> str:
    """Upper bounds, in a swarm of 16."""
    if is_alone(prospect):
        return translate("FirstRun", "None: there is nobody to exchange anything with.")
    if prospect.bytes_per_day is not None:
        text = translate(
            "FirstRun",
            "At most about {size} each way in a day without a pause, among 16 computers like this one. You can set "
            "limits in the preferences.",
        )
        return text.format(size=amounts.data_size(prospect.bytes_per_day))
    text = translate("FirstRun", "At most about {size} each way for every step that all take together.")
    return text.format(size=amounts.data_size(prospect.bytes_per_epoch))


def seen(prospect: ProspectView) -> str:
    """What others learn of the volunteer."""
    if is_alone(prospect):
        return translate("FirstRun", "Nothing. None of your files is read or sent.")
    if prospect.gate is not None:
        return translate(
            "FirstRun",
            "This computer's Internet address, how fast it trains, and your user name, which you can hide on the "
            "run's pages. None of your files is read or sent.",
        )
    return translate(
        "FirstRun",
        "This computer's Internet address and how fast it trains, under a random name. None of your files is read "
        "or sent.",
    )


def speed(prospect: ProspectView) -> str:
    """As it was measured, or is measured now, or why one would."""
    if prospect.stage is ProspectStage.MEASURING and prospect.progress is None:
        return translate("FirstRun", "Loading the run to try it out. On a busy computer that takes a while…")
    if prospect.stage is ProspectStage.MEASURING and prospect.samples_per_hour is None:
        return translate("FirstRun", "This computer is trying the run out…")
    if prospect.samples_per_hour is None:
        return translate("FirstRun", "See how fast this computer is: it tries the run out for a minute.")
    rate = prospect.samples_per_hour
    #: {rate} is a number; the model learns from samples: pictures with their descriptions.
    text = translate("FirstRun", "About {rate} samples an hour. Each step takes {target} from all together.")
    shown = amounts.count(int(float(f"{rate:.2g}"))) if rate >= 10 else amounts.decimal(rate)
    return text.format(rate=shown, target=amounts.count(prospect.target_batch_size))


def admits(gate: GateView) -> str:
    """Who may join."""
    match gate.admits:
        case "organisation":
            text = translate("FirstRun", "This run admits members of {organisation} on the Hugging Face Hub.")
            return text.format(organisation=gate.organisation)
        case "list":
            return translate("FirstRun", "This run admits people on its organiser's list.")
        case "invitation":
            return translate("FirstRun", "This run admits people whom its organiser has invited.")
    return translate("FirstRun", "This run admits anyone who signs in with the Hugging Face Hub.")


def proof(gate: GateView) -> str:
    """To whom one proves what by signing in."""
    text = translate(
        "FirstRun",
        "You sign in at {hub}. That proves to {coordinator}, and to nobody else, who you are: the organiser learns "
        "your user name, and gets no access to your account.",
    )
    hub, coordinator = (urlsplit(address).netloc for address in (gate.issuer, gate.coordinator))
    return text.format(hub=hub, coordinator=coordinator)


def hint(hindrance: Hindrance | None) -> str:
    """What stands in the way, beside the button that leads on."""
    if hindrance is None:
        return ""
    return {
        Hindrance.NO_DAEMON: translate("FirstRun", "Idlebrush is not running in the background."),
        Hindrance.SIGNING_IN: translate("FirstRun", "The sign-in is still under way."),
        Hindrance.NO_RUN: translate("FirstRun", "Choose a run first."),
        Hindrance.LOOKING: translate("FirstRun", "One moment: looking at the run."),
        Hindrance.NO_PROSPECT: translate("FirstRun", "Choose a run that can be joined."),
        Hindrance.TOO_LARGE: translate("FirstRun", "This run is too large for this computer."),
        Hindrance.NOT_ADMITTED: translate("FirstRun", "Sign in to this run first."),
        Hindrance.NOT_JOINED: "",
    }[hindrance]
