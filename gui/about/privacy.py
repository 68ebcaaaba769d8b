"""Who sees what of a volunteer, in plain words."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from client.api.snapshot import Snapshot

translate = QCoreApplication.translate


@dataclass(frozen=True)
class Seen:
    """What somebody sees."""

    icon: str
    who: str
    what: str


def seen_by_others(snapshot: Snapshot | None) -> tuple[Seen, ...]:
    """By whom, and what; as far as it is known for the joined run."""
    run = snapshot.run if snapshot else None
    has_gate = run is not None and run.has_gate
    found = [Seen("users", translate("Privacy", "Other volunteers"), _peers(has_gate))]
    if run is None or run.coordinator:
        found.append(Seen("network", translate("Privacy", "The run's coordinator"), _coordinator(has_gate)))
    found.append(Seen("user", "Hugging Face", _hub()))
    found.append(Seen("lock", translate("Privacy", "Nobody"), _nobody()))
    return tuple(found)


def _peers(has_gate: bool) -> str:
    if has_gate:
        return translate(
            "Privacy",
            "Your IP address, a random peer ID, your kind of hardware (a processor, or a GPU by its memory), how "
            "fast you train, the gradients you send, and the user name by which you were admitted.",
        )
    return translate(
        "Privacy",
        "Your IP address, a random peer ID, your kind of hardware (a processor, or a GPU by its memory), how fast "
        "you train, and the gradients you send. No name.",
    )


def _coordinator(has_gate: bool) -> str:
    if has_gate:
        return translate(
            "Privacy",
            "Your user name and how much your computers do. It is on the leaderboard unless you hide it. The "
            "coordinator gets a proof made for it alone, and never your token.",
        )
    return translate("Privacy", "That a computer with your address takes part, and how much it does.")


def _hub() -> str:
    return translate(
        "Privacy",
        "If you sign in: that you did. Your token stays on this computer and goes to nobody but the Hub. Data and "
        "files of a run that are kept on the Hub are fetched from there.",
    )


def _nobody() -> str:
    return translate(
        "Privacy",
        "Your files, what you type, which programs you use. To get out of your way, Idlebrush asks the system how "
        "long ago there was input, but not which. That, and the prompts and pictures of your gallery, never leave "
        "this computer.",
    )
