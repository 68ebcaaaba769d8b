"""Describes a run to a volunteer before joining: what it is, what it takes of this machine, and what others see."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from client.admission.gate_info import GateInfo
from client.api.candidate import PaceBasis, TrafficView
from client.console.amounts import in_bytes, in_time
from client.joining.entrances import Entrance, entrances_in_words
from client.joining.pace import RunPace
from client.joining.traffic import traffic
from core.memory.planning import MemoryPlan
from core.run.manifest import RunManifest

_NOTHING_SEEN = "Nothing: nothing leaves this computer. None of your files is read or sent."


@dataclass(frozen=True)
class RunPreview:
    """A run on this machine."""

    manifest: RunManifest
    plan: MemoryPlan
    download_bytes: int
    """Bytes that are fetched before training can begin."""
    samples_per_hour: float | None
    """Measured speed; None: it was not measured."""
    pace: RunPace | None = None
    """Progress and pace of the run; None: nothing is known of them."""
    gate: GateInfo | None = None
    """The run's gate, if it has one."""
    entrances: tuple[Entrance, ...] = ()
    """Addresses by which its swarm is entered, as they answered this computer."""
    is_local: bool = False
    """True if the whole swarm is on this computer."""


def rows(candidate: RunPreview) -> Iterator[tuple[str, str]]:
    """Yield label and text, in the order in which they are read."""
    title, *about = candidate.manifest.describe()
    yield "Run", title
    for line in about:
        label, _, text = line.partition(": ")
        yield label, text
    if description := candidate.manifest.contact.description:
        yield "In its words", " ".join(description.split())
    yield "This computer", candidate.plan.reason
    yield "Download", _download(candidate.download_bytes)
    yield "Your part", _speed(candidate)
    yield "Traffic", _traffic(candidate)
    if candidate.entrances and not candidate.is_local:
        yield "Connection", _connection(candidate.entrances)
    if candidate.gate is not None:
        yield "Who may join", candidate.gate.text
        yield "Signing in", _sign_in(candidate.manifest, candidate.gate)
    yield "Others see", _NOTHING_SEEN if candidate.is_local else _seen(candidate.manifest)


def _download(size: int) -> str:
    return f"{in_bytes(size)} once, before it begins." if size else "Nothing; all files are here."


def _speed(candidate: RunPreview) -> str:
    rate = candidate.samples_per_hour
    if rate is None:
        return "Not measured."
    swarm = candidate.manifest.training.swarm
    speed = f"About {_rounded(rate)} samples an hour while training"
    if swarm.round_seconds is not None:
        return (
            f"{speed}; there is an update every {in_time(swarm.round_seconds)} with those of all computers."
        )
    return f"{speed}; an update needs {swarm.target_batch_size:,} from all computers together."


def _traffic(candidate: RunPreview) -> str:
    if candidate.is_local:
        return "None: no other computer takes part, and nothing leaves this one."
    expected = traffic(candidate.manifest.training, candidate.pace, candidate.samples_per_hour)
    if not expected.updates_left:
        return "None: the run has made all of its updates."
    state = in_bytes(expected.state_bytes)
    first = (
        f"The model's state of {state} is fetched from other computers first. "
        if expected.state_bytes
        else ""
    )
    return (
        f"{_day_of(expected)} {_basis(expected, candidate.manifest)} {first}If other computers can connect to this "
        f"one, it may also add up their updates and keep the swarm's records: up to "
        f"{in_bytes(expected.bytes_per_day_if_reached)} then, and the model's state for each newcomer that takes it "
        "from here. You can set limits: `idlebrush prefs show upload`, download and monthly-quota."
    )


def _day_of(expected: TrafficView) -> str:
    """Return the traffic of a day, or of the rest of the run if that is shorter, in a sentence."""
    about = "At most about" if expected.basis is PaceBasis.CLOCK else "About"
    if expected.ends_within_a_day:
        span = f"for the {expected.updates_left:,} updates that the run has left"
    else:
        span = "in a day of training without a pause"
    return f"{about} {in_bytes(expected.bytes_per_day)} each way {span}."


def _basis(expected: TrafficView, manifest: RunManifest) -> str:
    """Return the pace for which that is told, and where it comes from, in a sentence or two."""
    pace, swarm = in_time(expected.seconds_per_epoch), f"{expected.computers:,} computers"
    unknown = "The run's own pace is not known: a faster swarm passes more, a slower one less."
    match expected.basis:
        case PaceBasis.MEASURED:
            return (
                f"That is for {swarm} and an update every {pace}: the pace of the run's newest updates, as "
                f"{manifest.contact.coordinator} tells it, with this computer in addition."
            )
        case PaceBasis.CLOCK:
            return f"That is for {swarm} and an update every {pace}; the run's rules allow no faster pace."
        case PaceBasis.ALIKE:
            return f"That is for {swarm} like this one, which make an update every {pace}. {unknown}"
        case PaceBasis.ASSUMED:
            return (
                f"That is for {swarm} and an update every {pace}, the longest time that a group may take to form. "
                f"{unknown}"
            )


def _connection(entrances: tuple[Entrance, ...]) -> str:
    found = entrances_in_words("the run", entrances)
    if any(item.protocols for item in entrances):
        return f"{found} Whether others can connect to this computer is found out when training starts."
    return (
        f"Warning: {found} You can join, but this computer trains only once one of them answers. Check the "
        "connection to the Internet; if it works, ask the organiser whether the run continues."
    )


def _seen(manifest: RunManifest) -> str:
    coordinator = " So does its coordinator." if manifest.contact.coordinator else ""
    who = "a random peer ID, your user name on the Hub" if manifest.contact.gate else "a random peer ID"
    name = (
        "Its website shows your user name and your contribution, unless you hide your name."
        if manifest.contact.gate
        else "They do not see your user name."
    )
    return (
        f"The swarm's peers see this computer's IP address, {who} and how fast it trains.{coordinator} {name} "
        "None of your files is read or sent."
    )


def _sign_in(manifest: RunManifest, gate: GateInfo) -> str:
    hub = urlsplit(gate.issuer).netloc
    return (
        f"You sign in at {hub}, which proves to {manifest.contact.coordinator}, and to no one else, who you are. The "
        "run's organiser learns your user name, and gets no access to your account."
    )


def _rounded(rate: float) -> str:
    """Return the rate with two significant digits."""
    return f"{float(f'{rate:.2g}'):,.0f}" if rate >= 10 else f"{rate:.2g}"
