"""Decides what a computer of the same user may have this one do, and what of its state it may see.

The table names every kind of request, so that a new kind has to be decided about. Whatever concerns credentials,
files, programs or the computers themselves is refused: a stolen laptop must not take the others along.
"""

from client.api import commands, environment, questions, runs, updates
from client.api.answers import Done, Refused
from client.api.errors import RemoteError
from client.api.protocol import ProblemView
from client.api.remote import computers, control
from client.api.requests import AnyRequest
from client.api.snapshot import Activity, ReachView, ReadingView, ReasonView, RunView, Snapshot
from client.preferences.preferences import shown_name

PERMITTED: dict[type[AnyRequest], bool] = {
    questions.GetStatus: True,
    questions.Watch: True,
    questions.ShowContribution: True,
    questions.ShowPreferences: True,
    questions.ShowBoard: False,  # asks the coordinator in the volunteer's name
    questions.ShowEpochs: False,
    questions.ShowRanks: False,
    questions.ShowTeams: False,
    commands.Pause: True,
    commands.Resume: True,
    commands.Finish: True,
    commands.SetPreference: True,  # but for `OWNERS_PREFERENCES`
    commands.Quit: False,  # nothing could start it again from afar
    commands.Join: False,
    commands.Leave: False,
    commands.LookAtRun: False,
    commands.MeasureCandidate: False,
    commands.StopMeasuring: False,
    commands.JoinCandidate: False,
    commands.ForgetCandidate: False,
    commands.EnterGate: False,
    commands.OpenPage: False,
    commands.HideName: False,
    commands.ChangeTeam: False,
    commands.KeepReceipts: False,
    commands.CancelReceipts: False,
    commands.KeepFrames: False,
    commands.Generate: False,
    commands.CancelGeneration: False,
    commands.SignIn: False,
    commands.CancelSignIn: False,
    commands.SignOut: False,
    runs.SetShare: False,
    runs.RemoveLocalSwarm: False,
    runs.FindRuns: False,
    runs.AddRunList: False,
    runs.RemoveRunList: False,
    environment.PlanSetup: False,
    environment.BeginSetup: False,
    environment.PauseSetup: False,
    environment.ResumeSetup: False,
    environment.CancelSetup: False,
    environment.TurnOnWsl: False,
    environment.RestartWindows: False,
    environment.RestartIntoFirmware: False,
    environment.UpdateWsl: False,
    updates.CheckForUpdate: False,
    updates.InstallUpdate: False,
    updates.PutOffUpdate: False,
    updates.ShowNews: False,
    control.OpenPairing: False,
    control.ClosePairing: False,
    control.RemoveController: False,
    computers.ShowComputers: False,  # what this computer controls is not the other one's by that
    computers.AddComputer: False,
    computers.RemoveComputer: False,
    computers.OrderComputer: False,
}
"""Decision for each kind of request: true if a paired computer may send it."""
_NAMING_PROGRAMS = frozenset({"exclusive-applications"})
OWNERS_PREFERENCES = _NAMING_PROGRAMS | {"remote-control", "remote-port", "start-at-login", "updates"}
"""Preferences that only front ends of this computer may change: one that is not shown would be lost by that."""
SHOWN_READINGS = frozenset(
    {
        *(
            "last input",
            "screen locked",
            "on battery",
            "battery charge",
            "metered network",
            "automatic sleep",
        ),
        *("processor used by others", "processor temperature", "processor energy", "free RAM", "free disk"),
    }
)
"""Names of the readings that name no program; those of GPUs are shown as well."""


def require_permitted(request: AnyRequest) -> None:
    """Raise RemoteError if a paired computer may not send ``request``."""
    if not PERMITTED.get(type(request), False):
        raise RemoteError("Another computer may not request this.", "Do it on the computer itself.")
    if isinstance(request, commands.SetPreference) and shown_name(_field(request)) in OWNERS_PREFERENCES:
        raise RemoteError(
            "Another computer may not change this preference.", "Change it on the computer itself."
        )


def _field(request: commands.SetPreference) -> str:
    return request.name.strip().lower().replace("-", "_")


def shown_to_others(snapshot: Snapshot) -> Snapshot:
    """Return what a paired computer may see of a snapshot.

    Fields that are not listed here stay empty: paths, accounts, codes, addresses, notices and logs among them.
    """
    return Snapshot(
        version=snapshot.version,
        pid=0,
        started=snapshot.started,
        activity=snapshot.activity,
        headline=_headline(snapshot),
        reasons=tuple(_reason(reason) for reason in snapshot.reasons),
        run_mode=snapshot.run_mode,
        snoozed_until=snapshot.snoozed_until,
        run=snapshot.run and _run(snapshot.run),
        progress=snapshot.progress,
        reach=snapshot.reach and _reach(snapshot.reach),
        budget=snapshot.budget,
        contribution=snapshot.contribution,
        standing=snapshot.standing,
        readings=tuple(map(_reading, filter(_is_shown, snapshot.readings))),
        problem=snapshot.problem and _problem(snapshot.problem),
    )


def answer_to_others(request: AnyRequest, answer: Done | Refused) -> Done | Refused:
    """Return what a paired computer may see of the answer to its ``request``: no path and no program's name."""
    if isinstance(answer, Refused):
        shown = _problem(ProblemView(code=answer.code, what=answer.what, remedy=answer.remedy))
        return answer.model_copy(update={"what": shown.what, "remedy": shown.remedy})
    text = answer.text if isinstance(request, commands.Finish) else ""  # that of Resume is the headline
    preferences = answer.preferences and tuple(
        item for item in answer.preferences if item.name not in _NAMING_PROGRAMS
    )
    return answer.model_copy(update={"text": text, "about": "", "preferences": preferences})


def _headline(snapshot: Snapshot) -> str:
    names_program = any(reason.about for reason in snapshot.reasons)
    if not (names_program or _names_place(snapshot.headline)):
        return snapshot.headline
    if snapshot.activity is Activity.ATTENTION:
        return "Attention: this computer needs its user."
    return f"{snapshot.activity.value.capitalize()}."


def _names_place(text: str) -> bool:
    """Return true if a text may contain a path or an address."""
    return "/" in text or "\\" in text


def _reason(reason: ReasonView) -> ReasonView:
    """Return a reason without the names of the programs that the user runs."""
    text = reason.text if not (reason.about or _names_place(reason.text)) else "Another program runs."
    return reason.model_copy(update={"text": text, "about": ""})


def _is_shown(reading: ReadingView) -> bool:
    return reading.name in SHOWN_READINGS or reading.name.startswith("GPU")


def _reading(reading: ReadingView) -> ReadingView:
    return reading.model_copy(update={"source": ""}) if _names_place(reading.source) else reading


def _run(run: RunView) -> RunView:
    return RunView(
        name=run.name,
        title=run.title,
        digest=run.digest,
        fingerprint=run.fingerprint,
        folder="",
        total_epochs=run.total_epochs,
    )


def _reach(reach: ReachView) -> ReachView:
    return ReachView(code=reach.code, text=reach.text)


def _problem(problem: ProblemView) -> ProblemView:
    if not (_names_place(problem.what) or _names_place(problem.remedy)):
        return problem
    return ProblemView(
        code=problem.code, what="This computer needs its user.", remedy="Look at its own messages."
    )
