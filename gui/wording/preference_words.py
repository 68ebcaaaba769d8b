"""What each preference is called and does, in the user's language: a table for each section of them."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


@dataclass(frozen=True)
class Words:
    """Of a preference."""

    title: str
    about: str
    """What it does, in a sentence or two."""


def _when() -> dict[str, Words]:
    return {
        "run-mode": Words(
            translate("Preferences", "Train"),
            translate(
                "Preferences",
                "“Always” ignores what is only for your convenience, and still respects what protects the "
                "computer and your bill: heat, memory, disk, lowest charge, metered connections and the "
                "month's traffic.",
            ),
        ),
        "hours": Words(
            translate("Preferences", "Hours of the week"),
            translate("Preferences", "The hours of the week in which to train, in local time."),
        ),
    }


def _in_use() -> dict[str, Words]:
    return {
        "idle-minutes": Words(
            translate("Preferences", "Not in use after"),
            translate(
                "Preferences",
                "How long keyboard and mouse must stay untouched before the computer counts as not in use.",
            ),
        ),
        "while-in-use-cpu": Words(
            translate("Preferences", "Processor while in use"),
            translate(
                "Preferences",
                "What happens to training on the processor while you use the computer: it pauses, or goes on "
                "for this share of the time.",
            ),
        ),
        "while-in-use-gpu": Words(
            translate("Preferences", "GPU while in use"),
            translate(
                "Preferences",
                "What happens to training on a GPU while you use the computer: it pauses, or goes on for "
                "this share of the time.",
            ),
        ),
        "full-screen-pause": Words(
            translate("Preferences", "Pause for full-screen applications"),
            translate("Preferences", "Pause while an application fills the screen, such as a game."),
        ),
        "video-pause": Words(
            translate("Preferences", "Pause for videos"),
            translate(
                "Preferences", "Pause while an application keeps the screen on, such as a video player."
            ),
        ),
    }


def _power() -> dict[str, Words]:
    return {
        "on-battery": Words(
            translate("Preferences", "On battery"),
            translate("Preferences", "Whether training pauses while the computer runs on its battery."),
        ),
        "minimum-charge": Words(
            translate("Preferences", "Lowest charge"),
            translate("Preferences", "Training pauses below this charge, where it is allowed on battery."),
        ),
        "cpu-temperature": Words(
            translate("Preferences", "Hottest processor"),
            translate(
                "Preferences", "Pause while the processor is hotter than this, until it has cooled by 5 °C."
            ),
        ),
        "gpu-temperature": Words(
            translate("Preferences", "Hottest GPU"),
            translate("Preferences", "Pause while the GPU is hotter than this, until it has cooled by 5 °C."),
        ),
    }


def _others() -> dict[str, Words]:
    return {
        "other-cpu-load": Words(
            translate("Preferences", "Processor used by others"),
            translate("Preferences", "Pause while other programs use more than this of all processor cores."),
        ),
        "other-gpu-load": Words(
            translate("Preferences", "GPU used by others"),
            translate("Preferences", "Pause while other programs use more than this of the GPU that trains."),
        ),
        "exclusive-applications": Words(
            translate("Preferences", "Exclusive applications"),
            translate(
                "Preferences",
                "Nothing trains while one of these applications runs. Give the names of their programs.",
            ),
        ),
    }


def _limits() -> dict[str, Words]:
    return {
        "share-of-time": Words(
            translate("Preferences", "Share of the time"),
            translate(
                "Preferences",
                "Never compute for more than this share of the time. Short breaks between steps make less "
                "heat and noise.",
            ),
        ),
        "threads": Words(
            translate("Preferences", "Processor threads"),
            translate(
                "Preferences",
                "How many threads of the processor to train with. Automatic: all cores but one, or four "
                "beside a GPU.",
            ),
        ),
        "gpus": Words(
            translate("Preferences", "GPUs"),
            translate(
                "Preferences",
                "Which GPUs may train, by their numbers, counted from 0 and separated by commas.",
            ),
        ),
        "disk-limit": Words(
            translate("Preferences", "Disk for runs"),
            translate("Preferences", "The most that runs may take of the disk."),
        ),
        "disk-free": Words(
            translate("Preferences", "Disk left free"),
            translate("Preferences", "Pause while less than this is free on the disk."),
        ),
    }


def _memory() -> dict[str, Words]:
    return {
        "ram-limit": Words(
            translate("Preferences", "Memory for training"),
            translate("Preferences", "The most memory (RAM) that training may take."),
        ),
        "ram-free": Words(
            translate("Preferences", "Memory left free"),
            translate("Preferences", "Give all memory back when less than this is left for other programs."),
        ),
        "vram-limit": Words(
            translate("Preferences", "GPU memory for training"),
            translate("Preferences", "The most GPU memory that training may take."),
        ),
        "gpu-headroom": Words(
            translate("Preferences", "GPU memory for others"),
            translate(
                "Preferences",
                "GPU memory kept for other programs. When they need more than that, training ends at once "
                "and gives all of its own back.",
            ),
        ),
        "leave-in-memory": Words(
            translate("Preferences", "Stay in memory for"),
            translate("Preferences", "How long a pause may last before training gives its memory back."),
        ),
        "free-gpu-on-pause": Words(
            translate("Preferences", "Free the GPU at every pause"),
            translate("Preferences", "Give GPU memory back at every pause. Going on then takes longer."),
        ),
    }


def _network() -> dict[str, Words]:
    return {
        "upload": Words(
            translate("Preferences", "Upload speed"),
            translate("Preferences", "The fastest that training may send."),
        ),
        "download": Words(
            translate("Preferences", "Download speed"),
            translate("Preferences", "The fastest that training may receive."),
        ),
        "monthly-quota": Words(
            translate("Preferences", "Traffic in a month"),
            translate(
                "Preferences", "The most that training may send and receive together in a calendar month."
            ),
        ),
        "metered-pause": Words(
            translate("Preferences", "Pause on metered connections"),
            translate("Preferences", "Pause while the connection is metered, such as a phone's."),
        ),
        "listening-port": Words(
            translate("Preferences", "Port"),
            translate(
                "Preferences", "Where other peers reach this computer. Automatic: any port that is free."
            ),
        ),
    }


def _start() -> dict[str, Words]:
    return {
        "start-at-login": Words(
            translate("Preferences", "Start at login"),
            translate("Preferences", "Start Idlebrush, in the background, when you log in."),
        ),
    }


TABLES: dict[str, Callable[[], dict[str, Words]]] = {
    "WHEN": _when,
    "IN_USE": _in_use,
    "POWER": _power,
    "OTHERS": _others,
    "LIMITS": _limits,
    "MEMORY": _memory,
    "NETWORK": _network,
    "START": _start,
}
"""By `PreferenceView.section`."""
