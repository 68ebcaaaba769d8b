"""Words for the client's codes, in the user's language: problems, badges and memory techniques."""

import re

from PySide6.QtCore import QCoreApplication

from client.api.candidate import PlanView
from gui.wording import amounts

translate = QCoreApplication.translate
_COUNTED = re.compile(r"([a-z_]+)_(\d+)")


def problem_words(code: str, what: str, remedy: str) -> tuple[str, str]:
    """Translate what happened and its remedy; details of some codes stay in the daemon's words."""
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
            translate("Problems", "Start it to train and to see the current state."),
        ),
        "daemon_silent": (
            translate("Problems", "Idlebrush does not answer"),
            translate("Problems", "Wait a moment. If it still does not answer, restart it."),
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
        "activity": translate(
            "Problems", "Idlebrush can no longer detect whether you are using the computer"
        ),
        "autostart": translate("Problems", "Start at login could not be changed"),
        "bus": translate("Problems", "A desktop service does not answer"),
        "checkpoint": translate("Problems", "A checkpoint of the run cannot be used"),
        "child": translate("Problems", "The trainer keeps failing"),
        "clock": translate("Problems", "This computer's clock is wrong"),
        "codec": translate("Problems", "The run's image codec cannot be used"),
        "coordinator_away": translate("Problems", "The run's coordinator cannot be reached"),
        "computer_away": translate("Problems", "The computer cannot be reached"),
        "daemon_failed": translate("Problems", "Idlebrush could not start in the background"),
        "daemon_foreign": translate("Problems", "The background service belongs to another user"),
        "data": translate("Problems", "The run's training data cannot be used"),
        "display": translate("Problems", "The display server does not respond correctly"),
        "download": translate("Problems", "A download failed"),
        "duration": translate("Problems", "This is not a valid duration"),
        "folder": translate("Problems", "The folder cannot be used"),
        "gate": translate("Problems", "The run did not admit you"),
        "generation": translate("Problems", "The pictures could not be drawn"),
        "gradient": translate("Problems", "A training step failed and was discarded"),
        "hub": translate("Problems", "The Hugging Face Hub cannot be reached"),
        "join": translate("Problems", "This run cannot be joined"),
        "keyring": translate("Problems", "Your system's keyring does not work"),
        "keyring_locked": translate("Problems", "Your system's keyring is locked"),
        "manifest": translate("Problems", "The description of the run cannot be trusted"),
        "membership": translate("Problems", "Your membership of the run has ended"),
        "memory": translate("Problems", "The memory for training cannot be planned"),
        "misfit": translate("Problems", "The files of the run do not fit its model"),
        "no_keyring": translate("Problems", "Your system has no keyring to store the sign-in"),
        "nvml": translate("Problems", "The NVIDIA driver does not answer"),
        "nvml_absent": translate("Problems", "No NVIDIA driver is installed"),
        "packages": translate("Problems", "A part of Idlebrush is not installed"),
        "preference": translate("Problems", "This preference is not valid"),
        "ram_limit": translate("Problems", "Training needs more memory than you allow"),
        "ranking": translate("Problems", "The pictures could not be ranked"),
        "remote": translate("Problems", "The other computer cannot be paired or controlled"),
        "receipt": translate("Problems", "A receipt cannot be trusted"),
        "rejected": translate("Problems", "You are signed out"),
        "setup": translate("Problems", "What training needs could not be installed"),
        "set_aside": translate("Problems", "The run's computers leave yours out"),
        "sign_in": translate("Problems", "The sign-in was not completed"),
        "state": translate("Problems", "Idlebrush's saved data could not be read or written"),
        "stats": translate("Problems", "The record of your contribution cannot be used"),
        "swarm": translate("Problems", "The swarm cannot be reached"),
        "text": translate("Problems", "The run's tokenizer cannot be used"),
        "broken_version": translate("Problems", "The new version does not work on this computer"),
        "update": translate("Problems", "Idlebrush could not be updated"),
        "wake_lock": translate("Problems", "This computer cannot be kept awake"),
        "version": translate("Problems", "This run needs a newer version of Idlebrush"),
    }


def badge_title(code: str) -> str:
    """Return the title of a badge, such as "A week in a row"; without one, the condition."""
    return _titles().get(code) or badge_about(code)


def badge_about(code: str) -> str:
    """Return the condition of a badge, such as "Trained on 1,000 samples"."""
    found = _COUNTED.fullmatch(code)
    text = _plural(found[1], int(found[2])) if found else None
    return text or code.replace("_", " ")


def _plural(family: str, n: int) -> str | None:
    if family == "samples":
        return translate("Badges", "Trained on %Ln sample(s)", "", n)
    if family == "hours":
        return translate("Badges", "Contributed %Ln hour(s) of computing time", "", n)
    if family == "streak":
        return translate("Badges", "Contributed on %Ln day(s) in a row", "", n)
    if family == "epochs":
        return translate("Badges", "Took part in %Ln epoch(s) of the swarm", "", n)
    if family == "nights":
        return translate("Badges", "Trained through %Ln night(s)", "", n)
    return None


def _titles() -> dict[str, str]:
    return {
        "samples_100": translate("Badges", "One hundred"),
        "samples_1000": translate("Badges", "One thousand"),
        "samples_10000": translate("Badges", "Ten thousand"),
        "samples_100000": translate("Badges", "A hundred thousand"),
        "samples_1000000": translate("Badges", "One million"),
        "hours_10": translate("Badges", "Ten hours"),
        "hours_24": translate("Badges", "Around the clock"),
        "hours_100": translate("Badges", "A hundred hours"),
        "hours_1000": translate("Badges", "A thousand hours"),
        "streak_3": translate("Badges", "Three days in a row"),
        "streak_7": translate("Badges", "A week in a row"),
        "streak_30": translate("Badges", "A month in a row"),
        "streak_100": translate("Badges", "A hundred days in a row"),
        "epochs_1": translate("Badges", "First epoch"),
        "epochs_100": translate("Badges", "A hundred epochs"),
        "epochs_1000": translate("Badges", "A thousand epochs"),
        "nights_1": translate("Badges", "Night painter"),
        "nights_30": translate("Badges", "Thirty nights"),
    }


def plan_sentence(plan: PlanView) -> str:
    """Return a sentence with the device and the memory of a plan, or that the run does not fit."""
    if not plan.fits:
        return translate("Plan", "This run needs more memory than this computer can provide.")
    if plan.device:
        #: {gpu_memory} and {memory} are such as "5.2 GB".
        text = translate("Plan", "Trains on {device} with {gpu_memory} of GPU memory and {memory} of RAM.")
        return text.format(
            device=plan.device,
            gpu_memory=amounts.data_size(plan.gpu_bytes),
            memory=amounts.data_size(plan.ram_bytes),
        )
    text = translate("Plan", "Trains on the processor with {memory} of RAM.")
    return text.format(memory=amounts.data_size(plan.ram_bytes))
