"""Puts the state of updates into a view and into sentences, for snapshots and answers."""

from client.api.errors import UpdateError
from client.api.updates import UpdateView
from client.joining.tasks import FilesFetched
from client.updates.deciding import UpdateHold
from client.updates.stages import UpdateStage, UpdateState

_SENTENCES = {
    UpdateStage.CURRENT: "Idlebrush {running} is the newest version.",
    UpdateStage.OFFERED: "Idlebrush {version} is available, and will be fetched soon.",
    UpdateStage.FETCHING: "Idlebrush {version} is being fetched.",
    UpdateStage.FETCHED: "Idlebrush {version} has been fetched, and will be installed soon.",
    UpdateStage.UNPACKING: "Idlebrush {version} is being installed.",
    UpdateStage.HANDING_OVER: "Idlebrush {version} is being started.",
    UpdateStage.ON_TRIAL: "Idlebrush {running} was installed, and is kept once it has trained an epoch.",
    UpdateStage.TAKING_BACK: "Idlebrush {running} is being rolled back.",
    UpdateStage.REJECTED: "Idlebrush {version} did not work on this computer; {running} continues.",
}
_HOLDS = {
    UpdateHold.OFF: "Updates are turned off; `idlebrush update` installs it.",
    UpdateHold.PUT_OFF: "You put it off until tomorrow.",
    UpdateHold.BY_HAND: "This version is too old to be updated by itself.",
    UpdateHold.PACKAGE_MANAGER: "Your system's package manager installs it.",
    UpdateHold.BY_PACKAGE: "Download the new package from the page /join of a run's website.",
    UpdateHold.METERED: "It is fetched once the connection is no longer metered.",
    UpdateHold.QUOTA: "It is larger than what is left of this month's traffic quota.",
    UpdateHold.BATTERY: "It waits until the computer runs on mains power.",
    UpdateHold.TRAINING: "It is installed at the next pause.",
    UpdateHold.BUSY: "It is installed once pictures, previews, sign-ins and the installation of packages are done.",
}
_REMEDIES = {
    UpdateHold.PACKAGE_MANAGER: "Install it as you install your system's updates.",
    UpdateHold.BY_PACKAGE: "Install the package as you installed this one: it takes this one's place.",
    UpdateHold.BY_HAND: "Download the newest version from the website where you found Idlebrush.",
}


def view_of(
    state: UpdateState,
    hold: UpdateHold | None,
    progress: FilesFetched | None,
    *,
    is_looking: bool,
    program: str,
) -> UpdateView:
    """Return the view for snapshots.

    Args:
        state: Record of updates.
        hold: Reason why the next step waits; None: it does not.
        progress: Progress of the download; None: none is under way.
        is_looking: True while the repository is asked.
        program: Program by which front ends of another version start themselves again; empty: there is none.
    """
    offer = state.offer
    return UpdateView(
        stage=state.stage,
        version=offer.version if offer else "",
        hold=hold,
        is_looking=is_looking,
        done=progress.done if progress else 0,
        total=progress.total if progress else 0,
        has_news=bool(offer and offer.notes),
        looked=state.looked,
        problem=state.problem,
        program=program,
    )


def sentence_of(state: UpdateState, hold: UpdateHold | None, running: str) -> str:
    """Return a sentence about the state of updates; ``running`` is the version of this daemon."""
    version = state.offer.version if state.offer else ""
    if state.problem is not None:
        return state.problem.what
    if hold is not None and (text := _HOLDS.get(hold)):
        return f"Idlebrush {version} is there. {text}"
    return _SENTENCES[state.stage].format(version=version, running=running)


def require_installable(state: UpdateState, hold: UpdateHold | None, running: str) -> None:
    """Raise UpdateError if there is no newer version that this installation can install by itself."""
    sentence = sentence_of(state, hold, running)
    if hold in _REMEDIES:
        raise UpdateError(sentence, _REMEDIES[hold])
    if state.stage not in (UpdateStage.OFFERED, UpdateStage.FETCHING, UpdateStage.FETCHED):
        raise UpdateError(f"There is nothing to install. {sentence}", "Look for an update first.")


def news_of(state: UpdateState, language: str) -> str:
    """Return the text of what is new in a language, or else in English; raise UpdateError if there is none."""
    notes = state.offer.notes if state.offer else {}
    text = notes.get(language) or notes.get(language.split("_")[0]) or notes.get("en")
    if not text:
        raise UpdateError("There is no text about what is new.", "Look for an update first.")
    return text
