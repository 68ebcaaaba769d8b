"""Why training is paused or held back, in the user's language, by the codes of the client's policy."""

from datetime import datetime

from PySide6.QtCore import QCoreApplication

from client.api.snapshot import ReasonView
from gui.wording import amounts

translate = QCoreApplication.translate


def sentence(reason: ReasonView, now: datetime) -> str:
    """Such as "You are using the computer"; names the programs, and the end where that is known."""
    words = clause(reason, now)
    starts_with_name = bool(reason.about) and words.startswith(reason.about)
    return words if starts_with_name else words[:1].upper() + words[1:]


def clause(reason: ReasonView, now: datetime) -> str:
    """The same as it follows "Paused: "; of an unknown code the daemon's own words; ``now`` has its zone."""
    if reason.about and (text := _about().get(reason.code)):
        return text.format(programs=reason.about)
    if reason.until and reason.code == "out_of_hours":
        text = translate("Reasons", "your hours allow it again from {moment}")
        return text.format(moment=amounts.moment(reason.until, now))
    return _clauses().get(reason.code) or reason.text.removesuffix(".")


def _about() -> dict[str, str]:
    """What is said where the programs are known; their names stay as they are."""
    return {
        #: {programs} is the name of a program, or several with commas between them.
        "full_screen": translate("Reasons", "{programs} fills the screen"),
        "exclusive_application": translate("Reasons", "{programs} must not be disturbed"),
        "video": translate("Reasons", "{programs} keeps the screen on"),
    }


def _clauses() -> dict[str, str]:
    return {
        #: All of these follow "Paused: " or "Slowed to 50%: ", and also stand alone, capitalised.
        "not_asked": translate("Reasons", "you have not agreed to train yet"),
        "never": translate("Reasons", "you chose never to train"),
        "paused": translate("Reasons", "you paused it until you resume"),
        "snoozed": translate("Reasons", "you paused it for a while"),
        "trying_out": translate("Reasons", "another run is being tried out"),
        "in_use": translate("Reasons", "you are using the computer"),
        "full_screen": translate("Reasons", "an application fills the screen"),
        "exclusive_application": translate("Reasons", "one of your exclusive applications is running"),
        "video": translate("Reasons", "an application keeps the screen on"),
        "gpu_memory_needed": translate("Reasons", "another program needs the memory of the GPU"),
        "ram_needed": translate("Reasons", "memory is short"),
        "other_cpu_load": translate("Reasons", "other programs keep the processor busy"),
        "other_gpu_load": translate("Reasons", "other programs keep the GPU busy"),
        "too_hot_cpu": translate("Reasons", "the processor has to cool down"),
        "too_hot_gpu": translate("Reasons", "the GPU has to cool down"),
        "on_battery": translate("Reasons", "the computer runs on its battery"),
        "battery_low": translate("Reasons", "the battery is low"),
        "out_of_hours": translate("Reasons", "it is outside your hours"),
        "metered": translate("Reasons", "the network connection is metered"),
        "quota_used": translate("Reasons", "the traffic you allow in a month is used up"),
        "disk_full": translate("Reasons", "the disk is nearly full"),
        "disk_limit": translate("Reasons", "runs take as much of the disk as you allow"),
        "share": translate("Reasons", "you let it compute for only part of the time"),
    }
