"""The preferences in the user's language: sections, titles, descriptions and choices."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from client.api.choices import PreferenceView

translate = QCoreApplication.translate


@dataclass(frozen=True)
class Words:
    """Title and description of a preference."""

    title: str
    about: str
    """Description in a sentence or two."""


def _when() -> dict[str, Words]:
    return {
        "run-mode": Words(
            translate("Preferences", "Train"),
            translate(
                "Preferences",
                "“Always” ignores the settings for your convenience. It still respects the limits "
                "that protect the computer and your bill: heat, memory, disk, battery charge, "
                "price of electricity, metered connections and the monthly quota.",
            ),
        ),
        "hours": Words(
            translate("Preferences", "Hours of the week"),
            translate("Preferences", "Training is allowed during these hours of the week, in local time."),
        ),
        "switch-runs-minutes": Words(
            translate("Preferences", "Change runs after"),
            translate(
                "Preferences",
                "If several runs are joined, another one may take over after this time of training, at the end of "
                "an epoch.",
            ),
        ),
    }


def _in_use() -> dict[str, Words]:
    return {
        "idle-minutes": Words(
            translate("Preferences", "Idle after"),
            translate(
                "Preferences",
                "The computer counts as idle after this time without keyboard or mouse input.",
            ),
        ),
        "while-in-use-cpu": Words(
            translate("Preferences", "Processor share while in use"),
            translate(
                "Preferences",
                "While you use the computer, training on the processor pauses or continues for this "
                "share of the time.",
            ),
        ),
        "while-in-use-gpu": Words(
            translate("Preferences", "GPU share while in use"),
            translate(
                "Preferences",
                "While you use the computer, training on a GPU pauses or continues for this share of "
                "the time.",
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
            translate("Preferences", "Pause or continue training while the computer runs on battery."),
        ),
        "minimum-charge": Words(
            translate("Preferences", "Lowest battery charge"),
            translate("Preferences", "If training is allowed on battery, it pauses below this charge."),
        ),
        "cpu-temperature": Words(
            translate("Preferences", "Highest processor temperature"),
            translate("Preferences", "Pause above this temperature until the processor has cooled by 5 °C."),
        ),
        "gpu-temperature": Words(
            translate("Preferences", "Highest GPU temperature"),
            translate("Preferences", "Pause above this temperature until the GPU has cooled by 5 °C."),
        ),
        "cpu-target-temperature": Words(
            translate("Preferences", "Target temperature of the processor"),
            translate(
                "Preferences",
                "Hold the processor at this temperature by short breaks between steps. Set it below the "
                "limit for pausing.",
            ),
        ),
        "gpu-target-temperature": Words(
            translate("Preferences", "Target temperature of the GPU"),
            translate(
                "Preferences",
                "Hold the GPU at this temperature by short breaks between steps. Set it below the limit for "
                "pausing.",
            ),
        ),
        "gpu-power": Words(
            translate("Preferences", "Power of the GPU"),
            translate(
                "Preferences",
                "Limit the power of the GPU while it trains, by its driver where that is allowed, otherwise "
                "by short breaks between steps. Your own setting of the driver is restored afterwards.",
            ),
        ),
        "keep-awake": Words(
            translate("Preferences", "Stay awake while training"),
            translate(
                "Preferences",
                "Keep the computer from going to sleep by itself while it trains, but never on battery. The "
                "screen may turn off.",
            ),
        ),
    }


def _electricity() -> dict[str, Words]:
    return {
        "electricity-price": Words(
            translate("Preferences", "Price of electricity"),
            translate(
                "Preferences",
                "The price of a kilowatt-hour, by the hours of the week if it changes. Idlebrush shows what "
                "the measured energy of training costs.",
            ),
        ),
        "highest-price": Words(
            translate("Preferences", "Highest price"),
            translate("Preferences", "Pause while a kilowatt-hour costs more than this."),
        ),
        "carbon-intensity": Words(
            translate("Preferences", "Carbon intensity of electricity"),
            translate(
                "Preferences",
                "The grams of CO2 that a kilowatt-hour causes where you live, by the hours of the week if they "
                "change. Idlebrush shows what the measured energy of training causes.",
            ),
        ),
        "highest-carbon": Words(
            translate("Preferences", "Highest carbon intensity"),
            translate("Preferences", "Pause while a kilowatt-hour causes more CO2 than this."),
        ),
    }


def _others() -> dict[str, Words]:
    return {
        "other-cpu-load": Words(
            translate("Preferences", "Processor load of other programs"),
            translate(
                "Preferences", "Pause while other programs use more than this share of all processor cores."
            ),
        ),
        "other-gpu-load": Words(
            translate("Preferences", "GPU load of other programs"),
            translate(
                "Preferences", "Pause while other programs use more than this share of the training GPU."
            ),
        ),
        "exclusive-applications": Words(
            translate("Preferences", "Exclusive applications"),
            translate(
                "Preferences",
                "Training pauses while one of these applications runs. Enter the names of their programs.",
            ),
        ),
    }


def _limits() -> dict[str, Words]:
    return {
        "share-of-time": Words(
            translate("Preferences", "Share of the time"),
            translate(
                "Preferences",
                "Train for at most this share of the time. Short breaks between steps reduce heat and noise.",
            ),
        ),
        "threads": Words(
            translate("Preferences", "Processor threads"),
            translate(
                "Preferences",
                "The number of processor threads for training. Automatic: all cores but one, or four "
                "if a GPU trains.",
            ),
        ),
        "gpus": Words(
            translate("Preferences", "GPUs"),
            translate(
                "Preferences",
                "The numbers of the GPUs that may train, counted from 0 and separated by commas.",
            ),
        ),
        "disk-limit": Words(
            translate("Preferences", "Disk space for runs"),
            translate("Preferences", "The most disk space that runs may use."),
        ),
        "disk-free": Words(
            translate("Preferences", "Disk space to keep free"),
            translate("Preferences", "Pause while less than this space is free on the disk."),
        ),
    }


def _memory() -> dict[str, Words]:
    return {
        "ram-limit": Words(
            translate("Preferences", "Memory for training"),
            translate("Preferences", "The most memory (RAM) that training may use."),
        ),
        "ram-free": Words(
            translate("Preferences", "Memory to keep free"),
            translate("Preferences", "Release all memory when less than this is left for other programs."),
        ),
        "vram-limit": Words(
            translate("Preferences", "GPU memory for training"),
            translate("Preferences", "The most GPU memory that training may use."),
        ),
        "gpu-headroom": Words(
            translate("Preferences", "GPU memory for other programs"),
            translate(
                "Preferences",
                "GPU memory kept free for other programs. If they need more, training stops at once "
                "and releases all of its GPU memory.",
            ),
        ),
        "leave-in-memory": Words(
            translate("Preferences", "Keep memory during pauses for"),
            translate("Preferences", "Training releases its memory after a pause of this length."),
        ),
        "free-gpu-on-pause": Words(
            translate("Preferences", "Free GPU memory at every pause"),
            translate("Preferences", "Release GPU memory at every pause. Resuming then takes longer."),
        ),
    }


def _network() -> dict[str, Words]:
    return {
        "upload": Words(
            translate("Preferences", "Upload speed"),
            translate("Preferences", "The highest speed at which training may send data."),
        ),
        "download": Words(
            translate("Preferences", "Download speed"),
            translate("Preferences", "The highest speed at which training may receive data."),
        ),
        "monthly-quota": Words(
            translate("Preferences", "Monthly traffic quota"),
            translate(
                "Preferences",
                "The most data that training may send and receive in total in a calendar month.",
            ),
        ),
        "metered-pause": Words(
            translate("Preferences", "Pause on metered connections"),
            translate("Preferences", "Pause while the connection is metered, such as a phone's."),
        ),
        "listening-port": Words(
            translate("Preferences", "Port"),
            translate(
                "Preferences", "The port on which other peers reach this computer. Automatic: any free port."
            ),
        ),
        "remote-control": Words(
            translate("Preferences", "Control by other computers"),
            translate(
                "Preferences",
                "Let your other computers control this one, once they are paired by a code on the page My "
                "computers.",
            ),
        ),
        "remote-port": Words(
            translate("Preferences", "Port for other computers"),
            translate("Preferences", "The port on which your other computers reach this one."),
        ),
        "upnp": Words(
            translate("Preferences", "Let the router forward the port (UPnP or NAT-PMP)"),
            translate(
                "Preferences",
                "Ask the router to forward that port to this computer, so that other peers can connect to it.",
            ),
        ),
    }


def _start() -> dict[str, Words]:
    return {
        "start-at-login": Words(
            translate("Preferences", "Start at login"),
            translate("Preferences", "Start Idlebrush in the background when you log in."),
        ),
        "updates": Words(
            translate("Preferences", "Update by itself"),
            translate(
                "Preferences",
                "Look for a newer version once a day, and install it while training is paused. It is never "
                "fetched on a metered connection.",
            ),
        ),
    }


TABLES: dict[str, Callable[[], dict[str, Words]]] = {
    "WHEN": _when,
    "IN_USE": _in_use,
    "POWER": _power,
    "ELECTRICITY": _electricity,
    "OTHERS": _others,
    "LIMITS": _limits,
    "MEMORY": _memory,
    "NETWORK": _network,
    "START": _start,
}
"""Labels of words by `PreferenceView.section`."""


def section(name: str) -> str:
    """Return the title of a section."""
    return _sections().get(name, name)


def words(view: PreferenceView) -> Words:
    """Return the words of a preference; for an unknown one, the daemon's."""
    known = TABLES[view.section]() if view.section in TABLES else {}
    return known.get(view.name) or Words(view.name, view.help)


def choice(name: str, value: str) -> str:
    """Return the name of a value of that preference."""
    return _choices().get((name, value)) or _common_words().get(value, value)


def _sections() -> dict[str, str]:
    return {
        "WHEN": translate("Preferences", "When to train"),
        "IN_USE": translate("Preferences", "While you use the computer"),
        "POWER": translate("Preferences", "Battery and heat"),
        "ELECTRICITY": translate("Preferences", "Electricity"),
        "OTHERS": translate("Preferences", "Other programs"),
        "LIMITS": translate("Preferences", "How much to use"),
        "MEMORY": translate("Preferences", "Memory"),
        "NETWORK": translate("Preferences", "Network"),
        "START": translate("Preferences", "Start and updates"),
    }


def _choices() -> dict[tuple[str, str], str]:
    """Return the words with a meaning of their own for one preference."""
    return {
        ("run-mode", "always"): translate("Preferences", "Always"),
        ("run-mode", "preferences"): translate("Preferences", "As set here"),
        ("run-mode", "never"): translate("Preferences", "Never"),
        ("hours", "always"): translate("Preferences", "At all hours"),
        ("while-in-use-cpu", "pause"): translate("Preferences", "Pause"),
        ("while-in-use-gpu", "pause"): translate("Preferences", "Pause"),
        ("on-battery", "pause"): translate("Preferences", "Pause"),
        ("on-battery", "allow"): translate("Preferences", "Train"),
        ("gpus", "all"): translate("Preferences", "All"),
    }


def _common_words() -> dict[str, str]:
    """Return the words with the same meaning for all preferences."""
    return {
        "unlimited": translate("Preferences", "Unlimited"),
        "off": translate("Preferences", "Off"),
        "on": translate("Preferences", "On"),
        "auto": translate("Preferences", "Automatic"),
        "none": translate("Preferences", "None"),
    }
