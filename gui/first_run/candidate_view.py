"""Sentences about a candidate run, before and after the volunteer joins it."""

from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import urlsplit

from PySide6.QtCore import QCoreApplication, QLocale

from client.api.candidate import (
    CandidateStage,
    CandidateView,
    EntrancesView,
    GateView,
    PaceBasis,
    TrafficView,
)
from client.api.runs import LOCAL_SWARM, JoinedRunView
from gui.first_run.steps import Obstacle
from gui.first_run.times_view import sentences
from gui.widgets.facts import IconFact
from gui.wording import amounts
from gui.wording.codes import plan_sentence

translate = QCoreApplication.translate
EMBEDDED = ("embedded", "embedded-all", LOCAL_SWARM)
"""Locations of the embedded runs, which a computer trains alone, also with a swarm of its own."""


def facts(candidate: CandidateView) -> Iterator[IconFact]:
    """Yield the facts about a candidate run, in reading order."""
    yield IconFact("users", translate("FirstRun", "Organiser"), organiser(candidate))
    if candidate.plan is not None:
        yield IconFact("cpu", translate("FirstRun", "This computer"), plan_sentence(candidate.plan))
    yield IconFact("download", translate("FirstRun", "Download"), download(candidate))
    yield IconFact("network", translate("FirstRun", "Traffic"), traffic(candidate))
    if candidate.entrances is not None and not is_alone(candidate):
        yield _connection(candidate.entrances)
    yield IconFact("eye", translate("FirstRun", "Others see"), seen(candidate))


def differences(candidate: CandidateView) -> str:
    """Return in what the run differs from its card on a list, as a sentence; empty if it does not."""
    if not candidate.differences:
        return ""
    known = {
        "key": translate("FirstRun", "its organiser"),
        "title": translate("FirstRun", "its title"),
        "gate": translate("FirstRun", "who may join"),
        "parameters": translate("FirstRun", "the size of its model"),
        "traffic": translate("FirstRun", "its traffic"),
        "memory": translate("FirstRun", "the memory that it needs"),
        "download": translate("FirstRun", "its download"),
    }
    subjects = QLocale().createSeparatedList([known.get(code, code) for code in candidate.differences])
    #: {subjects} is a list such as "its title, who may join and its traffic".
    text = translate("FirstRun", "The run says otherwise than the list about {subjects}.")
    return text.format(subjects=subjects)


def is_alone(candidate: CandidateView) -> bool:
    """Return true if no other computer takes part."""
    return candidate.location in EMBEDDED


def organiser(candidate: CandidateView) -> str:
    if is_alone(candidate):
        return translate("FirstRun", "This run comes with Idlebrush and trains on this computer only.")
    if candidate.coordinator is None:
        return translate("FirstRun", "This run has no website. Its key is {key}.").format(
            key=candidate.fingerprint
        )
    where = urlsplit(candidate.coordinator).netloc or candidate.coordinator
    #: {where} is a website, {key} a row of letters and digits.
    return translate("FirstRun", "{where}, with the key {key}").format(where=where, key=candidate.fingerprint)


def download(candidate: CandidateView) -> str:
    if is_alone(candidate) or not candidate.download_bytes:
        return translate("FirstRun", "Nothing. All files of the run are already on this computer.")
    text = translate("FirstRun", "{size}, once, before training starts.")
    return text.format(size=amounts.data_size(candidate.download_bytes))


def traffic(candidate: CandidateView) -> str:
    """Return the traffic of a day, or of the rest of the run if that is shorter; empty if not known."""
    if is_alone(candidate):
        return translate("FirstRun", "None. No other computer takes part.")
    if (expected := candidate.traffic) is None:
        return ""
    if not expected.updates_left:
        return translate("FirstRun", "None. The run has made all of its updates.")
    reached = translate(
        "FirstRun",
        "If other computers can connect to this one, it can be up to {size}, and the model's state for "
        "each new computer that fetches it from here.",
    ).format(size=amounts.data_size(expected.bytes_per_day_if_reached))
    limits = translate("FirstRun", "You can set limits in the preferences.")
    return " ".join((_day_of(expected), _basis(expected), reached, *_state(expected), limits))


def _day_of(expected: TrafficView) -> str:
    size, updates = amounts.data_size(expected.bytes_per_day), amounts.count(expected.updates_left)
    is_bound = expected.basis is PaceBasis.CLOCK
    if expected.ends_within_a_day:
        text = (
            translate(
                "FirstRun",
                "At most about {size} in each direction for the updates that the run has left ({updates}).",
            )
            if is_bound
            else translate(
                "FirstRun",
                "About {size} in each direction for the updates that the run has left ({updates}).",
            )
        )
        return text.format(size=size, updates=updates)
    text = (
        translate("FirstRun", "At most about {size} in each direction per day of uninterrupted training.")
        if is_bound
        else translate("FirstRun", "About {size} in each direction per day of uninterrupted training.")
    )
    return text.format(size=size)


def _basis(expected: TrafficView) -> str:
    """Return the pace for which that is told, and where it comes from."""
    #: {pace} is a duration such as "15 s"; there are two computers at least.
    text = {
        PaceBasis.MEASURED: translate(
            "FirstRun",
            "This is for {computers} computers and an update every {pace}: the newest pace of the run, as its "
            "website reports it, with this computer added.",
        ),
        PaceBasis.CLOCK: translate(
            "FirstRun",
            "This is for {computers} computers and an update every {pace}. The run's rules allow no faster pace.",
        ),
        PaceBasis.ALIKE: translate(
            "FirstRun",
            "This is for {computers} computers like this one, with an update every {pace}. The run's real pace "
            "is not known: it is more if the run is faster, and less if it is slower.",
        ),
        PaceBasis.ASSUMED: translate(
            "FirstRun",
            "This is for {computers} computers and an update every {pace}. The run's real pace is not known: it "
            "is more if the run is faster, and less if it is slower.",
        ),
    }[expected.basis]
    return text.format(
        computers=amounts.count(expected.computers), pace=amounts.duration(expected.seconds_per_epoch)
    )


def _state(expected: TrafficView) -> Iterator[str]:
    if expected.state_bytes:
        text = translate("FirstRun", "At first, this computer fetches the model's state from others: {size}.")
        yield text.format(size=amounts.data_size(expected.state_bytes))


def _connection(entrances: EntrancesView) -> IconFact:
    """Return whether this computer reaches the run, with what it means if it does not."""
    label = translate("FirstRun", "Connection")
    if not entrances.answer:
        text = translate(
            "FirstRun",
            "No address of the run answers. You can join, but this computer trains only once one of them answers. "
            "Check the Internet connection. If it works, ask the organiser whether the run continues.",
        )
        return IconFact("warning", label, text)
    #: {protocols} is "IPv4", "IPv6", or both.
    text = translate(
        "FirstRun",
        "This computer reaches the run over {protocols}. Whether other computers can connect to this one is "
        "found out when training starts.",
    )
    return IconFact("link", label, text.format(protocols=_protocols(entrances)))


def _protocols(entrances: EntrancesView) -> str:
    if entrances.by_ip4 and entrances.by_ip6:
        return translate("FirstRun", "IPv4 and IPv6")
    return "IPv4" if entrances.by_ip4 else "IPv6"


def seen(candidate: CandidateView) -> str:
    """Return a text about the data of the volunteer that others see."""
    if is_alone(candidate):
        return translate("FirstRun", "Nothing. None of your files is read or sent.")
    if candidate.gate is not None:
        return translate(
            "FirstRun",
            "This computer's Internet address, its training speed, and your user name, which you "
            "can hide on the run's pages. None of your files is read or sent.",
        )
    return translate(
        "FirstRun",
        "This computer's Internet address and its training speed, under a random name. None "
        "of your files is read or sent.",
    )


def speed(candidate: CandidateView) -> str:
    """Return the measured speed, the progress of a measurement, or an invitation to measure."""
    if candidate.stage is CandidateStage.MEASURING and candidate.progress is None:
        return translate(
            "FirstRun", "Loading the run for the speed test. This can take a while on a busy computer…"
        )
    if candidate.stage is CandidateStage.MEASURING and candidate.samples_per_hour is None:
        return translate("FirstRun", "Measuring the training speed of this computer…")
    if candidate.samples_per_hour is None:
        return translate("FirstRun", "Measure how fast this computer trains. The test takes a minute.")
    rate = candidate.samples_per_hour
    shown = amounts.count(int(float(f"{rate:.2g}"))) if rate >= 10 else amounts.decimal(rate)
    if candidate.round_seconds is not None:
        #: {rate} is a number, {duration} is such as "4 min"; samples are pictures with their descriptions.
        text = translate(
            "FirstRun",
            "About {rate} samples per hour. The model is updated every {duration} with the samples "
            "of all computers together.",
        )
        return text.format(rate=shown, duration=amounts.duration(candidate.round_seconds))
    #: {rate} is a number; the model learns from samples: pictures with their descriptions.
    text = translate(
        "FirstRun",
        "About {rate} samples per hour. Each update of the model needs {target} samples from "
        "all computers together.",
    )
    return text.format(rate=shown, target=amounts.count(candidate.target_batch_size))


def admits(gate: GateView) -> str:
    """Return a sentence that says which people a gate admits."""
    match gate.admits:
        case "organisation":
            text = translate("FirstRun", "This run admits members of {organisation} on the Hugging Face Hub.")
            return text.format(organisation=gate.organisation)
        case "list":
            return translate("FirstRun", "This run admits people on the organiser's list.")
        case "invitation":
            return translate("FirstRun", "This run admits people with an invitation from the organiser.")
    return translate("FirstRun", "This run admits anyone who signs in with the Hugging Face Hub.")


def proof(gate: GateView) -> str:
    """Return a text about the parties of a sign-in at a gate, and what each learns."""
    text = translate(
        "FirstRun",
        "You sign in at {hub}. The sign-in proves your identity to {coordinator} only. The "
        "organiser learns your user name and gets no access to your account.",
    )
    hub, coordinator = (urlsplit(address).netloc for address in (gate.issuer, gate.coordinator))
    return text.format(hub=hub, coordinator=coordinator)


def hint(obstacle: Obstacle | None) -> str:
    """Return the reason why the next screen is not available, for display beside the button.

    The text is empty if there is none, or if it is obvious.
    """
    if obstacle is None:
        return ""
    return {
        Obstacle.NO_DAEMON: translate("FirstRun", "Idlebrush is not running in the background."),
        Obstacle.SIGNING_IN: translate("FirstRun", "The sign-in is still in progress."),
        Obstacle.NO_RUN: translate("FirstRun", "Choose a run first."),
        Obstacle.INSPECTING: translate("FirstRun", "Inspecting the run. One moment."),
        Obstacle.NO_CANDIDATE: translate("FirstRun", "Choose a run that you can join."),
        Obstacle.TOO_LARGE: translate("FirstRun", "This run is too large for this computer."),
        Obstacle.NOT_ADMITTED: translate("FirstRun", "Sign in to this run first."),
        Obstacle.NOT_JOINED: "",
    }[obstacle]


def summary(
    candidate: CandidateView, times: Mapping[str, str], joined: Sequence[JoinedRunView]
) -> Iterator[IconFact]:
    """Yield the facts to agree to, in reading order; ``joined`` are the runs that are joined already."""
    yield IconFact("picture", translate("FirstRun", "Run"), candidate.title)
    if titles := ", ".join(run.title for run in joined if run.digest != candidate.digest):
        #: {titles} are the names of runs, with commas between them.
        text = translate("FirstRun", "You join this run in addition to {titles}. The runs take turns.")
        yield IconFact("info", translate("FirstRun", "In addition"), text.format(titles=titles))
    if candidate.plan is not None:
        yield IconFact("cpu", translate("FirstRun", "This computer"), plan_sentence(candidate.plan))
    yield IconFact("clock", translate("FirstRun", "When"), " ".join(sentences(times)))
    yield IconFact("download", translate("FirstRun", "Download"), download(candidate))
    if not is_alone(candidate):
        yield IconFact("network", translate("FirstRun", "Traffic"), traffic(candidate))
    if candidate.entrances is not None and not candidate.entrances.answer:
        yield _connection(candidate.entrances)
    yield IconFact("eye", translate("FirstRun", "Others see"), seen(candidate))
    stop = translate("FirstRun", "You can pause or stop training at any time from the tray icon.")
    yield IconFact("pause", translate("FirstRun", "To stop"), stop)


def outcome(candidate: CandidateView, times: Mapping[str, str]) -> Iterator[IconFact]:
    """Return the facts that hold after the run was joined."""
    return (
        fact
        for fact in summary(candidate, times, ())
        if fact.label
        in (translate("FirstRun", "Run"), translate("FirstRun", "When"), translate("FirstRun", "To stop"))
    )


def download_progress(candidate: CandidateView) -> str:
    """Return the progress of downloading the run's files, in a sentence."""
    if candidate.progress is None:
        return translate("FirstRun", "Preparing to download the run's files…")
    #: {share} is such as "42%", {size} such as "1.2 GB".
    text = translate("FirstRun", "Downloading the run's files: {share}, {size} left.")
    return text.format(
        share=amounts.percent(candidate.progress), size=amounts.data_size(candidate.download_bytes)
    )
