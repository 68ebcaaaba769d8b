"""The state of a serving coordinator as one snapshot, and its change by each event: pure, for a screen."""

from dataclasses import dataclass, replace
from enum import StrEnum
from urllib.parse import urlsplit

NOTICES_KEPT = 5
_WILDCARDS = frozenset({"0.0.0.0", "::"})


class ServedProcess(StrEnum):
    """The coordinator's processes."""

    BOOTSTRAP = "bootstrap"
    RECORDER = "recorder"
    PUBLISHER = "publisher"
    AUDITOR = "auditor"
    REPORTER = "reporter"
    WEB = "web"


class Stage(StrEnum):
    WAITING = "waiting"
    STARTING = "starting"
    RUNNING = "running"
    RESTARTING = "restarting"
    GIVEN_UP = "given up"


@dataclass(frozen=True)
class ServingView:
    """A coordinator now."""

    title: str
    link: str
    """Link that invites into the run."""
    fingerprint: str
    """Fingerprint of the organiser's key, for people to compare."""
    stages: tuple[tuple[ServedProcess, Stage], ...]
    generation: int = 0
    entry: tuple[str, ...] = ()
    """Multiaddresses of the swarm's entry points."""
    web: str | None = None
    """Address of the website: on this machine, or the public one if it listens on all of the machine's addresses."""
    notices: tuple[str, ...] = ()

    def stage(self, part: ServedProcess) -> Stage:
        return dict(self.stages)[part]

    def with_stage(self, part: ServedProcess, stage: Stage) -> "ServingView":
        return replace(
            self, stages=tuple((known, stage if known is part else old) for known, old in self.stages)
        )

    def with_notice(self, text: str) -> "ServingView":
        """Add a notice, but not twice in a row; the oldest is forgotten."""
        if text == "".join(self.notices[-1:]):
            return self
        return replace(self, notices=(*self.notices, text)[-NOTICES_KEPT:])


def website(listening: str, public: str) -> str:
    """Return the address of the website that people can open.

    Args:
        listening: URL that the website listens at.
        public: URL at which volunteers find it; it stands for a wildcard, which no browser on another machine opens.
    """
    return public if urlsplit(listening).hostname in _WILDCARDS else listening


def lose(view: ServingView, part: ServedProcess, sentence: str, again: bool) -> ServingView:
    """Return the view after a process ended abnormally; ``again`` says whether it is started again."""
    view = view.with_stage(part, Stage.RESTARTING if again else Stage.GIVEN_UP)
    return view.with_notice(sentence + (" It is started again." if again else " It is not started again."))
