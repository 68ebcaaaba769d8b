"""Shows the daemon as one value: what a session and an account are, in the words of `client.api.snapshot`."""

import os
from datetime import datetime

from client.account.account import Account
from client.api.snapshot import (
    Activity,
    BudgetView,
    ProblemView,
    ProgressView,
    ReasonView,
    Snapshot,
    TrainerView,
)
from client.machine.views import views
from client.policy.policy import Effect, PauseReason, Reason
from client.service.run import Run
from client.service.session import Session
from client.service.state import State

_BY_STATE = {
    State.STARTING: (Activity.STARTING, "Starting: the trainer loads, and enters the swarm."),
    State.TRAINING: (Activity.TRAINING, "Training."),
    State.FINISHING: (Activity.FINISHING, "Finishing: training stops once this epoch is over."),
    State.BACKING_OFF: (Activity.WAITING, "Waiting: the trainer is started again."),
    State.COMPLETE: (Activity.COMPLETE, "Complete: this run has done all of its epochs."),
    State.LEAVING: (Activity.LEAVING, "Leaving: the trainer leaves the swarm in order."),
    State.IDLE: (Activity.STARTING, "Starting."),
    State.SETTLING: (Activity.STARTING, "Going on."),
    State.FROZEN: (Activity.STARTING, "Going on."),
}


def snapshot_of(session: Session, account: Account, version: str, started: datetime) -> Snapshot:
    """The daemon now."""
    run, now = session.run, session.now()
    reasons = session.decision.reasons if session.has_looked else ()
    activity, headline = what_it_does(session)
    return Snapshot(
        version=version,
        pid=os.getpid(),
        started=started,
        activity=activity,
        headline=headline,
        reasons=tuple(_reason(item) for item in reasons),
        run_mode=session.preferences.run_mode,
        snoozed_until=session.choices.snoozed_until(now),
        run=run.card.view(run.folder) if run else None,
        progress=_progress(run) if run else None,
        trainer=_trainer(session, run) if run else None,
        budget=_budget(session),
        contribution=session.books.contribution.summary(run.card.trained, now) if run else None,
        account=account.view,
        sign_in=account.sign_in_view or session.members.sign_in_view,
        prospect=session.prospecting.view,
        membership=run.coordination.membership_view if run else None,
        standing=run.coordination.standing if run else None,
        generations=session.pictures.views(in_use=any(item.code is PauseReason.IN_USE for item in reasons)),
        logs=str(session.paths.logs),
        gallery=str(session.pictures.gallery.folder),
        timelapse=str(run.timelapse) if run else "",
        readings=views(session.readings),
        problem=_problem(session, account),
        notices=tuple(session.notices),
    )


def what_it_does(session: Session) -> tuple[Activity, str]:
    """The activity, and one sentence."""
    if session.run is None:
        return Activity.OFF, "Off: no run was joined."
    if not session.has_looked:
        return Activity.STARTING, "Starting: the client looks at this computer."
    state, effect = session.run.training.state, session.decision.effect
    if session.run.coordination.problem is not None:
        return Activity.ATTENTION, f"Attention: {session.run.coordination.problem.what}"
    if state is State.FAILED:
        return Activity.ATTENTION, "Attention: the trainer cannot be kept going."
    if state is State.COMPLETE:
        return _BY_STATE[state]
    if effect >= Effect.PAUSE:
        return Activity.PAUSED, _paused(session)
    if state is State.BACKING_OFF and session.run.training.problem is not None:
        return Activity.WAITING, f"Waiting: {session.run.training.problem.what}"
    if (what := session.run.coordination.waits_for) and state in (State.IDLE, State.TRAINING):
        return Activity.WAITING, f"Waiting: {what}"
    if effect is Effect.THROTTLE and state is State.TRAINING:
        return Activity.THROTTLED, session.decision.headline
    return _BY_STATE[state]


def _reason(reason: Reason) -> ReasonView:
    return ReasonView(
        code=reason.code,
        text=reason.sentence,
        pauses=reason.effect > Effect.THROTTLE,
        about=reason.about,
        until=reason.until,
    )


def _paused(session: Session) -> str:
    if session.choices.finished:
        return "Paused: the epoch that you wanted to finish is over."
    return session.decision.headline


def _progress(run: Run) -> ProgressView | None:
    seen = run.progress
    if seen is None:
        return None
    return ProgressView(
        epoch=seen.epoch,
        loss=seen.loss,
        samples=seen.samples,
        swarm_samples=seen.swarm_samples,
        target_batch_size=seen.target_batch_size,
        peers=seen.peers,
        samples_per_second=seen.samples_per_second,
        own_samples_per_second=run.pace.rate,
        seconds_to_next_epoch=seen.seconds_to_next_epoch,
        data_wait=seen.data_wait,
    )


def _trainer(session: Session, run: Run) -> TrainerView | None:
    life = run.training.life
    if life is None or life.supervisor.child is None:
        return None
    planned = life.planned
    return TrainerView(
        pid=life.supervisor.child,
        peer_id=life.joined.peer_id if life.joined else None,
        plan=planned.reason if planned else "",
        micro_batch=planned.micro_batch if planned else 0,
        gpu_bytes=planned.gpu_bytes if planned else 0,
        ram_bytes=planned.ram_bytes if planned else 0,
        rss_bytes=session.books.memory_held or None,
        started=life.started,
        restarts=run.training.restarts,
    )


def _budget(session: Session) -> BudgetView:
    allowed = session.decision.budget
    return BudgetView(
        threads=allowed.threads, share=allowed.share, upload=allowed.upload, download=allowed.download
    )


def _problem(session: Session, account: Account) -> ProblemView | None:
    """What needs the volunteer most."""
    run = session.run
    failed = run.training.problem if run and run.training.state is State.FAILED else None
    coordination = run.coordination.problem if run else None
    for error in (coordination, failed, session.kept.problem, account.problem):
        if error is not None:
            return ProblemView(code=error.code, what=error.what, remedy=error.remedy)
    return None
