"""Why training is paused or held back, in the user's language, by the codes of the client's policy."""

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def reason_text(code: str, fallback: str) -> str:
    """Such as "You are using the computer"; of an unknown code the daemon's own words."""
    clause = reason_clause(code, fallback)
    return clause[:1].upper() + clause[1:]


def reason_clause(code: str, fallback: str) -> str:
    """The same as it follows "Paused: "."""
    return _clauses().get(code) or fallback.removesuffix(".")


def _clauses() -> dict[str, str]:
    return {
        #: All of these follow "Paused: " or "Slowed to 50%: ", and also stand alone, capitalised.
        "not_asked": translate("Reasons", "you have not agreed to train yet"),
        "never": translate("Reasons", "you chose never to train"),
        "paused": translate("Reasons", "you paused it until you resume"),
        "snoozed": translate("Reasons", "you paused it for a while"),
        "trying_out": translate("Reasons", "another run is tried out"),
        "in_use": translate("Reasons", "you are using the computer"),
        "full_screen": translate("Reasons", "an application fills the screen"),
        "exclusive_application": translate("Reasons", "one of your exclusive applications runs"),
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
        "share": translate("Reasons", "you let it compute for a share of the time"),
    }
