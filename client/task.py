"""The process that runs one task for the daemon (`client.tasks`) and ends: `python -m client.task`.

It reads its task by the kinds of that task's part of the client alone: pydantic makes the models of all kinds in more
time than most tasks take.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from pydantic import Field, TypeAdapter
from pydantic_core import from_json

from core.children import child
from core.messages.lines import SILENT, Channel, Message

if TYPE_CHECKING:
    from pathlib import Path

    from client.account.tasks import HubTask, KeyringTask
    from client.admission.tasks import FetchSuccessor, GateTask, KeepFramesTask
    from client.directory.tasks import ReadLists
    from client.environment.tasks import AnyEnvironmentTask
    from client.joining.tasks import JoiningTask
    from client.remote.tasks import AnyRemoteTask
    from client.task_kinds import AnyTask
    from client.updates.tasks import AnyUpdateTask

_BY_TYPE = Field(discriminator="type")


class TaskPart(NamedTuple):
    """Functions that read a task of one part of the client, and carry it out."""

    kinds: Callable[[], "TypeAdapter[Any]"]
    carry_out: Callable[[Any, Channel], Message]


class TaskReader:
    """Reads a task by the kinds of its part, or, if it is none of those, by all, whose error then says what it is."""

    def validate_json(self, data: bytes, /, *, context: Any = None) -> "AnyTask":
        """Return the task in ``data``; ValidationError if it is none."""
        part = PARTS.get(_type_of(data))
        with child.importing():
            kinds = part.kinds() if part else _all_kinds()
        task: AnyTask = kinds.validate_json(data, context=context)
        return task


def _type_of(data: bytes) -> str:
    try:
        message = from_json(data)
    except ValueError:
        return ""
    return str(message.get("type")) if isinstance(message, dict) else ""


def main() -> None:
    child.live(TaskReader(), _run)


def _run(task: "AnyTask", channel: Channel) -> None:
    channel.send(PARTS[task.type].carry_out(task, channel))


def _all_kinds() -> "TypeAdapter[Any]":
    from client.task_kinds import TASKS

    return TASKS


def _account_kinds() -> "TypeAdapter[Any]":
    from client.account.tasks import AccountTask

    return TypeAdapter(Annotated[AccountTask, _BY_TYPE], config=SILENT)


def _gate_kinds() -> "TypeAdapter[Any]":
    from client.admission.tasks import GateTask

    return TypeAdapter(Annotated[GateTask, _BY_TYPE], config=SILENT)


def _run_kinds() -> "TypeAdapter[Any]":
    from client.directory.tasks import ReadLists
    from client.joining.tasks import JoiningTask

    return TypeAdapter(Annotated[JoiningTask | ReadLists, _BY_TYPE], config=SILENT)


def _update_kinds() -> "TypeAdapter[Any]":
    from client.updates.tasks import AnyUpdateTask

    return TypeAdapter(Annotated[AnyUpdateTask, _BY_TYPE], config=SILENT)


def _environment_kinds() -> "TypeAdapter[Any]":
    from client.environment.tasks import AnyEnvironmentTask

    return TypeAdapter(Annotated[AnyEnvironmentTask, _BY_TYPE], config=SILENT)


def _remote_kinds() -> "TypeAdapter[Any]":
    from client.remote.tasks import AnyRemoteTask

    return TypeAdapter(Annotated[AnyRemoteTask, _BY_TYPE], config=SILENT)


def _at_hub(task: "HubTask", channel: Channel) -> Message:
    from client.account.hub import Hub  # each task loads what it needs and no more
    from client.account.tasks import CarriedOut, CheckToken, GrantByCode, Renew, Revoke, SignInGrant

    hub = Hub(task.hub)
    match task:
        case GrantByCode():
            return SignInGrant(credentials=hub.grant(channel.send))
        case CheckToken(token=token):
            return SignInGrant(credentials=hub.check(token))
        case Renew(credentials=credentials):
            return SignInGrant(credentials=hub.renew(credentials))
        case Revoke(credentials=credentials):
            return CarriedOut(offered=hub.revoke(credentials))
    raise AssertionError(task.hub)


def _at_keyring(task: "KeyringTask", _: Channel) -> Message:
    from pydantic import SecretStr

    from client.account.keychain import Keychain
    from client.account.tasks import (
        CarriedOut,
        KeyringEntry,
        OpenKeyring,
        ReadKeyring,
        RemoveFromKeyring,
        SaveToKeyring,
    )

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


def _at_coordinator(task: "GateTask", channel: Channel) -> Message:
    from client.account.tasks import CarriedOut
    from client.admission import tasks
    from client.admission.coordinator import CoordinatorClient

    coordinator = CoordinatorClient(
        task.coordinator, lambda seconds: channel.send(tasks.RetryAfter(seconds=seconds))
    )
    match task:
        case tasks.Enter():
            from client.admission.entering import enter

            return enter(task, channel.send, coordinator)
        case tasks.RenewAccess():
            from client.admission.entering import renew

            return renew(task, coordinator)
        case tasks.EndMembership(membership=membership):
            coordinator.end(membership)
        case tasks.HideNameTask(membership=membership, hidden=hidden):
            coordinator.hide(membership, hidden)
        case tasks.OpenPageTask(membership=membership):
            return tasks.PageOpened(address=coordinator.page(membership))
        case tasks.KeepReceiptsTask():
            from client.admission.fetching import keep_receipts

            return tasks.ReceiptsKept(count=keep_receipts(task, coordinator))
        case tasks.AskBoard(query=query, membership=membership, identity=identity):
            return tasks.BoardFound(board=coordinator.board(query, membership, _peer_of(identity)))
        case tasks.AskTeams(query=query, membership=membership):
            return tasks.TeamsFound(board=coordinator.teams(query, membership))
        case tasks.ChangeTeamTask(membership=membership, action=action, name=name):
            return tasks.TeamChanged(name=coordinator.change_team(membership, action, name))
        case tasks.AskHistory(points=points):
            return tasks.HistoryFound(epochs=coordinator.history(points))
    return CarriedOut()


def _peer_of(identity: "Path | None") -> str | None:
    """Return the id of the peer whose key is in a file; None if there is no file, as before the first training."""
    from core.admission.peer_key import PeerKey

    return None if identity is None or not identity.exists() else PeerKey.load_or_create(identity).peer_id


def _about_run(task: "JoiningTask", channel: Channel) -> Message:
    from client.joining import inspection

    return inspection.carry_out(task, channel.send)


def _about_lists(task: "ReadLists", channel: Channel) -> Message:
    from client.directory import carrying_out

    return carrying_out.carry_out(task, channel.send)


def _about_update(task: "AnyUpdateTask", channel: Channel) -> Message:
    from client.updates import carrying_out

    return carrying_out.carry_out(task, channel.send)


def _about_environment(task: "AnyEnvironmentTask", channel: Channel) -> Message:
    from client.environment import attempt

    return attempt.carry_out(task, channel)


def _about_pairing(task: "AnyRemoteTask", _: Channel) -> Message:
    from client.remote import carrying_out

    return carrying_out.carry_out(task)


def _keep_frames(task: "KeepFramesTask", channel: Channel) -> Message:
    from client.admission import frames
    from client.admission.coordinator import CoordinatorClient
    from client.api.messages import Traffic
    from core.swarm.bandwidth import Line, Way

    line = Line(download=task.download)

    def arrived() -> int:
        channel.send(Traffic(bytes_received=line.received))
        return line.received

    coordinator = CoordinatorClient(task.coordinator, passed=lambda size: line.data.block(Way.DOWN, size))
    return frames.keep(task, coordinator, arrived)


def _successor(task: "FetchSuccessor", _: Channel) -> Message:
    from client.admission.fetching import fetch_successor

    return fetch_successor(task)


_OF_HUB = ("grant_by_code", "check_token", "renew", "revoke")
_OF_KEYRING = ("open_keyring", "read_keyring", "save_to_keyring", "remove_from_keyring")
_OF_COORDINATOR = (
    *("enter", "renew_access", "end_membership", "open_page", "hide_name", "keep_receipts"),
    *("ask_board", "ask_teams", "change_team", "ask_history"),
)
_OF_UPDATES = ("look_for_update", "fetch_update", "lay_out_update")
_OF_ENVIRONMENT = ("plan_environment", "fetch_distribution", "set_up_environment", "change_environment")
_OF_REMOTE = ("make_identity", "begin_pairing", "finish_pairing", "answer_pairing")
PARTS = {
    **dict.fromkeys(_OF_HUB, TaskPart(_account_kinds, _at_hub)),
    **dict.fromkeys(_OF_KEYRING, TaskPart(_account_kinds, _at_keyring)),
    **dict.fromkeys(_OF_COORDINATOR, TaskPart(_gate_kinds, _at_coordinator)),
    "keep_frames": TaskPart(_gate_kinds, _keep_frames),
    "fetch_successor": TaskPart(_gate_kinds, _successor),
    **dict.fromkeys(("look_up", "fetch_run"), TaskPart(_run_kinds, _about_run)),
    "read_lists": TaskPart(_run_kinds, _about_lists),
    **dict.fromkeys(_OF_UPDATES, TaskPart(_update_kinds, _about_update)),
    **dict.fromkeys(_OF_ENVIRONMENT, TaskPart(_environment_kinds, _about_environment)),
    **dict.fromkeys(_OF_REMOTE, TaskPart(_remote_kinds, _about_pairing)),
}
"""Part of the client to which the tasks of a type belong."""


if __name__ == "__main__":
    main()
