"""The preferences in the user's language: what each is called, what it does, and what its words mean."""

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def section(name: str) -> str:
    """Of `PreferenceView.section`."""
    return _sections().get(name, name)


def title(name: str) -> str:
    return _titles().get(name, name)


def about(name: str, fallback: str = "") -> str:
    """What a preference does, in a sentence or two."""
    return _about().get(name, fallback)


def choice(name: str, value: str) -> str:
    """What a word is called as the value of that preference."""
    return _choices().get((name, value)) or _words().get(value, value)


def _sections() -> dict[str, str]:
    return {
        "WHEN": translate("Preferences", "When to train"),
        "IN_USE": translate("Preferences", "While you use the computer"),
        "POWER": translate("Preferences", "Battery and heat"),
        "OTHERS": translate("Preferences", "Other programs"),
        "LIMITS": translate("Preferences", "How much to use"),
        "MEMORY": translate("Preferences", "Memory"),
        "NETWORK": translate("Preferences", "Network"),
        "START": translate("Preferences", "Start"),
    }


def _titles() -> dict[str, str]:
    return {
        "run-mode": translate("Preferences", "Train"),
        "hours": translate("Preferences", "Hours of the week"),
        "idle-minutes": translate("Preferences", "Not in use after"),
        "while-in-use-cpu": translate("Preferences", "Processor while in use"),
        "while-in-use-gpu": translate("Preferences", "GPU while in use"),
        "full-screen-pause": translate("Preferences", "Pause for full-screen applications"),
        "video-pause": translate("Preferences", "Pause for videos"),
        "on-battery": translate("Preferences", "On battery"),
        "minimum-charge": translate("Preferences", "Lowest charge"),
        "cpu-temperature": translate("Preferences", "Hottest processor"),
        "gpu-temperature": translate("Preferences", "Hottest GPU"),
        "other-cpu-load": translate("Preferences", "Processor used by others"),
        "other-gpu-load": translate("Preferences", "GPU used by others"),
        "exclusive-applications": translate("Preferences", "Exclusive applications"),
        "share-of-time": translate("Preferences", "Share of the time"),
        "threads": translate("Preferences", "Processor threads"),
        "gpus": translate("Preferences", "GPUs"),
        "disk-limit": translate("Preferences", "Disk for runs"),
        "disk-free": translate("Preferences", "Disk left free"),
        "ram-limit": translate("Preferences", "Memory for training"),
        "ram-free": translate("Preferences", "Memory left free"),
        "vram-limit": translate("Preferences", "GPU memory for training"),
        "gpu-headroom": translate("Preferences", "GPU memory for others"),
        "leave-in-memory": translate("Preferences", "Stay in memory for"),
        "free-gpu-on-pause": translate("Preferences", "Free the GPU at every pause"),
        "upload": translate("Preferences", "Upload speed"),
        "download": translate("Preferences", "Download speed"),
        "monthly-quota": translate("Preferences", "Traffic in a month"),
        "metered-pause": translate("Preferences", "Pause on metered connections"),
        "listening-port": translate("Preferences", "Port"),
        "start-at-login": translate("Preferences", "Start at login"),
    }


def _about() -> dict[str, str]:
    return {
        "run-mode": translate(
            "Preferences",
            "“Always” ignores what is only for your convenience, and still respects what protects the "
            "computer and your bill: heat, memory, disk, lowest charge, metered connections and the "
            "month's traffic.",
        ),
        "hours": translate("Preferences", "The hours of the week in which to train, in local time."),
        "idle-minutes": translate(
            "Preferences",
            "How long keyboard and mouse must stay untouched before the computer counts as not in use.",
        ),
        "while-in-use-cpu": translate(
            "Preferences",
            "What happens to training on the processor while you use the computer: it pauses, or goes on "
            "for this share of the time.",
        ),
        "while-in-use-gpu": translate(
            "Preferences",
            "What happens to training on a GPU while you use the computer: it pauses, or goes on for "
            "this share of the time.",
        ),
        "full-screen-pause": translate(
            "Preferences", "Pause while an application fills the screen, such as a game."
        ),
        "video-pause": translate(
            "Preferences", "Pause while an application keeps the screen on, such as a video player."
        ),
        "on-battery": translate(
            "Preferences", "Whether training pauses while the computer runs on its battery."
        ),
        "minimum-charge": translate(
            "Preferences", "Training pauses below this charge, where it is allowed on battery."
        ),
        "cpu-temperature": translate(
            "Preferences", "Pause while the processor is hotter than this, until it has cooled by 5 °C."
        ),
        "gpu-temperature": translate(
            "Preferences", "Pause while the GPU is hotter than this, until it has cooled by 5 °C."
        ),
        "other-cpu-load": translate(
            "Preferences", "Pause while other programs use more than this of all processor cores."
        ),
        "other-gpu-load": translate(
            "Preferences", "Pause while other programs use more than this of the GPU that trains."
        ),
        "exclusive-applications": translate(
            "Preferences",
            "Nothing trains while one of these applications runs. Give the names of their programs.",
        ),
        "share-of-time": translate(
            "Preferences",
            "Never compute for more than this share of the time. Short breaks between steps make less heat and "
            "noise.",
        ),
        "threads": translate(
            "Preferences",
            "How many threads of the processor to train with. Automatic: all cores but one, or four beside a GPU.",
        ),
        "gpus": translate(
            "Preferences", "Which GPUs may train, by their numbers, counted from 0 and separated by commas."
        ),
        "disk-limit": translate("Preferences", "The most that runs may take of the disk."),
        "disk-free": translate("Preferences", "Pause while less than this is free on the disk."),
        "ram-limit": translate("Preferences", "The most memory (RAM) that training may take."),
        "ram-free": translate(
            "Preferences", "Give all memory back when less than this is left for other programs."
        ),
        "vram-limit": translate("Preferences", "The most GPU memory that training may take."),
        "gpu-headroom": translate(
            "Preferences",
            "GPU memory kept for other programs. When they need more than that, training ends at once and gives all "
            "of its own back.",
        ),
        "leave-in-memory": translate(
            "Preferences", "How long a pause may last before training gives its memory back."
        ),
        "free-gpu-on-pause": translate(
            "Preferences", "Give GPU memory back at every pause. Going on then takes longer."
        ),
        "upload": translate("Preferences", "The fastest that training may send."),
        "download": translate("Preferences", "The fastest that training may receive."),
        "monthly-quota": translate(
            "Preferences", "The most that training may send and receive together in a calendar month."
        ),
        "metered-pause": translate(
            "Preferences", "Pause while the connection is metered, such as a phone's."
        ),
        "listening-port": translate(
            "Preferences", "Where other peers reach this computer. Automatic: any port that is free."
        ),
        "start-at-login": translate("Preferences", "Start Idlebrush, in the background, when you log in."),
    }


def _choices() -> dict[tuple[str, str], str]:
    """Words that mean something of their own for one preference."""
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


def _words() -> dict[str, str]:
    """Words that stand for no number at all."""
    return {
        "unlimited": translate("Preferences", "Unlimited"),
        "off": translate("Preferences", "Off"),
        "on": translate("Preferences", "On"),
        "auto": translate("Preferences", "Automatic"),
        "none": translate("Preferences", "None"),
    }
