"""The process that runs one task for the daemon (`client.tasks`) and ends: `python -m client.task`."""

from collections.abc import Callable

from pydantic import SecretStr

from client.account.tasks import (
    CarriedOut,
    CheckToken,
    CodeShown,
    GrantByCode,
    HubTask,
    KeyringEntry,
    KeyringTask,
    OpenKeyring,
    ReadKeyring,
    RemoveFromKeyring,
    Renew,
    Revoke,
    SaveToKeyring,
    SignInGrant,
)
from client.admission.tasks import (
    AskBoard,
    AskHistory,
    BoardFound,
    EndMembership,
    Enter,
    FetchSuccessor,
    GateTask,
    HideNameTask,
    HistoryFound,
    KeepFramesTask,
    KeepReceiptsTask,
    OpenPageTask,
    PageOpened,
    ReceiptsKept,
    RenewAccess,
    RetryAfter,
)
from client.api.messages import Traffic
from client.environment.tasks import AnyEnvironmentTask, EnvironmentTask
from client.joining.tasks import JoiningTask, RunTask
from client.task_kinds import TASKS, AnyTask
from client.updates.tasks import AnyUpdateTask, UpdateTask
from core.children import child
from core.messages.lines import Channel, Message


def main() -> None:
    child.live(TASKS, _run)


def _run(task: AnyTask, channel: Channel) -> None:
    if isinstance(task, HubTask):
        channel.send(_at_hub(task, channel.send))
    elif isinstance(task, KeyringTask):
        channel.send(_at_keyring(task))
    elif isinstance(task, RunTask):
        channel.send(_about_run(task, channel))
    elif isinstance(task, UpdateTask):
        channel.send(_about_update(task, channel))
    elif isinstance(task, EnvironmentTask):
        channel.send(_about_environment(task, channel))
    elif isinstance(task, FetchSuccessor):
        channel.send(_successor(task))
    elif isinstance(task, KeepFramesTask):
        channel.send(_keep_frames(task, channel))
    else:
        channel.send(_at_coordinator(task, channel))


def _at_hub(task: GrantByCode | CheckToken | Renew | Revoke, show: Callable[[CodeShown], None]) -> Message:
    from client.account.hub import Hub  # each task loads what it needs and no more

    hub = Hub(task.hub)
    match task:
        case GrantByCode():
            return SignInGrant(credentials=hub.grant(show))
        case CheckToken(token=token):
            return SignInGrant(credentials=hub.check(token))
        case Renew(credentials=credentials):
            return SignInGrant(credentials=hub.renew(credentials))
        case Revoke(credentials=credentials):
            return CarriedOut(offered=hub.revoke(credentials))


def _at_keyring(task: OpenKeyring | ReadKeyring | SaveToKeyring | RemoveFromKeyring) -> Message:
    from client.account.keychain import Keychain

    keychain = Keychain.of_system()
    match task:
        case OpenKeyring():
            keychain.open()
        case ReadKeyring(entry=entry):
            kept = keychain.read(entry)
            return KeyringEntry(secret=None if kept is None else SecretStr(kept))
        case SaveToKeyring(entry=entry, secret=secret):
            keychain.save(entry, secret.get_secret_value())
        case RemoveFromKeyring(entry=entry):
            keychain.remove(entry)
    return CarriedOut()


def _at_coordinator(task: GateTask, channel: Channel) -> Message:
    from client.admission.coordinator import CoordinatorClient

    coordinator = CoordinatorClient(
        task.coordinator, lambda seconds: channel.send(RetryAfter(seconds=seconds))
    )
    match task:
        case Enter():
            from client.admission.entering import enter

            return enter(task, channel.send, coordinator)
        case RenewAccess():
            from client.admission.entering import renew

            return renew(task, coordinator)
        case EndMembership(membership=membership):
            coordinator.end(membership)
        case HideNameTask(membership=membership, hidden=hidden):
            coordinator.hide(membership, hidden)
        case OpenPageTask(membership=membership):
            return PageOpened(address=coordinator.page(membership))
        case KeepReceiptsTask():
            from client.admission.fetching import keep_receipts

            return ReceiptsKept(count=keep_receipts(task, coordinator))
        case AskBoard(query=query, membership=membership):
            return BoardFound(board=coordinator.board(query, membership))
        case AskHistory(points=points):
            return HistoryFound(epochs=coordinator.history(points))
    return CarriedOut()


def _about_run(task: JoiningTask, channel: Channel) -> Message:
    from client.joining import inspection

    return inspection.carry_out(task, channel.send)


def _about_update(task: AnyUpdateTask, channel: Channel) -> Message:
    from client.updates import carrying_out

    return carrying_out.carry_out(task, channel.send)


def _about_environment(task: AnyEnvironmentTask, channel: Channel) -> Message:
    from client.environment import attempt

    return attempt.carry_out(task, channel)


def _keep_frames(task: KeepFramesTask, channel: Channel) -> Message:
    from client.admission import frames
    from client.admission.coordinator import CoordinatorClient
    from core.swarm.bandwidth import Line, Way

    line = Line(download=task.download)

    def arrived() -> int:
        channel.send(Traffic(bytes_received=line.received))
        return line.received

    coordinator = CoordinatorClient(task.coordinator, passed=lambda size: line.data.block(Way.DOWN, size))
    return frames.keep(task, coordinator, arrived)


def _successor(task: FetchSuccessor) -> Message:
    from client.admission.fetching import fetch_successor

    return fetch_successor(task)


if __name__ == "__main__":
    main()
