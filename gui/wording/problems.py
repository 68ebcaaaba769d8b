"""What went wrong, in the user's language, by the codes of the client's errors; details stay the daemon's words."""

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def words(code: str, what: str, remedy: str) -> tuple[str, str]:
    """What happened and what to do: both worded where the code says it all, else a sentence before the details."""
    if known := _known().get(code):
        return known
    if kind := _kinds().get(code):
        #: {what} and {remedy} are whole English sentences.
        return kind, translate("Problems", "{what} {remedy}").format(what=what, remedy=remedy).strip()
    return what, remedy


def _known() -> dict[str, tuple[str, str]]:
    return {
        "no_daemon": (
            translate("Problems", "Idlebrush is not running in the background"),
            translate("Problems", "Start it to train and to see how things stand."),
        ),
        "daemon_silent": (
            translate("Problems", "Idlebrush does not answer"),
            translate("Problems", "Wait a moment. If it stays silent, restart it."),
        ),
        "daemon_old": (
            translate("Problems", "Another version of Idlebrush is still running in the background"),
            translate("Problems", "Restart it to use this version."),
        ),
    }


def _kinds() -> dict[str, str]:
    return {
        "admission": translate("Problems", "The run does not let this computer take part"),
        "already_running": translate("Problems", "Idlebrush is already running"),
        "activity": translate("Problems", "Idlebrush can no longer tell whether you are using the computer"),
        "autostart": translate("Problems", "Start at login could not be changed"),
        "bus": translate("Problems", "A service of the desktop does not answer"),
        "checkpoint": translate("Problems", "A checkpoint of the run cannot be used"),
        "child": translate("Problems", "The trainer cannot be kept going"),
        "codec": translate("Problems", "The run's image codec cannot be used"),
        "coordinator_away": translate("Problems", "The run's coordinator cannot be reached"),
        "daemon_failed": translate("Problems", "Idlebrush could not start in the background"),
        "daemon_foreign": translate("Problems", "What runs in the background is not yours"),
        "data": translate("Problems", "The run's training data cannot be used"),
        "display": translate("Problems", "The display does not answer as it should"),
        "download": translate("Problems", "A download did not succeed"),
        "duration": translate("Problems", "That is not a length of time"),
        "folder": translate("Problems", "The folder cannot be used"),
        "gate": translate("Problems", "The run does not let you in"),
        "generation": translate("Problems", "The pictures could not be drawn"),
        "gradient": translate("Problems", "A training step went wrong, and was not used"),
        "hub": translate("Problems", "The Hugging Face Hub cannot be reached"),
        "join": translate("Problems", "This run cannot be joined"),
        "keyring": translate("Problems", "The keyring of your system does not work"),
        "keyring_locked": translate("Problems", "The keyring of your system is locked"),
        "manifest": translate("Problems", "The description of the run cannot be trusted"),
        "membership": translate("Problems", "Your membership of the run has ended"),
        "memory": translate("Problems", "The memory that training needs cannot be planned"),
        "no_keyring": translate("Problems", "Your system has no keyring to keep the sign-in"),
        "nvml": translate("Problems", "The NVIDIA driver does not answer"),
        "nvml_absent": translate("Problems", "There is no NVIDIA driver"),
        "preference": translate("Problems", "This preference cannot be used"),
        "ranking": translate("Problems", "The pictures could not be ranked"),
        "receipt": translate("Problems", "A receipt cannot be trusted"),
        "rejected": translate("Problems", "You are signed out"),
        "sign_in": translate("Problems", "The sign-in was not completed"),
        "state": translate("Problems", "What Idlebrush remembers could not be read or saved"),
        "stats": translate("Problems", "The record of your contribution cannot be used"),
        "swarm": translate("Problems", "The swarm cannot be reached"),
        "text": translate("Problems", "The run's tokenizer cannot be used"),
    }
