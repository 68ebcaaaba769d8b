"""Shows the daemon's state as one value, in the words of `client.api.snapshot`."""

import os
from datetime import datetime

from client.account.account import Account
from client.api.environment import EnvironmentView
from client.api.remote.control import RemoteControlView
from client.api.snapshot import (
    Activity,
    BudgetView,
    ProblemView,
    ProgressView,
    ReasonView,
    Snapshot,
    TrainerView,
    WaitReason,
)
from client.api.updates import UpdateView
from client.machine.gpu.choice import gpu_views
from client.machine.views import views
from client.policy.policy import Effect, PauseReason, Reason
from client.service.channel.joined_view import joined_views
from client.service.channel.reach_view import reach_view
from client.service.context import Context
from client.service.environment.view import headline_without
from client.service.parts import SessionParts
from client.service.trainer.run import ActiveRun
from client.service.trainer.state import State
from core.messages.events import EpochProgress

_BY_STATE = {
    State.STARTING: (Activity.STARTING, "Starting: the trainer is loading and joining the swarm."),
    State.TRAINING: (Activity.TRAINING, "Training."),
    State.FINISHING: (Activity.FINISHING, "Finishing: training stops once this epoch is over."),
    State.BACKING_OFF: (Activity.WAITING, WaitReason.RESTART.headline),
    State.COMPLETE: (Activity.COMPLETE, "Complete: this run has done all of its epochs."),
    State.LEAVING: (Activity.LEAVING, "Leaving: the trainer leaves the swarm in order."),
    State.IDLE: (Activity.STARTING, "Starting."),
    State.SETTLING: (Activity.STARTING, "Resuming."),
    State.FROZEN: (Activity.STARTING, "Resuming."),
}


def snapshot_of(
    context: Context,
    parts: SessionParts,
    account: Account,
    update: UpdateView | None,
    remote: RemoteControlView,
    process: tuple[str, datetime],
) -> Snapshot:
    """Return the daemon's state as it is now.

    Args:
        context: What the daemon's parts share.
        parts: The parts of the session.
        account: The volunteer's account.
        update: Newer versions; None: this installation does not ask for any.
        remote: Remote control of this computer.
        process: Version of the daemon, and the time at which its process began.
    """
    version, started = process
    run, now = context.run, context.now()
    reasons = context.decision.reasons if context.monitor.has_looked else ()
    environment = parts.environment.view
    ended = parts.local_swarm.view.problem if parts.local_swarm.is_trained else None
    activity, headline = what_it_does(context, environment, ended)
    return Snapshot(
        version=version,
        pid=os.getpid(),
        started=started,
        activity=activity,
        headline=headline,
        reasons=tuple(_reason(item) for item in reasons),
        run_mode=context.preferences.run_mode,
        snoozed_until=context.choices.snoozed_until(now),
        runs=joined_views(context.joined.all, context.choices.run_folder, now),
        run=run.card.view(run.folder) if run else None,
        progress=_progress(run) if run else None,
        trainer=_trainer(context, run) if run else None,
        reach=reach_view(run.reach, upnp=context.preferences.upnp) if run and run.reach else None,
        budget=_budget(context),
        power=context.power.view,
        contribution=context.accounting.contribution.summary(run.card.trained, now) if run else None,
        account=account.view,
        sign_in=account.sign_in_view or context.members.sign_in_view,
        candidate=parts.candidate_run.view,
        local_swarm=parts.local_swarm.view,
        remote=remote,
        update=update,
        environment=environment,
        membership=run.coordination.membership_view if run else None,
        standing=run.coordination.standing if run else None,
        uncredited=run.coordination.uncredited if run else None,
        generations=parts.pictures.views(in_use=any(item.code is PauseReason.IN_USE for item in reasons)),
        logs=str(context.paths.logs),
        gallery=str(parts.pictures.gallery.folder),
        timelapse=str(run.timelapse) if run else "",
        readings=(*views(context.readings), *context.power.lines),
        gpus=gpu_views(context.gpu_choice) if run and context.trainer_computes_on_gpu else (),
        problem=_problem(context, account, environment, ended),
        notices=tuple(context.notices),
    )


def what_it_does(
    context: Context, environment: EnvironmentView | None = None, ended: ProblemView | None = None
) -> tuple[Activity, str]:
    """Return the activity, and one sentence about it.

    Args:
        context: State of the daemon.
        environment: The trainer's environment; None: none is needed.
        ended: Error that ended the swarm on this computer, whose run is trained; None: it has not ended so.
    """
    if context.run is None:
        return Activity.OFF, "Off: no run was joined."
    if not context.monitor.has_looked:
        return Activity.STARTING, "Starting: Idlebrush is checking this computer."
    state, effect = context.run.training.state, context.decision.effect
    if context.run.coordination.problem is not None:
        return Activity.ATTENTION, f"Attention: {context.run.coordination.problem.what}"
    if state is State.FAILED:
        return Activity.ATTENTION, "Attention: the trainer failed, and is not started again."
    if state is State.COMPLETE:
        return _BY_STATE[state]
    if environment is not None and not environment.is_usable:
        needs_volunteer, sentence = headline_without(environment)
        return Activity.ATTENTION if needs_volunteer else Activity.WAITING, sentence
    if effect >= Effect.PAUSE:
        return Activity.PAUSED, _paused(context)
    if state is State.BACKING_OFF and context.run.training.problem is not None:
        return Activity.WAITING, f"Waiting: {context.run.training.problem.what}"
    if state is State.IDLE and ended is not None:
        return Activity.ATTENTION, f"Attention: {ended.what}"
    if (what := context.run.coordination.waits_for) and state in (State.IDLE, State.TRAINING):
        return Activity.WAITING, f"Waiting: {what}"
    if state is State.FINISHING and context.run.makes_way and not context.run.is_last_epoch:
        return Activity.TRAINING, "Training: another run has its turn after this epoch."
    if state is State.TRAINING and (progress := context.run.progress) and progress.waiting:
        return Activity.WAITING, WaitReason[progress.waiting.name].headline
    if effect is Effect.THROTTLE and state is State.TRAINING:
        return Activity.THROTTLED, context.decision.headline
    return _BY_STATE[state]


def _reason(reason: Reason) -> ReasonView:
    return ReasonView(
        code=reason.code,
        text=reason.sentence,
        pauses=reason.effect > Effect.THROTTLE,
        about=reason.about,
        until=reason.until,
    )


def _paused(context: Context) -> str:
    if context.choices.finished:
        return "Paused: the epoch that you wanted to finish is over."
    return context.decision.headline


def _progress(run: ActiveRun) -> ProgressView | None:
    seen = run.progress
    if seen is None:
        return None
    shared = seen.model_dump(include=set(EpochProgress.model_fields))
    return ProgressView(**shared, own_samples_per_second=run.pace.rate)


def _trainer(context: Context, run: ActiveRun) -> TrainerView | None:
    trainer = run.training.trainer
    if trainer is None or trainer.supervisor.child is None:
        return None
    planned = trainer.planned
    return TrainerView(
        pid=trainer.supervisor.child,
        peer_id=trainer.joined.peer_id if trainer.joined else None,
        plan=planned.reason if planned else "",
        micro_batch=planned.micro_batch if planned else 0,
        gpu_bytes=planned.gpu_bytes if planned else 0,
        ram_bytes=planned.ram_bytes if planned else 0,
        held_bytes=context.accounting.memory_held or None,
        started=trainer.started,
        restarts=run.training.restarts,
    )


def _budget(context: Context) -> BudgetView:
    allowed = context.decision.budget
    return BudgetView(
        threads=allowed.threads, share=allowed.share, upload=allowed.upload, download=allowed.download
    )


def _problem(
    context: Context, account: Account, environment: EnvironmentView | None, ended: ProblemView | None
) -> ProblemView | None:
    """Return the problem that needs the volunteer most; ``ended`` is that of the swarm on this computer."""
    run = context.run
    failed = run.training.problem if run and run.training.state is State.FAILED else None
    coordination = run.coordination.problem if run else None
    if coordination is None and failed is None and ended is not None:
        return ended
    for error in (coordination, failed, context.kept.problem, account.problem):
        if error is not None:
            return ProblemView(code=error.code, what=error.what, remedy=error.remedy)
    is_missing = environment is not None and not environment.is_usable and environment.retry_at is None
    return environment.problem if environment is not None and is_missing else None
