"""Words for newer versions of Idlebrush: their stages, and the reasons why they wait."""

from PySide6.QtCore import QCoreApplication

from client.api.updates import UpdateHold, UpdateStage, UpdateView

translate = QCoreApplication.translate


def update_title(view: UpdateView, running: str) -> str:
    """Return one line about the state of updates; ``running`` is the version of the daemon."""
    if view.is_looking:
        return translate("Updates", "Looking for a newer version")
    match view.stage:
        case UpdateStage.OFFERED | UpdateStage.FETCHED:
            text = translate("Updates", "Idlebrush {version} is available")
        case UpdateStage.FETCHING:
            text = translate("Updates", "Downloading Idlebrush {version}")
        case UpdateStage.UNPACKING | UpdateStage.HANDING_OVER:
            text = translate("Updates", "Installing Idlebrush {version}")
        case UpdateStage.TAKING_BACK | UpdateStage.REJECTED:
            text = translate("Updates", "Idlebrush {version} did not work on this computer")
        case _:
            return translate("Updates", "Idlebrush {version} is installed").format(version=running)
    return text.format(version=view.version)


def update_detail(view: UpdateView) -> str:
    """Return what happens next, as a sentence; empty if there is nothing to say."""
    if view.hold is not None:
        return _holds().get(view.hold, "")
    match view.stage:
        case UpdateStage.ON_TRIAL:
            return translate("Updates", "The version before it is kept until this one has trained an epoch.")
        case UpdateStage.REJECTED | UpdateStage.TAKING_BACK:
            return translate("Updates", "The version before it is in use again. This one is not tried again.")
        case UpdateStage.HANDING_OVER:
            return translate("Updates", "Training continues in a moment.")
    return ""


def _holds() -> dict[UpdateHold, str]:
    return {
        UpdateHold.OFF: translate("Updates", "Updates are turned off in the preferences."),
        UpdateHold.PUT_OFF: translate("Updates", "You put it off until tomorrow."),
        UpdateHold.BY_HAND: translate(
            "Updates", "This version is too old to update itself. Download the new one from the website."
        ),
        UpdateHold.PACKAGE_MANAGER: translate("Updates", "Your system's package manager installs it."),
        UpdateHold.BY_PACKAGE: translate(
            "Updates",
            "Download the new package from the page /join of a run's website, and install it over this one.",
        ),
        UpdateHold.METERED: translate(
            "Updates", "It is downloaded once the connection is no longer metered."
        ),
        UpdateHold.QUOTA: translate(
            "Updates", "It is larger than what is left of this month's traffic quota."
        ),
        UpdateHold.BATTERY: translate("Updates", "It waits until the computer runs on mains power."),
        UpdateHold.TRAINING: translate("Updates", "It is installed at the next pause of training."),
        UpdateHold.BUSY: translate(
            "Updates", "It is installed once your pictures, previews and sign-ins are done."
        ),
    }
